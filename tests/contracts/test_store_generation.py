"""The contract of every store on its state: a name that changes whenever what can be found changes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from making import simple
from pykala.law.filters import Filter
from pykala.law.identifiers import WorkId
from pykala.stores.store import WritableStore

HORSES = simple("xx:act:1", "A tax on horses.")


def test_every_change_gives_the_state_another_name(store: WritableStore) -> None:
    changes: list[Callable[[], object]] = [
        lambda: store.put(HORSES),
        lambda: store.put(simple("xx:act:2", "A tax on cows.")),
        lambda: store.put(simple("xx:act:1", "A tax on mules.")),
        lambda: store.delete(WorkId("xx:act:2")),
        lambda: store.delete(WorkId("xx:act:1")),
    ]
    names = [store.generation()]
    for change in changes:
        change()
        names.append(store.generation())
        assert store.generation() == names[-1]
    assert len(set(names)) == len(names)


def test_what_changes_nothing_changes_no_name(store: WritableStore) -> None:
    store.put(HORSES)
    before = store.generation()
    assert store.put(HORSES) is False
    with store.batch():
        pass
    store.match_text("tax", Filter(), 5)
    store.refresh()
    assert store.generation() == before


def test_what_was_put_and_taken_back_leaves_the_name(store: WritableStore) -> None:
    store.put(HORSES)
    before = store.generation()
    with pytest.raises(ZeroDivisionError), store.batch():
        store.put(simple("xx:act:2", "A tax on cows."))
        raise ZeroDivisionError
    assert store.generation() == before


numbers = st.integers(1, 3)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(numbers, st.sampled_from(["horses", "cows"])), min_size=1, max_size=5))
def test_a_name_is_never_given_to_two_contents(store: WritableStore, puts: list[tuple[int, str]]) -> None:
    seen: dict[str, frozenset[tuple[str, str]]] = {}
    for number, animal in puts:
        store.put(simple(f"xx:act:{number}", f"A tax on {animal}."))
        held = frozenset(store.fingerprints().items())
        assert seen.setdefault(store.generation(), held) == held
