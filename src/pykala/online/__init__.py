"""Publishers' servers: today's sources, acts by keyword, and questions that go online."""

from pykala.online.escalate import Online

__all__ = ["Online"]
