"""What `pykala get` can get, and how much of it is here: said where no place was named that there is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path

from pykala.interfaces.cli.render import number_of
from pykala.packs.pack import LivePack, installed
from pykala.settings import Settings
from pykala.stores.opening import is_library, open_store, scheme_of
from pykala.stores.store import StoreError


def law_to_get(settings: Settings, folder: Path) -> Iterator[str]:
    """A line for each place: its code, its publisher, what the library holds, what was fetched, and when."""
    held = _works_held(folder)
    for code, pack in installed().items():
        if isinstance(pack, LivePack):
            yield f"  {code:<4} {pack.facts.publisher}: {_state(code, settings, held)}"


def _state(code: str, settings: Settings, held: Mapping[str, int]) -> str:
    library = f"{number_of(held[code], 'work')} in your library" if held[code] else ""
    return (
        "; ".join(filter(None, (library, _fetched(settings.cache / "snapshots" / code)))) or "not fetched yet"
    )


def _works_held(folder: Path) -> Counter[str]:
    """How many works of each place the library holds; none where it cannot be opened at once."""
    if scheme_of(folder) or not is_library(folder):
        return Counter()
    with suppress(StoreError), closing(open_store(folder)) as store:
        return Counter(work.jurisdiction for work in store.items().values())
    return Counter()


def _fetched(folder: Path) -> str:
    """How many files of a publisher are kept, and when it was asked last; empty for none."""
    if not folder.is_dir():
        return ""
    from pykala.fetch.snapshots import SnapshotIndexDamaged, Snapshots

    with suppress(SnapshotIndexDamaged):
        files, asked = Snapshots(folder).extent()
        if asked is not None:
            return f"{number_of(files, 'file')} fetched, its publisher last asked on {asked.date()}"
    return ""
