"""The cost of a call: reported tokens times their price."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import lru_cache
from importlib.resources import files
from typing import Final

from pykala.law.answers import Cost
from pykala.models.writer import Usage

_MILLION: Final = 1_000_000
_WEEKEND: Final = 5
_DECIMALS: Final = 8


class UnknownPrice(LookupError):
    """The price of a model is unknown."""


@dataclass(frozen=True, slots=True)
class Price:
    """Prices per million tokens: input, cached input, output; higher in some hours of working days."""

    input: float
    cached: float
    output: float
    currency: str = "USD"
    peak: float = 1.0
    peak_hours: tuple[tuple[int, int], ...] = ()
    call: float = 0.0  # for the call itself, such as a search that it makes

    def of(self, usage: Usage, when: datetime) -> float:
        """The cost of a call at a time: as the service reports, else by its tokens."""
        if usage.charged is not None:
            return round(usage.charged, _DECIMALS)
        if not (usage.tokens_in or usage.tokens_out):
            return 0.0
        fresh = usage.tokens_in - usage.tokens_cached
        amount = fresh * self.input + usage.tokens_cached * self.cached + usage.tokens_out * self.output
        return round(amount * self._times(when) / _MILLION + self.call, _DECIMALS)

    def tokens_for(self, amount: float, tokens_in: int, when: datetime) -> int:
        """How many tokens an amount can pay for after the input; negative where it is too little."""
        left = (amount - self.call) * _MILLION / self._times(when) - tokens_in * self.input
        if left < 0:
            return -1
        return int(left / self.output) if self.output else _MILLION

    def _times(self, when: datetime) -> float:
        moment = when.astimezone(UTC)
        dear = any(start <= moment.hour < end for start, end in self.peak_hours)
        return self.peak if dear and moment.weekday() < _WEEKEND else 1.0


@dataclass(frozen=True, slots=True)
class PriceTable:
    """Prices by the model's name, and the day they were read."""

    read: date
    currency: str
    rows: Mapping[str, Price]
    free: frozenset[str] = frozenset()
    own: Mapping[str, Price] = field(default_factory=dict)  # what the user says; it comes first

    def price_of(self, model: str) -> Price:
        """The price of a model; UnknownPrice where it is not listed."""
        found = self.own.get(model) or self.rows.get(model)
        if found is not None:
            return found
        if model.partition("/")[0] in self.free:
            return Price(0.0, 0.0, 0.0, self.currency)
        raise UnknownPrice(
            f"no price is known for {model}, so its cost cannot be metered; set PYKALA_MODEL_PRICE to what a"
            " million tokens read and written cost, as 0.50/1.50, or to 0/0 where it costs nothing"
        )


@lru_cache(maxsize=1)
def price_table() -> PriceTable:
    """The bundled prices."""
    data = tomllib.loads(files("pykala.spend").joinpath("prices.toml").read_text(encoding="utf-8"))
    rows = {
        row["name"]: Price(
            row["input"],
            row["cached"],
            row["output"],
            data["currency"],
            row.get("peak", 1.0),
            tuple((start, end) for start, end in row.get("peak_hours", ())),
            row.get("call", 0.0),
        )
        for row in data["model"]
    }
    return PriceTable(data["read"], data["currency"], rows, frozenset(data["free"]))


def price_from(text: str, currency: str = "USD") -> Price:
    """Parse a user's price: "0.50/1.50" per million tokens of input and output.

    "1/1+0.012" has what each call costs besides.
    """
    read, slash, rest = text.partition("/")
    written, _, call = rest.partition("+")
    try:
        price = Price(float(read), float(read), float(written), currency, call=float(call or 0))
    except ValueError:
        slash = ""
        price = Price(0.0, 0.0, 0.0)
    if not slash or not all(0 <= one < _MILLION for one in (price.input, price.output, price.call)):
        raise ValueError(
            f"{text!r} is no price; write what a million tokens read and written cost: 0.50/1.50"
        )
    return price


def added(cost: Cost, usage: Usage, amount: float, currency: str) -> Cost:
    """A cost plus one call."""
    return Cost(
        cost.tokens_in + usage.tokens_in,
        cost.tokens_out + usage.tokens_out,
        round(cost.amount + amount, _DECIMALS),
        currency,
    )
