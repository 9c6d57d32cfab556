"""Run by the tests of writers that work side by side, in a process of its own: ingest a folder of one place.

    python writing_aside.py CODE SOURCE LIBRARY STOP

It publishes often. Where STOP is a number, it stops after so many acts were prepared; where it is "turn", in
its second publication, just before the commit. It then says "stopped", and goes on with the next line that it
reads. At the end it says "done", or in one line why not.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pykala.ingest
from plain_pack import PlainPack
from pykala.fetch.mirror import open_mirror
from pykala.interfaces.cli.jobs import shared_progress
from pykala.law.citations import CitationContext, FoundCitation, ResolvedCitation
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.models.hashing import HashingEmbedder
from pykala.settings import Settings
from pykala.stores.opening import open_writer
from pykala.stores.postgres.originals import DatabaseOriginals
from pykala.stores.store import StoreError

#: From this number on, acts are those of "yy".
FIRST_OF_YY = 500
EMBEDDER = HashingEmbedder(32)


class Place(PlainPack):
    """One of two places whose acts cite each other's."""

    def __init__(self, code: str) -> None:
        self.facts = replace(PlainPack.facts, code=code, names={"en": (f"Land of {code}",)})

    def works(self, paths):  # type: ignore[no-untyped-def]
        for item in super().works(paths):
            yield replace(item, name=item.name.replace("xx:", f"{self.facts.code}:", 1))

    def resolve(self, citation: FoundCitation, context: CitationContext) -> Sequence[ResolvedCitation]:
        if not citation.work_name:
            return super().resolve(citation, context)
        code = "xx" if int(citation.work_name) < FIRST_OF_YY else "yy"
        return [ResolvedCitation(ProvisionId(WorkId(f"{code}:act:{citation.work_name}"), citation.steps))]


def stop() -> None:
    """Wait to be let on."""
    print("stopped", flush=True)
    sys.stdin.readline()


def _stop_in_a_turn() -> None:
    publish, turns = DatabaseOriginals.take_in_waiting, []

    def stopped(originals: DatabaseOriginals) -> None:  # the last thing before a state is committed
        publish(originals)
        turns.append(originals)
        if len(turns) == 3:  # the first one is that of the opening
            stop()

    DatabaseOriginals.take_in_waiting = stopped  # type: ignore[method-assign]


if __name__ == "__main__":
    code, source, address, where = sys.argv[1:]
    pykala.ingest._PUBLISH_AFTER = 6
    if where == "turn":
        _stop_in_a_turn()

    def tell(done: int, total: int) -> None:
        if str(done) == where:
            stop()

    try:
        with (
            open_writer(address, embedder=EMBEDDER) as store,
            open_mirror(Path(source)) as mirror,
            shared_progress(Settings.read(), Path(address), f"ingest {code}", tell) as progress,
        ):
            pykala.ingest.ingest(store, Place(code), mirror, progress=progress)
    except StoreError as error:
        sys.exit(f"{type(error).__name__}: {error}")
    print("done", flush=True)
