"""`pykala get` and `pykala ingest`: read law into the library, from a publisher or a mirror."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from shlex import quote
from time import perf_counter
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from pykala.fetch.joined import open_mirrors
from pykala.fetch.mirror import Mirror
from pykala.fetch.order import FetchOrder, Forecast
from pykala.ingest import Progress, Report, require_fitting
from pykala.interfaces.cli import output, render
from pykala.interfaces.cli.jobs import shared_progress
from pykala.interfaces.cli.law_to_get import law_to_get
from pykala.interfaces.cli.progress import asking, progress_bar
from pykala.interfaces.cli.render import number_of
from pykala.interfaces.cli.session import AsJson, LibraryOption, write
from pykala.interfaces.errors import clear_errors
from pykala.interfaces.exits import (
    HELD_BACK,
    LIBRARY_UNUSABLE,
    NOT_UNDERSTOOD,
    UNREACHABLE,
    keeping_when_interrupted,
    note,
    warn,
)
from pykala.library.configured import open_to_fill
from pykala.online.source import live_source, mirrors_in, subject_words
from pykala.packs.pack import UnknownPack, pack_for
from pykala.settings import Settings
from pykala.stores.opening import is_library
from pykala.stores.postgres.address import shown

#: Items that the publisher confirmed within this time are not requested again: an interrupted run continues.
_RECENT = timedelta(days=1)
#: Processor seconds to read four archives of law, including vectors and indexes: a fixed start, then a cost
#: per file, or per megabyte of archive where many files are small. In a folder, files are not compressed.
_SECONDS_TO_START, _SECONDS_A_FILE, _SECONDS_A_MEGABYTE, _PACKED = 40.0, 0.15, 36.0, 11
#: If packs fail in different ways, the exit code is the first of these: an unusable library takes no pack;
#: without a network archives help, whatever else is wrong.
_GRAVEST_FIRST = (LIBRARY_UNUSABLE, UNREACHABLE, NOT_UNDERSTOOD, HELD_BACK)

Workers = Annotated[
    str | None,
    typer.Option("--workers", help="Cores to use, or the address of a Dask scheduler: tcp://HOST:8786."),
]
Subject = Annotated[
    str, typer.Option("--subject", help="Only works whose titles are of it: tax, company, employment, …")
]
Refresh = Annotated[
    bool, typer.Option("--refresh", help="Ask again for what was fetched within the last day.")
]


def register(app: typer.Typer) -> None:
    """Add the verbs to the program."""
    app.command("get")(get_command)
    app.command("ingest")(ingest_command)


class _ForecastOnly(Exception):
    """Stops after the forecast, when only the forecast was asked for."""


@dataclass(slots=True)
class _Fetch:
    """One pack being read into the library: its forecast and its progress."""

    pack: str
    words: tuple[str, ...]
    settings: Settings
    refresh: bool = False
    dry_run: bool = False
    workers: int = 1
    forecast: Forecast | None = None
    fetched: int = 0
    stored: int = 0
    progress: Progress = field(default=lambda done, total: None)

    def announce(self, forecast: Forecast) -> None:
        """Print what will be fetched, its size and its duration, before the first file."""
        reading = self._reading(forecast.to_come, forecast.size / _PACKED)
        self._say(forecast, forecast_in_words(forecast, reading))

    def _reading(self, files: int, packed: float) -> float:
        """The most seconds to read files, by their number and by their size as an archive holds them."""
        longest = min(files * _SECONDS_A_FILE, packed / 1e6 * _SECONDS_A_MEGABYTE)
        return (_SECONDS_TO_START + longest) / self.workers

    def announce_mirrors(self, paths: Sequence[Path], mirror: Mirror) -> None:
        """Print the mirrors' files, their size and how long reading them takes."""
        files, sizes = sum(1 for _ in mirror.paths()), {path: _size_on_disk(path) for path in paths}
        named, size = ", ".join(path.name for path in paths), sum(sizes.values())
        packed = sum(one / (_PACKED if path.is_dir() else 1) for path, one in sizes.items())
        seconds = self._reading(files, packed)
        forecast = f"{named}: {number_of(files, 'file')}, {_size(size)}; about {_time(seconds)} to read"
        self._say(Forecast(named, files, files, size, seconds), forecast)

    def _say(self, forecast: Forecast, message: str) -> None:
        self.forecast = forecast
        note(f"{self.pack}: {message}")
        if self.dry_run:
            raise _ForecastOnly

    def source(self, paths: Sequence[Path]) -> AbstractContextManager[Mirror]:
        """The given mirrors, or the publisher."""
        if paths:
            return open_mirrors(paths, spool_folder=self.settings.cache / "spool")
        since = None if self.refresh else datetime.now(UTC) - _RECENT
        return live_source(
            self.pack,
            self.settings.cache / "snapshots",
            key=self.settings.keys.get(self.pack, ""),
            order=FetchOrder(self.words, self.settings.sources.get(self.pack, ""), self.announce),
            checked_since=since,
            progress=self._fetching,
        )

    def _fetching(self, done: int, total: int) -> None:
        self.fetched = done
        self.progress(done, total)

    def storing(self, done: int, total: int) -> None:
        """Record how many works were read."""
        self.stored = done
        self.progress(done, total)

    def kept(self) -> str:
        """Describe what an interrupted run leaves behind."""
        if self.stored:
            return "works that were published stay in the library; the same command goes on"
        if self.fetched and self.forecast is not None:
            there = f"{self.forecast.at_hand + self.fetched:,} of {self.forecast.files:,} files are kept"
            return f"{there}; the same command goes on from there"
        return "nothing was changed"


def get_command(
    packs: Annotated[
        list[str] | None,
        typer.Argument(metavar="PACK", help="Jurisdictions: fi, ca, eu, nyc; several at once."),
    ] = None,
    subject: Subject = "",
    source: Annotated[
        Path | None,
        typer.Option("--from", help="A folder of mirrors, such as canada.tar.zst and finland/; no network."),
    ] = None,
    library: LibraryOption = None,
    workers: Workers = None,
    refresh: Refresh = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say how much would be fetched, and stop.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Get real law into the library, from its publishers or from a folder of mirrors.

    Says first how many files there are, how large they are and how long they take. It may be interrupted at
    any time: the same command goes on where it stopped.
    """
    settings = Settings.read()
    codes, folder = tuple(dict.fromkeys(packs or ())), library or settings.library
    _require_places(codes, settings, folder)
    _workers(workers, settings)  # report a mistyped address before anything is fetched
    with clear_errors():  # report a mistyped subject before anything is fetched
        words = {code: subject_words(code, subject) for code in codes}
        mirrors = {code: mirrors_in(code, source, only=len(codes) == 1) if source else () for code in codes}
    results: list[dict[str, object]] = []
    ended: set[int] = set()
    for code in codes:
        fetch = _Fetch(code, words[code], settings, refresh=refresh, dry_run=dry_run)
        try:
            ended.add(_get(fetch, mirrors[code], folder, workers, as_json, results))
        except typer.Exit as stopped:  # if one publisher fails, continue with the next
            ended.add(stopped.exit_code)
    failed = next((code for code in _GRAVEST_FIRST if code in ended), max(ended, default=0))
    if UNREACHABLE in ended and source is None:
        _offer_archives("get", *codes)
    if as_json:
        write(True, lambda: results, lambda console: None)
    elif not failed and not dry_run and is_library(folder):
        write(False, lambda: None, lambda console: _what_now(console, folder, library is not None))
    if failed:
        raise typer.Exit(failed)


def _require_places(codes: Sequence[str], settings: Settings, folder: Path) -> None:
    """Where no place is named, or one that there is not: list what there is, and how much of it is here."""
    try:
        for code in codes:
            pack_for(code)
    except UnknownPack as error:
        warn(str(error))
    else:
        if codes:
            return
        warn("say which law to get; for example: pykala get fi")
    note("What can be got:")
    for line in law_to_get(settings, folder):
        note(line)
    raise typer.Exit(NOT_UNDERSTOOD)


def _offer_archives(verb: str, *codes: str) -> None:
    """After a publisher could not be reached, name the way that needs no network."""
    warn(f"without a network, archives that you have are read: pykala {verb} {' '.join(codes)} --from FOLDER")


def _what_now(console: Console, folder: Path, named: bool) -> None:
    """Print where the library is and how to ask it."""
    option = f" --library {quote(shown(folder))}" if named else ""
    console.print(Text(f'The library is {shown(folder)}. Ask it: pykala ask "…"{option}', style="dim"))


def _get(
    fetch: _Fetch,
    mirrors: Sequence[Path],
    folder: Path,
    workers: str | None,
    as_json: bool,
    results: list[dict[str, object]],
) -> int:
    """Fetch and ingest one pack; return the exit code."""
    started = perf_counter()
    try:
        report = _into_library(fetch, mirrors, folder, workers, as_json)
    except _ForecastOnly:
        results.append({"pack": fetch.pack, "forecast": _forecast_json(fetch.forecast)})
        return 0
    seconds = perf_counter() - started
    results.append(
        {
            "pack": fetch.pack,
            "forecast": _forecast_json(fetch.forecast),
            "ingested": output.report_json(report, folder, seconds),
        }
    )
    if not as_json:
        write(False, lambda: None, lambda console: render.report(console, report, seconds, pack=fetch.pack))
    return HELD_BACK if report.held_back else 0


def _into_library(
    fetch: _Fetch,
    mirrors: Sequence[Path],
    folder: Path,
    workers: str | None,
    quiet: bool,
    *,
    prune: bool = False,
    accept: bool = False,
) -> Report:
    """Open the source and the library, and ingest."""
    cores, scheduler = _workers(workers, fetch.settings)
    fetch.workers = cores
    before = "" if mirrors else asking(fetch.pack)
    with (
        clear_errors(),
        keeping_when_interrupted(fetch.kept),
        progress_bar(quiet, before=before) as progress,
    ):
        fetch.progress = progress
        with fetch.source(mirrors) as mirror:
            require_fitting(pack_for(fetch.pack), mirror)
            if mirrors:
                fetch.announce_mirrors(mirrors, mirror)
            with (
                open_to_fill(folder, fetch.settings) as opened,  # first, for it makes the table of jobs
                shared_progress(fetch.settings, folder, f"ingest {fetch.pack}", fetch.storing) as storing,
            ):
                return opened.ingest(
                    fetch.pack,
                    mirror,
                    workers=cores,
                    scheduler=scheduler,
                    prune=prune,
                    accept=accept,
                    partial=bool(fetch.words),
                    titled=fetch.words if mirrors else (),
                    progress=storing,
                )


def _workers(given: str | None, settings: Settings) -> tuple[int, str]:
    """The number of local processes, and the address of a Dask scheduler, "" for none."""
    if given is None:
        return settings.workers, ""
    if given.isdecimal() and int(given) > 0:
        return int(given), ""
    if given.startswith(("tcp://", "tls://")):
        return settings.workers, given
    raise typer.BadParameter(
        f"{given!r} is neither a number of cores nor the address of a scheduler, such as tcp://HOST:8786",
        param_hint="--workers",
    )


def ingest_command(
    pack: Annotated[str, typer.Argument(metavar="PACK", help="The jurisdiction's pack, such as ca or fi.")],
    source: Annotated[
        list[Path] | None,
        typer.Option("--from", help="A folder, .tar.zst, .tar.gz or .zip; give it once for each source."),
    ] = None,
    subject: Subject = "",
    library: LibraryOption = None,
    workers: Workers = None,
    prune: Annotated[
        bool, typer.Option("--prune", help="Remove works that are no longer in the source, if it is whole.")
    ] = False,
    accept: Annotated[
        bool,
        typer.Option(
            "--accept", help="Take texts that shrank by half, and long ones that shrank by a fifth."
        ),
    ] = False,
    refresh: Refresh = False,
    as_json: AsJson = False,
) -> None:
    """Read a source into the library: a folder, an archive, or (without --from) what 'pykala get' fetches.

    What is unchanged is skipped, what is broken is refused by name; where it was read before, its last good
    version stays, and the exit code is 4. Several sources that speak of the same works are given together:
    --from A --from B.
    """
    settings = Settings.read()
    _workers(workers, settings)
    folder = library or settings.library
    started = perf_counter()
    with clear_errors():
        pack_for(pack)  # a mistyped pack or source must not create an empty library
        words = subject_words(pack, subject)
    fetch = _Fetch(pack, words, settings, refresh=refresh)
    try:
        report = _into_library(fetch, source or (), folder, workers, as_json, prune=prune, accept=accept)
    except typer.Exit as stopped:
        if stopped.exit_code == UNREACHABLE:
            _offer_archives("ingest", pack)
        raise
    seconds = perf_counter() - started
    write(
        as_json,
        lambda: output.report_json(report, folder, seconds),
        lambda console: render.report(console, report, seconds),
    )
    if report.held_back:
        raise typer.Exit(HELD_BACK)


def forecast_in_words(forecast: Forecast, reading: float) -> str:
    """A forecast as text, shown before a fetch; `reading` are the seconds that reading takes at most."""
    listed = f"{forecast.publisher} lists {number_of(forecast.files, 'file')}"
    if not forecast.to_come:
        return f"{listed}; all were fetched within the last day"
    there = f"; {forecast.at_hand:,} are here already" if forecast.at_hand else ""
    takes = f"{forecast.to_come:,} to come, about {_size(forecast.size)}, {_time(forecast.seconds)} to fetch"
    return f"{listed}{there}; {takes}, then at most {_time(reading)} to read"


def _size_on_disk(path: Path) -> int:
    files = (one for one in path.rglob("*") if one.is_file()) if path.is_dir() else (path,)
    return sum(one.stat().st_size for one in files)


def _size(number: int) -> str:
    megabytes = number / 1e6
    return f"{megabytes / 1e3:,.1f} GB" if megabytes >= 1_000 else f"{max(megabytes, 0.1):,.1f} MB"


def _time(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes / 60:.1f} h"


def _forecast_json(forecast: Forecast | None) -> dict[str, object] | None:
    return asdict(forecast) if forecast is not None else None
