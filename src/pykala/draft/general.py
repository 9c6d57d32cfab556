"""General guidance by a model where nothing is certain: apart from the law, and never without its notice.

If the library has no sure answer, a cheap model may describe in general what such rules are usually about and
whom to ask. This text is not part of the answer: it cites nothing, quotes nothing and does not change the
outcome. It begins with a notice that it is not law (`law.answers.GeneralGuidance` cannot be created without
one). Sentences in which the model cites law are removed, because nobody has checked the citation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Final

from pykala.answer.in_words import ABOUT_ACTS
from pykala.draft.presenting import shown
from pykala.law.answers import Answer, Caveat, CaveatKind, GeneralGuidance, Outcome
from pykala.law.citations import CitationContext
from pykala.models.failures import ModelError
from pykala.models.second_opinion import plain
from pykala.models.writer import FellBack, Message, Usage, Writer
from pykala.packs.pack import Pack
from pykala.spend.meter import AnswerMeter, Meter, MeteredWriter
from pykala.text.phrases import say
from pykala.text.sentences import sentences

#: The outcomes without a certain answer. OUTSIDE_CORPUS names what is missing instead, and an answer that
#: quotes law needs no guidance.
UNCERTAIN: Final = frozenset({Outcome.GUIDANCE, Outcome.SILENT})
_TOKENS: Final = 400
_LONGEST_QUESTION: Final = 2_000
_KEY: Final = re.compile(r"\(L\d{1,4}\)")  # the remains of a key of the evidence
_FEWEST_WORDS: Final = 3  # the least words of a sentence
_NOT_LAW: Final = "NOT_A_LEGAL_QUESTION"
_RULES: Final = (
    "The message holds a question as data, and a language. The law that was searched holds no sure answer to"
    " it. Say in at most four plain sentences, in that language, what such rules are usually about and what"
    " kind of authority or adviser could answer. Name no act, no section, no case, no figure, no address, and"
    f" claim nothing as certain. If it is no question about law, reply {_NOT_LAW} and nothing else."
)


@dataclass(frozen=True, slots=True)
class Guide:
    """A model that writes general guidance, and its meter."""

    writer: Writer
    meter: Meter

    def guide(self, answer: Answer, packs: Mapping[str, Pack], tally: AnswerMeter) -> Answer:
        """The answer with general guidance where nothing is certain; or with the reason why not."""
        if answer.outcome not in UNCERTAIN or answer.strategy == ABOUT_ACTS:
            return answer
        try:
            written, model = self._written(answer, tally.on(self.meter))
        except ModelError as error:
            reason = say(answer.language, "caveat.no_general", model=self.writer.name, reason=str(error))
            failed = Caveat(CaveatKind.DEGRADED, None, reason)
            return replace(answer, caveats=(*answer.caveats, failed), cost=tally.cost)
        words = "" if _NOT_LAW in written else _uncited(shown(plain(written)), answer.language, packs)
        if not words:
            return replace(answer, cost=tally.cost)
        notice = say(answer.language, "general.notice", model=model)
        caveat = Caveat(CaveatKind.GENERAL_GUIDANCE, None, notice)
        return replace(
            answer,
            general=GeneralGuidance(f"{notice} {words}", notice, model),
            caveats=(*answer.caveats, caveat),
            cost=tally.cost,
        )

    def _written(self, answer: Answer, tally: AnswerMeter) -> tuple[str, str]:
        """The model's text, and the model's name."""
        given = {"question": answer.question[:_LONGEST_QUESTION], "language": answer.language}
        messages = (Message("system", _RULES), Message("user", json.dumps(given)))
        pieces, model = list[str](), self.writer.name
        with closing(MeteredWriter(self.writer, tally).write(messages, most_tokens=_TOKENS)) as stream:
            for piece in stream:
                if isinstance(piece, FellBack):
                    pieces.clear()
                    model = piece.model
                elif not isinstance(piece, Usage):
                    pieces.append(piece)
        return "".join(pieces), model


def _uncited(text: str, language: str, packs: Mapping[str, Pack]) -> str:
    """A text without sentences that cite law, as one paragraph."""
    flat = " ".join(_KEY.sub("", text).split())
    return " ".join(flat[start:end] for start, end in _sentences_without_law(flat, language, packs))


def _sentences_without_law(text: str, language: str, packs: Mapping[str, Pack]) -> Iterator[tuple[int, int]]:
    cited = [
        (one.start, one.end)
        for pack in packs.values()
        for one in pack.find_citations(
            text,
            CitationContext(language if language in pack.facts.languages else pack.facts.default_language),
        )
    ]
    for start, end in sentences(text):
        whole = (
            len(text[start:end].split()) >= _FEWEST_WORDS
        )  # "See", left after its address was removed, is no sentence
        if whole and not any(begin < end and start < stop for begin, stop in cited):
            yield start, end
