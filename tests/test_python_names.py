"""The library from Python: dates and choices as people write them, forms of results, asynchronous asking."""

from __future__ import annotations

import asyncio
import inspect
import io
import json
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import fields, is_dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

import pykala
import pykala.results
from pykala.law.answers import GeneralGuidance, Relation
from pykala.law.choices import as_day, as_many
from pykala.library import Library
from pykala.library.results import Reads

RATE = "What is the tax rate on capital income in Finland?"
PLACE = "fi:act:1992/1535/sec_124/subsec_2"
DOCS = Path(__file__).parents[1] / "docs"
NOTEBOOK = DOCS / "first-steps.ipynb"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    settings = pykala.Settings.read({"PYKALA_CACHE": str(tmp_path_factory.mktemp("cache"))})
    with pykala.sample(settings) as library:
        yield library


@pytest.mark.parametrize(
    "given",
    ["2014-06-01", date(2014, 6, 1), datetime(2014, 6, 1, 12, tzinfo=UTC)],
    ids=lambda one: type(one).__name__,
)
def test_a_date_is_a_date_or_a_text(sample: Library, given: pykala.Day) -> None:
    assert as_day(given) == date(2014, 6, 1)
    assert "32 per cent" in sample.ask(RATE, as_of=given).text
    assert "32 per cent" in sample.show(PLACE, as_of=given, language="en").cited.text
    assert "32 per cent" in sample.text_at(PLACE, given, language="en")
    assert "32 per cent" in sample.provision(PLACE).at(given, language="en").cited.text
    assert sample.diff(PLACE, given, "2026-01-01", language="en").changed
    assert sample.search("capital income", as_of=given, language="en")
    assert sample.changes(given, "2016-12-31")
    assert sample.tree("fi:act:1992/1535", as_of=given).children


@pytest.mark.parametrize("wrong", ["1.6.2014", "", "2014-13-01", "2020-W01-1", "20200101"])
def test_what_is_no_date_says_how_one_is_written(sample: Library, wrong: str) -> None:
    with pytest.raises(pykala.InvalidDay, match="YYYY-MM-DD"):
        sample.ask(RATE, as_of=wrong)


@pytest.mark.parametrize(
    ("values", "many"),
    [
        ((None,), ()),
        (("fi",), ("fi",)),
        ((["fi", "ca", "fi"], "eu"), ("fi", "ca", "eu")),
        ((("fi",), None), ("fi",)),
    ],
)
def test_one_or_many(values: tuple[pykala.OneOrMany, ...], many: tuple[str, ...]) -> None:
    assert as_many(*values) == many


def test_places_and_languages_take_one_or_many(sample: Library) -> None:
    one = sample.search("tax", jurisdiction="fi", language="en", limit=50)
    assert one == sample.search("tax", jurisdictions=["fi"], languages=("en",), limit=50)
    asked = sample.ask(RATE, jurisdictions=["fi"], languages=("en", "fi"), as_of="2020-01-01")
    assert (
        asked.to_dict()["primary"]
        == sample.ask(RATE, jurisdiction="fi", language="en", as_of="2020-01-01").to_dict()["primary"]
    )
    assert sample.context(RATE, jurisdictions="ca").text == sample.context(RATE, jurisdiction=["ca"]).text
    assert repr(sample) == f"<Library {sample.folder}>"
    both = {
        found.match.work.jurisdiction for found in sample.search("tax", jurisdiction=["fi", "ca"], limit=50)
    }
    assert both == {"fi", "ca"}
    assert sample.show(PLACE, language=["fr", "sv"]).cited.language == "sv"
    two = sample.ask("What is the rate of the tax?", jurisdiction=["ca", "nyc"])
    shown = [*([two.primary] if two.primary else []), *(one.cited for one in two.support)]
    assert {cited.provision.work.jurisdiction for cited in shown} <= {"ca", "nyc"}
    assert two.jurisdiction is None
    assert {work.id.jurisdiction for work in sample.works(jurisdiction=("ca", "nyc"))} == {"ca", "nyc"}
    with pytest.raises(pykala.UnknownPack):
        sample.ask(RATE, jurisdiction=["fi", "xx"])


def test_every_result_has_a_dictionary_json_html_and_a_short_repr(sample: Library) -> None:
    answer = sample.ask(RATE)
    results = [
        answer,
        sample.ask("How do I bake sourdough bread?"),
        sample.ask(RATE).primary,
        sample.show(PLACE),
        *sample.search("capital income", limit=2),
        sample.related(PLACE),
        sample.history(PLACE, language="en"),
        sample.provision(PLACE),
        sample.diff(PLACE, "2012-06-01", "2026-01-01", language="en"),
        *sample.changes("2015-01-01", "2016-12-31"),
        *sample.history(PLACE).versions,
        *answer.support,
        *answer.claims,
        *(one for claim in answer.claims for one in claim.citations),
        *sample.works("income tax"),
        sample.context(RATE),
        sample.document(PLACE),
        sample.surroundings(PLACE),
        sample.reasoning(answer),
        *sample.keywords(RATE)[1],
        *sample.citations("See TVL 124 §, TVL 999 § and section 3 of the Bees Act."),
        *sample.relations(PLACE),
        sample.replay(answer.to_json()),
    ]
    kinds = {type(result).__name__ for result in results}
    assert kinds == {
        "ActChanges", "Answer", "Citation", "CitationInText", "CitedProvision", "Claim", "Comparison",
        "ContextBlock", "Edge", "Found", "History", "HydratedDocument", "Keyword", "ProvisionHandle",
        "Reasoning", "Related", "Replay", "Shown", "Support", "Surroundings", "Version", "Work",
    }  # fmt: skip
    for result in results:
        assert result is not None
        told = result.to_dict()
        assert json.loads(result.to_json()) == json.loads(json.dumps(told))
        assert result._repr_html_().startswith(("<div", "<pre"))
        assert len(repr(result)) < 250
        assert "\n" not in repr(result)
    assert repr(answer).startswith("<Answer ANSWERED 9.")
    assert "<mark>" in answer._repr_html_()


def test_whatever_a_result_holds_has_a_short_repr(sample: Library) -> None:
    answer = sample.ask(RATE)
    begun: list[object] = [
        answer,
        sample.show("fi:act:1992/1535/sec_124"),
        sample.history(PLACE),
        sample.diff(PLACE, "2012-06-01", "2026-01-01"),
        sample.document(PLACE),
        sample.tree("fi:act:1992/1535"),
        sample.related(PLACE),
        sample.context(RATE),
        sample.reasoning(answer),
        sample.replay(answer.to_json()),
        *sample.changes("2015-01-01", "2016-12-31"),
        *sample.search("capital income", limit=2),
    ]
    kinds = set()
    while begun:
        one = begun.pop()
        if isinstance(one, tuple | list):
            begun += one
        elif is_dataclass(one) and not isinstance(one, type):
            kinds.add(type(one).__name__)
            assert len(repr(one)) < 250, type(one)
            assert "\n" not in repr(one)
            begun += [getattr(one, field.name) for field in fields(one)]
    assert kinds >= {"AnswerRecord", "Block", "Composed", "ContextItem", "Difference", "Match", "Moment"}
    assert kinds >= {"Node", "PathStep", "Provision", "Stage", "TreeNode", "Version", "Visited"}


def test_an_identifier_is_its_own_repr(sample: Library) -> None:
    provision = sample.locate(PLACE)
    assert repr(provision) == f"ProvisionId.parse('{PLACE}')"
    assert repr(provision.work) == "WorkId('fi:act:1992/1535')"


#: Methods that hand out how a library works inside.
INNER = {"engine", "learned", "state", "with_parts"}


def test_every_type_that_a_method_returns_is_exported() -> None:
    public = {*pykala.__all__, *pykala.results.__all__}
    assert len(public) == len(pykala.__all__) + len(pykala.results.__all__)
    assert all(getattr(pykala.results, name).__name__ == name for name in pykala.results.__all__)
    held: dict[type, str] = {}
    begun = [
        (kind, name)
        for name, member in inspect.getmembers(Library)
        if name[0] != "_" and name not in INNER and callable(member)
        for kind in types_in(returned(inspect.unwrap(member)))
    ]
    while begun:  # what a result holds is a result too
        kind, by = begun.pop()
        if kind not in held and kind not in (Library, Reads):
            held[kind] = by
            shown = get_type_hints(kind) if is_dataclass(kind) else {}
            begun += [(below, kind.__name__) for hint in shown.values() for below in types_in(hint)]
    assert {(kind.__name__, by) for kind, by in held.items() if kind.__name__ not in public} == set()
    assert {kind.__name__ for kind in held} >= set(pykala.results.__all__), "nothing else is in it"


def returned(method: Callable[..., object]) -> object:
    """What a method returns; names that its module imports for type checkers only must be public ones."""
    told = inspect.get_annotations(method).get("return", "None")
    names = {name: getattr(pykala, name) for name in pykala.__all__} | {**vars(pykala.results)}
    return eval(told, {**names, **vars(sys.modules[method.__module__])})


def types_in(hint: object) -> Iterator[type]:
    """Our own types in an annotation."""
    if isinstance(hint, type) and hint.__module__.startswith("pykala"):
        yield hint
    for inner in get_args(hint):
        yield from types_in(inner)


def test_a_handle_tells_every_wording_of_its_provision(sample: Library) -> None:
    handle = sample.provision(PLACE)
    assert repr(handle) == f"<ProvisionHandle {PLACE}>"
    assert handle.to_dict() == sample.history(PLACE).to_dict()
    assert handle._repr_html_() == sample.history(PLACE)._repr_html_()


def test_the_law_is_no_markup_in_a_notebook(sample: Library) -> None:
    answer = sample.ask(RATE)
    assert answer.primary is not None
    hostile = "<script>alert(1)</script>"
    bad = replace(answer.primary, text=hostile, citation=hostile, url="javascript:alert(1)", heading=hostile)
    html = replace(answer, primary=bad, claims=(), text=hostile)._repr_html_()
    quote = pykala.Citation("L1", bad.provision, hostile, 0, len(hostile), bad.url, hostile)
    beside = pykala.Support(bad, Relation.CITES, 1)
    others = [quote, pykala.Claim(hostile, (quote,)), beside, pykala.Version(hostile)]
    for one in (html, *(result._repr_html_() for result in others)):
        assert "<script" not in one
        assert "javascript:" not in one


def test_general_guidance_stands_in_a_frame_of_its_own_below_its_notice(sample: Library) -> None:
    notice = "General guidance by a model: not law."
    guided = GeneralGuidance(f"{notice} Ask <b>an</b> adviser.", notice, "ollama/cheap")
    caveat = pykala.Caveat(pykala.CaveatKind.GENERAL_GUIDANCE, None, notice)
    html = replace(sample.ask(RATE), general=guided, caveats=(caveat,))._repr_html_()
    frame = html[html.index("<aside") :]
    assert frame.index(notice) < frame.index("Ask &lt;b&gt;an&lt;/b&gt; adviser.")
    assert html.count(notice) == 1


def test_an_answer_is_awaited_and_heard_stage_by_stage(sample: Library) -> None:
    async def asked() -> tuple[pykala.Answer, list[object], list[pykala.Answer]]:
        answer = await sample.aask(RATE, as_of="2026-01-01")
        events: list[object] = [event async for event in sample.astream(RATE, as_of="2026-01-01")]
        several = await asyncio.gather(
            *(sample.aask(RATE, as_of=day) for day in ("2014-06-01", "2026-01-01"))
        )
        return answer, events, several

    answer, events, several = asyncio.run(asked())
    assert "34 per cent" in answer.text
    assert isinstance(events[-1], pykala.Answer)
    assert {type(event) for event in events[:-1]} == {pykala.Stage}
    assert next(stage.name for stage in events[:-1] if isinstance(stage, pykala.Stage)) == "understand"
    assert ["32 per cent" in one.text for one in several] == [True, False]


def test_who_stops_listening_stops_the_work_and_the_next_one_is_answered(sample: Library) -> None:
    async def asked() -> pykala.Answer:
        stream = sample.astream(RATE)
        await anext(stream)
        await stream.aclose()  # type: ignore[attr-defined]
        return await sample.aask(RATE)

    assert asyncio.run(asked()).outcome is pykala.Outcome.ANSWERED
    assert not sample.turn.locked()
    assert threading.active_count() < 50


def test_an_error_reaches_the_one_who_waits(sample: Library) -> None:
    with pytest.raises(pykala.UnknownPack):
        asyncio.run(sample.aask(RATE, jurisdiction="xx"))


def test_the_page_of_the_documentation_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYKALA_CACHE", str(tmp_path))
    (block,) = re.findall(r"```python\n(.*?)```", (DOCS / "python.md").read_text("utf-8"), re.DOTALL)
    told = io.StringIO()
    with redirect_stdout(told):
        exec(compile(block, "python.md", "exec"), {})
    assert "<Answer ANSWERED" in told.getvalue()
    assert told.getvalue().splitlines()[-1] == "Answer"


def test_the_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYKALA_CACHE", str(tmp_path))
    monkeypatch.setenv("PYKALA_LIBRARY", str(tmp_path / "none"))
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert len(code) >= 5
    names: dict[str, object] = {}
    for number, text in enumerate(code):
        exec(compile(text, f"cell {number}", "exec"), names)
    library = names["library"]
    assert isinstance(library, Library)
    library.close()
