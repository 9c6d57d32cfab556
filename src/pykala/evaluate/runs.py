"""Runs: one line per question, appended as it is answered, so that an interrupted run can continue.

The first line says what was measured: the set, the library and the engine. A run continues only if all three
are the same, because half a run of one library and half of another measures neither.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from time import perf_counter
from typing import Any

import pykala
from pykala.evaluate.configurations import describe
from pykala.evaluate.matching import Held, Passage, held
from pykala.evaluate.questions import GoldQuestion, fingerprint
from pykala.law.answers import Answer, CitedProvision, Outcome, PathStep
from pykala.law.identifiers import ProvisionId
from pykala.law.references import EdgeKind
from pykala.law.validity import Validity
from pykala.library import Library
from pykala.stores.store import Match

FILE = "run.jsonl"
DEPTH = 20  # provisions kept of each ranking
FOUND = 10  # passages of plain search that are checked
_FORMAT = 2
#: Outcomes that show provisions: as the answer, as the likeliest one, or as possibly related.
_SHOWING = (Outcome.ANSWERED, Outcome.LIKELY, Outcome.GUIDANCE)
Progress = Callable[[int, int], None]


class RunError(ValueError):
    """A run that cannot be continued or compared; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a run: its questions, its library, the program and the settings."""

    set: str
    questions: str  # fingerprint of the set
    library: str  # fingerprint of what the library holds
    engine: str  # fingerprint of the program
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """A short name that differs where anything measured does."""
        return sha256(json.dumps(_header_json(self), sort_keys=True).encode()).hexdigest()[:10]


@dataclass(frozen=True, slots=True)
class ShownPlace:
    """A provision that the answer shows: its place, its dates, its publisher."""

    provision: ProvisionId
    validity: Validity
    publisher: str


@dataclass(frozen=True, slots=True)
class Line:
    """The answer to one question."""

    id: str
    outcome: Outcome
    language: str
    as_of: date
    primary: ShownPlace | None
    support: tuple[ShownPlace, ...]
    path: tuple[PathStep, ...]
    ranked: tuple[ProvisionId, ...]  # the primary provision, then what was considered, best first
    searched: tuple[ProvisionId, ...]  # the results of plain search, before any grading
    held: Held  # which required items the shown passages contain
    found: Held  # the same for the first results of plain search, shown or not
    confidence: float
    stages: Mapping[str, float]
    milliseconds: float

    @property
    def answered(self) -> bool:
        """Whether a provision is shown as the law's answer."""
        return self.outcome is Outcome.ANSWERED

    @property
    def likely(self) -> bool:
        """Whether a provision is shown only as the likeliest answer."""
        return self.outcome is Outcome.LIKELY

    @property
    def refused(self) -> bool:
        """Whether no law is shown: neither an answer nor possibly related provisions."""
        return self.outcome not in _SHOWING


def header_of(name: str, questions: Sequence[GoldQuestion], library: Library) -> Header:
    """The header of a run of these questions over this library."""
    held_items = json.dumps(sorted(library.store.fingerprints().items()))
    facts = library.store.facts()
    known = {key: facts.get(key, "") for key in ("schema", "analysis", "embedder")}
    return Header(
        set=name,
        questions=fingerprint(questions),
        library=sha256(f"{held_items}{sorted(known.items())}".encode()).hexdigest()[:16],
        engine=_engine(),
        settings={
            "embedder": library.embedder.fingerprint if library.embedder else "",
            "reranker": library.reranker.name if library.reranker else "",
            "weights": _weights(library),
            "depth": str(DEPTH),
            "options": describe(library.options),
        },
    )


def _weights(library: Library) -> str:
    """A fingerprint of the weights: learned for the library's models, or bundled."""
    learned = library.learned()
    return sha256(repr(sorted(learned.items())).encode()).hexdigest()[:16] if learned else ""


def run(
    questions: Sequence[GoldQuestion],
    library: Library,
    header: Header,
    folder: Path,
    *,
    progress: Progress = lambda done, total: None,
) -> tuple[Line, ...]:
    """Answer the questions that the run in a folder has not answered yet; return all its lines, in order."""
    path = folder / FILE
    done = {line.id: line for line in _resume(path, header)}
    with path.open("a", encoding="utf-8") as file:
        for number, question in enumerate(questions, start=1):
            if question.id not in done:
                line = answer_question(question, library)
                done[question.id] = line
                file.write(json.dumps(line_json(line)) + "\n")
                file.flush()  # keeps the answers if the run is killed
            progress(number, len(questions))
    return tuple(done[question.id] for question in questions)


def answer_question(question: GoldQuestion, library: Library) -> Line:
    """Ask and search one question, and keep what measuring needs."""
    started = perf_counter()
    answer = library.ask(
        question.question,
        as_of=question.as_of,
        language=question.language,
        jurisdiction=question.jurisdiction,
        identifier=question.id,
    )
    elapsed = (perf_counter() - started) * 1000
    return _line(question, answer, _searched(question, answer, library), elapsed)


def _searched(question: GoldQuestion, answer: Answer, library: Library) -> list[Match]:
    """The results of plain search, in the question's language, else in the language of the law."""
    for languages in ([answer.language], []):
        found = library.search(
            question.question,
            as_of=answer.as_of,
            languages=languages,
            jurisdictions=[question.jurisdiction] if question.jurisdiction else [],
            limit=DEPTH,
        )
        if found:
            break
    return [one.match for one in found]


def read_run(path: Path) -> tuple[Header, tuple[Line, ...]]:
    """The header and the lines of a run: its folder, or its file."""
    file = path / FILE if path.is_dir() else path
    try:
        lines = file.read_bytes().split(b"\n")
    except OSError as error:
        raise RunError(
            f"{file} is not a run: {error.strerror or error}; give the --out of an earlier one"
        ) from None
    # The text after the last line break was being written when the run was killed.
    records = [record for record in map(_record, lines[:-1]) if record is not None]
    if not records or records[0].get("run") != _FORMAT:
        raise RunError(f"{file} is not a run of this version; give another --out, or delete it")
    try:
        return _header(records[0]), tuple(line_from(record) for record in records[1:])
    except (KeyError, TypeError, ValueError) as error:
        raise RunError(f"{file} is damaged ({error!r}); delete it and run again") from None


def _resume(path: Path, header: Header) -> tuple[Line, ...]:
    if not path.exists() or b"\n" not in path.read_bytes():  # no file, or no complete line
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(_header_json(header)) + "\n", encoding="utf-8")
        return ()
    earlier, lines = read_run(path)
    if earlier != header:
        differing = [
            name
            for name in ("set", "questions", "library", "engine", "settings")
            if getattr(earlier, name) != getattr(header, name)
        ]
        raise RunError(
            f"{path} holds a run with another {' and '.join(differing)}; give another --out, or delete it"
        )
    data = path.read_bytes()
    if not data.endswith(b"\n"):
        path.write_bytes(data[: data.rfind(b"\n") + 1])
    return lines


def _line(question: GoldQuestion, answer: Answer, searched: Sequence[Match], milliseconds: float) -> Line:
    said = answer.outcome in _SHOWING
    # Where nothing answers, the support is only the nearest law, and is not presented as the answer.
    support = [one.cited for one in answer.support] if said else []
    primary = answer.primary if said else None
    shown = [*([primary] if primary else []), *support]
    return Line(
        id=question.id,
        outcome=answer.outcome,
        language=answer.language,
        as_of=answer.as_of,
        primary=_place(primary) if primary else None,
        support=tuple(map(_place, support)),
        path=answer.path,
        ranked=tuple(_ranked(answer, primary))[:DEPTH],
        searched=tuple(one.provision for one in searched),
        held=held(question, [Passage(one.text, one.language) for one in shown]),
        found=held(question, [Passage(one.parent_text, one.language) for one in searched[:FOUND]]),
        confidence=answer.confidence,
        stages={stage.name: stage.milliseconds for stage in answer.trace},
        milliseconds=milliseconds,
    )


def _ranked(answer: Answer, primary: CitedProvision | None) -> Iterator[ProvisionId]:
    """The provision that answers, then the evidence; the primary's own section is not ranked twice."""
    if primary is not None:
        yield primary.provision
    for one in answer.evidence:
        if primary is None or not (
            one.provision.contains(primary.provision) or primary.provision.contains(one.provision)
        ):
            yield one.provision


def _place(cited: CitedProvision) -> ShownPlace:
    return ShownPlace(cited.provision, cited.validity, cited.source.partition(",")[0].strip())


def line_json(line: Line) -> dict[str, object]:
    """A line as it is written."""
    return {
        "id": line.id,
        "outcome": line.outcome.value,
        "language": line.language,
        "as_of": line.as_of.isoformat(),
        "primary": _place_json(line.primary) if line.primary else None,
        "support": [_place_json(one) for one in line.support],
        "path": [[str(step.source), step.kind.value, str(step.target)] for step in line.path],
        "ranked": list(map(str, line.ranked)),
        "searched": list(map(str, line.searched)),
        "held": _held_json(line.held),
        "found": _held_json(line.found),
        "confidence": line.confidence,
        "stages": {name: round(time, 3) for name, time in line.stages.items()},
        "ms": round(line.milliseconds, 3),
    }


def line_from(record: Mapping[str, Any]) -> Line:
    """A line read back."""
    return Line(
        id=record["id"],
        outcome=Outcome(record["outcome"]),
        language=record["language"],
        as_of=date.fromisoformat(record["as_of"]),
        primary=_place_from(record["primary"]) if record["primary"] else None,
        support=tuple(map(_place_from, record["support"])),
        path=tuple(
            PathStep(ProvisionId.parse(source), EdgeKind(kind), ProvisionId.parse(target))
            for source, kind, target in record["path"]
        ),
        ranked=tuple(map(ProvisionId.parse, record["ranked"])),
        searched=tuple(map(ProvisionId.parse, record["searched"])),
        held=_held_from(record["held"]),
        found=_held_from(record["found"]),
        confidence=record["confidence"],
        stages=dict(record["stages"]),
        milliseconds=record["ms"],
    )


def _held_json(found: Held) -> dict[str, object]:
    return {"strings": list(found.strings), "numbers": list(found.numbers), "facts": list(found.facts)}


def _held_from(record: Mapping[str, Any]) -> Held:
    return Held(tuple(record["strings"]), tuple(record["numbers"]), tuple(record["facts"]))


def _place_json(place: ShownPlace) -> list[str | None]:
    start, end = place.validity.start, place.validity.end
    return [
        str(place.provision),
        start.isoformat() if start else None,
        end.isoformat() if end else None,
        place.publisher,
    ]


def _place_from(record: Sequence[str | None]) -> ShownPlace:
    provision, start, end, publisher = record
    validity = Validity(
        date.fromisoformat(start) if start else None, date.fromisoformat(end) if end else None
    )
    return ShownPlace(ProvisionId.parse(str(provision)), validity, str(publisher))


def _record(line: bytes) -> dict[str, Any] | None:
    try:
        record = json.loads(line)
    except ValueError:
        return None
    return record if isinstance(record, dict) else None


def _header_json(header: Header) -> dict[str, object]:
    return {
        "run": _FORMAT,
        "set": header.set,
        "questions": header.questions,
        "library": header.library,
        "engine": header.engine,
        "settings": dict(header.settings),
    }


def _header(record: Mapping[str, Any]) -> Header:
    return Header(
        record["set"], record["questions"], record["library"], record["engine"], dict(record["settings"])
    )


def _engine() -> str:
    """A fingerprint of the program: any change of its code or data may change an answer."""
    root = Path(str(files(pykala)))
    digest = sha256()
    for path in sorted(root.rglob("*")):
        inside = path.relative_to(root).parts
        if path.suffix in (".py", ".toml", ".tsv", ".txt") and inside[0] not in ("evaluate", "interfaces"):
            digest.update("/".join(inside).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]
