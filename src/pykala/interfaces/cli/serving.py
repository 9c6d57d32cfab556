"""`pykala serve` and `pykala mcp`: serve the library to browsers, programs and language models."""

from __future__ import annotations

import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pykala.caches.configured import configured_jobs
from pykala.interfaces.cli.session import LibraryOption
from pykala.interfaces.errors import clear_errors
from pykala.interfaces.exits import LIBRARY_UNUSABLE, NOT_UNDERSTOOD, fail
from pykala.settings import Settings
from pykala.stores.postgres.address import shown

if TYPE_CHECKING:
    from pykala.interfaces.serving.location import LibraryLocation
    from pykala.interfaces.serving.opening import LibraryOpener

OnlineOption = Annotated[
    bool,
    typer.Option("--online", help="Let those who may fetch have the publishers asked, and acts fetched."),
]
_SAMPLE = "the sample: paraphrases, not law (get the law itself: pykala get fi)"
_MISSING = "what serves over {what} is not installed; run: pip install 'pykala[serve]'"


def register(app: typer.Typer) -> None:
    """Add the verbs to the program."""
    app.command("serve")(serve_command)
    app.command("mcp")(mcp_command)


def serve_command(
    host: Annotated[str, typer.Option("--host", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port; 0: any free one.")] = 8765,
    library: LibraryOption = None,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    without_keys: Annotated[
        bool,
        typer.Option(
            "--without-keys", help="Let everybody who reaches another address than this machine's use it."
        ),
    ] = False,
    processes: Annotated[
        int | None,
        typer.Option(
            "--processes",
            min=1,
            max=64,
            help="Processes that serve; default: PYKALA_PROCESSES, else one a core, one for a small library.",
        ),
    ] = None,
    online: OnlineOption = False,
) -> None:
    """Serve the page, the HTTP API, a chat endpoint in OpenAI's shape, and MCP."""
    try:
        from pykala.interfaces.http.options import ServerOptions, processes_for, threads_for
        from pykala.interfaces.http.running import run
    except ModuleNotFoundError as error:
        fail(_MISSING.format(what=f"HTTP ({error.name})"), LIBRARY_UNUSABLE)
    settings = Settings.read()
    options = ServerOptions.of(settings, host=host, port=port, online=online)
    if not (options.is_local or options.is_guarded or without_keys):
        fail(
            f"{host} can be reached from other machines, and no key is set; set PYKALA_API_KEYS to some"
            " keys, or say --without-keys",
            NOT_UNDERSTOOD,
        )
    with clear_errors():
        served, open_library, sample = _location(settings, library)
        wanted = processes or settings.processes
        if wanted > 1 and sys.platform == "win32":
            fail("several processes need a system that hands sockets on; here one serves", NOT_UNDERSTOOD)
        with closing(open_library):
            run(
                served,
                open_library,
                replace(
                    options,
                    processes=wanted or processes_for(served.folder),
                    threads=threads_for(served.folder, settings, online=online),
                ),
                open_library.cache,
                ready=lambda address: _tell(address, served, open_page, sample=sample),
            )


def mcp_command(library: LibraryOption = None, online: OnlineOption = False) -> None:
    """Serve MCP on standard input and output, for a language model's client to start."""
    try:
        from pykala.interfaces.http.options import FETCHED
        from pykala.interfaces.mcp.stdio import run
    except ModuleNotFoundError as error:
        fail(_MISSING.format(what=f"MCP ({error.name})"), LIBRARY_UNUSABLE)
    settings = Settings.read()
    with clear_errors():
        served, open_library, _ = _location(settings, library)
        with closing(open_library):
            jobs = configured_jobs(served.folder, settings.redis, settings.cache)
            run(served, open_library, online=(settings.cache / FETCHED, jobs) if online else None)


def _location(settings: Settings, library: Path | None) -> tuple[LibraryLocation, LibraryOpener, bool]:
    """The library that is served, how it is opened, and whether it is the sample."""
    from pykala.interfaces.serving.location import library_location
    from pykala.interfaces.serving.opening import LibraryOpener
    from pykala.library.sample import is_sample

    open_library = LibraryOpener(settings)
    if open_library.telemetry is not None:
        open_library.telemetry.check()
    served = library_location(settings, library, open_library)
    with open_library(served.folder) as opened:  # report a broken library now, not with the first question
        return served, open_library, is_sample(opened.store.facts())


def _tell(address: str, served: LibraryLocation, open_page: bool, *, sample: bool) -> None:
    what = _SAMPLE if sample else f"the library in {shown(served.folder)}"
    sys.stderr.write(f"pykala: {address} serves {what}; Ctrl-C ends it\n")
    if open_page:
        import webbrowser

        webbrowser.open(address)
