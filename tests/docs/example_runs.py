"""Running the examples of the documentation as a reader would: in a folder, in a shell, page by page."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

import httpx
import typer

from docsite.blocks import KEEPS, SERVES, Block, executable
from pykala.interfaces.cli.main import UsageError, run
from pykala.interfaces.cli.verbs import VERBS, loaded
from pykala.library.sample import sample_library
from pykala.packs.pack import installed

SERVER = "http://127.0.0.1:8765"
#: One command of the program and nothing of the shell beside quotation marks.
_ALONE = re.compile(r"pykala (?:\"[^\"$`]*\"|'[^']*'|[^\n;&|<>$`()*?\"'])+\n?")
#: Places of a reader's machine, and where they lie in the folder of a test.
_PLACES = {
    "/srv/law": "srv-law",
    "/mnt/archives": "law",
    "/backups/": "",
    "--library DIR": "--library LIBRARY",
}
#: Pages of which every block of Python prints how a question was answered.
_ASKING = ("docs/http.md", "docs/mcp.md")
_INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "a reader", "version": "1"},
    },
}
SECONDS = 300  # for one command on a busy machine
#: The program where a shell would start it: not `docker build -t pykala`.
_PROGRAM = re.compile(
    r"(?:^|&&|\|\||[;|(])\s*(?:[A-Z_]+=(?:\$\([^)]*\)|\S*)\s+)*pykala"
    r"((?:\s+(?:\"[^\"]*\"|'[^']*'|[^\s;&|>#()]+))*)"
)


def pages_to_run(blocks: Iterable[Block]) -> dict[str, list[Block]]:
    """The blocks that are executed, by the page on which they stand."""
    told = [block for block in blocks if executable(block) and block.told]
    return {page: list(ours) for page, ours in groupby(told, key=lambda block: block.page)}


def environment(folder: Path) -> dict[str, str]:
    """What a command sees: a cache and a library of its own, a terminal of 80 columns."""
    places = {"PYKALA_CACHE": str(folder / "cache"), "PYKALA_LIBRARY": str(folder / "own")}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    places |= {f"XDG_{one}_HOME": str(folder / one.lower()) for one in ("DATA", "CACHE")}
    told = {"PATH": path, "COLUMNS": "80", "NO_COLOR": "1", "LANG": "C.UTF-8"}
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYKALA_")}
    return {**inherited, **places, **told}


def _here(command: str, places: Mapping[str, str]) -> str:
    """A command with the places of a reader's machine in the folder of a test."""
    for place, here in {**_PLACES, **places}.items():
        command = command.replace(place, here)
    return command


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The address of a real server of the sample, whose models are loaded."""
    command = [sys.executable, "-m", "pykala", "serve", "--port", "0"]
    with begun(command, {**environment(folder), "PYKALA_REQUESTS_PER_MINUTE": "0"}, folder) as address:
        # The first question loads the models; an example that gives up after seconds comes later.
        first = {"question": "What is the general VAT rate in Finland?"}
        httpx.post(f"{address}/api/v1/ask", json=first, timeout=SECONDS, trust_env=False)
        yield address


@contextmanager
def begun(command: list[str], told: dict[str, str], folder: Path) -> Iterator[str]:
    """The address that a command serves at; at the end it is stopped, with all that it began."""
    process = subprocess.Popen(
        command, env=told, cwd=folder, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stderr is not None
    try:
        said = []
        for line in process.stderr:
            said.append(line)
            if found := re.search(r"http://\S+(?=/)", line):
                yield found[0].replace("0.0.0.0", "127.0.0.1")
                return
        raise AssertionError("the server did not start:\n" + "".join(said))
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(SECONDS)
        process.stderr.close()


def furnish(folder: Path, cache: Path) -> None:
    """What the pages speak of: a library, a folder of mirrors, an archive."""
    packs = installed()
    shutil.copytree(sample_library(cache, packs), folder / "LIBRARY")
    samples = Path(sys.modules["pykala"].__file__ or "").parent / "packs"
    for code, name in (("fi", "finland"), ("ca", "canada")):
        shutil.copytree(samples / name / "sample", folder / "law" / code)
    shutil.make_archive(str(folder / "canada"), "gztar", samples / "canada" / "sample")


@dataclass
class Reader:
    """Somebody who works through a page, block by block, in one folder."""

    folder: Path
    environment: dict[str, str]
    address: str
    servers: Callable[[Block], dict[str, str]] = lambda block: {}
    begun: set[str] = field(default_factory=set)  # what serves and was tried, on this page or on another
    keep: Callable[[str], None] = lambda command: None
    asks: Callable[[str, str], None] = lambda command, address: None

    def run(self, block: Block) -> None:
        """Run a block; an AssertionError says what it printed instead."""
        text = block.text.replace(SERVER, self.address)
        places = self.servers(block)
        if block.language == "python":
            printed = self._done([sys.executable, "-c", text], block)
            if block.page in _ASKING:
                assert "ANSWERED" in printed, block.place
                assert "34 per cent" in printed, block.place
        elif block.needs or places or any(map(SERVES.search, block.commands)):
            for command in block.told:
                here = _here(command.partition(" #")[0], places).rstrip()
                if KEEPS.search(command):
                    self.keep(here)
                else:
                    (self._serve if SERVES.search(command) else self._shell)(here, block)
        elif block.language == "console":
            for command, expected in _told(text):
                assert_prints(self._shell(command, block), expected, f"{block.place}: {command}")
        else:
            for command in _commands(_here(text, {})):
                self._shell(command, block)

    def _serve(self, command: str, block: Block) -> None:
        """Begin what serves until it is stopped, ask it something, and stop it; the same command once."""
        if (alone := _without_remark(command)) in self.begun:
            return
        self.begun.add(alone)
        if "pykala mcp" in command:
            said = self._done(["bash", "-c", command], block, says=json.dumps(_INITIALIZE) + "\n")
            assert json.loads(said.splitlines()[0])["result"]["serverInfo"]["name"] == "pykala"
        else:
            alone = f"{re.sub(r' --port [0-9]+', '', alone)} --port 0"
            with begun(
                ["bash", "-c", alone], {**self.environment, "BROWSER": "true"}, self.folder
            ) as address:
                health = httpx.get(f"{address}/api/v1/health", timeout=SECONDS, trust_env=False)
                assert health.status_code == 200, block.place
                self.asks(alone, address)

    def _shell(self, text: str, block: Block) -> str:
        command = re.sub(r"^make ask Q=", "pykala ask ", text)  # without making an environment within one
        if _ALONE.fullmatch(command):
            return self._here(shlex.split(command, comments=True)[1:], block)
        return self._done(["bash", "-eu", "-o", "pipefail", "-c", command], block)

    def _here(self, words: list[str], block: Block) -> str:
        """One command of the program, in this process: the same as in a shell, without starting it anew."""
        out, err = io.StringIO(), io.StringIO()
        before = dict(os.environ)
        try:
            os.environ.clear()
            os.environ.update(self.environment)
            with contextlib.chdir(self.folder), redirect_stdout(out), redirect_stderr(err):
                code = run(words)
        finally:
            os.environ.clear()
            os.environ.update(before)
        assert code == 0, f"{block.place}: exit code {code}\n{out.getvalue()}{err.getvalue()}"
        return out.getvalue()

    def _done(self, command: list[str], block: Block, says: str | None = None) -> str:
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
            input=says,
        )
        assert done.returncode == 0, f"{block.place}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout


def _without_remark(command: str) -> str:
    return command.split(" #")[0].rstrip()


def _commands(text: str) -> list[str]:
    """The lines of a block of which each is one command of the program; else the block as it stands."""
    lines = [_without_remark(line) for line in text.splitlines() if line.strip()]
    return lines if all(map(_ALONE.fullmatch, lines)) else [text]


def _told(text: str) -> Iterator[tuple[str, str]]:
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        yield command, expected


def assert_prints(printed: str, expected: str, place: str) -> None:
    """Compare what was printed with what a page shows; `...` stands for anything."""
    pattern = "\n".join(
        r"(?:.*\n)*?.*" if line == "..." else re.escape(line).replace(r"\.\.\.", ".*")
        for line in _settled(expected)
    )
    shown = "\n".join(_settled(printed))
    assert re.fullmatch(pattern, shown), f"{place} printed:\n{printed}"


def _settled(text: str) -> list[str]:
    """Lines without what changes from day to day and machine to machine."""
    text = re.sub(r"(law in force on|The answer of) \d{4}-\d\d-\d\d", r"\1 DATE", text)
    text = re.sub(r"^\d+ ms", "N ms", text, flags=re.MULTILINE)
    return [line.rstrip() for line in text.strip().splitlines()]


def misread(command: str) -> list[str]:
    """What the program's own parser does not accept of the `pykala` commands in a command line."""
    wrong = []
    for found in _PROGRAM.finditer(command.split(" #")[0]):
        words = shlex.split(found[1])
        if not words or words[0].startswith("-") or words[0].isupper():
            continue
        if words[0] not in VERBS:
            wrong.append(words[0])
            continue
        try:
            loaded(words[0]).make_context(f"pykala {words[0]}", words[1:])
        except UsageError as error:
            wrong.append(f"{words[0]}: {getattr(error, 'format_message', error.__str__)()}")
        except typer.Exit:  # what asks for help is answered while it is parsed
            continue
    return wrong
