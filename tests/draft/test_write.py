"""Drafting: claims checked and marked, one retry, and the law's own words where a model fails."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pykala.answer.record import answer_json
from pykala.draft.context import ContextBlock
from pykala.draft.prompt import NOT_IN_EVIDENCE
from pykala.draft.write import Limits, drafted
from pykala.law.answers import Answer, CaveatKind, Cost, Outcome, Stage, Written
from pykala.law.checks import Verdict
from pykala.library import Library
from pykala.library.sample import sample_library
from pykala.models.failures import CutReply, MissingKey, ModelUnavailable
from pykala.models.writer import FellBack, Piece, Usage
from pykala.packs.pack import installed
from pykala.spend.ledger import Ledger
from pykala.spend.meter import Caps, Meter
from pykala.spend.pricing import Price, PriceTable
from scripted_writer import Script, ScriptedWriter

DAY = date(2026, 6, 1)
QUESTION = "What is the tax rate on capital income above 30 000 euros in Finland?"
RIGHT = "On the part above 30,000 euros the rate of tax on capital income is 34 per cent [L1]."
WRONG = "On the part above 30,000 euros the rate of tax on capital income is 37 per cent [L1]."
PRICES = PriceTable(DAY, "USD", {"paid/model": Price(1.0, 0.1, 2.0), "paid/dear": Price(100.0, 10.0, 200.0)})
NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(sample_library(tmp_path_factory.mktemp("cache"), installed())) as library:
        yield library


@pytest.fixture(scope="module")
def answer(sample: Library) -> Answer:
    found = sample.ask(QUESTION, as_of=DAY)
    assert found.outcome is Outcome.ANSWERED
    return found


@pytest.fixture(scope="module")
def context(sample: Library) -> ContextBlock:
    return sample.context(QUESTION, as_of=DAY)


def kinds(answer: Answer) -> list[CaveatKind]:
    return [caveat.kind for caveat in answer.caveats]


def messages(answer: Answer) -> str:
    return "\n".join(caveat.message for caveat in answer.caveats)


def metered(caps: Caps | None = None, ledger: Ledger | None = None) -> Meter:
    return Meter(caps=caps or Caps(), prices=PRICES, ledger=ledger, now=lambda: NOW)


def test_a_draft_that_holds_is_the_answer_with_its_checks_and_citations(
    answer: Answer, context: ContextBlock
) -> None:
    writer = ScriptedWriter(RIGHT)
    found = drafted(answer, context, writer)
    assert found.text == RIGHT
    assert found.writer == "ollama/scripted"
    assert found.verification is not None
    assert found.verification.passed
    assert (found.verification.coverage, found.verification.grounding) == (1.0, 1.0)
    assert len(writer.calls) == 1
    assert found.caveats == answer.caveats
    assert (found.primary, found.support, found.path) == (answer.primary, answer.support, answer.path)
    (claim,) = found.claims
    (citation,) = claim.citations
    shown = context.items[0].evidence.cited
    assert shown.text[citation.start : citation.end] == citation.quote
    assert "34 per cent" in citation.quote


def test_the_draft_is_told_piece_by_piece_after_its_stages(answer: Answer, context: ContextBlock) -> None:
    heard: list[object] = []
    found = drafted(answer, context, ScriptedWriter(RIGHT), listen=heard.append)
    assert "".join(one.text for one in heard if isinstance(one, Written)) == RIGHT
    assert [one.name for one in heard if isinstance(one, Stage)] == ["draft", "verify"]
    assert found.trace == (*answer.trace, *(one for one in heard if isinstance(one, Stage)))


def test_the_prompt_is_the_rules_the_evidence_and_the_question_and_nothing_else(
    answer: Answer, context: ContextBlock
) -> None:
    writer = ScriptedWriter(RIGHT)
    drafted(answer, context, writer)
    system, user = writer.calls[0]
    assert (system.speaker, user.speaker) == ("system", "user")
    assert user.text == f"{context.text}\n\nQuestion: {QUESTION}"
    assert "Write in English." in system.text
    assert not any(item.evidence.cited.text in system.text for item in context.items)


def test_a_claim_that_fails_is_sent_back_once_with_what_was_found(
    answer: Answer, context: ContextBlock
) -> None:
    writer, heard = ScriptedWriter(WRONG, RIGHT), []
    found = drafted(answer, context, writer, listen=heard.append)
    assert found.text == RIGHT
    assert found.verification is not None
    assert found.verification.passed
    assert len(writer.calls) == 2
    back = writer.calls[1]
    assert [one.speaker for one in back] == ["system", "user", "assistant", "user"]
    assert back[2].text == WRONG
    assert "37 per cent" in back[3].text
    told = {one.draft: "" for one in heard if isinstance(one, Written)}
    for one in heard:
        if isinstance(one, Written):
            told[one.draft] += one.text
    assert told == {1: WRONG, 2: RIGHT}


def test_a_claim_under_the_wrong_key_is_sent_back_with_the_right_one(
    answer: Answer, context: ContextBlock
) -> None:
    other = context.items[1].evidence.key
    writer = ScriptedWriter(RIGHT.replace("L1", other), RIGHT)
    assert drafted(answer, context, writer).text == RIGHT
    assert "It may rest on L1" in writer.calls[1][3].text


def test_a_claim_that_still_fails_is_marked_where_it_stands(answer: Answer, context: ContextBlock) -> None:
    both = f"{WRONG} {RIGHT}"
    writer = ScriptedWriter(both)
    found = drafted(answer, context, writer)
    assert len(writer.calls) == 2
    assert found.text == f"{WRONG} (⚠ not borne out by the cited law) {RIGHT}"
    assert found.verification is not None
    assert [one.verdict for one in found.verification.claims] == [Verdict.UNSUPPORTED, Verdict.SUPPORTED]
    for one, words in zip(found.verification.claims, (WRONG, RIGHT), strict=True):
        assert found.text[one.claim.start : one.claim.end] == words
    assert [len(claim.citations) for claim in found.claims] == [0, 1]
    assert "1 of 2 claims" in messages(found)
    assert CaveatKind.SUSPECT in kinds(found)


MARKS = [
    ("en", "not borne out by the cited law"),
    ("fi", "viitattu säännös ei tue tätä"),
    ("sv", "får inte stöd av det lagrum som anges"),
    ("fr", "non confirmé par le texte cité"),
    ("de", "not borne out by the cited law"),
]


@pytest.mark.parametrize(("language", "mark"), MARKS)
def test_marks_speak_the_reader_s_language(
    answer: Answer, context: ContextBlock, language: str, mark: str
) -> None:
    reader = replace(answer, language=language)
    assert mark in drafted(reader, context, ScriptedWriter(f"{WRONG} {RIGHT}")).text


def test_the_better_of_two_drafts_is_kept(answer: Answer, context: ContextBlock) -> None:
    writer = ScriptedWriter(f"{WRONG} {RIGHT}", WRONG)
    found = drafted(answer, context, writer)
    assert RIGHT in found.text


def in_the_laws_own_words(answer: Answer, found: Answer) -> None:
    assert (found.text, found.claims, found.writer) == (answer.text, answer.claims, "")
    assert (found.outcome, found.primary) == (Outcome.ANSWERED, answer.primary)
    assert kinds(found)[-1] is CaveatKind.DEGRADED
    assert "law's own words" in found.caveats[-1].message


FAILURES: list[tuple[list[Script], str]] = [
    ([[MissingKey("DeepSeek", "PYKALA_MODEL_KEY")]], "PYKALA_MODEL_KEY"),
    ([[ModelUnavailable("DeepSeek answered 503")]], "503"),
    ([["On the part ", CutReply("broke off")]], "broke off"),
    ([[]], "wrote nothing"),
    (["   \n "], "wrote nothing"),
    ([NOT_IN_EVIDENCE], "found no answer"),
    (["## Answer\n\n---"], "nothing that can be checked"),
    ([WRONG], "nothing in the draft"),
    (["The rate is 34 per cent."], "nothing in the draft"),
    (["The rate is 34 per cent [L99]."], "nothing in the draft"),
]


@pytest.mark.parametrize(("scripts", "reason"), FAILURES)
def test_where_the_model_fails_the_law_s_own_words_stand(
    answer: Answer, context: ContextBlock, scripts: list[Script], reason: str
) -> None:
    found = drafted(answer, context, ScriptedWriter(*scripts))
    in_the_laws_own_words(answer, found)
    assert reason in messages(found)


def test_checks_that_failed_are_shown_even_where_the_draft_is_not(
    answer: Answer, context: ContextBlock
) -> None:
    found = drafted(answer, context, ScriptedWriter(WRONG))
    assert found.verification is not None
    assert found.verification.failed


def test_a_draft_that_broke_off_is_asked_for_again_as_it_was(answer: Answer, context: ContextBlock) -> None:
    writer = ScriptedWriter(["On the part ", CutReply("broke off")], RIGHT)
    found = drafted(answer, context, writer)
    assert found.text == RIGHT
    assert writer.calls[0] == writer.calls[1]


@pytest.mark.parametrize("outcome", [one for one in Outcome if not one.quotes])
def test_what_the_law_does_not_answer_is_not_drafted(
    answer: Answer, context: ContextBlock, outcome: Outcome
) -> None:
    writer = ScriptedWriter(RIGHT)
    silent = replace(answer, outcome=outcome)
    assert drafted(silent, context, writer) == silent
    assert writer.calls == []


def test_another_model_that_wrote_is_named_with_the_reason(answer: Answer, context: ContextBlock) -> None:
    heard: list[object] = []
    pieces: list[Piece] = ["Half an answ", FellBack("vllm/other", "DeepSeek answered 503"), RIGHT]
    writer = ScriptedWriter([*pieces, Usage("vllm/other", 900, 30)])
    found = drafted(answer, context, writer, listen=heard.append)
    assert found.writer == "vllm/other"
    assert found.text == RIGHT
    assert "vllm/other wrote in place of the first model: DeepSeek answered 503" in messages(found)
    assert [(one.text, one.draft) for one in heard if isinstance(one, Written)] == [
        ("Half an answ", 1),
        (RIGHT, 2),
    ]


def test_a_draft_cut_off_by_its_limit_says_so(answer: Answer, context: ContextBlock) -> None:
    usage = Usage("ollama/scripted", 10, 10, stopped_short=True)
    found = drafted(answer, context, ScriptedWriter([RIGHT, usage]))
    assert "cut off" in messages(found)


def test_a_draft_in_another_language_than_the_law_says_what_was_not_compared(sample: Library) -> None:
    question = "Mikä on pääomatulon veroprosentti 30 000 euroa ylittävältä osalta?"
    answer, context = sample.ask(question, as_of=DAY), sample.context(question, as_of=DAY)
    assert answer.outcome is Outcome.ANSWERED
    assert context.items[0].evidence.cited.language == "fi"
    key = next(
        one.evidence.key for one in context.items if str(one.evidence.cited.provision).endswith("sec_124")
    )
    found = drafted(answer, context, ScriptedWriter(RIGHT.replace("L1", key)))
    assert "34 per cent" in found.text
    assert "luvut ja päivät verrattiin, sanoja ei" in messages(found)  # the question is in Finnish
    assert CaveatKind.OTHER_LANGUAGE in kinds(found)
    (claim,) = found.claims
    assert "34" in claim.citations[0].quote


def test_a_server_that_read_only_part_of_the_evidence_is_found_out(
    answer: Answer, context: ContextBlock
) -> None:
    found = drafted(answer, context, ScriptedWriter([RIGHT, Usage("ollama/scripted", 512, 30)]))
    assert found.text == RIGHT
    assert "counted 512 tokens" in messages(found)
    assert "PYKALA_MODEL_BUDGET" in messages(found)


def test_a_listener_that_raises_stops_the_call_and_what_came_is_paid(
    answer: Answer, context: ContextBlock
) -> None:
    class Gone(Exception):
        pass

    def leave(heard: object) -> None:
        if isinstance(heard, Written):
            raise Gone

    writer, meter = ScriptedWriter(RIGHT, name="paid/model"), metered()
    with pytest.raises(Gone):
        drafted(answer, context, writer, listen=leave, tally=meter.answer())
    assert writer.closed == 1
    assert 0 < meter.spending().amount < 0.1


# Structured drafts.

STRUCTURED = Limits(structured=True)


def told(*claims: tuple[str, list[str]]) -> str:
    return json.dumps({"claims": [{"text": text, "keys": keys, "quotes": []} for text, keys in claims]})


def test_claims_given_as_data_become_text_with_keys(answer: Answer, context: ContextBlock) -> None:
    heard: list[object] = []
    reply = told(("The rate of tax on capital income above 30,000 euros is 34 per cent.", ["L1"]))
    found = drafted(answer, context, ScriptedWriter(reply), limits=STRUCTURED, listen=heard.append)
    assert found.text == "The rate of tax on capital income above 30,000 euros is 34 per cent. [L1]"
    assert found.verification is not None
    assert found.verification.passed
    assert not any(isinstance(one, Written) and "{" in one.text for one in heard)


def test_a_failed_claim_given_as_data_is_marked_too(answer: Answer, context: ContextBlock) -> None:
    reply = told(
        ("The rate of tax on capital income above 30,000 euros is 37 per cent.", ["L1"]),
        ("The rate of tax on capital income above 30,000 euros is 34 per cent.", ["L1"]),
    )
    found = drafted(answer, context, ScriptedWriter(reply), limits=STRUCTURED)
    first, second = found.text.split(" (⚠ not borne out by the cited law) ")
    assert first.endswith("37 per cent. [L1]")
    assert second.endswith("34 per cent. [L1]")


FORMS = [
    "no JSON",
    "[]",
    '{"claims": 7}',
    '{"claims": [7]}',
    '{"claims": [{"keys": ["L1"]}]}',
    '{"claims": [{"text": "The rate is 34 per cent.", "keys": ["L1](https://evil.example"]}]}',
    '{"claims": [{"text": "The rate is 34 per cent.", "keys": ["\\ud800"]}]}',
    "{" * 100_000,
]


@pytest.mark.parametrize("reply", FORMS)
def test_a_reply_in_another_form_is_asked_for_again_and_then_given_up(
    answer: Answer, context: ContextBlock, reply: str
) -> None:
    writer = ScriptedWriter([reply])
    found = drafted(answer, context, writer, limits=STRUCTURED)
    in_the_laws_own_words(answer, found)
    assert "form asked for" in messages(found)
    assert len(writer.calls) == 2
    assert "form asked for" in writer.calls[1][3].text


def test_no_claims_given_as_data_is_no_answer_in_the_evidence(answer: Answer, context: ContextBlock) -> None:
    found = drafted(answer, context, ScriptedWriter('{"claims": []}'), limits=STRUCTURED)
    in_the_laws_own_words(answer, found)
    assert "found no answer" in messages(found)


# What it costs.


def test_the_cost_is_what_was_reported_times_the_price(answer: Answer, context: ContextBlock) -> None:
    usage = Usage("paid/model", 10_000, 500, tokens_cached=4_000)
    writer = ScriptedWriter([RIGHT, usage], name="paid/model")
    meter = metered()
    found = drafted(answer, context, writer, tally=meter.answer())
    expected = (6_000 * 1.0 + 4_000 * 0.1 + 500 * 2.0) / 1_000_000
    assert found.cost == Cost(10_000, 500, pytest.approx(expected), "USD")
    assert meter.spending().amount == pytest.approx(expected, abs=1e-6)
    assert answer_json(found)["cost"] == {
        "tokens_in": 10_000, "tokens_out": 500, "amount": pytest.approx(expected), "currency": "USD",
    }  # fmt: skip


def test_both_drafts_are_paid_for(answer: Answer, context: ContextBlock) -> None:
    one = [WRONG, Usage("paid/model", 1000, 100)]
    found = drafted(answer, context, ScriptedWriter(one, name="paid/model"), tally=metered().answer())
    assert (found.cost.tokens_in, found.cost.tokens_out) == (2000, 200)


def test_what_costs_nothing_is_shown_as_zero(answer: Answer, context: ContextBlock) -> None:
    found = drafted(answer, context, ScriptedWriter(RIGHT))
    assert found.cost.amount == 0.0
    assert found.cost.tokens_in > context.tokens


def test_tokens_nobody_reported_are_counted_here(answer: Answer, context: ContextBlock) -> None:
    silent = [RIGHT, Usage("paid/model", 0, 0, estimated=True)]
    found = drafted(answer, context, ScriptedWriter(silent, name="paid/model"), tally=metered().answer())
    assert found.cost.tokens_in > context.tokens
    assert found.cost.tokens_out > 10
    assert found.cost.amount > 0


REFUSED = [
    (Caps(per_answer=0.0001, per_month=None), "PYKALA_ANSWER_CAP"),
    (Caps(per_answer=None, per_month=0.0001), "PYKALA_MONTH_CAP"),
]


@pytest.mark.parametrize(("caps", "setting"), REFUSED)
def test_a_cap_is_kept_before_the_call_and_the_setting_is_named(
    answer: Answer, context: ContextBlock, caps: Caps, setting: str
) -> None:
    writer = ScriptedWriter(RIGHT, name="paid/model")
    found = drafted(answer, context, writer, tally=metered(caps).answer())
    in_the_laws_own_words(answer, found)
    assert setting in messages(found)
    assert writer.calls == []
    assert found.cost.amount == 0.0


def test_a_model_without_a_price_is_not_called(answer: Answer, context: ContextBlock) -> None:
    writer = ScriptedWriter(RIGHT, name="custom/model")
    found = drafted(answer, context, writer, tally=metered().answer())
    assert "PYKALA_MODEL_PRICE" in messages(found)
    assert writer.calls == []


def test_what_a_fallback_costs_is_asked_before_it_is_called(answer: Answer, context: ContextBlock) -> None:
    pieces: list[Piece] = [FellBack("paid/dear", "DeepSeek answered 503"), RIGHT]
    writer = ScriptedWriter(pieces, name="paid/model")
    found = drafted(answer, context, writer, tally=metered(Caps(per_answer=0.05, per_month=None)).answer())
    in_the_laws_own_words(answer, found)
    assert found.cost.amount == 0.0


def test_a_small_cap_shortens_the_draft_before_it_forbids_it(answer: Answer, context: ContextBlock) -> None:
    writer = ScriptedWriter(RIGHT, name="paid/model")
    reading = (context.tokens + 400) * 1.3 / 1_000_000
    drafted(answer, context, writer, tally=metered(Caps(per_answer=reading + 0.001, per_month=None)).answer())
    assert 100 <= writer.limits[0] < Limits().most_tokens


def test_a_month_s_cap_holds_over_many_answers(answer: Answer, context: ContextBlock, tmp_path: Path) -> None:
    caps = Caps(per_answer=None, per_month=0.05)
    writer = ScriptedWriter([RIGHT, Usage("paid/model", 9_000, 100)], name="paid/model")
    costs = []
    for _ in range(12):  # each with a ledger opened anew, as programs do
        meter = metered(caps, Ledger(tmp_path / "spending.sqlite"))
        costs.append(drafted(answer, context, writer, tally=meter.answer()).cost.amount)
    assert sum(costs) <= 0.05
    assert costs[0] > 0
    assert costs[-1] == 0.0
    assert len(writer.calls) < 12


#: What models write, in any order: right and wrong claims, keys that exist and others, and anything at all.
PIECES = st.sampled_from(
    [RIGHT, WRONG, "[L1]", "[L2]", "[L999]", "\n\n", " It is “34 per cent” [L1].", '{"claims": [']
)
WRITTEN = st.lists(PIECES | st.text(max_size=30), max_size=6).map("".join)


class Asked:
    """An answer and its context, which hypothesis would print at length."""

    def __init__(self, answer: Answer, context: ContextBlock) -> None:
        self.answer, self.context = answer, context

    def __repr__(self) -> str:
        return "Asked()"


@pytest.fixture(scope="module")
def asked(answer: Answer, context: ContextBlock) -> Asked:
    return Asked(answer, context)


@settings(max_examples=60, deadline=None)
@given(text=WRITTEN, structured=st.booleans())
def test_whatever_a_model_writes_the_answer_stands(asked: Asked, text: str, structured: bool) -> None:
    answer, context = asked.answer, asked.context
    found = drafted(answer, context, ScriptedWriter([text]), limits=Limits(drafts=1, structured=structured))
    assert found.outcome is Outcome.ANSWERED
    assert found.primary == answer.primary
    assert found.text
    for claim in found.claims:
        for citation in claim.citations:
            held = [one.evidence.cited.text for one in context.items if one.evidence.key == citation.key]
            texts = [*held, *([answer.primary.text] if answer.primary else [])]
            assert any(text[citation.start : citation.end] == citation.quote for text in texts)
    json.dumps(answer_json(found))
