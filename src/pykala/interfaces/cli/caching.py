"""`pykala cache`: show or clear the cache."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from pykala.caches.caching import CACHE_FILE, Cache, CacheName, CacheStatus
from pykala.caches.configured import configured_cache
from pykala.interfaces.cli.session import AsJson, write
from pykala.interfaces.errors import clear_errors
from pykala.interfaces.exits import LIBRARY_UNUSABLE, fail
from pykala.interfaces.records.library import caches_record
from pykala.settings import Settings


class Action(StrEnum):
    """What to do with the cache."""

    STATUS = "status"
    CLEAR = "clear"


def register(app: typer.Typer) -> None:
    """Add the verb to the program."""
    app.command("cache")(cache_command)


def cache_command(
    action: Annotated[
        Action, typer.Argument(metavar="status|clear", help="Show what is kept, or forget it.")
    ] = Action.STATUS,
    only: Annotated[
        list[CacheName] | None, typer.Option("--only", help="Clear only this kind; may be repeated.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show what is kept to answer again faster (vectors of questions, searches), or forget it."""
    settings = Settings.read()
    path = settings.cache / CACHE_FILE
    is_there = bool(settings.redis) or path.exists()
    with clear_errors(), closing(configured_cache(settings.cache, settings.redis)) as cache:
        if action is Action.CLEAR:
            _clear(cache, path, only or [], as_json, is_there=is_there)
        else:
            found = cache.status() if is_there else ()
            write(
                as_json,
                lambda: caches_record(cache, found, path),
                lambda console: _show(console, cache, path, found),
            )


def _clear(cache: Cache, path: Path, only: list[CacheName], as_json: bool, *, is_there: bool) -> None:
    forgotten = cache.clear(only) if is_there else 0
    if cache.fault:
        fail(cache.fault, LIBRARY_UNUSABLE)
    write(
        as_json,
        lambda: {"file": str(path), "forgotten": forgotten},
        lambda console: console.print(f"{forgotten:,} results forgotten"),
    )


def _show(console: Console, cache: Cache, path: Path, found: tuple[CacheStatus, ...]) -> None:
    if cache.fault:
        console.print(cache.fault, markup=False)
        return
    kept = [one for one in found if one.entries or one.hits or one.misses]
    if not kept:
        console.print("Nothing is kept yet.")
        return
    table = Table(box=None, pad_edge=False)
    for name in ("kept", "results", "bytes", "oldest", "kept for", "hits", "misses"):
        table.add_column(name, justify="left" if name in ("kept", "oldest") else "right")
    for one in kept:
        table.add_row(
            one.name,
            f"{one.entries:,}",
            f"{one.bytes:,}",
            _time(one.oldest) or "–",
            f"{one.lifetime / 3600:g} h",
            f"{one.hits:,}",
            f"{one.misses:,}",
        )
    console.print(table)
    console.print(f"{_size(path):,} bytes in {path}", markup=False, style="dim")


def _time(seconds: float | None) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if seconds is not None else ""


def _size(path: Path) -> int:
    beside = (path, Path(f"{path}-wal"))
    return sum(one.stat().st_size for one in beside if one.is_file())
