"""Every fuzz target over its seeds and some edits of them; the audit; the tests of the threat model."""
# ruff: noqa: E501 - a case reads better on one line

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from fuzz.__main__ import TooSlow, bounded, trial
from fuzz.audit import AUDITED, NOT_AUDITED, VULNERABLE, told
from fuzz.edits import Edit, edited
from fuzz.targets import close, targets

ROOT = Path(__file__).parents[1]
TARGETS = targets()


@pytest.fixture(scope="module", autouse=True)
def closing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYKALA_CACHE", str(tmp_path_factory.mktemp("fuzz")))
        yield
        close()


def test_every_pack_and_every_format_is_a_target() -> None:
    wanted = {
        "read-ca",
        "read-eu",
        "read-fi",
        "read-nyc",
        "read-uploads",
        "read-eu-formex",
        "read-fi-consolidated",
    }
    wanted |= {"cite-ca", "cite-eu", "cite-fi", "cite-nyc", "cite-up", "sentences", "archives", "http"}
    assert wanted <= TARGETS.keys()
    assert all(target.seeds for target in TARGETS.values())


@pytest.mark.parametrize("name", [name for name in TARGETS if name != "http"])
def test_every_target_keeps_its_promise(name: str) -> None:
    for seed, data in TARGETS[name].seeds.items():
        with bounded(20):
            TARGETS[name].read(seed, data)
    trial(TARGETS[name], 6, 0, [])()


def test_a_body_is_answered_or_refused() -> None:
    for name, data in TARGETS["http"].seeds.items():
        for change in (Edit("cut", 0.5, 0, b""), Edit("replace", 0.3, 9, b"\xff\x00{")):
            TARGETS["http"].read(name, edited(data, [change]))


def test_a_broken_promise_is_found() -> None:
    def read(name: str, data: bytes) -> None:
        assert b"\xff" not in data

    last: list[tuple[str, bytes]] = []
    with pytest.raises(AssertionError):
        trial(type(TARGETS["http"])("own", {"a": b"some words"}, read), 300, 0, last)()
    assert b"\xff" in last[0][1]


def test_an_input_that_takes_too_long_is_found() -> None:
    with pytest.raises(TooSlow), bounded(0.05):
        while True:
            pass


@pytest.mark.parametrize(
    ("output", "errors", "code", "words"),
    [
        ("", "requests.exceptions.ConnectionError: no route", NOT_AUDITED, "no route"),
        ("{}", "", NOT_AUDITED, "nothing was audited"),
        (
            '{"dependencies": [{"name": "a", "version": "1", "vulns": []}]}',
            "",
            AUDITED,
            "1 packages audited, 0 adv",
        ),
        (
            '{"dependencies": [{"name": "a", "version": "1", "vulns": [{"id": "X-1", "fix_versions": ["2"]}]}]}',
            "",
            VULNERABLE,
            "a 1: X-1, mended in 2",
        ),
        (
            '{"dependencies": [{"name": "a", "version": "1", "vulns": []}, {"name": "b", "skip_reason": "local"}]}',
            "",
            AUDITED,
            "not audited: b",
        ),
        (
            '{"dependencies": [{"name": "a", "skip_reason": "not found on the index"}]}',
            "",
            NOT_AUDITED,
            "nothing was audited",
        ),
    ],
)
def test_an_audit_says_what_it_knows(output: str, errors: str, code: int, words: str) -> None:
    found, said = told(output, errors)
    assert found == code
    assert words in said


def test_the_threat_model_names_tests_that_exist() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", (ROOT / "docs" / "threat-model.md").read_text("utf-8"))
    assert len(named) > 20
    for path, name in named:
        tree = ast.parse((ROOT / path).read_text("utf-8"))
        assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, (
            f"{path}::{name}"
        )
