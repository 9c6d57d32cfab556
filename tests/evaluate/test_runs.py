"""Runs: they go on where they stopped, refuse to mix what they measure, and compare; report and plots."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from importlib.util import find_spec
from pathlib import Path

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from making import bundle, cites, document, section, since
from plain_pack import pack
from pykala.evaluate import runs, scoring
from pykala.evaluate.matching import Held
from pykala.evaluate.plots import coverage_plot, estimates_plot, latency_plot
from pykala.evaluate.questions import GoldQuestion, GoldStep
from pykala.evaluate.raster import PlotUnavailable, png_of, size_of
from pykala.evaluate.report import report_json, report_markdown, table
from pykala.evaluate.runs import Line, RunError, ShownPlace, line_from, line_json, read_run, run
from pykala.evaluate.scoring import Failure, compare, failure, measure, score
from pykala.fetch.xml import parse_xml
from pykala.interfaces.cli.evaluating import register
from pykala.law.answers import Outcome, PathStep
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Version
from pykala.law.references import EdgeKind
from pykala.law.validity import Validity
from pykala.library import Library
from pykala.retrieve.options import AskOptions
from pykala.stores.embedded.store import EmbeddedStore

WORK = WorkId("xx:act:1")
DAY = date(2020, 6, 1)


def place(path: str) -> ProvisionId:
    return ProvisionId.parse(f"{WORK}/{path}" if path else str(WORK))


ASKED = GoldQuestion("", "", language="en", jurisdiction="xx", as_of=DAY)
HORSE = replace(ASKED, id="horse", question="What is the tax on a horse?", numbers=("5 euros",))
BOAT = replace(ASKED, id="boat", question="When must a boat be registered?")
QUESTIONS = (
    replace(HORSE, gold=((place("sec_1"),),)),
    replace(BOAT, gold=((place("sec_2/subsec_1"),),)),
    replace(
        ASKED, id="moon", question="Who owns the moon?", outcomes=(Outcome.SILENT, Outcome.OUTSIDE_CORPUS)
    ),
)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    horse = section(
        WORK,
        "1",
        versions=[
            Version("The tax on a horse is 3 euros.", since(2000, 2010)),
            Version("The tax on a horse is 5 euros; see section 2.", since(2010)),
        ],
    )
    boat = section(WORK, "2", "", "A boat must be registered within 30 days.", "A canoe need not.")
    with EmbeddedStore.open(tmp_path / "library", writable=True) as store:
        references = [cites(place("sec_1"), place("sec_2"))]
        store.put(bundle(WORK, [document(WORK, "en", [horse, boat], "Horse Act")], references=references))
        yield Library(store, packs={"xx": pack}, folder=tmp_path / "library", today=lambda: DAY)


def test_a_run_answers_each_question_once_and_goes_on_where_it_was_killed(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    header = runs.header_of("set", QUESTIONS, library)
    asked: list[str] = []
    answer = runs.answer_question

    def counting(question: GoldQuestion, library: Library) -> Line:
        asked.append(question.id)
        if question.id == "moon" and asked.count("moon") == 1:
            # A kill closes no file: what was answered must be on the disk by now.
            assert len((tmp_path / "out" / runs.FILE).read_bytes().splitlines()) == 3
            raise KeyboardInterrupt
        return answer(question, library)

    monkeypatch.setattr(runs, "answer_question", counting)
    with pytest.raises(KeyboardInterrupt):
        run(QUESTIONS, library, header, tmp_path / "out")
    file = tmp_path / "out" / runs.FILE
    whole = file.read_bytes()
    file.write_bytes(whole[:-20])  # the last line was cut off in the middle
    lines = run(QUESTIONS, library, header, tmp_path / "out")
    assert asked == ["horse", "boat", "moon", "boat", "moon"]
    assert [line.id for line in lines] == ["horse", "boat", "moon"]
    assert read_run(tmp_path / "out")[0] == header
    assert read_run(file)[1] == run(QUESTIONS, library, header, tmp_path / "out")
    assert asked.count("boat") == 2  # a whole run asks nothing again


def test_a_run_killed_before_its_first_line_starts_anew(library: Library, tmp_path: Path) -> None:
    (tmp_path / runs.FILE).write_text('{"run": 2, "se')
    header = runs.header_of("set", QUESTIONS, library)
    assert len(run(QUESTIONS, library, header, tmp_path)) == 3


def test_a_run_is_not_gone_on_with_over_another_library(library: Library, tmp_path: Path) -> None:
    header = runs.header_of("set", QUESTIONS, library)
    run(QUESTIONS[:1], library, header, tmp_path)
    more = WorkId("xx:act:2")
    library.store.put(bundle(more, [document(more, "en", [section(more, "1", "Hats are free.")])]))
    after = runs.header_of("set", QUESTIONS, library)
    assert after.name != header.name
    with pytest.raises(RunError, match="another library; give another --out"):
        run(QUESTIONS, library, after, tmp_path)
    with pytest.raises(RunError, match="another questions"):
        run(QUESTIONS, library, replace(header, questions="other"), tmp_path)


@pytest.mark.parametrize("text", ["", "hello\n", '{"run": 99}\n', '{"run": 2}\n', '[]\n{"run": 2}\n'])
def test_what_is_no_run_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "run.jsonl").write_text(text)
    with pytest.raises(RunError):
        read_run(tmp_path)
    with pytest.raises(RunError, match="is not a run"):
        read_run(tmp_path / "nothing")


def test_what_a_run_keeps_of_an_answer(library: Library) -> None:
    horse, boat, moon = (runs.answer_question(question, library) for question in QUESTIONS)
    assert horse.primary is not None
    assert horse.primary.provision == place("sec_1")
    assert horse.primary.validity == Validity(date(2010, 1, 1))
    assert horse.primary.publisher == "Plainland Gazette"
    assert horse.held == horse.found == Held(numbers=(True,))
    assert horse.ranked[0] == place("sec_1")
    assert horse.searched[0] == place("sec_1")
    assert PathStep(place("sec_1"), EdgeKind.CITES, place("sec_2")) in horse.path
    assert {"understand", "search", "grade", "answer"} <= horse.stages.keys()
    assert boat.primary is not None
    assert boat.primary.provision == place("sec_2/subsec_1")
    assert (moon.primary, moon.support, moon.answered) == (None, (), False)


def test_what_search_finds_is_measured_where_nothing_is_shown(library: Library) -> None:
    silent = replace(QUESTIONS[0], question="Hevosen tax horse zzz?", language="fi")
    line = replace(runs.answer_question(silent, library), held=Held(numbers=(False,)))
    assert place("sec_1") in line.searched  # the law is in English: search does not end with Finnish
    scores = score(silent, line)
    assert (scores["numeric recall"], scores["search numeric recall@10"]) == (0.0, 1.0)


def test_the_law_of_the_day_is_what_counts(library: Library) -> None:
    earlier = replace(QUESTIONS[0], as_of=date(2005, 1, 1))
    line = runs.answer_question(earlier, library)
    assert score(earlier, line)["temporal correctness"] == 1.0
    assert score(earlier, line)["numeric recall"] == 0.0  # it was 3 euros then
    assert line.primary is not None
    later = replace(line, as_of=date(2015, 1, 1))
    assert score(replace(earlier, as_of=None), later)["temporal correctness"] == 0.0
    # The day that was asked for counts, not the one that the engine made of it.
    assert score(replace(earlier, as_of=date(2015, 1, 1)), line)["temporal correctness"] == 0.0


PLACES = st.sampled_from([place(path) for path in ("", "sec_1", "sec_2/subsec_1", "chp_3/sec_4a")])
DAYS = st.none() | st.dates()
SHOWN = st.builds(
    lambda provision, days, publisher: ShownPlace(
        provision, Validity(*sorted(days)) if all(days) else Validity(*days), publisher
    ),
    PLACES,
    st.tuples(DAYS, DAYS),
    st.text(max_size=5),
)
HELD = st.builds(
    Held,
    st.lists(st.booleans(), max_size=2).map(tuple),
    st.lists(st.booleans(), max_size=2).map(tuple),
    st.lists(st.none() | st.booleans(), max_size=2).map(tuple),
)
LINES = st.builds(
    Line,
    id=st.text(min_size=1, max_size=5),
    outcome=st.sampled_from(Outcome),
    language=st.sampled_from(["fi", "en"]),
    as_of=st.dates(),
    primary=st.none() | SHOWN,
    support=st.lists(SHOWN, max_size=2).map(tuple),
    path=st.lists(st.builds(PathStep, PLACES, st.sampled_from(EdgeKind), PLACES), max_size=2).map(tuple),
    ranked=st.lists(PLACES, max_size=3).map(tuple),
    searched=st.lists(PLACES, max_size=3).map(tuple),
    held=HELD,
    found=HELD,
    confidence=st.floats(0, 1),
    stages=st.dictionaries(st.text(max_size=4), st.integers(0, 9).map(float), max_size=2),
    milliseconds=st.integers(0, 9).map(float),
)


@given(LINES)
def test_a_line_reads_back_as_it_was_written(line: Line) -> None:
    assert line_from(json.loads(json.dumps(line_json(line)))) == line


def line(identifier: str, primary: str | None, **more: object) -> Line:
    shown = ShownPlace(ProvisionId.parse(primary), Validity(), "Finlex") if primary else None
    made = Line(
        id=identifier,
        outcome=Outcome.ANSWERED if primary else Outcome.SILENT,
        language="en",
        as_of=DAY,
        primary=shown,
        support=(),
        path=(),
        ranked=(shown.provision,) if shown else (),
        searched=(),
        held=Held(),
        found=Held(),
        confidence=0.5,
        stages={"search": 2.0},
        milliseconds=3.0,
    )
    return replace(made, **more)  # type: ignore[arg-type]


GOLD = GoldQuestion("q", "?", gold=((place("sec_1/subsec_2"), place("sec_3")),), outcomes=(Outcome.ANSWERED,))
SUPPORT = (ShownPlace(place("sec_3"), Validity(), "Finlex"),)


@pytest.mark.parametrize(
    ("question", "answer", "cause"),
    [
        (GOLD, line("q", None), Failure.SILENT),
        (GOLD, line("q", "xx:act:2/sec_1"), Failure.WRONG_LAW),
        (GOLD, line("q", "xx:act:1/sec_2"), Failure.WRONG_SECTION),
        (GOLD, line("q", "xx:act:1/sec_1/subsec_3"), Failure.WRONG_PROVISION),
        (GOLD, line("q", "xx:act:1/sec_1/subsec_2"), Failure.SUPPORT_MISSING),
        (GOLD, line("q", "xx:act:1/sec_1/subsec_2", support=SUPPORT), None),
        (replace(GOLD, forbidden=(place("sec_9"),)), line("q", "xx:act:1/sec_9"), Failure.TRAP),
        (
            replace(GOLD, path=(GoldStep(kind=EdgeKind.CITES),)),
            line("q", "xx:act:1/sec_1/subsec_2", support=SUPPORT),
            Failure.PATH_MISSING,
        ),
        (
            GOLD,
            line("q", "xx:act:1/sec_1/subsec_2", support=SUPPORT, held=Held(numbers=(True, False))),
            Failure.NUMBER_MISSING,
        ),
        (QUESTIONS[2], line("moon", "xx:act:1/sec_1"), Failure.SPOKE),
        (QUESTIONS[2], line("moon", None), None),
        (GOLD, line("q", None, outcome=Outcome.GUIDANCE, support=SUPPORT), Failure.HESITATED),
        (
            replace(GOLD, outcomes=(Outcome.ANSWERED, Outcome.GUIDANCE)),
            line("q", None, outcome=Outcome.GUIDANCE, support=SUPPORT),
            None,
        ),
    ],
)
def test_a_failure_has_the_first_cause_that_applies(
    question: GoldQuestion, answer: Line, cause: Failure | None
) -> None:
    failed = failure(scoring.Scored(question, answer, score(question, answer)))
    assert (failed.cause if failed else None) == cause


JUDGED = GoldQuestion("q", "?", gold=((place("sec_1"), place("sec_2")),), grades=(2, 1))


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        # coverage, selective accuracy, wrong shown as ANSWERED, refusal rate
        (GOLD, line("q", "xx:act:1/sec_1/subsec_2"), (1.0, 1.0, 0.0, 0.0)),
        (GOLD, line("q", "xx:act:1/sec_1/subsec_3"), (1.0, 0.0, 1.0, 0.0)),
        (GOLD, line("q", None), (0.0, None, 0.0, 1.0)),
        (GOLD, line("q", None, outcome=Outcome.GUIDANCE), (0.0, None, 0.0, 0.0)),
        (GOLD, line("q", None, outcome=Outcome.UNAVAILABLE), (0.0, None, 0.0, 1.0)),
        (QUESTIONS[2], line("moon", "xx:act:1/sec_1"), (1.0, 0.0, 1.0, 0.0)),
        (QUESTIONS[2], line("moon", None), (0.0, None, 0.0, 1.0)),
        (JUDGED, line("q", "xx:act:1/sec_2"), (1.0, 1.0, 0.0, 0.0)),  # any that is relevant is right
        # Nobody knows what is right where only the publisher is gold.
        (GoldQuestion("q", "?", publishers=("vero",)), line("q", "xx:act:1/sec_1"), (None, None, None, 0.0)),
    ],
)
def test_what_a_reader_who_trusts_an_answer_gets(
    question: GoldQuestion, answer: Line, expected: tuple[float | None, ...]
) -> None:
    scores = score(question, answer)
    names = ("coverage", "selective accuracy", "wrong shown as ANSWERED", "refusal rate")
    assert tuple(scores.get(name) for name in names) == expected


def test_a_pool_of_judgements_need_not_be_shown_whole() -> None:
    scores = score(JUDGED, line("q", "xx:act:1/sec_2"))
    assert (scores["PRIMARY_PASS"], "SUPPORT_PASS" in scores) == (1.0, False)
    assert scores["nDCG@10"] < score(JUDGED, line("q", "xx:act:1/sec_1"))["nDCG@10"] < 1


def test_judged_documents_are_ranked_once_however_many_of_their_parts_are_found() -> None:
    first, second = WorkId("xx:act:1"), WorkId("xx:act:2")
    question = GoldQuestion("q", "?", gold=((ProvisionId(second),),), grades=(1,))
    ranked = tuple(ProvisionId.parse(f"{first}/sec_{number}") for number in (1, 2, 3))
    scores = score(question, line("q", None, ranked=(*ranked, ProvisionId.parse(f"{second}/sec_1"))))
    assert (scores["MRR"], scores["recall@1"], scores["recall@5"]) == (0.5, 0.0, 1.0)
    within = replace(question, gold=((ProvisionId.parse(f"{second}/sec_1"),),))
    assert score(within, line("q", None, ranked=(*ranked, within.gold[0][0])))["MRR"] == 0.25


def test_publishers_are_compared_by_one_name() -> None:
    question = GoldQuestion("q", "?", publishers=("vero", "finlex"))
    office = ShownPlace(place("sec_1"), Validity(), "Finnish Tax Administration")
    scores = score(question, line("q", "xx:act:1/sec_1", support=(office, office)))
    assert (scores["publisher precision"], scores["publisher recall"]) == (1.0, 1.0)


def test_two_runs_say_what_was_gained_and_lost() -> None:
    questions = [GoldQuestion(name, "?", gold=((place("sec_1"),),)) for name in ("a", "b", "c")]
    before = [line("a", "xx:act:1/sec_1"), line("b", "xx:act:1/sec_2"), line("c", "xx:act:1/sec_1")]
    after = [line("a", "xx:act:1/sec_2"), line("b", "xx:act:1/sec_1"), line("c", "xx:act:1/sec_1")]
    found = {one.measure: one for one in compare(questions, before, after)}["PRIMARY_PASS"]
    assert (found.gained, found.lost, found.change.mean) == (("b",), ("a",), 0.0)
    assert found.before == found.after == pytest.approx(2 / 3)
    with pytest.raises(RunError, match="share no question"):
        compare(questions, before[:1], after[1:])
    # Of a wrong answer shown less is better: the question that no longer has one is gained.
    wrong = {one.measure: one for one in compare(questions, before, after)}["wrong shown as ANSWERED"]
    assert (wrong.gained, wrong.lost) == (("b",), ("a",))


def measured_run() -> scoring.Measured:
    header = runs.Header("set", "1", "2", "3", {"embedder": ""})
    answers = [line("horse", "xx:act:1/sec_1", confidence=0.9), line("boat", None), line("moon", None)]
    return measure(header, QUESTIONS, answers)


def test_a_report_holds_every_figure_and_every_failure() -> None:
    measured = measured_run()
    assert measured.estimates["PRIMARY_PASS"].mean == 0.5
    assert {pair: count for pair, (count, _) in measured.confusion.items()} == {("SILENT", "SILENT"): 1}
    assert [(one.coverage, one.accuracy) for one in measured.curve] == [(pytest.approx(1 / 3), 1.0)]
    page, data = report_markdown(measured), report_json(measured)
    for name in measured.estimates:
        assert f"| {name} |" in page
        assert name in data["measures"]  # type: ignore[operator]
    assert "| silent where the law answers | boat | When must a boat be registered? | SILENT |" in page
    assert [one["id"] for one in data["failures"]] == ["boat"]  # type: ignore[attr-defined]
    json.dumps(data)


def test_a_cell_cannot_break_a_table() -> None:
    assert table(["a"], [["x | y\nz"]]).split("\n") == ["| a |", "| --- |", "| x \\| y z |"]


def test_plots_are_drawings_that_parse() -> None:
    measured = measured_run()
    for drawing in (
        coverage_plot(measured.curve, "a < b & c"),
        latency_plot(measured.latencies, "a < b & c"),
        coverage_plot((), "nothing"),
        latency_plot((), "nothing"),
    ):
        assert parse_xml(drawing.encode(), "plot.svg").tag.endswith("svg")
    assert coverage_plot(measured.curve, "t").count("<circle") == 1
    assert "search" in latency_plot(measured.latencies, "t")


def test_a_plot_becomes_pixels_with_its_words() -> None:
    pytest.importorskip("resvg_py", reason="plots as PNG need the extra: pip install 'pykala[plots]'")
    measured = measured_run()
    rows = [("as it is", measured.estimates["PRIMARY_PASS"]), ("no graph", measured.estimates["MRR"])]
    for drawing in (
        coverage_plot(measured.curve, "a < b & c"),
        latency_plot(measured.latencies, "a < b & c"),
        estimates_plot(rows, "a < b & c"),
        estimates_plot([], "nothing"),
    ):
        facts = parse_xml(drawing.encode(), "plot.svg").attrib
        png = png_of(drawing)
        assert size_of(png) == (int(facts["width"]) * 2, int(facts["height"]) * 2)
        assert png != png_of(re.sub("<text.*?</text>", "", drawing, flags=re.DOTALL))  # the words are drawn


def test_without_the_extra_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(PlotUnavailable, match=r"pip install 'pykala\[plots\]'"):
        png_of("<svg/>")
    with pytest.raises(ValueError, match="no PNG"):
        size_of(b"GIF89a")


def test_the_verb_measures_resumes_and_compares(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYKALA_CACHE", str(tmp_path / "cache"))
    app = typer.Typer()
    register(app)
    app.command("other")(lambda: None)  # with one verb alone, Typer takes no name of it
    questions = tmp_path / "plain.jsonl"
    questions.write_text(
        '{"id": "1", "question": "How many euros is the tax on a horse?", "gold": [["xx:act:1/sec_1"]]}\n'
    )
    folder = str(tmp_path / "library")

    def call(*arguments: str) -> tuple[int, str]:
        result = CliRunner().invoke(app, ["evaluate", *arguments, "--library", folder])
        return result.exit_code, result.output

    code, output = call(str(questions), "--json", "--out", str(tmp_path / "first"))
    assert code == 0, output
    assert json.loads(output)["measures"]["PRIMARY_PASS"]["value"] == 1.0
    names = {path.name for path in (tmp_path / "first").iterdir()}
    assert names >= {"run.jsonl", "report.md", "report.json", "coverage.svg", "latency.svg"}
    assert {"coverage.png", "latency.png"} <= names or find_spec("resvg_py") is None
    code, output = call(str(questions), "--compare", str(tmp_path / "first"))
    assert code == 0, output
    assert "PRIMARY_PASS" in output
    assert any((tmp_path / "cache" / "evaluations").iterdir())
    code, output = call(str(tmp_path / "none.csv"))
    assert (code, "is no question set" in output) == (2, True)
    code, output = call(str(questions), "--compare", str(tmp_path / "nowhere"))
    assert (code, "is not a run" in output) == (2, True)


def test_the_verb_takes_options_of_the_read_path(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYKALA_CACHE", str(tmp_path / "cache"))
    app = typer.Typer()
    register(app)
    app.command("other")(lambda: None)
    seen: list[AskOptions] = []
    answer = runs.answer_question

    def seeing(question: GoldQuestion, library: Library) -> Line:
        seen.append(library.options)
        return answer(question, library)

    monkeypatch.setattr(runs, "answer_question", seeing)
    questions, config, rows = (tmp_path / name for name in ("plain.jsonl", "config.toml", "rows.toml"))
    questions.write_text('{"id": "1", "question": "tax on a horse", "gold": [["xx:act:1/sec_1"]]}\n')
    config.write_text("hops = 2\n")
    rows.write_text('[[row]]\nname = "as it is"\n[[row]]\nname = "no graph"\ngraph = false\n')

    def call(*arguments: str) -> tuple[int, str]:
        command = ["evaluate", str(questions), "--library", str(tmp_path / "library"), *arguments]
        result = CliRunner().invoke(app, command)
        return result.exit_code, result.output

    code, output = call("--config", str(config), "--json")
    assert code == 0, output
    assert json.loads(output)["settings"]["options"] == "hops = 2, cache = false"
    assert [(one.hops, one.graph, one.cache) for one in seen] == [(2, True, False)]
    seen.clear()
    table_folder = tmp_path / "table"
    code, output = call("--config", str(config), "--ablations", str(rows), "--out", str(table_folder))
    assert code == 0, output
    assert [(one.hops, one.graph) for one in seen] == [(2, True), (2, False)]
    assert "no graph" in output
    assert {"ablations.md", "ablations.json", "ablations.svg"} <= {one.name for one in table_folder.iterdir()}
    code, output = call("--config", str(config), "--ablations", str(rows), "--out", str(table_folder))
    assert (code, len(seen)) == (0, 2)  # what was answered is not asked again
    config.write_text("grpah = false\n")
    assert call("--config", str(config)) == (
        2,
        "pykala: config.toml: 'grpah' is not an option; did you mean 'graph'?\n",
    )
    code, output = call("--ablations", str(rows), "--compare", str(table_folder))
    assert (code, "leave out --compare" in output) == (2, True)
    code, output = call("--measure", "nonsense")
    assert (code, "ir-measures" in output) == (2, True)
