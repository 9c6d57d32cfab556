"""Questions with the contents of a right answer, in one documented format (JSON lines).

    {"id": "ca-01", "question": "…", "language": "en", "jurisdiction": "ca", "as_of": "2026-06-01",
     "gold": [["ca:act:E-5.6/sec_13"]], "numbers": ["1 week"], "outcome": "ANSWERED", "kind": "figure"}

`docs/evaluation.md` explains each name. Only `id` and `question` are required. An unknown name is an error,
because a mistyped one would silently measure nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from pathlib import Path

from pykala.law.answers import Outcome
from pykala.law.choices import day_told
from pykala.law.identifiers import InvalidIdentifier, ProvisionId
from pykala.law.references import EdgeKind
from pykala.text.quantities import quantities

_NAMES = frozenset(
    (
        *("id", "question", "language", "jurisdiction", "as_of", "kind", "within", "outcome", "publisher"),
        *("gold", "grades", "path", "forbidden", "strings", "numbers", "facts"),
    )
)
_STEP_NAMES = frozenset(("from", "kind", "to", "at"))
WITHIN = 10  # the ranks in which the gold is searched, unless the question says otherwise


class QuestionSetError(ValueError):
    """A question set that cannot be read; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class GoldStep:
    """A step that the norm path must contain; None matches any provision, or any kind of edge."""

    source: ProvisionId | None = None
    kind: EdgeKind | None = None
    target: ProvisionId | None = None
    at: ProvisionId | None = None  # at either end, because not every bank says which provision yields


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """A question and the contents of a right answer."""

    id: str
    question: str
    language: str | None = None
    jurisdiction: str | None = None
    as_of: date | None = None
    #: Alternatives; in each, the first provision is the primary one and the others must be shown too.
    gold: tuple[tuple[ProvisionId, ...], ...] = ()
    path: tuple[GoldStep, ...] = ()
    strings: tuple[str, ...] = ()  # words that the shown passages must contain, in any inflection
    numbers: tuple[str, ...] = ()  # quantities with their unit, in any spelling: "30 %", "1,000 euros"
    facts: tuple[str, ...] = ()  # sentences whose substance the shown passages must contain
    outcomes: tuple[Outcome, ...] = ()  # the right outcomes; the first is used in the confusion table
    forbidden: tuple[ProvisionId, ...] = ()  # traps: what must not be the primary provision
    publishers: tuple[str, ...] = ()
    kind: str = ""
    within: int = WITHIN
    #: The relevance of each provision of the only alternative. If given, the gold is a pool of judgements:
    #: any of it may be the primary provision, and an answer need not show all of it.
    grades: tuple[int, ...] = ()

    @property
    def primaries(self) -> tuple[ProvisionId, ...]:
        """The provisions that are right as the primary provision."""
        return self.gold[0] if self.grades else tuple(alternative[0] for alternative in self.gold)

    @property
    def answerable(self) -> bool:
        """Whether the law answers it: it has gold, or an outcome that is an answer."""
        return bool(self.gold) or Outcome.ANSWERED in self.outcomes


def read_questions(lines: Iterable[str], name: str) -> tuple[GoldQuestion, ...]:
    """Questions in our format, one per line."""
    found = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                found.append(question_from(json_of(line)))
            except (ValueError, RecursionError) as error:
                raise QuestionSetError(f"{name}, line {number}: {error}") from None
    return tuple(found)


def question_from(record: object) -> GoldQuestion:
    """A question from one object of our format."""
    if not isinstance(record, dict):
        raise QuestionSetError('expected an object such as {"id": "1", "question": "…"}')
    if unknown := sorted(record.keys() - _NAMES):
        raise QuestionSetError(
            f"{', '.join(map(repr, unknown))} is not a name of the format; it has {', '.join(sorted(_NAMES))}"
        )
    identifier, text = _word(record, "id"), _word(record, "question")
    if not identifier or not text:
        raise QuestionSetError("expected an id and a question, both texts that are not empty")
    day = _word(record, "as_of")
    gold = tuple(_alternative(one) for one in _list(record, "gold"))
    return GoldQuestion(
        id=identifier,
        question=text,
        language=_word(record, "language") or None,
        jurisdiction=_word(record, "jurisdiction") or None,
        as_of=_day(day) if day else None,
        gold=gold,
        path=tuple(_step(one) for one in _list(record, "path")),
        strings=_words(record, "strings"),
        numbers=tuple(_number(one) for one in _words(record, "numbers")),
        facts=_words(record, "facts"),
        outcomes=tuple(_outcome(one) for one in _words(record, "outcome")),
        forbidden=tuple(provision_of(one) for one in _words(record, "forbidden")),
        publishers=_words(record, "publisher"),
        kind=_word(record, "kind"),
        within=_depth(record.get("within", WITHIN)),
        grades=_grades(_list(record, "grades"), gold),
    )


def fingerprint(questions: Sequence[GoldQuestion]) -> str:
    """A fingerprint of these questions and their gold."""
    return sha256("\n".join(map(repr, questions)).encode()).hexdigest()[:16]


def provision_of(text: str) -> ProvisionId:
    """A provision from its identifier, with an error that shows how one is written."""
    try:
        return ProvisionId.parse(text)
    except InvalidIdentifier as error:
        raise QuestionSetError(
            f"{error}; gold is written as identifiers, such as fi:act:2015/410/sec_110/subsec_3"
        ) from None


def _alternative(value: object) -> tuple[ProvisionId, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(one, str) for one in value):
        raise QuestionSetError(
            'gold is a list of alternatives, each a list of identifiers: [["a", "b"], ["c"]]'
        )
    return tuple(provision_of(one) for one in value)


def _grades(values: list[object], gold: Sequence[Sequence[ProvisionId]]) -> tuple[int, ...]:
    grades = tuple(one for one in values if isinstance(one, int) and not isinstance(one, bool) and one > 0)
    if values and (len(gold) != 1 or not len(gold[0]) == len(values) == len(grades)):
        raise QuestionSetError(
            "grades: whole numbers from 1 on, one for each provision of an only alternative"
        )
    return grades


def _step(value: object) -> GoldStep:
    if not isinstance(value, dict) or not value or value.keys() - _STEP_NAMES:
        raise QuestionSetError('a step of the path is an object with some of "from", "kind", "to" and "at"')
    source, kind, target, at = (_word(value, name) for name in ("from", "kind", "to", "at"))
    if kind and kind not in {one.value for one in EdgeKind}:
        known = ", ".join(one.value for one in EdgeKind)
        raise QuestionSetError(f"{kind!r} is not a kind of edge; there are: {known}")
    return GoldStep(
        provision_of(source) if source else None,
        EdgeKind(kind) if kind else None,
        provision_of(target) if target else None,
        provision_of(at) if at else None,
    )


def _number(text: str) -> str:
    if len(quantities(text)) != 1:
        raise QuestionSetError(
            f'{text!r} is not one number with a unit; write it like "34 per cent" or "1,000 euros", and put a'
            " figure that stands without a unit under strings"
        )
    return text


def _outcome(text: str) -> Outcome:
    if text not in {one.value for one in Outcome}:
        raise QuestionSetError(
            f"{text!r} is not an outcome; there are: {', '.join(one.value for one in Outcome)}"
        )
    return Outcome(text)


def _day(text: str) -> date:
    try:
        return day_told(text)
    except ValueError:
        raise QuestionSetError(f"as_of {text!r} is not a date; write YYYY-MM-DD") from None


def _depth(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise QuestionSetError(f"within {value!r} is not a rank; write a whole number from 1 on")
    return value


def _word(record: Mapping[str, object], name: str) -> str:
    value = record.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise QuestionSetError(f"{name} is not a text")
    return value.strip()


def _words(record: Mapping[str, object], name: str) -> tuple[str, ...]:
    """A list of texts; a single text is a list of one."""
    value = record.get(name)
    values = [value] if isinstance(value, str) else _list(record, name)
    if not all(isinstance(one, str) and one.strip() for one in values):
        raise QuestionSetError(f"{name} is not a list of texts")
    return tuple(str(one) for one in values)


def _list(record: Mapping[str, object], name: str) -> list[object]:
    value = record.get(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise QuestionSetError(f"{name} is not a list")
    return value


def json_of(text: str) -> object:
    """A JSON value without lone surrogates.

    JSON can contain a lone surrogate, which no file, index or terminal accepts.
    """
    value = json.loads(text)
    if "\\ud" in text.casefold():
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            half = f"\\u{ord(error.object[error.start]):04x}"
            raise QuestionSetError(
                f"it holds half a character ({half}, a lone surrogate); write the whole character"
            ) from None
    return value


def lines_of(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file that are not empty, with their numbers; read one at a time to save memory."""
    try:
        with path.open(encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield number, line.rstrip("\n")
    except UnicodeDecodeError:
        raise QuestionSetError(f"{path} is not UTF-8 text") from None
    except OSError as error:
        raise QuestionSetError(f"{path} cannot be read: {error.strerror or error}") from None


def json_lines(path: Path) -> Iterator[Mapping[str, object]]:
    """The objects of a file of JSON lines."""
    for number, line in lines_of(path):
        try:
            record = json_of(line)
        except (ValueError, RecursionError) as error:
            raise QuestionSetError(f"{path.name}, line {number}: {error}") from None
        if not isinstance(record, dict):
            raise QuestionSetError(f"{path.name}, line {number}: expected an object")
        yield record


def text_of(path: Path) -> str:
    """A file's text."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise QuestionSetError(f"{path} is not UTF-8 text") from None
    except OSError as error:
        raise QuestionSetError(f"{path} cannot be read: {error.strerror or error}") from None
