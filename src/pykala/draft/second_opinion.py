"""Ask for a second opinion within the caps; report its cost, or why there is none.

The law's answer is complete before this is asked, and is not affected by it. A failure is reported in one
line.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from pykala.law.answers import Cost
from pykala.models.configure import SECOND_OPINION_KEY, default_second_opinion, second_opinion_from
from pykala.models.failures import MalformedReply, ModelError
from pykala.models.second_opinion import MOST_TOKENS, Advice, Link, SecondOpinion
from pykala.models.writer import Usage
from pykala.spend.ledger import SpendingLedger
from pykala.spend.meter import AnswerMeter, Caps, Meter
from pykala.spend.pricing import UnknownPrice, price_from, price_table
from pykala.text.tokens import count_tokens

DEADLINE: Final = 30.0  # seconds
_SHORTEST: Final = 1.0  # with less time left, no request is made: it would cost money and time out
_READING: Final = 20_000  # tokens of web pages that a search may read, which are charged

#: The message where no service is set up.
NOT_SET_UP: Final = (
    f"none is set up; set {SECOND_OPINION_KEY} for Perplexity, or PYKALA_SECOND_OPINION to another service"
)


class Adviser:
    """A service for second opinions, and its meter."""

    def __init__(self, source: SecondOpinion, meter: Meter) -> None:
        self._source, self.meter = source, meter

    @property
    def name(self) -> str:
        """The service and its model."""
        return self._source.name

    def __repr__(self) -> str:
        return f"Adviser({self._source!r})"

    def advise(self, question: str, *, spent: Cost | None = None, deadline: float = DEADLINE) -> Advice:
        """An opinion, or why there is none; `spent` on the answer counts towards its cap."""
        if deadline < _SHORTEST:
            return Advice(provider=self.name, problem="no time was left to ask for one; ask again")
        before = spent or Cost()
        tally = self.meter.answer()
        tally.cost = replace(before, currency="USD")
        try:
            text, links = self._booked(question, tally, deadline)
        except ModelError as error:
            return Advice(provider=self.name, cost=_since(before, tally.cost), problem=str(error))
        return Advice(text, links, self.name, _since(before, tally.cost))

    def _booked(self, question: str, tally: AnswerMeter, deadline: float) -> tuple[str, tuple[Link, ...]]:
        """Ask: reserve the highest possible cost before, book the real one after."""
        reading = count_tokens(question) + _READING
        try:
            self.meter.prices.price_of(self.name)
        except UnknownPrice:
            raise ModelError(
                f"no price is known for {self.name}, so its cost cannot be metered; set"
                " PYKALA_SECOND_OPINION_PRICE to what a million tokens read and written and each call cost,"
                " as 1/1+0.012, or to 0/0 where it costs nothing"
            ) from None
        tokens = tally.allow(self.name, reading, MOST_TOKENS)
        used = Usage(self.name, 0, 0)  # if the service refuses or cannot be reached
        try:
            opinion = self._source.ask(question, deadline, most_tokens=tokens)
            used = opinion.usage
            if used.estimated:
                used = replace(used, tokens_in=reading, tokens_out=count_tokens(opinion.text))
        except MalformedReply:
            used = Usage(self.name, reading, tokens, estimated=True)  # a partial reply, which is charged
            raise
        finally:
            tally.book(used)
        return opinion.text, opinion.links


def adviser_from(
    *,
    model: str = "",
    key: str = "",
    address: str = "",
    price: str = "",
    caps: Caps | None = None,
    ledger: SpendingLedger | None = None,
) -> Adviser:
    """The service for second opinions from settings; ModelMisconfigured or ValueError if invalid.

    Makes no connection. Its cost is booked in the drafts' ledger, so that one monthly cap covers both.
    """
    source = second_opinion_from(model, key=key, address=address)
    own = {model or default_second_opinion(): price_from(price)} if price else {}
    return Adviser(source, Meter(caps=caps, prices=replace(price_table(), own=own), ledger=ledger))


def _since(before: Cost, after: Cost) -> Cost:
    """The cost between two readings."""
    return Cost(
        after.tokens_in - before.tokens_in,
        after.tokens_out - before.tokens_out,
        round(after.amount - before.amount, 8),
        after.currency,
    )
