"""Points in Qdrant: one per passage, visible to the states between `since` and `until`.

A writer adds points for the next state and sets the end of those that it removes. Readers see neither before
the records name that state. The next writer undoes what a killed writer left.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

from pykala.stores.cluster.nodes import Condition, Point, QdrantNodes
from pykala.stores.embedded.facets import FacetFilter, Facets

NO_END: Final = 2**31 - 1
#: From this many points a collection's columns are indexed; a smaller one is read faster than indexed.
INDEXED_FROM: Final = 5_000
KEPT: Final = 2  # states before the current one whose points stay, for readers that are still on them
_TIED: Final = 16  # extra hits, which show whether the last ones tie
COLUMNS: Final = (
    *("work", "jurisdiction", "language", "work_kind", "provision_kind", "valid_from", "valid_to"),
    *("since", "until"),
)


#: The collections of a library: passages by their words and by their meaning, and known questions.
WORDS, MEANING, ASKED = "words", "meaning", "asked"


def collection_name(library: str, edition: str, part: str) -> str:
    """The name of a collection."""
    return f"pykala_{library}_{edition}_{part}"


def payload(facets: Facets, since: int) -> dict[str, Any]:
    """The payload of a new point."""
    said = {name: getattr(facets, name) for name in COLUMNS[:7]}
    return {**said, "since": since, "until": NO_END}


def one_of(name: str, numbers: Iterable[int]) -> Condition:
    """The condition that a column is one of some numbers."""
    return {"key": name, "match": {"any": sorted(numbers)}}


def between(name: str, **bounds: int) -> Condition:
    """The condition that a column lies within bounds: lt, lte, gt, gte."""
    return {"key": name, "range": bounds}


def seen_by(epoch: int) -> list[Condition]:
    """The conditions for points that a state sees."""
    return [between("since", lte=epoch), between("until", gt=epoch)]


def passing(filter: FacetFilter, epoch: int) -> Condition:
    """A filter in Qdrant's form, for the points of one state."""
    must: list[Condition] = seen_by(epoch)
    for name, wanted in filter.chosen():
        must.append(one_of(name, wanted))
    if filter.kinds is not None:
        must.append({"should": [one_of(name, filter.kinds) for name in ("work_kind", "provision_kind")]})
    if filter.day is not None:
        must += [between("valid_from", lte=filter.day), between("valid_to", gt=filter.day)]
    condition: Condition = {"must": must}
    if filter.without:
        condition["must_not"] = [one_of("provision_kind", filter.without)]
    return condition


def take_back(nodes: QdrantNodes, collection: str, epoch: int) -> None:
    """Undo what a killed writer left for the state after `epoch`, and remove points that no reader sees."""
    late: Condition = {"must": [between("since", gt=epoch)]}
    nodes.remove(collection, late)
    nodes.mark(collection, {"until": NO_END}, {"must": [between("until", gt=epoch, lt=NO_END)]})
    nodes.remove(collection, {"must": [between("until", lte=epoch - KEPT)]})


def end(nodes: QdrantNodes, collection: str, epoch: int, conditions: Iterable[Condition]) -> None:
    """End the points that meet the conditions with the state before `epoch`."""
    nodes.mark(collection, {"until": epoch}, {"must": [*conditions, between("until", gt=epoch)]})


def end_works(nodes: QdrantNodes, collection: str, epoch: int, works: Collection[int]) -> None:
    """End the points of works with the state before `epoch`."""
    if works:
        end(nodes, collection, epoch, [one_of("work", works)])


def best(
    nodes: QdrantNodes, collection: str, searches: Sequence[tuple[dict[str, Any], int]], digits: int
) -> list[list[tuple[int, float]]]:
    """The best passages of each search; ties in the order of their numbers."""
    fetch = {at: limit + _TIED for at, (_, limit) in enumerate(searches)}
    done: dict[int, list[tuple[int, float]]] = {}
    while fetch:
        found = nodes.query(collection, [{**searches[at][0], "limit": most} for at, most in fetch.items()])
        for (at, most), hits in zip(list(fetch.items()), found, strict=True):
            limit = searches[at][1]
            scored = sorted(((_passage(hit), round(hit["score"], digits)) for hit in hits), key=_rank)
            if len(scored) < most or scored[-1][1] < scored[limit - 1][1]:
                done[at] = scored[:limit]
                del fetch[at]
            else:
                fetch[at] *= 4
    return [done[at] for at in range(len(searches))]


def _rank(hit: tuple[int, float]) -> tuple[float, int]:
    return -hit[1], hit[0]


def _passage(point: Point) -> int:
    return int(point["id"]) & PASSAGE


#: The low bits of a point's number are its passage's number; the high bits number its weighting.
PASSAGE: Final = 2**40 - 1
