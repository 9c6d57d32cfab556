"""Quoted text in Markdown is words: no picture, link, markup or key in it does anything."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from pykala.interfaces.http.chat import _annotations
from pykala.law.answers import Answer, Caveat, CaveatKind, Citation, CitedProvision, Claim, Outcome
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.validity import ALWAYS
from pykala.text.unseen import without_unseen
from pykala.views.markdown import DraftStream, answer_words, as_words, link, with_keys
from pykala.views.notebook import cited_html
from pykala.views.prose import answer_text

#: Marks of direction, an escape code, a tag, a space without width.
UNSEEN_SIGNS = ("\u202e", "\u2066", "\u061c", "\u200f", "\x1b[31m", "\U000e0041", "\u200b", "\ufeff")
RENDERER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
PLAIN = {"paragraph_open", "paragraph_close", "inline", "text", "softbreak", "text_special"}
HOSTILE = (
    "Pay now\n=",
    "![x](https://evil.example/?q=1)",
    "[official text](https://evil.example)",
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    "<https://evil.example>",
    "[x]: https://evil.example\n\n[x]",
    "# A heading\n\n- a list\n1. another\n\n---\n> a quote",
    "| a | b |\n|---|---|\n| c | d |",
    "    code\n```\nmore\n```",
    "*bold* __more__ ~~gone~~ `code`",
    "The tax is zero. [L1] [L9] \\[L2]",
    "heading\n===",
    "&lt;b&gt; &#60;i&#62; &amp;",
)


def tokens(text: str) -> list[Token]:
    return [one for block in RENDERER.parse(text) for one in (block, *(block.children or ()))]


def shown(text: str) -> str:
    """What a reader of the rendered text sees."""
    seen = (
        one.content if one.type.startswith("text") else " " for one in tokens(text) if one.type != "inline"
    )
    return "".join(seen)


def same_words(one: str, other: str) -> bool:
    return re.sub(r"\s", "", one) == re.sub(r"\s", "", other)


@pytest.mark.parametrize("text", HOSTILE)
def test_what_looks_like_markup_is_shown_as_it_stands(text: str) -> None:
    safe = as_words(text)
    assert {one.type for one in tokens(safe)} <= PLAIN
    assert same_words(shown(safe), text)
    assert not re.search(r"\[L\d+\]", safe), "no key but the answer's own"


@given(
    st.lists(
        st.sampled_from([*"!#[]()<>*_`~|-+=.:/&;@1aL \n\r\u200b\u202e\\", "www.", "https://", "[L1]"]),
        max_size=30,
    )
)
def test_no_text_does_anything(pieces: list[str]) -> None:
    text = "".join(pieces)
    safe = as_words(text)
    assert {one.type for one in tokens(safe)} <= PLAIN
    assert same_words(shown(safe), without_unseen(text))


@pytest.mark.parametrize("unseen", UNSEEN_SIGNS)
def test_nothing_unseen_turns_or_commands_what_is_around_it(unseen: str) -> None:
    text = f"The tax is 5 %. {unseen}not 50 %.{unseen}"
    stream = DraftStream()
    shown_by = answer(text).primary
    assert shown_by is not None
    sign = unseen[0]
    for told in (as_words(text), link(text, "https://law.example"), cited_html(shown_by),
                 "".join([stream.feed(text[:17]), stream.feed(text[17:]), stream.end()])):  # fmt: skip
        assert sign not in told
        assert "not 50" in told


def test_an_end_of_line_of_any_kind_begins_no_heading() -> None:
    for end in ("\r", "\u2028", "\x85"):
        assert {one.type for one in tokens(as_words(f"Words.{end}# Heading\n\u200b    code"))} <= PLAIN


def test_an_address_that_is_broken_by_what_is_unseen_is_no_link_either() -> None:
    stream = DraftStream()
    told = "".join(
        [*(stream.feed(one) for one in ("ww\u200b", "w.evil.example http:\u2060//x")), stream.end()]
    )
    assert told == "www\\.evil.example http\\://x"


@given(st.lists(st.sampled_from(["[", "L", "1", "]", "!", "(", "<", ":", "//", "w", ".", "a"]), max_size=30))
@example(["L", "w", "w", "w", "."])
def test_a_draft_in_pieces_is_the_draft_whole(pieces: list[str]) -> None:
    def read(given: list[str]) -> str:
        stream = DraftStream()
        return "".join([*(stream.feed(one) for one in given), stream.end()])

    assert read(pieces) == read(["".join(pieces)])
    kinds = {one.type for one in tokens(read(pieces))}
    assert not kinds & {"link_open", "image", "html_inline", "html_block", "code_inline"}


PLACE = ProvisionId(WorkId("up:0123456789abcdef"))


def answer(quote: str, *, writer: str = "") -> Answer:
    cited = CitedProvision(
        PLACE, "Upload “<img src=x>[L7](https://evil.example).md”", "", quote, "", "en", ALWAYS, 10, "upload"
    )
    citation = Citation("L1", PLACE, quote, 0, len(quote), "https://law.example/a", cited.citation)
    return Answer(
        id="", question=quote, language="en", as_of=date(2026, 1, 1), outcome=Outcome.ANSWERED,
        text=f"{quote} [L1]", primary=cited, claims=(Claim(quote, (citation,)),), writer=writer,
        caveats=(Caveat(CaveatKind.SUSPECT, PLACE, quote),), standalone=quote,
    )  # fmt: skip


@pytest.mark.parametrize("quote", HOSTILE)
def test_an_answer_for_chats_holds_no_markup_of_others_and_only_its_own_keys(quote: str) -> None:
    one = answer(quote)
    told = answer_text(one)
    kinds = {token.type for token in tokens(told)}
    assert not kinds & {"image", "html_inline", "html_block", "code_inline", "fence", "table_open", "s_open"}
    links = {token.attrs["href"] for token in tokens(told) if token.type == "link_open"}
    assert links <= {"https://law.example/a"}
    assert set(re.findall(r"\[(L\d+)\]", told)) == {"L1"}
    assert answer_words(one).endswith(" [L1]")
    assert len(_annotations(answer_words(one), one)) == 1, "a key in the quote is no citation"
    parts = answer_text(replace(one, parts=(one, one)))
    assert not {token.type for token in tokens(parts)} & {"image", "html_inline", "html_block", "fence"}


def test_a_draft_keeps_the_keys_that_the_answer_has() -> None:
    assert with_keys("The rate is 34 %. [L1] See [L9] ![](x)", {"L1"}) == (
        "The rate is 34 %. [L1] See \\[L9\\] !\\[\\](x)"
    )


@pytest.mark.parametrize(
    ("label", "url", "expected"),
    [
        ("TVL 124 §", "https://law.example/a b)(c", "[TVL 124 §](https://law.example/a%20b%29%28c)"),
        ("a](b) [c", "https://law.example/", "[a)(b) (c](https://law.example/)"),
        ("x", "javascript:alert(1)", "x"),
    ],
)
def test_a_link_leads_where_it_says(label: str, url: str, expected: str) -> None:
    assert link(label, url) == expected
