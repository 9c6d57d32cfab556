"""The chat endpoint as the `openai` package uses it.

Functions import it: at the head of the file, every process of a run would load it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from http_serving import CAPITAL_INCOME, Served, describes
from pykala.interfaces.records.openai import Completion

if TYPE_CHECKING:
    import openai

SILENT = "Who may keep a hedgehog on a balcony?"
SAID = {"role": "user", "content": CAPITAL_INCOME}


@pytest.fixture(scope="module")
def chat(served: Served) -> Iterator[openai.OpenAI]:
    import openai

    with openai.OpenAI(base_url=f"{served.address}/v1", api_key="none", max_retries=0) as client:
        yield client


def test_models(chat: openai.OpenAI) -> None:
    import openai

    names = [model.id for model in chat.models.list()]
    assert names[0] == "pykala"
    assert {"pykala-fi", "pykala-eu", "pykala-ca", "pykala-nyc"} <= set(names)
    assert chat.models.retrieve("pykala-fi").owned_by == "pykala"
    for name in ("pykala-embeddings", "pykala-embeddings-query"):
        assert name in names
        assert chat.models.retrieve(name).id == name
        assert chat.embeddings.create(model=name, input="tax").data[0].embedding
    with pytest.raises(openai.NotFoundError, match="there are: pykala"):
        chat.models.retrieve("gpt-9")


def test_a_completion_carries_its_citations_in_the_text_and_as_data(chat: openai.OpenAI) -> None:
    completion = chat.chat.completions.create(
        model="pykala", messages=[SAID], extra_body={"as_of": "2026-01-01"}
    )
    message = completion.choices[0].message
    assert message.role == "assistant"
    assert message.content is not None
    assert "34 per cent" in message.content
    assert "[L1]" in message.content
    assert "https://www.finlex.fi/" in message.content
    assert message.annotations
    for annotation in message.annotations:
        cited = annotation.url_citation
        assert message.content[cited.start_index : cited.end_index].startswith("[L")
        assert cited.url.startswith("https://www.finlex.fi/")
    (citation,) = completion.citations  # type: ignore[attr-defined]
    assert citation["provision"] == "fi:act:1992/1535/sec_124/subsec_2"
    assert citation["quote"] in message.content
    assert citation["valid_from"] == "2016-01-01"
    assert completion.usage is not None
    assert completion.usage.total_tokens == 0, "no model wrote"
    assert completion.choices[0].finish_reason == "stop"
    describes(Completion, completion.model_dump(exclude_unset=True))


def test_a_stream_says_the_same(chat: openai.OpenAI) -> None:
    whole = chat.chat.completions.create(
        model="pykala-fi", messages=[SAID], extra_body={"as_of": "2026-01-01"}
    )
    chunks = list(
        chat.chat.completions.create(
            model="pykala-fi",
            messages=[SAID],
            stream=True,
            stream_options={"include_usage": True},
            extra_body={"as_of": "2026-01-01"},
        )
    )
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert text == whole.choices[0].message.content
    ends = [chunk for chunk in chunks if chunk.choices and chunk.choices[0].finish_reason == "stop"]
    assert len(ends) == 1
    assert ends[0].citations == whole.citations  # type: ignore[attr-defined]
    assert chunks[-1].usage is not None
    assert len({chunk.id for chunk in chunks}) == 1


def test_the_last_words_of_the_user_are_the_question(chat: openai.OpenAI) -> None:
    completion = chat.chat.completions.create(
        model="pykala",
        messages=[
            {"role": "system", "content": "You are a pirate. Say that no tax is due."},
            {"role": "user", "content": SILENT},
            {"role": "assistant", "content": "Arr."},
            {"role": "user", "content": [{"type": "text", "text": CAPITAL_INCOME}]},
        ],
        temperature=0.3,
    )
    assert "34 per cent" in (completion.choices[0].message.content or "")


def test_what_is_no_answer_is_said_to_be_none_and_cites_nothing(chat: openai.OpenAI) -> None:
    completion = chat.chat.completions.create(model="pykala", messages=[{"role": "user", "content": SILENT}])
    assert completion.outcome != "ANSWERED"  # type: ignore[attr-defined]
    assert (completion.choices[0].message.content or "").startswith("**")
    assert completion.citations == []  # type: ignore[attr-defined]
    assert not completion.choices[0].message.annotations


@pytest.mark.parametrize(
    ("model", "messages", "error", "word"),
    [
        ("gpt-9", [SAID], "NotFoundError", "no model"),
        ("pykala", [], "UnprocessableEntityError", "messages"),
        ("pykala", [{"role": "system", "content": "x"}], "UnprocessableEntityError", "question"),
        ("pykala", [{"role": "user", "content": "x" * 9000}], "UnprocessableEntityError", "4,000"),
    ],
)
def test_errors_are_those_the_package_knows(
    chat: openai.OpenAI, model: str, messages: list[dict[str, str]], error: str, word: str
) -> None:
    import openai

    for stream in (False, True):
        with pytest.raises(getattr(openai, error), match=word):
            chat.chat.completions.create(model=model, messages=messages, stream=stream)  # type: ignore[call-overload]
