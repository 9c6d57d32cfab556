"""Which small wrong changes to the code the tests notice, room by room.

    python -m bench.mutants                                   25 of each room, and the promises by name
    python -m bench.mutants --only retrieve --sample 50       more of one
    python -m bench.mutants --at retrieve/grade.py:281        those of one line, or of a file
    python -m bench.mutants --seed 7 --minutes 20             another draw, for so long at most

Changes are made one at a time in a copy of the tree (changes.py). Over each run the tests that call the
changed function (reached.py), of the files that concern its module (concerning.py). A change over which
none of them fails has survived, though a test of another room may notice it. Changes that nobody could
notice are left out of the draw (equivalent.toml). Rooms take turns, so that a run that is cut off has tried
some of each. The exit code is 1 where fewer than 85 % of a room were killed, where a promise was not
guarded, and where nothing of a room was tried.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path

from bench.mutants.changes import Mutant, mutants
from bench.mutants.concerning import Concerning
from bench.mutants.equivalent import without_equivalent
from bench.mutants.promises import promised
from bench.mutants.reached import (
    ReachOfFile,
    callers_of,
    function_at,
    functions_of,
    read,
    together,
    write,
)
from bench.mutants.trial import UNREACHED, Copy, Tried, drawn

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "pykala"
ROOMS = ("answer", "draft", "retrieve", "spend", "stores", "versions", "views")
FLOOR = 85
PROMISES = "promises"
#: What each test calls, kept from run to run.
KEPT = ROOT / "bench" / ".work" / "reached.json"
_WATCHED = 90  # seconds that a file of tests computes while its calls are noted; later tests are left out


def main() -> None:
    """Draw, try, and print the table."""
    given = _arguments()
    rooms = [room for room in (given.only or ROOMS) if (PACKAGE / room).is_dir()]
    chosen: dict[str, list[Mutant]] = {}
    if given.at:
        chosen["asked for"] = list(_at(given.at))
    else:
        if not given.only or PROMISES in given.only:
            chosen[PROMISES] = promised(PACKAGE)
        for mutant in drawn(without_equivalent(_all(rooms)), given.seed, given.sample):
            chosen.setdefault(mutant.room, []).append(mutant)
        chosen = {room: of_room[given.skip :] for room, of_room in chosen.items()}
    if given.list:
        for drawn_from in chosen.values():
            print(*drawn_from, sep="\n")
        return
    tried = _tried(chosen, given)
    print(table(tried))
    below = [room for room in chosen if not holds(room, tried.get(room, ()))]
    if below:
        sys.exit(f"below the floor: {', '.join(below)}")


def _arguments() -> argparse.Namespace:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--only", nargs="+", metavar="ROOM", help=f"of {', '.join((PROMISES, *ROOMS))}")
    arguments.add_argument("--sample", type=int, default=25, help="mutants of each room (25)")
    arguments.add_argument("--skip", type=int, default=0, help="so many of each draw, tried before (0)")
    arguments.add_argument("--seed", type=int, default=1, help="of the draw (1)")
    arguments.add_argument("--minutes", type=float, default=60, help="no mutant is begun after so long (60)")
    arguments.add_argument("--seconds", type=int, default=120, help="that one run may compute (120)")
    arguments.add_argument("--at", nargs="+", metavar="FILE[:LINE]", help="these instead of a draw")
    arguments.add_argument("--list", action="store_true", help="print the draw and try nothing")
    return arguments.parse_args()


def _all(rooms: Iterable[str]) -> Iterable[Mutant]:
    for room in rooms:
        for file in sorted((PACKAGE / room).glob("**/*.py")):
            yield from mutants(file.relative_to(PACKAGE).as_posix(), file.read_bytes())


def _at(places: Sequence[str]) -> Iterable[Mutant]:
    for place in places:
        name, _, line = place.partition(":")
        for mutant in mutants(name, (PACKAGE / name).read_bytes()):
            if not line or mutant.line == int(line):
                yield mutant


def _tried(chosen: Mapping[str, Sequence[Mutant]], given: argparse.Namespace) -> dict[str, list[Tried]]:
    concerning, kept = Concerning(ROOT), read(KEPT)
    tried: dict[str, list[Tried]] = {}
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder, Copy(ROOT, Path(folder)) as copied:
        end = time.monotonic() + 60 * given.minutes
        for room, mutant in in_turn(chosen):
            if time.monotonic() > end:
                print(f"the {given.minutes:g} minutes are over", file=sys.stderr)
                break
            tests = _callers(mutant, concerning.tests_for(mutant.file), copied, kept)
            result = copied.tried_in_turn(mutant, tests, given.seconds)
            tried.setdefault(room, []).append(result)
            print(f"{result.verdict:>10}  {mutant}", flush=True)
    return tried


def _callers(
    mutant: Mutant, files: Iterable[str], copied: Copy, kept: dict[str, ReachOfFile]
) -> Iterator[list[str]]:
    """The tests that call the changed function, file by file; what each calls is found out where needed.

    Those of other files follow, as far as these were watched for another change.
    """
    files = list(files)
    source = copied.source(mutant.file)
    function = function_at(mutant.file, source, mutant.line)
    functions = [function] if function else functions_of(mutant.file, source)
    for file in files:
        digest = copied.digest(file)
        if file not in kept or kept[file].digest != digest:
            print(f"which functions are called by {file}", file=sys.stderr, flush=True)
            kept[file] = copied.watched([file], _WATCHED).get(file, ReachOfFile())
            kept[file].digest = digest
            write(kept, KEPT)
        yield callers_of(functions, kept[file])
    others = (file for file in kept if file not in files and copied.digest(file) == kept[file].digest)
    yield callers_of(functions, together(kept[file] for file in others))


def in_turn(chosen: Mapping[str, Sequence[Mutant]]) -> list[tuple[str, Mutant]]:
    """The first mutant of each room, then the second of each, and so on."""
    rows = zip_longest(*([(room, mutant) for mutant in of_room] for room, of_room in chosen.items()))
    return [pair for row in rows for pair in row if pair is not None]


def holds(room: str, tried: Sequence[Tried]) -> bool:
    """Whether enough of a room was killed, and all of the promises; not where nothing was tried."""
    killed = sum(one.killed for one in tried)
    if not tried:
        return False
    return killed == len(tried) if room == PROMISES else 100 * killed >= FLOOR * len(tried)


def table(tried: Mapping[str, Sequence[Tried]]) -> str:
    """The rooms with what became of their mutants, as Markdown."""
    rows = [
        "",
        "| room | tried | killed | survived | no test | killed |",
        "|---|---|---|---|---|---|",
    ]
    everything = [one for room, of_room in tried.items() if room != PROMISES for one in of_room]
    for room, of_room in (*tried.items(), ("all rooms", everything)):
        if of_room:
            killed = sum(one.killed for one in of_room)
            unreached = sum(one.verdict == UNREACHED for one in of_room)
            survived = len(of_room) - killed - unreached
            share = f"{100 * killed / len(of_room):.0f} %"
            rows.append(f"| {room} | {len(of_room)} | {killed} | {survived} | {unreached} | {share} |")
    return "\n".join(rows)


if __name__ == "__main__":
    main()
