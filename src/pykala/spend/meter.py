"""The cost meter: caps for an answer and for a month, and the costs so far.

Before a call, its highest possible cost is reserved in the ledger; after it, the real cost replaces that. Two
programs at once can therefore not pass the month's cap together. A program that is killed in between leaves
its reservation as spent, so that the cap holds.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from pykala.law.answers import Cost, sum_of
from pykala.models.writer import FellBack, Message, Piece, Structured, Usage, Writer
from pykala.spend.ledger import CapReached, Ledger, Spending, SpendingLedger, month_of
from pykala.spend.pricing import Price, PriceTable, UnknownPrice, added, price_table
from pykala.text.tokens import count_tokens

_FEWEST: Final = 100  # tokens that an answer needs at least
_LONGEST_TOKEN = 16  # characters that a token of any language has at most, on average
_MARGIN: Final = 1.3  # a model may count more tokens than we estimate


@dataclass(frozen=True, slots=True)
class Caps:
    """The most that one answer, and one calendar month, may cost; None: no cap."""

    per_answer: float | None = 0.25
    per_month: float | None = 10.0


class Meter:
    """Prices, caps and the ledger, for all answers."""

    def __init__(
        self,
        *,
        caps: Caps | None = None,
        prices: PriceTable | None = None,
        ledger: SpendingLedger | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.caps, self.prices = caps or Caps(), prices or price_table()
        self.ledger: SpendingLedger = ledger or Ledger()
        self.now = now

    def spending(self) -> Spending:
        """The cost of this month so far."""
        return self.ledger.spent(month_of(self.now()))

    def answer(self) -> AnswerMeter:
        """A meter for one answer."""
        return AnswerMeter(self)


class AnswerMeter:
    """The cost of one answer so far."""

    def __init__(self, meter: Meter, spent: list[Cost] | None = None) -> None:
        self._meter = meter
        self._open: int | None = None
        self._spent = [Cost()] if spent is None else spent  # one amount, whoever meters the same answer

    @property
    def cost(self) -> Cost:
        """The cost so far."""
        return self._spent[0]

    @cost.setter
    def cost(self, spent: Cost) -> None:
        self._spent[0] = spent

    def on(self, meter: Meter) -> AnswerMeter:
        """A meter for the same answer with another model's prices."""
        return AnswerMeter(meter, self._spent)

    def add(self, cost: Cost) -> None:
        """Add a cost booked elsewhere: a hosted embedder books its own calls."""
        self.cost = sum_of((self.cost, cost))

    @property
    def called(self) -> bool:
        """Whether anything was booked."""
        return self.cost != Cost()

    def allow(self, model: str, tokens_in: int, most_tokens: int) -> int:
        """Reserve the cost of a call and return how many tokens it may write; CapReached if too few."""
        meter = self._meter
        try:
            price = meter.prices.price_of(model)
        except UnknownPrice as error:
            raise CapReached(str(error)) from None
        when, read = meter.now(), int(tokens_in * _MARGIN)
        tokens = most_tokens
        if meter.caps.per_answer is not None:
            left = meter.caps.per_answer - self.cost.amount
            tokens = min(most_tokens, price.tokens_for(left, read, when))
            if tokens < min(_FEWEST, most_tokens):
                raise CapReached(
                    f"this answer could pass its cap of {meter.caps.per_answer:.2f} {price.currency};"
                    " raise PYKALA_ANSWER_CAP, or set a smaller budget for the evidence"
                )
        most = price.of(Usage(model, read, tokens), when)
        self._open = meter.ledger.set_aside(when, model, price.currency, most, meter.caps.per_month)
        return tokens

    def book(self, usage: Usage) -> None:
        """Book the usage of a call."""
        price, when = self._meter.prices.price_of(usage.model), self._meter.now()
        amount = price.of(usage, when)
        self.cost = added(self.cost, usage, amount, price.currency)
        if self._open is not None:
            with suppress(CapReached):  # what was set aside then stays as spent
                self._meter.ledger.settle(self._open, usage.model, usage, amount)
            self._open = None


class LookupAccount:
    """Pays for hosted embedders and rerankers from the same ledger, within the month's cap.

    Where no price is known, tokens are booked and no amount: a search is not refused for that.
    """

    def __init__(self, meter: Meter) -> None:
        self._meter = meter

    def allow(self, model: str, tokens: int) -> int | None:
        """Reserve the cost of a call; CapReached where the month would exceed its cap."""
        meter, when = self._meter, self._meter.now()
        price = self._price(model)
        most = price.of(Usage(model, int(tokens * _MARGIN), 0), when)
        return meter.ledger.set_aside(when, model, price.currency, most, meter.caps.per_month)

    def settle(self, number: int | None, usage: Usage) -> Cost:
        """Book the usage of a call, and return its cost."""
        price = self._price(usage.model)
        amount = price.of(usage, self._meter.now())
        if number is not None:
            with suppress(CapReached):  # what was set aside then stays as spent
                self._meter.ledger.settle(number, usage.model, usage, amount)
        return Cost(usage.tokens_in, usage.tokens_out, amount, price.currency)

    def _price(self, model: str) -> Price:
        try:
            return self._meter.prices.price_of(model)
        except UnknownPrice:
            return Price(0.0, 0.0, 0.0, self._meter.prices.currency)


class MeteredWriter:
    """A writer whose calls are reserved before and booked after, however they end.

    Whoever helps with an answer, before the search or after it, writes through one of these on the same
    answer's meter.
    """

    def __init__(self, writer: Writer, tally: AnswerMeter) -> None:
        self._writer, self._tally = writer, tally

    @property
    def name(self) -> str:
        """The model, as the price table names it."""
        return self._writer.name

    def __repr__(self) -> str:
        return f"MeteredWriter({self._writer!r})"

    def write(
        self, messages: Sequence[Message], *, most_tokens: int, structured: Structured = False
    ) -> Generator[Piece, None, None]:
        """Text as it comes, then one Usage; CapReached before anything is sent."""
        call = _Call(self._tally, self.name, sum(count_tokens(one.text) for one in messages))
        tokens = self._tally.allow(self.name, call.reading, most_tokens)
        try:
            with closing(self._writer.write(messages, most_tokens=tokens, structured=structured)) as pieces:
                for piece in pieces:
                    if isinstance(piece, FellBack):
                        call.start_over(piece.model, tokens)
                    call.written += piece if isinstance(piece, str) else ""
                    yield call.booked(piece) if isinstance(piece, Usage) else piece
                    if len(call.written) > tokens * _LONGEST_TOKEN:  # a service that heeds no limit
                        yield call.booked(Usage(call.model, 0, 0, stopped_short=True, estimated=True))
                        return
        finally:
            call.end()


@dataclass(slots=True)
class _Call:
    """One running call: its model, its input, its output so far."""

    tally: AnswerMeter
    model: str
    reading: int
    written: str = ""
    settled: bool = False

    def booked(self, usage: Usage) -> Usage:
        """Book the reported usage, or our own count where none is reported."""
        if usage.estimated:
            usage = replace(usage, tokens_in=self.reading, tokens_out=count_tokens(self.written))
        self.tally.book(usage)
        self.settled = True
        return usage

    def start_over(self, model: str, tokens: int) -> None:
        """Another model starts from the beginning; its cost is reserved first."""
        self.end()
        self.model, self.written, self.settled = model, "", False
        if self.tally.allow(model, self.reading, tokens) < tokens:
            raise CapReached(f"{model} could cost more than this answer may")

    def end(self) -> None:
        """Book a call that ended without a report, by our own count."""
        if not self.settled:
            read = self.reading if self.written else 0
            self.tally.book(Usage(self.model, read, count_tokens(self.written), estimated=True))
            self.settled = True
