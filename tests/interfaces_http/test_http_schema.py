"""Schemathesis over the OpenAPI document: nothing that it makes up ends in a 5xx or breaks the schema.

Functions import it: at the head of the file, every process of a run would load it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

import pytest
from hypothesis import HealthCheck, given, settings

from http_serving import serving

if TYPE_CHECKING:
    import schemathesis

#: Each operation is tried so often, with what fits its schema and with what does not.
EXAMPLES = 3
#: Whatever stands in a part of a form is a file: what is wrong with one is said when it is read.
FORMS = "/api/v1/uploads"
#: And a conversation may fit the schema and hold no question, a record name no provision that there is.
CONVERSATIONS = (
    "/v1/chat/completions",
    "/v1/responses",
    "/v1/embeddings",
    "/api/v1/context",
    "/api/v1/export",
)


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Iterator[schemathesis.BaseSchema]:
    import schemathesis

    with serving(tmp_path_factory.mktemp("schema")) as server:  # its own, for it writes
        yield schemathesis.openapi.from_url(f"{server.address}/api/v1/openapi.json", timeout=300)


def tried(operation: Any, mode: Literal["POSITIVE", "NEGATIVE"]) -> int:
    """Try an operation; how often it was."""
    from schemathesis import GenerationMode
    from schemathesis.checks import positive_data_acceptance

    count = 0
    excluded = [positive_data_acceptance] if operation.path in (FORMS, *CONVERSATIONS) else []

    @settings(
        max_examples=EXAMPLES, deadline=None, derandomize=True, database=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(case=operation.as_strategy(generation_mode=GenerationMode[mode]))
    def holds(case: schemathesis.Case) -> None:
        nonlocal count
        count += 1
        case.call_and_validate(timeout=300, excluded_checks=excluded)

    holds()
    return count


def test_what_fits_the_schema_is_taken_and_answered_as_described(document: schemathesis.BaseSchema) -> None:
    operations = [found.ok() for found in document.get_all_operations()]
    assert len(operations) >= 25
    assert sum(tried(one, "POSITIVE") for one in operations) > 60


def test_what_does_not_fit_the_schema_is_refused_as_described(document: schemathesis.BaseSchema) -> None:
    operations = [found.ok() for found in document.get_all_operations()]
    spoken_to = [one for one in operations if (one.query or one.body) and one.path != FORMS]
    assert sum(tried(one, "NEGATIVE") for one in spoken_to) > 40
