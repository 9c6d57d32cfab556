"""The verbs of time on the command line: history, diff, changes, show --as-of, and dates in questions."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

import pytest
from rich.console import Console

from making import bundle, document, section, since
from pykala.interfaces.cli.main import run as run_command
from pykala.interfaces.cli.time_render import comparison
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Event, Version
from pykala.stores.embedded.store import EmbeddedStore
from pykala.views.chronicle import compare

ACT, AMENDING = WorkId("fi:act:1990/1"), WorkId("fi:act:2015/1549")
SECTION = "fi:act:1990/1/sec_1"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    library = tmp_path_factory.mktemp("time") / "library"
    chain = (
        Version("Koiravero on 50 euroa.", since(1990, 2016), event=Event.ENACTED),
        Version("Koiravero on 70 euroa.", since(2016, 2020), event=Event.AMENDED, source_act=AMENDING),
    )
    kept = Version("Kissavero on 9 euroa.", since(2018), event=Event.AMENDED, history_unavailable=True)
    sections = [
        section(ACT, "1", versions=chain),
        section(ACT, "2", versions=[kept]),
        section(ACT, "3", "Pysyy.", validity=since(1990)),
    ]
    with EmbeddedStore.open(library, writable=True) as store:
        store.put(bundle(ACT, [document(ACT, "fi", sections, "Koiraverolaki")]))
        amending = section(AMENDING, "1", "Muutetaan.", validity=since(2016))
        store.put(
            bundle(AMENDING, [document(AMENDING, "fi", [amending], "Laki koiraverolain muuttamisesta")])
        )
    return library


@pytest.fixture(autouse=True)
def _settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYKALA_LIBRARY", str(tmp_path / "none"))
    monkeypatch.setenv("PYKALA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "200")


@dataclass(frozen=True)
class Result:
    exit_code: int
    stdout: str
    stderr: str


def run(folder: Path, *arguments: str) -> Result:
    stdout, stderr = io.StringIO(), io.StringIO()
    with redirect_stdout(stdout), redirect_stderr(stderr):
        code = run_command([*arguments, "--library", str(folder)])
    return Result(code, stdout.getvalue(), stderr.getvalue())


def said(folder: Path, *arguments: str) -> dict[str, object]:
    result = run(folder, *arguments, "--json")
    assert result.exit_code == 0, result.stderr
    read: dict[str, object] = json.loads(result.stdout)
    return read


def test_history_gives_the_chain_and_the_timeline(folder: Path) -> None:
    told = said(folder, "history", SECTION)
    assert told.keys() == {
        "provision",
        "citation",
        "history_unavailable",
        "versions",
        "timeline",
        "caveats",
    }
    assert not told["caveats"]
    assert [(v["valid_from"], v["valid_to"], v["event"], v["source_act"]) for v in told["versions"]] == [  # type: ignore[attr-defined]
        ("1990-01-01", "2016-01-01", "enacted", None),
        ("2016-01-01", "2020-01-01", "amended", str(AMENDING)),
    ]
    assert [(m["day"], [c["event"] for c in m["changes"]]) for m in told["timeline"]] == [  # type: ignore[attr-defined]
        ("1990-01-01", ["enacted"]),
        ("2016-01-01", ["amended"]),
        ("2020-01-01", ["ended"]),
    ]


def test_history_of_a_work_merges_all_its_sections(folder: Path) -> None:
    shown = run(folder, "history", str(ACT)).stdout
    for words in ("1990-01-01", "2016-01-01", "2018-01-01", "2020-01-01", "sec_1", "muuttamisesta", "ended"):
        assert words in shown
    assert "does not hold every earlier wording" in shown


def test_history_shows_the_wordings(folder: Path) -> None:
    shown = run(folder, "history", SECTION).stdout
    assert "Koiravero on 50 euroa." in shown
    assert "Koiravero on 70 euroa." in shown


def test_diff_marks_the_words(folder: Path) -> None:
    shown = run(folder, "diff", SECTION, "2010-01-01", "2017-01-01").stdout
    assert "Koiravero on [-50-] {+70+} euroa." in shown
    assert "changed" in shown
    assert "muuttamisesta" in shown
    told = said(folder, "diff", SECTION, "2010-01-01", "2017-01-01")
    (one,) = told["differences"]  # type: ignore[misc]
    assert one["alteration"] == "changed"
    assert one["words"] == [
        ["same", "Koiravero on "], ["removed", "50 "], ["added", "70 "], ["same", "euroa."],
    ]  # fmt: skip
    assert one["source_act"] == str(AMENDING)


def test_diff_of_a_whole_work(folder: Path) -> None:
    told = said(folder, "diff", str(ACT), "2017-01-01", "2021-01-01")
    assert [(d["provision"], d["alteration"]) for d in told["differences"]] == [  # type: ignore[attr-defined]
        (SECTION, "removed"),
        ("fi:act:1990/1/sec_2", "unknown"),
    ]
    assert told["unchanged"] == 2
    assert [caveat["kind"] for caveat in told["caveats"]] == ["HISTORY_UNAVAILABLE"]  # type: ignore[attr-defined]
    shown = run(folder, "diff", str(ACT), "2017-01-01", "2021-01-01").stdout
    assert "1 removed" in shown
    assert "history unavailable" in shown
    assert "[-Koiravero on 70 euroa.-]" in shown


def test_diff_where_nothing_changed_says_so(folder: Path) -> None:
    result = run(folder, "diff", SECTION, "2010-01-01", "2011-01-01")
    assert result.exit_code == 0
    assert "Nothing changed between 2010-01-01 and 2011-01-01." in result.stdout


def rendered(folder: Path, width: int) -> str:
    with EmbeddedStore.open(folder) as store:
        found = compare(ProvisionId.parse(SECTION), date(2010, 1, 1), date(2017, 1, 1), store, {}, None)
    out = io.StringIO()
    comparison(Console(file=out, width=width, force_terminal=True, color_system=None), found)
    return out.getvalue()


def test_two_wordings_stand_side_by_side_where_the_terminal_is_wide(folder: Path) -> None:
    wide, narrow = rendered(folder, 140), rendered(folder, 70)
    line = next(line for line in wide.splitlines() if "50 euroa" in line)
    assert "70 euroa" in line
    assert line.count("Koiravero") == 2
    assert all(line.count("Koiravero") <= 1 for line in narrow.splitlines())
    assert "Koiravero on 50 70 euroa." in narrow


def test_changes_lists_what_changed_and_by_what(folder: Path) -> None:
    told = said(folder, "changes", "--since", "2016-01-01", "--until", "2016-12-31")
    assert [one["work"] for one in told["works"]] == [str(ACT), str(AMENDING)]  # type: ignore[attr-defined]
    first = told["works"][0]  # type: ignore[index]
    assert first["by"] == [{"source_act": str(AMENDING), "changes": 1}]
    assert first["changes"][0]["day"] == "2016-01-01"
    shown = run(folder, "changes", "--since", "2016-01-01", "--until", "2016-12-31").stdout
    assert "2 works changed from 2016-01-01 to 2016-12-31" in shown
    assert "1 by Laki koiraverolain muuttamisesta" in shown


def test_changes_are_those_of_a_year_unless_told_otherwise(folder: Path) -> None:
    told = run(folder, "changes", "--json").stdout
    assert date.fromisoformat(json.loads(told)["since"]) == date.today() - timedelta(days=365)  # noqa: DTZ011


def test_changes_of_one_jurisdiction_and_kind(folder: Path) -> None:
    everything = said(folder, "changes", "--since", "1990-01-01")
    assert said(folder, "changes", "--since", "1990-01-01", "--jurisdiction", "fi") == everything
    assert said(folder, "changes", "--since", "1990-01-01", "--jurisdiction", "ca")["works"] == []
    assert said(folder, "changes", "--since", "1990-01-01", "--kind", "guidance")["works"] == []


def test_an_empty_period_says_what_to_do(folder: Path) -> None:
    result = run(folder, "changes", "--since", "2040-01-01")
    assert result.exit_code == 0
    assert "Nothing in this library changed from 2040-01-01 on. 'pykala stats' shows" in result.stdout


def test_show_after_the_end_gives_the_last_text_and_when_it_ended(folder: Path) -> None:
    told = said(folder, "show", SECTION, "--as-of", "2024-01-01")
    assert told["text"] == "Koiravero on 70 euroa."
    (caveat,) = told["caveats"]  # type: ignore[misc]
    assert caveat["kind"] == "REPEALED"
    assert "until 2020-01-01" in caveat["message"]
    shown = run(folder, "show", SECTION, "--as-of", "2024-01-01").stdout
    assert "repealed: This text is no longer in force" in shown
    assert said(folder, "show", SECTION, "--as-of", "2015-12-31")["text"] == "Koiravero on 50 euroa."


def test_a_date_in_the_question_is_told(folder: Path) -> None:
    shown = run(folder, "ask", "Paljonko koiravero oli vuonna 2012?").stdout
    assert "2012-12-31 voimassa oleva laki" in shown
    assert "”vuonna 2012”: tarkastelupäivä on 2012-12-31" in shown
    assert "50 euroa" in shown
    fixed = run(folder, "ask", "Paljonko koiravero oli vuonna 2012?", "--as-of", "2017-01-01").stdout
    assert "2017-01-01 voimassa oleva laki" in fixed
    assert "tarkastelupäivä" not in fixed


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("history", "hullabaloo"), "write an identifier such as"),
        (("history", "fi:act:1990/1/sec_99"), "the nearest it has is fi:act:1990/1"),
        (("diff", SECTION, "2010-01-01"), "DATE2"),
        (("diff", SECTION, "2010-01-01", "soon"), "YYYY-MM-DD"),
        (("diff", SECTION, "2017-01-01", "2010-01-01"), "write the earlier date first"),
        (("diff", SECTION, "1980-01-01", "1981-01-01"), "from 1990-01-01 on"),
        (("diff", "fi:act:1800/1", "1980-01-01", "1981-01-01"), "not in this library"),
        (("changes", "--since", "2023"), "YYYY-MM-DD"),
        (("changes", "--since", "2023-01-01", "--until", "2022-01-01"), "lies before"),
        (("changes", "--since", "2023-01-01", "--jurisdiction", "zz"), "no pack 'zz'"),
        (("changes", "--since", "2023-01-01", "--kind", "poem"), "'poem' is not a kind of works"),
        (("show", SECTION, "--as-of", "1980-01-01"), "from 1990-01-01 on"),
    ],
)
def test_a_mistake_gets_one_line(folder: Path, arguments: tuple[str, ...], words: str) -> None:
    result = run(folder, *arguments)
    assert result.exit_code == 2, result.stdout
    assert words in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert result.stdout == ""


def test_a_library_that_is_not_there() -> None:
    for arguments in (
        ("history", "x"),
        ("diff", "x", "2010-01-01", "2011-01-01"),
        ("changes", "--since", "2010-01-01"),
    ):
        assert run(Path("/nonexistent/library"), *arguments).exit_code == 3
