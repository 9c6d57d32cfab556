"""The parts for drafting in one value: a writer, a meter, limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pykala.draft.context import BUDGET, context_block
from pykala.draft.write import Limits, drafted
from pykala.law.answers import Answer
from pykala.models.configure import default_writer, writer_from
from pykala.models.writer import Writer
from pykala.packs.pack import Pack
from pykala.retrieve.trace import Listener, nobody
from pykala.spend.ledger import SpendingLedger
from pykala.spend.meter import AnswerMeter, Caps, Meter, MeteredWriter
from pykala.spend.pricing import price_from, price_table
from pykala.stores.store import Store


@dataclass(frozen=True, slots=True)
class Drafting:
    """A model that drafts answers, its caps, and its budget of evidence."""

    writer: Writer
    meter: Meter
    limits: Limits = field(default_factory=Limits)
    budget: int = BUDGET
    both_languages: bool = False

    def draft(
        self,
        answer: Answer,
        store: Store,
        packs: Mapping[str, Pack],
        *,
        listen: Listener = nobody,
        tally: AnswerMeter | None = None,
    ) -> Answer:
        """An answer with a draft, or with a caveat; unanswered questions stay as they are."""
        tally = tally or self.meter.answer()
        if not answer.outcome.quotes:
            return replace(answer, cost=tally.cost) if tally.called else answer
        context = context_block(answer, store, packs, budget=self.budget, both_languages=self.both_languages)
        return drafted(answer, context, self.writer, listen=listen, limits=self.limits, tally=tally)

    def helper(self, tally: AnswerMeter) -> Writer:
        """The same model for help before the search, on the same answer's meter."""
        return MeteredWriter(self.writer, tally)


def writer_and_meter(
    model: str,
    *,
    key: str = "",
    address: str = "",
    price: str = "",
    caps: Caps | None = None,
    ledger: SpendingLedger | None = None,
    key_variable: str = "",
) -> tuple[Writer, Meter]:
    """A model for another task, and its meter on the drafts' ledger; connects to nothing."""
    writer = writer_from(model, key=key, address=address, key_variable=key_variable)
    own = {model or default_writer(): price_from(price)} if price else {}
    return writer, Meter(caps=caps, prices=replace(price_table(), own=own), ledger=ledger)


def drafting_from(
    *,
    model: str = "",
    key: str = "",
    address: str = "",
    fallback: str = "",
    fallback_key: str = "",
    fallback_address: str = "",
    price: str = "",
    fallback_price: str = "",
    caps: Caps | None = None,
    ledger: SpendingLedger | None = None,
    limits: Limits | None = None,
    budget: int = BUDGET,
) -> Drafting:
    """Drafting from settings; ModelMisconfigured or ValueError where they are invalid.

    Makes no connection. Prices are per million tokens read and written: "0.50/1.50".
    """
    writer = writer_from(
        model,
        key=key,
        address=address,
        fallback=fallback,
        fallback_key=fallback_key,
        fallback_address=fallback_address,
    )
    prices = {model or default_writer(): price, fallback: fallback_price}
    own = {name: price_from(text) for name, text in prices.items() if name and text}
    meter = Meter(caps=caps, prices=replace(price_table(), own=own), ledger=ledger)
    return Drafting(writer, meter, limits or Limits(), budget)
