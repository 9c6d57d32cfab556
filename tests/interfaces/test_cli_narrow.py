"""What a person at a terminal of 80 columns reads: lines end between words, and commands stay whole."""

from __future__ import annotations

import io
from contextlib import redirect_stderr

import pytest
from rich.text import Text

from publishers import publishing
from pykala.interfaces import exits
from pykala.interfaces.cli.main import run
from pykala.interfaces.cli.render import _in_one_line, number_of


class Terminal(io.StringIO):
    """An error stream that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setenv("COLUMNS", "80")
    return Terminal()


LONG = "the address of the publisher's list could not be had, five times over, and nothing was changed"
ADDRESS = f"https://publisher.example/{'list/' * 16}"


@pytest.mark.parametrize(
    ("message", "lines"),
    [
        ("short", ["pykala: short"]),
        (LONG, [f"pykala: {LONG[:70]}", LONG[71:]]),
        (f"no {ADDRESS} was read", ["pykala: no", ADDRESS, "was read"]),
        (
            "there is no library in the folder that was named; 'pykala get fi --library /srv/law' makes one",
            [
                "pykala: there is no library in the folder that was named;",
                "'pykala get fi --library /srv/law' makes one",
            ],
        ),
        (
            "without a network, archives that you have are read: pykala get fi ca eu nyc --from FOLDER",
            [
                "pykala: without a network, archives that you have are read:",
                "pykala get fi ca eu nyc --from FOLDER",
            ],
        ),
    ],
)
def test_a_message_is_broken_between_words(terminal: Terminal, message: str, lines: list[str]) -> None:
    with redirect_stderr(terminal):
        exits.warn(message)
    told = terminal.getvalue().splitlines()
    assert told == lines
    assert all(len(line) <= 80 or " " not in line for line in told)


def test_a_program_gets_a_message_on_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    exits.warn(LONG)
    assert capsys.readouterr().err == f"pykala: {LONG}\n"


def test_a_forecast_stands_on_a_line_of_its_own_beside_a_bar(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("got")
    for name, value in {"LIBRARY": "library", "CACHE": "cache"}.items():
        monkeypatch.setenv(f"PYKALA_{name}", str(folder / value))
    monkeypatch.setenv("PYKALA_EMBEDDER", "none")
    monkeypatch.setenv("TERM", "xterm")
    with publishing() as server:
        monkeypatch.setenv("PYKALA_SOURCE_CA", server.base)
        with redirect_stderr(terminal):
            assert run(["get", "ca", "--workers", "1"]) == 0
    written = terminal.getvalue()
    assert "asking Justice Laws" in written  # the bar
    before, said, _ = written.partition("ca: Justice Laws lists 6 files")
    assert said
    assert before.endswith(("\r", "\x1b[2K", "\n", "\x1b[0m"))
    assert "0/?" not in before.rpartition("\x1b[2K")[2]


@pytest.mark.parametrize(
    ("line", "width", "shown"),
    [
        ("124 § Vero", 20, "124 § Vero"),
        ("124 § Vero  Luonnollinen henkilö maksaa", 30, "124 § Vero  Luonnollinen…"),
        ("124 § Ansiotulovero", 12, "124 §…"),
    ],
)
def test_a_line_of_a_tree_ends_with_a_whole_word(line: str, width: int, shown: str) -> None:
    assert _in_one_line(Text(line), width).plain == shown


@pytest.mark.parametrize(
    ("number", "shown"), [(0, "0 works"), (1, "1 work"), (2, "2 works"), (1234, "1,234 works")]
)
def test_one_is_one(number: int, shown: str) -> None:
    assert number_of(number, "work") == shown


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ("xx", "there are: ca, eu, fi, nyc"),  # one's own documents have no publisher
        ("Finland", "did you mean 'fi'"),
        ("new york city", "did you mean 'nyc'"),
    ],
)
def test_an_unknown_place_is_told_the_known_ones(
    asked: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["get", asked]) == 2
    told = capsys.readouterr().err
    assert says in told
    assert "up" not in told.replace("did you", "").split(": ", 2)[2].split("; ")[0].split(", ")
