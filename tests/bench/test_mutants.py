"""Mutants: what is changed, where, and which tests are run over it."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bench.mutants.__main__ import PROMISES, holds, in_turn, table
from bench.mutants.changes import Mutant, mutants
from bench.mutants.concerning import Concerning
from bench.mutants.equivalent import equivalent, name_of, without_equivalent
from bench.mutants.promises import promised
from bench.mutants.reached import (
    Reach,
    ReachOfFile,
    callers_of,
    function_at,
    functions_of,
    read,
    together,
    write,
)
from bench.mutants.runner import seconds_of
from bench.mutants.trial import SURVIVED, UNREACHED, Copy, Tried, drawn

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "pykala"


def changed(source: str) -> list[tuple[str, str]]:
    return [(one.before, one.after) for one in mutants("room/file.py", source.encode())]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x = a < b", [("a < b", "(a <= b)")]),
        ("x = a <= b < c", [("a <= b < c", "(a < b < c)"), ("a <= b < c", "(a <= b <= c)")]),
        ("x = a not in b", [("a not in b", "(a in b)")]),
        ("x = a and b", [("a and b", "b"), ("a and b", "a")]),
        ("x = not a", [("not a", "a")]),
        ("x = 3", [("3", "4")]),
        ("x = 400", [("400", "800")]),
        ("x = 0.5", [("0.5", "1.0")]),
        ("x = True", [("True", "False")]),
        ("x = a - b", [("a - b", "(a + b)")]),
        ("x = a + 'ä'", []),
        ("x = max(a)", [("max(a)", "min(a)")]),
        ("x = [a for a in b if a]", [("a", "True")]),
        ("x = a if b else c", [("a if b else c", "a"), ("a if b else c", "c")]),
        ("def f() -> bool:\n    return a", [("a", "(not a)")]),
        ("def f() -> str:\n    return a", [("a", "''")]),
        ("def f() -> Work | None:\n    return a", [("a", "None")]),
        ("def f() -> None:\n    if a:\n        b()", [("a", "True"), ("a", "False")]),
    ],
)
def test_a_place_is_changed(source: str, expected: list[tuple[str, str]]) -> None:
    assert changed(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        '"""1 < 2"""',
        "x: Literal[1] = a",
        "@cache(maxsize=5)\ndef f():\n    'says'",
        "raise ValueError(1 < 2)",
        "x = f'{a < b}'",
        "f(timeout=3)",
        "zip(a, b, strict=True)",
        "class P(Protocol):\n    x = 1 < 2",
        "if TYPE_CHECKING:\n    x = 1",
    ],
)
def test_what_decides_nothing_is_left_alone(source: str) -> None:
    assert changed(source) == []


def test_every_change_of_the_real_code_is_python_and_one_place() -> None:
    for name in ("retrieve/grade.py", "versions/chains.py"):
        source = (PACKAGE / name).read_bytes()
        found = mutants(name, source)
        assert len(found) > 50
        for one in found[::7]:
            wrong = one.applied(source)
            ast.parse(wrong)
            assert wrong != source
            assert wrong[: one.start] == source[: one.start]
            assert wrong.endswith(source[one.end :])


def test_a_draw_stays_the_same_while_other_code_changes() -> None:
    source = (PACKAGE / "retrieve" / "grade.py").read_bytes()
    before = drawn(mutants("retrieve/grade.py", source), seed=1, sample=5)
    moved = drawn(mutants("retrieve/further/grade.py", b"# moved\n\n" + source), seed=1, sample=5)
    assert [(one.function, one.after) for one in before] == [(one.function, one.after) for one in moved]
    other = drawn(mutants("retrieve/grade.py", source), seed=2, sample=5)
    assert [one.start for one in other] != [one.start for one in before]


@pytest.fixture(scope="module")
def concerning() -> Concerning:
    """What each module is imported by: all files of the repository are read for it."""
    return Concerning(ROOT)


def test_the_tests_of_a_module_come_first(concerning: Concerning) -> None:
    assert concerning.tests_for("retrieve/grade.py")[0] == "tests/retrieve/test_grading.py"
    assert concerning.tests_for("retrieve/place.py")[0] == "tests/retrieve/test_place.py", "of the same room"
    assert "tests/contracts/test_store.py" in concerning.tests_for("stores/embedded/relations.py")
    assert "tests/draft/test_verify.py" in concerning.tests_for("draft/bearing.py")


def test_every_promise_stands_in_the_code(concerning: Concerning) -> None:
    found = promised(PACKAGE)
    assert len(found) >= 20
    assert all(one.before != one.after for one in found)
    assert all(concerning.tests_for(one.file) for one in found[:1])


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree of one module and its test."""
    root = tmp_path / "tree"
    for folder in ("src/pykala", "tests"):
        (root / folder).mkdir(parents=True)
    shutil.copytree(ROOT / "bench" / "mutants", root / "bench" / "mutants")
    (root / "src" / "pykala" / "__init__.py").touch()
    (root / "src" / "pykala" / "one.py").write_text(
        "def first(a: int) -> bool:\n    return a < 3\n\n\nSPARE = 1\n"
    )
    (root / "tests" / "test_one.py").write_text(
        "from pykala.one import first\n\n\ndef test_first():\n    assert first(2) and not first(3)\n"
    )
    (root / "tests" / "test_failing.py").write_text("def test_failing():\n    assert False\n")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    return root


def test_a_wrong_change_is_noticed_and_a_harmless_one_is_not(tree: Path, tmp_path: Path) -> None:
    source = (tree / "src" / "pykala" / "one.py").read_bytes()
    with Copy(tree, tmp_path / "copy") as copied:
        verdicts = {
            one.after: copied.tried(one, ["tests/test_one.py"], 60).verdict
            for one in mutants("one.py", source)
        }
        assert copied.ran(["tests/test_one.py"], 60).verdict == SURVIVED, "every change was taken back"
        failing = copied.tried(mutants("one.py", source)[0], ["tests/test_failing.py"], 60)
        noticed = mutants("one.py", source)[0]
        groups = [[], ["tests/test_failing.py"], ["tests/test_one.py"]]
        assert copied.tried_in_turn(noticed, iter(groups), 60).killed
        assert copied.tried_in_turn(noticed, iter(groups[:2]), 60).verdict == UNREACHED
    assert failing.verdict == UNREACHED, "a test that fails without a change notices nothing"
    assert verdicts == {"(not a < 3)": "failed", "(a <= 3)": "failed", "4": "failed", "2": SURVIVED}
    assert (tree / "src" / "pykala" / "one.py").read_bytes() == source


def test_a_function_is_tried_with_the_tests_that_call_it(tree: Path, tmp_path: Path) -> None:
    (tree / "tests" / "test_one.py").write_text(
        "import pytest\nfrom pykala.one import first\n\n\n"
        "@pytest.fixture(scope='module')\ndef shared():\n    return first(1)\n\n\n"
        "def test_direct():\n    assert first(2)\n\n\n"
        "def test_through_the_fixture(shared):\n    assert shared\n\n\n"
        "def test_wrong():\n    assert first(9)\n"
    )
    with Copy(tree, tmp_path / "copy") as copied:
        watched = copied.watched(["tests/test_one.py"], 60)
        cut_off = copied.watched(["tests/test_one.py"], 0)
    assert list(cut_off["tests/test_one.py"].tests) == ["tests/test_one.py::test_direct"]
    write(watched, tmp_path / "kept" / "reached.json")
    assert read(tmp_path / "kept" / "reached.json") == watched
    known = watched["tests/test_one.py"]
    assert callers_of(["one.py:first"], known) == [
        "tests/test_one.py::test_direct",
        "tests/test_one.py::test_through_the_fixture",
    ], "those that call it themselves come first; one that fails is left out"
    assert callers_of(["one.py:other"], known) == []


def test_a_copy_stays_as_it_was_while_the_tree_changes(tree: Path, tmp_path: Path) -> None:
    with Copy(tree, tmp_path / "copy") as copied:
        source = (tree / "src" / "pykala" / "one.py").read_bytes()
        before = copied.digest("tests/test_one.py")
        for file in ("src/pykala/one.py", "tests/test_one.py"):
            (tree / file).write_text("# moved\n\n\n\n")
        assert copied.source("one.py") == source
        assert copied.digest("tests/test_one.py") == before
        assert copied.digest("tests/test_other.py") == ""
        assert copied.tried(mutants("one.py", source)[0], ["tests/test_one.py"], 60).killed


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what another process has computed")
def test_a_process_that_computes_is_told_from_one_that_hangs() -> None:
    begun, before = time.process_time(), seconds_of(os.getpid())
    while time.process_time() - begun < 0.1:
        pass
    assert seconds_of(os.getpid()) - before >= 0.05


def test_specific_tests_come_first_and_long_ones_are_left_out() -> None:
    tests = {
        "wide": Reach(1.0, {"a.py:f", "a.py:g", "a.py:h"}),
        "long": Reach(99.0, {"a.py:f", "a.py:g"}),
        "narrow": Reach(1.0, {"a.py:f"}),
        "elsewhere": Reach(1.0, {"a.py:g"}),
    }
    assert callers_of(["a.py:f"], ReachOfFile(tests=tests)) == ["narrow", "wide"]


def test_tests_of_several_files_are_chosen_from_together() -> None:
    first = ReachOfFile(tests={"one": Reach(1.0, {"a.py:f", "a.py:g"})}, shared={"a.py:h"})
    second = ReachOfFile(tests={"two": Reach(1.0, {"a.py:f"}), "three": Reach(1.0, {"a.py:g"})})
    known = together([first, second])
    assert callers_of(["a.py:f"], known) == ["two", "one"]
    assert callers_of(["a.py:h"], known) == []


def test_the_function_around_a_line() -> None:
    source = b"""A = 1


class B:
    def c(self):
        def d():
            return 2
        return d

    def e(self):
        return [x for x in self]
"""
    lines = {1: "", 4: "", 7: "a.py:B.c.d", 8: "a.py:B.c", 11: "a.py:B.e"}
    assert {line: function_at("a.py", source, line) for line in lines} == lines
    assert functions_of("a.py", source) == ["a.py:B.c", "a.py:B.c.d", "a.py:B.e"]


def test_rooms_have_a_floor_and_promises_have_none_to_lose() -> None:
    one = Mutant("retrieve/grade.py", "f", 1, 0, 1, "a", "b", 1)
    killed, lived = Tried(one, "failed"), Tried(one, SURVIVED)
    assert holds("retrieve", [killed] * 17 + [lived] * 3)
    assert not holds("retrieve", [killed] * 16 + [Tried(one, UNREACHED)] * 4)
    assert not holds(PROMISES, [killed] * 19 + [lived])
    assert not holds("retrieve", []), "a room that nothing was tried of"
    assert "| retrieve | 2 | 1 | 1 | 0 | 50 % |" in table({"retrieve": [killed, lived]})


def test_rooms_take_turns() -> None:
    first, second, third = (Mutant("a.py", "f", line, 0, 1, "a", "b", 1) for line in (1, 2, 3))
    assert in_turn({"a": [first, second], "b": [third]}) == [("a", first), ("b", third), ("a", second)]


def test_what_nobody_can_notice_stands_in_the_code_and_is_left_out() -> None:
    for name, why in equivalent().items():
        found = mutants(name[0], (PACKAGE / name[0]).read_bytes())
        assert why
        assert name in {name_of(one) for one in found}
        assert name not in {name_of(one) for one in without_equivalent(found)}
