"""Metering of hosted embedders and rerankers: reserve before a call, book after it, notify listeners.

The caller keeps the ledger (`answer.meter`); models only report how much they read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

from pykala.law.answers import Cost
from pykala.models.writer import Usage

#: Receives the cost of each call.
Heard = Callable[[Cost], None]


class Account(Protocol):
    """The meter that calls are charged to. `allow` raises a ModelError where a cap would be passed."""

    def allow(self, model: str, tokens: int) -> int | None:
        """Reserve what a call may cost; return the number to settle it by, None if nothing was reserved."""
        ...

    def settle(self, number: int | None, usage: Usage) -> Cost:
        """Book what a call used; return its cost."""
        ...


@runtime_checkable
class Charged(Protocol):
    """A model whose calls are paid for."""

    def heard_by(self, heard: Heard) -> Any:
        """The same model, which also reports its costs to `heard`."""
        ...


@dataclass(frozen=True, slots=True)
class Charges:
    """The calls of one model: the account that pays, and the listener."""

    model: str
    account: Account | None = None
    heard: Heard | None = None

    def heard_by(self, heard: Heard) -> Charges:
        """The same, with another listener."""
        return replace(self, heard=heard)

    def call(self, tokens: int, post: Callable[[], Any]) -> Any:
        """Make a call that reads about this many tokens, and book the usage that it reports."""
        if self.account is None:
            return post()
        number = self.account.allow(self.model, tokens)
        used = Usage(self.model, 0, 0)  # if the call fails
        try:
            reply = post()
            used = reported(reply, self.model) or Usage(self.model, tokens, 0, estimated=True)
            return reply
        finally:
            cost = self.account.settle(number, used)
            if self.heard is not None:
                self.heard(cost)


def reported(reply: Any, model: str) -> Usage | None:
    """The usage in a reply: OpenAI's and Voyage's `usage`, Cohere's `meta.billed_units`."""
    fields = reply if isinstance(reply, Mapping) else {}
    usage = fields.get("usage")
    meta = fields.get("meta")
    billed = meta.get("billed_units") if isinstance(meta, Mapping) else None
    for found, names in (
        (usage, ("total_tokens", "prompt_tokens")),
        (billed, ("input_tokens", "total_tokens")),
    ):
        for name in names:
            count = found.get(name) if isinstance(found, Mapping) else None
            if isinstance(count, int | float) and not isinstance(count, bool) and 0 <= count < 10**9:
                return Usage(model, int(count), 0)
    return None
