"""Say by name what the library does not hold, and how to fetch it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pykala.packs.pack import LivePack, Pack
from pykala.retrieve.cites import NotHeld, written
from pykala.retrieve.grade import Graded
from pykala.retrieve.interleave import places_of
from pykala.retrieve.place import collections_of, name_of
from pykala.retrieve.question import Question
from pykala.stores.store import Store
from pykala.text.languages.known import language_of, words
from pykala.text.phrases import say


def not_held(lacking: NotHeld, language: str) -> str:
    """The text that an act or decision is not in this library, with the command that fetches it."""
    if lacking.case:
        return say(language, "answer.case_not_held", name=lacking.name)
    if lacking.unknown:
        said = unknown_abbreviations([written(lacking)], language)
        return f"{said} {say(language, 'answer.fetch', command=lacking.fetch)}" if lacking.fetch else said
    titled = _takes_article(lacking)
    said = say(language, "answer.act_not_held" if titled else "answer.named_not_held", name=written(lacking))
    led = say(language, "answer.led_to", count=lacking.mentions) if lacking.mentions else ""
    return _with_command(f"{said} {led}" if led else said, lacking, language)


def possibly_governing(lacking: NotHeld, language: str) -> str:
    """The text that law on the subject refers to an act that is not held."""
    key = "answer.act_may_govern" if _takes_article(lacking) else "answer.named_may_govern"
    said = say(language, key, name=lacking.name, count=lacking.mentions)
    return _with_command(said, lacking, language)


def governing(lacking: NotHeld, language: str) -> str:
    """The text that an act governs the subject and is not held."""
    key = "answer.act_governs" if _takes_article(lacking) else "answer.named_governs"
    said = say(language, key, name=lacking.name)
    led = say(language, "answer.led_to", count=lacking.mentions) if lacking.mentions else ""
    return _with_command(f"{said} {led}" if led else said, lacking, language)


def _takes_article(lacking: NotHeld) -> bool:
    """Whether a name has "the" before it: "the Excise Tax Act", not "the GDPR"."""
    return lacking.name.split(" ")[-1] in words("writing.acts_with_article")


def _with_command(said: str, lacking: NotHeld, language: str) -> str:
    return f"{said} {say(language, 'answer.fetch', command=lacking.fetch)}" if lacking.fetch else said


def unknown_abbreviations(names: Sequence[str], language: str) -> str:
    """The text that abbreviations are not known here, which does not say that the law has nothing on them."""
    return say(language, "answer.abbreviation_unknown", names=", ".join(names), count=len(names))


def places_not_held(
    question: Question, graded: Sequence[Graded], store: Store, packs: Mapping[str, Pack]
) -> tuple[str, ...]:
    """The places whose law is asked for and of which the library has no work.

    A place with a candidate, or with a word of the question in its law, is held; only for the others are the
    works listed. None where the answer names something else that is lacking.
    """
    if question.elsewhere or question.not_held or question.is_citation:
        return ()
    asked = {*question.place.jurisdictions} - {*collections_of(packs)} - {*places_of(graded)}
    missing = {code for code in asked if not _knows_a_word(question, code, store)}
    for work in store.works() if missing else ():
        missing.discard(work.id.jurisdiction)
        if not missing:
            break
    return tuple(code for code in question.place.jurisdictions if code in missing)


def _knows_a_word(question: Question, place: str, store: Store) -> bool:
    return any(store.weigh(question.search_text, question.language, frozenset({place})).values())


def law_not_held(places: Sequence[str], language: str, packs: Mapping[str, Pack]) -> str:
    """The text that this library holds no law of some places, with the command that gets it."""
    *others, last = (_place_name(code, language, packs) for code in places)
    named = say(language, "words.and").join([*([", ".join(others)] if others else []), last])
    online = all(isinstance(packs.get(code), LivePack) for code in places)
    command = f"pykala get {' '.join(places)}{'' if online else ' --from FOLDER'}"
    return say(language, "answer.place_not_held", place=named, command=command)


def _place_name(code: str, language: str, packs: Mapping[str, Pack]) -> str:
    """A place as it stands in a sentence: "the European Union"."""
    name, spoken = name_of(code, language, packs), language_of(language)
    if spoken is None or name.split(" ")[-1] not in spoken.words("writing.places_with_article"):
        return name
    return f"{spoken.text('writing.article')} {name}"
