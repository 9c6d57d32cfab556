"""A conversation with a library: questions that go on from others, and several in one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from pykala.answer.record import answer_json
from pykala.answer.replay import read_record
from pykala.draft.drafting import Drafting
from pykala.law.answers import Answer, Outcome, Written
from pykala.library import Library
from pykala.library.sample import sample_library
from pykala.packs.pack import installed
from pykala.retrieve.conversation import Turn
from pykala.retrieve.conversing import After, words_before
from pykala.retrieve.trace import Heard
from pykala.spend.meter import Meter
from scripted_writer import ScriptedWriter

RATE = "What is the tax rate on capital income above 30 000 euros in Finland?"
TWO = (
    "What is the general VAT rate in Finland, and what is the tax rate on capital income above 30 000 euros?"
)
SECTION, VAT = "fi:act:1992/1535/sec_124", "fi:act:1993/1501/sec_84"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(sample_library(tmp_path_factory.mktemp("cache"), installed())) as library:
        yield library


@pytest.fixture
def modelled(sample: Library) -> Library:
    return sample


def of(answer: Answer) -> str:
    assert answer.primary is not None
    return str(answer.primary.provision)


@pytest.mark.parametrize(
    ("lengths", "read"),
    [((), 0), ((10,), 1), ((9_000,), 1), ((3_000, 3_000, 3_000), 2), ((1,) * 30, 20), ((9_000, 10), 1)],
)
def test_of_a_long_conversation_the_end_is_read(lengths: tuple[int, ...], read: int) -> None:
    questions = ["x" * length for length in lengths]
    assert list(words_before(questions)) == questions[len(questions) - read :]


CAPITAL = "What was the tax rate on capital income"


@pytest.mark.parametrize(
    ("first", "then", "year", "standalone"),
    [
        (
            f"{CAPITAL} under the Income Tax Act in 2014?",
            "and what was the rate on large capital income?",
            2014,
            "what was the rate on large capital income? (Income Tax Act)",
        ),
        (
            f"{CAPITAL} in Finland 2014?",
            "and on large amounts?",
            2014,
            f"{CAPITAL} in Finland – on large amounts?",
        ),
        (
            f"{CAPITAL} in Finland in 2014?",
            "and what was the capital income tax 2012?",
            2012,
            f"{CAPITAL} in Finland – what was the capital income tax 2012?",
        ),
        (
            "Mikä oli pääomatulon veroprosentti 2014?",
            "entä vuonna 2012?",
            2012,
            "Mikä oli pääomatulon veroprosentti – entä vuonna 2012?",
        ),
    ],
)
def test_a_thread_keeps_its_year(sample: Library, first: str, then: str, year: int, standalone: str) -> None:
    answer = sample.ask(then, after=sample.ask(first))
    assert answer.standalone == standalone
    assert answer.as_of == date(year, 12, 31)
    assert of(answer).startswith(SECTION)


def test_a_matter_of_its_own_keeps_the_act_and_not_the_section(sample: Library) -> None:
    before = sample.ask("What does section 124 of the Income Tax Act say of capital income?")
    answer = sample.ask("and how are dividends from listed companies taxed?", after=before)
    assert answer.standalone == "how are dividends from listed companies taxed? (Income Tax Act (1535/1992))"
    assert of(answer).startswith("fi:act:1992/1535/sec_33a")


@pytest.mark.parametrize("after", [RATE, Turn(RATE), [RATE], ["Who is a small supplier?", RATE], "answer"])
def test_a_follow_up_keeps_the_question_whatever_it_is_given_as(sample: Library, after: After) -> None:
    before = sample.ask(RATE) if after == "answer" else after
    answer = sample.ask("and in 2013?", after=before)
    assert answer.question == "and in 2013?"
    assert (
        answer.standalone == "What is the tax rate on capital income above 30 000 euros in Finland – in 2013?"
    )
    assert answer.as_of == date(2013, 12, 31)
    assert of(answer).startswith(SECTION)
    assert "32 per cent" in answer.text


def test_what_the_caller_fixed_goes_on(sample: Library) -> None:
    first = sample.ask("How is capital income taxed?", as_of=date(2013, 6, 1), jurisdiction="fi")
    assert first.dated
    assert first.jurisdiction == "fi"
    assert not first.standalone
    second = sample.ask("and the part above 50 000 euros?", after=first)
    assert (second.as_of, second.dated, second.jurisdiction) == (date(2013, 6, 1), True, "fi")
    third = sample.ask("what about now?", after=second)
    assert not third.dated
    assert third.jurisdiction == "fi"
    assert sample.ask("and the rest?", after=second, as_of=date(2026, 1, 1)).as_of == date(2026, 1, 1)


def test_a_question_of_its_own_stands_alone_and_nothing_is_no_thread(sample: Library) -> None:
    first = sample.ask(RATE, jurisdiction="fi")
    answer = sample.ask("Who is a small supplier?", after=first)
    assert answer.standalone == ""
    assert answer.jurisdiction is None
    assert of(answer).startswith("ca:act:E-15/sec_148")
    assert sample.ask(RATE, after="").standalone == ""
    assert sample.ask(RATE, after=[]).standalone == ""


def test_several_questions_are_answered_each_under_its_heading(sample: Library) -> None:
    heard: list[Heard] = []
    answer = sample.ask(TWO, as_of=date(2026, 6, 1), identifier="q", listen=heard.append)
    assert [part.question for part in answer.parts] == [
        "What is the general VAT rate in Finland?",
        "What is the tax rate on capital income above 30 000 euros?",
    ]
    first, second = map(of, answer.parts)
    assert first.startswith(VAT)
    assert second.startswith(SECTION)
    assert [part.id for part in answer.parts] == ["q.1", "q.2"]
    assert answer.outcome in (Outcome.ANSWERED, Outcome.LIKELY)
    assert answer.question == TWO
    assert [one for one in heard if isinstance(one, Answer)] == [answer]  # no part is taken for the whole
    keys = [citation.key for claim in answer.claims for citation in claim.citations]
    assert keys == ["L1", "L2"]
    assert "1. What is the general VAT rate" in answer.text
    assert "[L2]" in answer.text


def test_a_part_that_only_repeats_the_first_is_asked_by_its_own_words(sample: Library) -> None:
    answer = sample.ask(
        "Mikä on pääomatulon veroprosentti ja mikä on arvonlisäverokanta?", as_of=date(2026, 6, 1)
    )
    first, second = answer.parts
    assert of(first).startswith(SECTION)
    assert of(second).startswith(VAT)
    assert second.standalone in ("", second.question)
    assert sample.replay(json.dumps(answer_json(answer))).same


def test_one_quotation_for_two_parts_is_given_once_and_is_not_sure(sample: Library) -> None:
    answer = sample.ask(
        "What is the tax rate on capital income in Finland and what is the tax on capital income?",
        as_of=date(2026, 6, 1),
    )
    first, second = answer.parts
    assert first.outcome is Outcome.ANSWERED
    assert second.outcome is Outcome.LIKELY
    assert second.text.startswith("Most likely the same provision as for part 1: ")
    assert second.text.endswith("[L1].")
    assert answer.text.count(first.claims[0].citations[0].quote) == 1
    assert sample.replay(json.dumps(answer_json(answer))).same


def test_the_outcome_is_that_of_the_weakest_part_and_what_is_open_is_named(sample: Library) -> None:
    answer = sample.ask(f"{RATE} And who won the Stanley Cup in hockey that season?", as_of=date(2026, 6, 1))
    first, second = answer.parts
    assert first.outcome is Outcome.ANSWERED
    assert second.outcome is not Outcome.ANSWERED
    assert answer.outcome is second.outcome
    assert f"“{second.question}”" in answer.text.splitlines()[-1]


def test_a_record_says_how_it_was_understood_and_is_replayed_so(sample: Library) -> None:
    answer = sample.ask("and in 2013?", after=RATE)
    record = json.dumps(answer_json(answer))
    assert json.loads(record)["standalone"] == answer.standalone
    assert read_record(record).turn.question == answer.standalone
    assert sample.replay(record).same
    several = sample.ask(TWO, as_of=date(2026, 6, 1))
    told = [part["outcome"] for part in answer_json(several)["parts"]]  # type: ignore[index, attr-defined]
    assert told == [part.outcome.name for part in several.parts]
    assert sample.replay(json.dumps(answer_json(several))).same


def test_a_model_puts_the_question_and_a_rule_does_where_it_cannot(modelled: Library) -> None:
    alone = "What was the tax rate on capital income above 30 000 euros in Finland in 2013?"
    writer = ScriptedWriter(json.dumps({"question": alone}), "The rate is 32 per cent [L1].")
    modelled = modelled.with_parts(drafting=Drafting(writer, Meter()))
    answer = modelled.ask("and in 2013?", after=RATE)
    assert answer.standalone == alone
    assert answer.as_of == date(2013, 12, 31)
    assert RATE in writer.calls[0][1].text
    modelled = modelled.with_parts(drafting=Drafting(ScriptedWriter("no JSON at all"), Meter()))
    assert modelled.ask("and in 2013?", after=RATE).standalone.endswith("in Finland – in 2013?")


@pytest.mark.parametrize(
    "invented",
    [
        "What was the tax rate on capital income above 50 000 euros in Finland in 2013?",
        "What was the tax rate on capital income above 30 000 euros in Finland?",
        "Section 124 of the Income Tax Act lays down how dividends of listed companies are taxed in 2013",
    ],
    ids=["another figure", "the year lost", "other words"],
)
def test_a_standalone_question_that_a_model_made_up_is_put_by_rule(modelled: Library, invented: str) -> None:
    writer = ScriptedWriter(json.dumps({"question": invented}))
    modelled = modelled.with_parts(drafting=Drafting(writer, Meter()))
    assert modelled.ask("and in 2013?", after=RATE).standalone.endswith("in Finland – in 2013?")


def test_a_model_that_loses_a_part_does_not_lose_it_for_the_reader(modelled: Library) -> None:
    lost = {"questions": ["What is the general VAT rate in Finland?"]}
    modelled = modelled.with_parts(drafting=Drafting(ScriptedWriter(json.dumps(lost), "nothing"), Meter()))
    assert len(modelled.ask(TWO, as_of=date(2026, 6, 1)).parts) == 2


def test_a_model_takes_a_question_apart_and_every_part_is_answered_or_open(modelled: Library) -> None:
    asked = {"questions": ["What is the tax rate on capital income in Finland?", RATE]}
    drafts = (
        "The rate on capital income is 30 per cent [L1].",
        "The rate is 34 per cent above 30,000 euros [L1].",
    )
    writer = ScriptedWriter(json.dumps(asked), *drafts)
    modelled = modelled.with_parts(drafting=Drafting(writer, Meter()))
    heard: list[Heard] = []
    answer = modelled.ask(TWO, as_of=date(2026, 6, 1), listen=heard.append)
    assert [part.question for part in answer.parts] == asked["questions"]
    assert all(part.writer for part in answer.parts)
    assert not [one for one in heard if isinstance(one, Written)]
    assert (
        0 < sum(part.cost.tokens_in for part in answer.parts) < answer.cost.tokens_in
    )  # taking apart costs, too


def test_one_question_costs_no_call_to_take_it_apart(modelled: Library) -> None:
    writer = ScriptedWriter("On the part above 30,000 euros the rate is 34 per cent [L1].")
    modelled = modelled.with_parts(drafting=Drafting(writer, Meter()))
    modelled.ask(RATE, as_of=date(2026, 6, 1))
    assert len(writer.calls) == 1


def test_a_context_reads_the_conversation_and_holds_the_law_of_every_part(sample: Library) -> None:
    block = sample.context("and in 2013?", after=[RATE])
    assert block.as_of == date(2013, 12, 31)
    several = sample.context(TWO, as_of=date(2026, 6, 1))
    held = {str(item.pinpoint) for item in several.items}
    assert any(one.startswith(VAT) for one in held)
    assert any(one.startswith(SECTION) for one in held)


def test_a_conversation_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from io import StringIO

    from pykala.interfaces.cli.main import run

    monkeypatch.setenv("PYKALA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PYKALA_LIBRARY", str(tmp_path / "own"))
    assert run(["ask", "and in 2013?", "--after", RATE]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert (
        "Understood as: What is the tax rate on capital income above 30 000 euros in Finland – in 2013?"
        in shown
    )
    assert run(["ask", RATE, "--json"]) == 0
    record = tmp_path / "first.json"
    record.write_text(capsys.readouterr().out, "utf-8")
    assert run(["ask", "and in 2013?", "--after", str(record), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["as_of"] == "2013-12-31"
    record.write_text("{}", "utf-8")
    assert run(["ask", "and in 2013?", "--after", str(record)]) == 2
    capsys.readouterr()
    monkeypatch.setattr("sys.stdin", StringIO(f"{RATE}\nand in 2013?\nnew\n{TWO}\n\nnever read\n"))
    assert run(["chat"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "in Finland – in 2013?" in told
    assert "2 questions in one" in told
    assert "1. What is the general VAT rate in Finland?" in told
    lines = [{"id": "a", "question": RATE}, {"id": "b", "question": "and in 2013?", "after": "a"}]
    batch = tmp_path / "batch.jsonl"
    batch.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    assert run(["ask", "--batch", str(batch)]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[1])["as_of"] == "2013-12-31"
