"""Compute the weights and vectors of some passages again, and count what the word statistics say."""

from __future__ import annotations

from typing import Final

import numpy as np

from pykala.models.embedder import Embedder, encode_passages
from pykala.stores.cluster import meanings, points, words
from pykala.stores.cluster.points import MEANING, WORDS
from pykala.stores.cluster.published import PublishedPoints
from pykala.stores.embedded.checking import NEAR, NO_EMBEDDER, sampled_children
from pykala.stores.embedded.children import Child, children_numbered
from pykala.stores.embedded.facets import FacetFilter
from pykala.stores.served.nearest import rounded
from pykala.stores.served.word_staging import StagedPassage
from pykala.stores.verification import Finding, Verification

_CLOSE: Final = 1e-4  # the largest error of a weight in float32
_COUNTED: Final = 1_000  # passages that hold a term, up to which they are counted


def check_statistics(held: PublishedPoints, found: Verification) -> None:
    """Compare the counted passages and lengths with the word statistics; call it after all were compared."""
    told = {(place, "", "passages"): count for place, count in held.statistics.passages().items()}
    told |= {(place, field, "terms"): one.terms for (place, field), one in held.lengths.items() if one.terms}
    counted = {key: count for key, count in held.counted.items() if count}
    if told != counted:
        what = "the word statistics are not those of the passages, so that scores are not a folder's"
        found.findings.append(Finding("indexes", what))


def check_sample(held: PublishedPoints, embedder: Embedder | None, found: Verification) -> None:
    """Compare the weights and vectors of passages spread over the library with those of the records."""
    children = children_numbered(held.records, [one[0] for one in sampled_children(held.records)])
    found.checked["sampled passages"] = len(children)
    staged = list(held.staged(children))
    _check_weights(held, staged, found)
    _check_frequencies(held, staged, found)
    if held.has_vectors and embedder is None:
        found.not_covered.append(NO_EMBEDDER)
    elif held.has_vectors and embedder is not None:
        _check_vectors(held, embedder, children, found)


def _check_weights(held: PublishedPoints, staged: list[StagedPassage], found: Verification) -> None:
    wanted = {words.number_of(one.passage, one.made_with.weighting): one for one in staged}
    here = held.nodes.retrieve(held.collection(WORDS), wanted, vectors=True)
    vectors = {int(point["id"]): point["vector"].get(words.VECTOR, _EMPTY) for point in here}
    wrong = 0
    for number, one in wanted.items():
        vector, weights = vectors.get(number, _EMPTY), one.weights()
        weighed = dict(zip(vector["indices"], vector["values"], strict=True))
        same = weighed.keys() == weights.keys() and sum(one.frequencies.values()) == one.length
        wrong += not same or any(abs(weighed[term] - weight) > _CLOSE for term, weight in weights.items())
    if wrong:
        what = f"the words of {wrong} of {len(wanted)} sampled passages are not weighed as in the records"
        found.findings.append(Finding("indexes", what))


_EMPTY: Final = {"indices": list[int](), "values": list[float]()}


def _check_frequencies(held: PublishedPoints, staged: list[StagedPassage], found: Verification) -> None:
    """Count the passages that hold a rare term of each sampled passage."""
    frequencies = {
        (one.number, place): count for one in held.statistics.known() for place, count in one.passages.items()
    }
    rarest = {
        min(
            ((frequencies.get((term, one.facets.jurisdiction), 0), term, one.facets.jurisdiction))
            for term in one.frequencies
        )
        for one in staged
        if one.frequencies
    }
    asked = [(told, term, place) for told, term, place in sorted(rarest) if told <= _COUNTED]
    searches = [
        {
            "query": {"indices": [term], "values": [1.0]},
            "using": words.VECTOR,
            "filter": points.passing(FacetFilter(jurisdictions=frozenset({place})), held.epoch),
            "limit": _COUNTED + 1,
            "with_payload": False,
        }
        for _, term, place in asked
    ]
    counts = [len(hits) for hits in held.nodes.query(held.collection(WORDS), searches)] if searches else []
    wrong = sum(told != count for (told, _, _), count in zip(asked, counts, strict=True))
    if wrong:
        what = f"{wrong} of {len(asked)} sampled terms stand in another number of passages than is told"
        found.findings.append(Finding("indexes", what))


def _check_vectors(
    held: PublishedPoints, embedder: Embedder, children: list[Child], found: Verification
) -> None:
    made = encode_passages(embedder, [one.header for one in children], [one.text for one in children])
    wanted = dict(zip((one.number for one in children), rounded(made).astype(np.float32), strict=True))
    here = held.nodes.retrieve(held.collection(MEANING), wanted, vectors=True)
    vectors = {int(point["id"]): np.asarray(point["vector"][meanings.VECTOR]) for point in here}
    wrong = sum(
        bool(vector.any()) and (number not in vectors or float(vectors[number] @ vector) < NEAR)
        for number, vector in wanted.items()
    )
    if wrong:
        what = f"{wrong} of {len(wanted)} sampled vectors are not those of their passages"
        found.findings.append(Finding("indexes", what))
