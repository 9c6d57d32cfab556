"""Replay an answer record: ask the question again on the present library, and explain what changed.

A record is the JSON of an answer (`ask --json`) with the question's parameters and a fingerprint of the
library that answered. If the library changed but the answer did not, that is noted and does not count as a
change.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any

from pykala.answer.record import answer_json, answer_record
from pykala.law.answers import Answer
from pykala.law.choices import day_told
from pykala.law.composition import compose
from pykala.law.forms import Part, Result, as_record, shortened
from pykala.law.identifiers import InvalidIdentifier, ProvisionId
from pykala.records import answers as records
from pykala.records.record import Json
from pykala.retrieve.conversation import Turn
from pykala.stores.contents import content_digest
from pykala.stores.store import NotInForce, Store, StoredProvision, UnknownProvision
from pykala.text.phrases import LANGUAGES

_LARGEST = 50_000_000  # the most characters of a record
#: The facts of a message, whatever its words: figures, days and quotations.
_TOLD = re.compile(r"\d+|[“”«]\s?([^“”«»]+?)\s?[”»]")
#: Properties of a library that change how it reads and searches, and their names.
_FACTS = {"schema": "the library's schema", "analysis": "the analysis of words", "embedder": "the embedder"}


class RecordUnreadable(ValueError):
    """The file is not an answer record; the message says what is missing."""


class ChangeKind(StrEnum):
    """Kinds of changes of an answer."""

    OUTCOME = "outcome"
    PRIMARY = "other provision first"
    WORDING = "other wording"
    GONE = "provision gone"
    NOT_IN_FORCE = "not in force"
    SUPPORT_ADDED = "support added"
    SUPPORT_REMOVED = "support removed"
    TEXT = "other sentence"
    CONFLICTS = "conflicts"
    CAVEATS = "caveats"
    LIBRARY = "library"


@dataclass(frozen=True, slots=True)
class ReplayChange:
    """One difference: the recorded value, the present one, and the reason as far as known."""

    kind: ChangeKind
    provision: str  # "" where it is about the answer as a whole
    before: str
    after: str
    message: str


@dataclass(frozen=True, slots=True, repr=False)
class AnswerRecord(Part):
    """The question and the answer of a record."""

    question: str
    as_of: date
    language: str
    jurisdiction: str | None
    answer: Mapping[str, Any]
    library: Mapping[str, str]
    home: str | None = None

    @property
    def turn(self) -> Turn:
        """The turn of the record, for a follow-up question."""
        primary = self.answer.get("primary")
        return Turn(
            self.question,
            self.language,
            self.as_of if self.answer.get("dated") else None,
            self.jurisdiction,
            ProvisionId.parse(primary["provision"]) if primary else None,
        )


@dataclass(frozen=True, slots=True, repr=False)
class Replay(Result):
    """A record, today's answer, the differences, and changes of the library that did not affect it."""

    record: AnswerRecord
    answer: Answer
    changes: tuple[ReplayChange, ...]
    notes: tuple[ReplayChange, ...]

    def __repr__(self) -> str:
        changed = "same" if self.same else f"{len(self.changes)} changes"
        return f"<Replay, {changed}: {shortened(self.record.question)!r}>"

    @property
    def same(self) -> bool:
        """Whether the answer is the one that was recorded."""
        return not self.changes


def library_fingerprint(store: Store) -> dict[str, str]:
    """A short description of a library: versions, models, and a digest of its contents."""
    facts = store.facts()
    content = facts.get("content") or content_digest(store.fingerprints())
    return {**{name: facts.get(name, "") for name in _FACTS}, "content": content}


def read_record(text: str) -> AnswerRecord:
    """Read an answer record from JSON; RecordUnreadable for anything else."""
    if len(text) > _LARGEST:
        raise RecordUnreadable(f"the record is longer than {_LARGEST:,} characters")
    try:
        data = json.loads(text)
        # JSON can contain a lone surrogate, which neither search nor output accepts.
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise RecordUnreadable(
            f"it holds half a character (a lone surrogate, U+{ord(error.object[error.start]):04X});"
            " give a file that 'pykala ask --json' wrote"
        ) from None
    except (ValueError, RecursionError) as error:
        raise RecordUnreadable(
            f"this is no JSON ({error}); give a file that 'pykala ask --json' wrote"
        ) from None
    if not isinstance(data, dict):
        raise RecordUnreadable("this is no answer record; give a file that 'pykala ask --json' wrote")
    question, as_of, language = (_text(data, name) for name in ("question", "as_of", "language"))
    alone = data.get("standalone")  # the standalone form, where the question was a follow-up
    if alone is not None:
        question = _text(data, "standalone")
    _text(data, "outcome")
    try:
        day = day_told(as_of)
    except ValueError:
        raise RecordUnreadable(f"as_of is no date: {as_of!r}") from None
    jurisdiction, home, library = data.get("jurisdiction"), data.get("home"), data.get("library") or {}
    texts = all(one is None or isinstance(one, str) for one in (jurisdiction, home))
    if not isinstance(library, dict) or not texts:
        raise RecordUnreadable("jurisdiction and home must be texts, and library an object")
    _check_provisions(data)
    known = {str(name): str(value) for name, value in library.items()}
    return AnswerRecord(question, day, language, jurisdiction, data, known, home)


def replay(record: AnswerRecord, ask: Callable[[AnswerRecord], Answer], store: Store) -> Replay:
    """Ask a record's question again, on its date and in its language, and compare."""
    answer = ask(record)
    before, now = record.answer, answer_json(answer)
    changes = [
        *_outcome(before, now),
        *_primary(before, now, record, store),
        *_support(before, now, record, store),
        *_listed(ChangeKind.CONFLICTS, before, now, "conflicts", ("winner", "loser", "reason")),
        *_listed(ChangeKind.CAVEATS, before, now, "caveats", ("kind", "provision")),
    ]
    return Replay(record, answer, tuple(changes), tuple(_library(record, store)))


@as_record.register(Replay)
def replay_json(found: Replay) -> Json:
    """A replay as JSON under stable names."""
    record = records.Replay.of(
        found.record,
        same=found.same,
        changes=found.changes,
        notes=found.notes,
        answer=answer_record(found.answer),
    )
    return record.as_json()


def _text(data: Mapping[str, Any], name: str) -> str:
    value = data.get(name)
    if not isinstance(value, str) or not value.strip():
        raise RecordUnreadable(f"the record has no {name}; give a file that 'pykala ask --json' wrote")
    return value


def _check_provisions(data: Mapping[str, Any]) -> None:
    """Check that all provisions of a record are complete identifiers."""
    primary, support = data.get("primary"), data.get("support", [])
    if not isinstance(support, list) or not (primary is None or isinstance(primary, dict)):
        raise RecordUnreadable("primary must be an object or null, and support a list")
    for one in (*([primary] if primary else []), *support):
        if not isinstance(one, dict):
            raise RecordUnreadable("support must list provisions")
        for name in ("provision", "citation", "text", "language"):
            if not isinstance(one.get(name), str):
                raise RecordUnreadable(f"a provision of the record has no {name}")
        try:
            ProvisionId.parse(one["provision"])
        except InvalidIdentifier as error:
            raise RecordUnreadable(str(error)) from None
    for name in ("conflicts", "caveats"):
        listed = data.get(name, [])
        if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
            raise RecordUnreadable(f"{name} must be a list of objects")


def _outcome(before: Mapping[str, Any], now: Json) -> Iterator[ReplayChange]:
    if before["outcome"] != now["outcome"]:
        message = f"The outcome was {before['outcome']} and is {now['outcome']}."
        yield ReplayChange(ChangeKind.OUTCOME, "", str(before["outcome"]), str(now["outcome"]), message)


def _primary(
    before: Mapping[str, Any], now: Mapping[str, Any], record: AnswerRecord, store: Store
) -> Iterator[ReplayChange]:
    was, is_now = before.get("primary"), now["primary"]
    if was is None and is_now is None:
        return
    if was is not None:
        yield from _fate(was, record, store)
    if was is not None and is_now is not None and was["provision"] == is_now["provision"]:
        if was["text"] == is_now["text"] and before.get("text") != now["text"]:
            message = "The same provision answers with another sentence of it."
            yield ReplayChange(
                ChangeKind.TEXT, was["provision"], str(before.get("text")), now["text"], message
            )
        return
    first, second = (one["citation"] if one else "none" for one in (was, is_now))
    place = is_now["provision"] if is_now else ""
    message = f"{second} answers now; it was {first}{_rank(was, now)}."
    yield ReplayChange(ChangeKind.PRIMARY, place, first, second, message)


def _rank(was: Mapping[str, Any] | None, now: Mapping[str, Any]) -> str:
    if was is None:
        return ""
    places = [one["provision"] for one in now["evidence"]]
    own = ProvisionId.parse(was["provision"])
    rank = next((n for n, place in enumerate(places, 1) if _same_place(ProvisionId.parse(place), own)), None)
    return (
        f", which now ranks {rank} of {len(places)}" if rank else ", which is no longer among what is found"
    )


def _same_place(one: ProvisionId, other: ProvisionId) -> bool:
    return one.contains(other) or other.contains(one)


def _support(
    before: Mapping[str, Any], now: Mapping[str, Any], record: AnswerRecord, store: Store
) -> Iterator[ReplayChange]:
    was = {one["provision"]: one for one in before.get("support", [])}
    are = {one["provision"]: one for one in now["support"]}
    for place, one in was.items():
        fate = list(_fate(one, record, store))
        yield from fate
        if place not in are and not fate:
            message = f"{one['citation']} no longer stands beside the answer."
            yield ReplayChange(ChangeKind.SUPPORT_REMOVED, place, one["citation"], "", message)
    for place, one in are.items():
        if place not in was:
            message = f"{one['citation']} stands beside the answer now ({one['relation']})."
            yield ReplayChange(ChangeKind.SUPPORT_ADDED, place, "", one["citation"], message)


def _fate(was: Mapping[str, Any], record: AnswerRecord, store: Store) -> Iterator[ReplayChange]:
    """What happened to a recorded provision: gone, not in force, reworded, or nothing."""
    provision, language, as_of = ProvisionId.parse(was["provision"]), was["language"], record.as_of
    try:
        newest = store.provision(provision, language=language)
    except UnknownProvision:
        message = f"{was['citation']} is no longer in the library."
        yield ReplayChange(ChangeKind.GONE, str(provision), was["text"], "", message)
        return
    try:
        stored = store.provision(provision, as_of=as_of, language=language)
    except NotInForce as error:
        # The record may show a later wording in place of one that the source lacks.
        if compose(newest.provision).text != was["text"]:
            yield ReplayChange(ChangeKind.NOT_IN_FORCE, str(provision), was["text"], "", f"{error}.")
        return
    shown = newest if stored.missing else stored
    text = compose(shown.provision).text
    if text != was["text"]:
        why = _why(was, shown)
        message = f"{was['citation']} has another wording on {as_of.isoformat()} than was recorded: {why}."
        yield ReplayChange(ChangeKind.WORDING, str(provision), was["text"], text, message)


def _why(was: Mapping[str, Any], shown: StoredProvision) -> str:
    """The date and act of the present wording, compared with the recorded one."""
    if shown.language != was["language"]:
        return f"the library has it in {shown.language}, no longer in {was['language']}"
    newest = max(
        (version for node in shown.provision.walk() for version in node.versions),
        key=lambda version: version.validity.start or date.min,
    )
    start = newest.validity.start.isoformat() if newest.validity.start else "a day that is not known"
    by = f" by {newest.source_act}" if newest.source_act else ""
    recorded = was.get("valid_from") or "a day that is not known"
    if recorded == start:
        return f"the source now gives other words for the wording of {start}"
    return (
        f"recorded was the one in force from {recorded}, now it is the one from {start} ({newest.event}{by})"
    )


def _listed(
    kind: ChangeKind, before: Mapping[str, Any], now: Mapping[str, Any], name: str, same: Sequence[str]
) -> Iterator[ReplayChange]:
    """Messages added or removed; `same` identifies the subject of a message.

    A message in other words (old records have all messages in English) counts as the same if its subject and
    its figures, days and quotations are the same. Two English messages without such facts are compared word
    for word.
    """
    was = {str(one.get("message", "")): one for one in before.get(name, [])}
    are = {str(one["message"]): one for one in now[name]}
    gone, added = [one for one in was if one not in are], [one for one in are if one not in was]
    in_english = now["language"] == LANGUAGES[0]
    first = [(one, _told(was[one], same, in_english)) for one in gone]
    second = [(one, _told(are[one], same, in_english)) for one in added]
    reworded = Counter(told for _, told in first) & Counter(told for _, told in second)
    gone, added = _without(first, reworded), _without(second, reworded)
    for one in gone:
        yield ReplayChange(kind, "", one, "", f"No longer said: {one}")
    for one in added:
        yield ReplayChange(kind, "", "", one, f"Said now: {one}")


def _told(one: Mapping[str, Any], same: Sequence[str], in_english: bool) -> tuple[str, ...]:
    """The subject and the facts of a message, whatever its wording."""
    message = str(one.get("message", ""))
    facts = sorted({found[1] or found[0] for found in _TOLD.finditer(message)})
    if in_english and not facts:
        facts = [message]
    return (*(str(one.get(name)) for name in same), *facts)


def _without(
    messages: Iterable[tuple[str, tuple[str, ...]]], reworded: Counter[tuple[str, ...]]
) -> list[str]:
    """Messages without those that were only reworded."""
    left, kept = Counter(reworded), []
    for message, told in messages:
        if left[told]:
            left[told] -= 1
        else:
            kept.append(message)
    return kept


def _library(record: AnswerRecord, store: Store) -> Iterator[ReplayChange]:
    """Changes of the library as a whole, where the record has its fingerprint."""
    now = library_fingerprint(store)
    for name, called in {**_FACTS, "content": "what the library holds"}.items():
        before = record.library.get(name)
        if before is not None and before != now[name]:
            message = f"Since the record was made, {called} has changed."
            yield ReplayChange(ChangeKind.LIBRARY, "", before, now[name], message)
