"""Parse a question with every grammar, to check that this ends within limits."""

from __future__ import annotations

from datetime import date

from pykala.law.citations import CitationContext
from pykala.packs.pack import installed
from pykala.retrieve.conversation import follows
from pykala.retrieve.courts import cases_in
from pykala.retrieve.elsewhere import law_elsewhere, place_elsewhere
from pykala.retrieve.kinds import wanted
from pykala.retrieve.parts import parts
from pykala.retrieve.question_forms import asks_for_advice
from pykala.retrieve.strategies import strategy_for
from pykala.retrieve.wording import figures_wanted, term_asked, without_asking, without_exclusions
from pykala.text.analysis import analyse
from pykala.text.dates import date_asked
from pykala.text.language import detect
from pykala.text.phrases import LANGUAGES
from pykala.text.quantities import quantities
from pykala.text.sentences import sentences

LONG_TEXT = 1_000  # characters; what people ask and cite is shorter, and is read without a trial
_ANY_DAY = date(2026, 1, 1)


def read_on_trial(text: str) -> None:
    """Parse a text with every grammar in every language; the result is not used."""
    detect(text)
    for pack in installed().values():
        for language in pack.facts.languages:
            context = CitationContext(language=language)
            for found in pack.find_citations(text, context):
                pack.resolve(found, context)
    for language in LANGUAGES:
        analyse(text, language)
        strategy_for(text, language, figure=False)
        term_asked(text, language)
        without_asking(text, language)
        place_elsewhere(text, language)
        law_elsewhere(text, language)
        asks_for_advice(text, language)
        follows(text, language, today=_ANY_DAY)
        parts(text, language, today=_ANY_DAY)
        wanted(text, language)
    figures_wanted(text)
    without_exclusions(text)
    date_asked(text, today=_ANY_DAY)
    quantities(text)
    list(cases_in(text, installed().values()))
    list(sentences(text))
