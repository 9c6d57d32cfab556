"""The publishers' own servers: sources as they are today, acts by keyword, and questions that go online."""

from pykala.online.escalate import Online

__all__ = ["Online"]
