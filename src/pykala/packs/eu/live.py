"""Acts fetched from CELLAR into a folder with the archive's layout, so that one reader serves both.

    FOLDER/32019r2144/meta.json
    FOLDER/32019r2144/versions/2019-11-27--<hash>/{meta.json, en.xml, fr.xml}

An act comes with its text as adopted and its latest consolidated state, or with every state. A text that
CELLAR lacks, or has only as PDF, is a refusal; the others are still fetched.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

from pykala.fetch.addresses import AllowedHosts, FetchRefused
from pykala.fetch.http import Clock, FetchFailed, Manners
from pykala.fetch.live import fetching_at_once
from pykala.fetch.refusals import Refusal
from pykala.fetch.snapshots import Snapshots
from pykala.packs.eu.cellar import CONTENT, CellarClient, NotOffered, Page, fetch_page
from pykala.packs.eu.sparql import ENDPOINT, ActFacts, act_facts

HOST: Final = "publications.europa.eu"
#: Together with the interval between requests, this limits the load on CELLAR.
AT_ONCE: Final = 4
RESOURCE: Final = "http://publications.europa.eu/resource/celex/"
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class State:
    """One text of an act: as adopted, or consolidated from a day on; `until` is its last day."""

    act: ActFacts
    celex: str
    since: date
    until: date | None


@dataclass(frozen=True, slots=True)
class FetchedActs:
    """The result: the folder to ingest, the acts with at least one text, and what could not be fetched."""

    folder: Path
    acts: tuple[str, ...]
    pages: int
    refusals: tuple[Refusal, ...]


def open_client(
    manners: Manners, *, clock: Clock | None = None, hosts: AllowedHosts | None = None
) -> CellarClient:
    """A client for CELLAR alone."""
    return CellarClient(hosts or AllowedHosts(frozenset({HOST})), manners, clock=clock)


def fetch_acts(
    client: CellarClient,
    celexes: Sequence[str],
    folder: Path,
    snapshots: Snapshots,
    *,
    languages: Sequence[str] = ("en", "fr"),
    every_state: bool = False,
    at_once: int = AT_ONCE,
    progress: Progress = lambda done, total: None,
    endpoint: str = ENDPOINT,
    content: str = CONTENT,
) -> FetchedActs:
    """Fetch acts by CELEX number into the folder. Raises MirrorUnavailable where CELLAR does not answer."""
    facts = act_facts(client, celexes, languages, endpoint=endpoint)
    refusals = [
        Refusal(celex, "CELLAR knows no act of this number; check it")
        for celex in celexes
        if celex not in facts
    ]
    states = [state for act in facts.values() for state in _states(act, every_state)]
    wanted = [(state, language) for state in states for language in languages]
    pages: dict[str, list[Page]] = {}

    def fetch(one: tuple[State, str]) -> Page | Refusal:
        return _page(client, one[0], one[1], snapshots, content)

    with fetching_at_once(at_once) as pool:
        for done, came in enumerate(pool.map(fetch, wanted), 1):
            if isinstance(came, Refusal):
                refusals.append(came)
            else:
                pages.setdefault(came.celex, []).append(came)
                if came.parts > 1:
                    lacking = f"CELLAR keeps it in {came.parts} files, and the first of them was fetched"
                    refusals.append(Refusal(f"{came.celex} ({came.language})", lacking))
            progress(done, len(wanted))
    fetched = [act for act in facts.values() if _write_act(folder, act, states, pages)]
    count = sum(map(len, pages.values()))
    return FetchedActs(folder, tuple(act.celex for act in fetched), count, tuple(refusals))


def _page(
    client: CellarClient, state: State, language: str, snapshots: Snapshots, base: str
) -> Page | Refusal:
    try:
        return fetch_page(client, state.celex, language, snapshots, base=base)
    except NotOffered as refused:
        reason = refused.reason
    except FetchFailed as fault:
        reason = f"it could not be fetched ({fault.reason})"
    except FetchRefused as fault:
        reason = str(fault)
    return Refusal(f"{state.celex} ({language})", reason)


def _states(act: ActFacts, every_state: bool) -> list[State]:
    dated = [(act.issued, act.celex)] if act.issued is not None else []
    dated += [*act.states]
    if not dated:
        dated = [(date(int(act.celex[1:5]), 1, 1), act.celex)]
    nexts = [day for day, _ in dated[1:]] + [None]
    states = [
        State(act, celex, day, following - timedelta(days=1) if following is not None else None)
        for (day, celex), following in zip(dated, nexts, strict=True)
    ]
    return states if every_state or len(states) < 3 else [states[0], states[-1]]


def _write_act(folder: Path, act: ActFacts, states: Iterable[State], pages: dict[str, list[Page]]) -> bool:
    own = [state for state in states if state.act is act and pages.get(state.celex)]
    if not own:
        return False
    place = folder / act.celex.casefold()
    for state in own:
        version = place / "versions" / _version_name(state)
        version.mkdir(parents=True, exist_ok=True)
        for page in pages[state.celex]:
            for other in version.glob(f"{page.language}.*"):
                other.unlink()
            (version / f"{page.language}.{page.ending}").write_bytes(page.data)
        _write_json(version / "meta.json", _state_record(state, pages[state.celex]))
    for state in _states(act, every_state=True):
        # A state that was not fetched is known to exist, so the text before it ends there.
        version = place / "versions" / _version_name(state)
        if not version.exists():
            version.mkdir(parents=True)
            _write_json(version / "meta.json", _state_record(state, ()))
    _write_json(place / "meta.json", _act_record(act))
    return True


def _version_name(state: State) -> str:
    """Named after the state, not its bytes, so that a new fetch replaces the old file."""
    return f"{state.since.isoformat()}--{hashlib.sha256(state.celex.encode()).hexdigest()}"


def _act_record(act: ActFacts) -> dict[str, Any]:
    language, title = _title(act, "en")
    return {
        "lex_work_id": f"eu-eurlex:{act.celex.casefold()}",
        "work_identifier": f"{RESOURCE}{act.celex}",
        "publisher": "eu-eurlex",
        "document_type": act.kind.partition("_")[0],
        "slug": act.celex.casefold(),
        "title": title,
        "title_language": language,
        "source_uri": _address(act.celex, language),
    }


def _state_record(state: State, pages: Sequence[Page]) -> dict[str, Any]:
    act = state.act
    consolidated = state.celex != act.celex
    record: dict[str, Any] = {
        "lex_id": f"eu-eurlex:{act.celex.casefold()}:{state.since.isoformat()}",
        "publisher_version_identifier": f"{RESOURCE}{state.celex}",
        "work_identifier": f"{RESOURCE}{act.celex}",
        "publisher": "eu-eurlex",
        "document_type": act.kind.partition("_")[0],
        "valid_from": state.since.isoformat(),
        "valid_time_source": "publisher",
        "in_force_status": {"true": "1", "false": "0"}.get(act.in_force, act.in_force),
        "publication_date": state.since.isoformat(),
        "events": [],
        "expressions": [_expression(state, page) for page in pages],
        "relations": [{"type": "consolidates", "target": f"{RESOURCE}{act.celex}"}] if consolidated else [],
        "raw": {
            "celex": state.celex,
            "legal_form": act.kind.partition("_")[0],
            "hierarchy": "secondary_eu_law",
            "consolidation_status": "published" if consolidated else "original_official_expression",
        },
    }
    if state.until is not None:
        record["valid_to"] = state.until.isoformat()
    return record


def _expression(state: State, page: Page) -> dict[str, Any]:
    retrieved = page.retrieved_at.strftime("%Y-%m-%dT%H:%M:%SZ")
    title = dict(state.act.titles).get(page.language) or _title(state.act, page.language)[1]
    return {
        "language": page.language,
        "valid_from": state.since.isoformat(),
        "title": title,
        "source_uri": _address(state.celex, page.language),
        "observations": [
            {
                "file": f"{page.language}.{page.ending}",
                "sha256": page.sha256,
                "source_uri": page.url,
                "retrieved_at": retrieved,
                "observed_from": retrieved,
            }
        ],
        "text": {"available": True, "url": _address(state.celex, page.language)},
    }


def _title(act: ActFacts, language: str) -> tuple[str, str]:
    titles = dict(act.titles)
    if language in titles or not titles:
        return language, titles.get(language, act.celex)
    return next(iter(titles.items()))


def _address(celex: str, language: str) -> str:
    return f"https://eur-lex.europa.eu/legal-content/{language.upper()}/TXT/?uri=CELEX:{celex}"


def _write_json(place: Path, record: dict[str, Any]) -> None:
    beside = place.with_suffix(".part")
    beside.write_text(json.dumps(record, ensure_ascii=False, indent=2, sort_keys=True) + "\n", "utf-8")
    beside.replace(place)
