"""What models add to an answer: other words to look with, a grader's word, general guidance."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import date

import pytest

from pykala.answer.record import answer_json
from pykala.ask import ask
from pykala.draft.drafting import Drafting
from pykala.draft.general import Guide
from pykala.draft.judging import Judge
from pykala.interfaces.mcp.results import answer_result
from pykala.law.answers import CaveatKind, GeneralGuidance, Outcome
from pykala.library import Library
from pykala.library.sample import sample_library
from pykala.models.failures import ModelUnavailable
from pykala.packs.pack import installed
from pykala.retrieve.judged import CONFIRMED_FROM, REFUSED_BELOW
from pykala.spend.meter import Caps, Meter
from pykala.views.prose import answer_text
from scripted_writer import ScriptedWriter

DAY = date(2026, 6, 1)
RATE = "What is the tax rate on capital income above 30 000 euros in Finland?"
#: The sample holds law that may be related, and no answer.
UNSURE = "May I deduct union fees in Finland?"
OFF_TOPIC = "Who won the football world cup?"


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(sample_library(tmp_path_factory.mktemp("cache"), installed())) as library:
        yield library


@pytest.fixture
def sample(opened: Library) -> Library:
    return opened


def grading(*grades: float) -> ScriptedWriter:
    """A model that gives the first passages some grades, and those after them none."""
    rows = [[{"passage": n, "grade": g} for n, g in enumerate(grades[:count], start=1)] for count in range(6)]
    return ScriptedWriter(
        *(json.dumps({"grades": row}) for row in rows[len(grades) :][:1]), name="ollama/grader"
    )


def judged_by(library: Library, question: str, grade_of_first: float, grade_of_others: float) -> Judge:
    plain = library.ask(question, as_of=DAY)
    from pykala.draft.judging import _texts

    count = len(dict(_texts(plain, library.store)))
    return Judge(grading(grade_of_first, *[grade_of_others] * (count - 1)), Meter())


def test_other_words_find_candidates_and_the_question_grades_them(sample: Library) -> None:
    """A passage that a model made up gives no grade: what it finds is graded by the question's words."""
    engine = sample.engine()
    made_up = "The general VAT rate is 25.5 per cent of the taxable amount."
    plain = ask(UNSURE, engine, as_of=DAY)
    found = ask(UNSURE, engine, as_of=DAY, other_words=[made_up])
    alone = ask(made_up, engine, as_of=DAY, jurisdiction="fi")
    vat = next(one.provision for one in alone.evidence)
    graded = {one.provision: one.score for one in found.evidence}
    assert vat in graded  # it was looked at
    assert graded[vat] < alone.evidence[0].score  # and graded by what was asked
    assert found.question == UNSURE
    assert found.outcome is plain.outcome
    search = next(dict(stage.facts) for stage in found.trace if stage.name == "search")
    assert search["other_words"] == [made_up]


def test_other_words_keep_the_date_and_the_place_of_the_question(sample: Library) -> None:
    engine = sample.engine()
    other = "In Canada in 1999 a small supplier is a person whose supplies are below the threshold."
    asked = "What was the rate on savings in Finland in 2013?"
    found = ask(asked, engine, as_of=DAY, dated=False, other_words=[other])
    assert found.as_of == date(2013, 12, 31)
    assert {one.provision.work.jurisdiction for one in found.evidence} <= {"fi", "up"}


def test_a_model_is_asked_for_other_words_before_giving_up_and_never_vouches(sample: Library) -> None:
    told = (
        json.dumps({"question": "Tax rate on capital income in Finland?"}),
        json.dumps({"passage": "The tax on capital income is a percentage of that income."}),
        json.dumps({"questions": [UNSURE]}),
        "nothing that could be checked",
    )
    writer = ScriptedWriter(*told)
    plain = sample.ask(UNSURE, as_of=DAY)
    assert plain.outcome is not Outcome.ANSWERED
    sample = sample.with_parts(drafting=Drafting(writer, Meter()))
    answer = sample.ask(UNSURE, as_of=DAY)
    asked = [json.loads(call[1].text) for call in writer.calls[:3]]
    assert all(one == {"question": UNSURE} for one in asked)
    assert answer.question == UNSURE
    searches = [dict(stage.facts).get("other_words") for stage in answer.trace if stage.name == "search"]
    assert searches[:3] == [
        None,
        ["Tax rate on capital income in Finland?"],
        [
            "Tax rate on capital income in Finland?",
            "The tax on capital income is a percentage of that income.",
        ],
    ]
    assert answer.cost.tokens_in > 0


def test_a_refused_answer_falls_by_one_step_and_says_so(sample: Library) -> None:
    plain = sample.ask(RATE, as_of=DAY)
    assert plain.outcome is Outcome.ANSWERED
    sample = sample.with_parts(judge=judged_by(sample, RATE, REFUSED_BELOW - 1, REFUSED_BELOW - 1))
    answer = sample.ask(RATE, as_of=DAY)
    assert answer.outcome is Outcome.LIKELY
    assert answer.confidence < 9.0
    assert answer.primary == plain.primary
    assert [one.kind for one in answer.caveats if "ollama/grader" in one.message] == [CaveatKind.UNCALIBRATED]
    assert answer.judgement is not None
    assert (answer.judgement.before, answer.judgement.after) == (Outcome.ANSWERED, Outcome.LIKELY)
    stage = next(dict(one.facts) for one in answer.trace if one.name == "grader")
    assert (stage["before"], stage["after"], stage["model"]) == ("ANSWERED", "LIKELY", "ollama/grader")
    record = answer_json(answer)["judgement"]
    assert record["grades"][0]["grade"] == REFUSED_BELOW - 1  # type: ignore[index, call-overload]


def test_a_confirmed_candidate_is_the_likeliest_and_never_the_answer(sample: Library) -> None:
    plain = sample.ask(UNSURE, as_of=DAY)
    assert plain.outcome in (Outcome.GUIDANCE, Outcome.LIKELY)
    sample = sample.with_parts(judge=judged_by(sample, UNSURE, 10.0, 0.0))
    answer = sample.ask(UNSURE, as_of=DAY)
    assert answer.outcome is Outcome.LIKELY
    assert answer.primary is not None
    assert answer.confidence == pytest.approx(plain.confidence)  # the measured grade stays
    assert answer.judgement is not None
    assert answer.judgement.after is Outcome.LIKELY


@pytest.mark.parametrize("given", [0.0, REFUSED_BELOW, CONFIRMED_FROM - 0.5, CONFIRMED_FROM, 10.0])
@pytest.mark.parametrize("others", [0.0, 10.0])
@pytest.mark.parametrize("question", [RATE, UNSURE])
def test_no_word_of_a_model_makes_an_answer(
    sample: Library, question: str, given: float, others: float
) -> None:
    plain = sample.ask(question, as_of=DAY)
    sample = sample.with_parts(judge=judged_by(sample, question, given, others))
    answer = sample.ask(question, as_of=DAY)
    if plain.outcome is not Outcome.ANSWERED:
        assert answer.outcome is not Outcome.ANSWERED
    assert answer.outcome in (Outcome.ANSWERED, Outcome.LIKELY, Outcome.GUIDANCE)


def test_a_grader_that_fails_leaves_the_outcome(sample: Library) -> None:
    plain = sample.ask(RATE, as_of=DAY)
    for script in ("no JSON", [ModelUnavailable("nobody is there; ask again")]):
        sample = sample.with_parts(judge=Judge(ScriptedWriter(script, name="ollama/grader"), Meter()))
        answer = sample.ask(RATE, as_of=DAY)
        assert (answer.outcome, answer.text, answer.primary) == (plain.outcome, plain.text, plain.primary)
        assert answer.judgement is not None
        assert answer.judgement.problem
        assert CaveatKind.DEGRADED in {one.kind for one in answer.caveats}


def test_what_is_cited_needs_no_opinion(sample: Library) -> None:
    writer = grading(0.0)
    sample = sample.with_parts(judge=Judge(writer, Meter()))
    answer = sample.ask("fi:act:1992/1535/sec_124", as_of=DAY)
    assert answer.outcome is Outcome.ANSWERED
    assert answer.judgement is None
    assert writer.calls == []


WORDS = "Losses are often set off against gains. A tax authority can tell. [L1] See https://evil.example/."


def test_general_guidance_never_goes_without_its_notice(sample: Library) -> None:
    sample = sample.with_parts(guide=Guide(ScriptedWriter(WORDS, name="ollama/cheap"), Meter()))
    answer = sample.ask(UNSURE, as_of=DAY)
    assert answer.outcome is Outcome.GUIDANCE
    assert answer.general is not None
    notice = answer.general.notice
    assert "Not law" in notice
    assert answer.general.text.startswith(notice)
    assert "https" not in answer.general.text
    assert "L1" not in answer.general.text
    assert CaveatKind.GENERAL_GUIDANCE in {one.kind for one in answer.caveats}
    plain = replace(answer, general=None)
    for shown in (
        json.dumps(answer_json(answer), ensure_ascii=False),
        answer_text(answer).replace("\\", ""),
        answer_result(answer).markdown.replace("\\", ""),
        str(answer_result(answer).general),
        str(answer_result(answer).caveats),
    ):
        assert notice in shown
    assert answer.text == plain.text  # what the law says is not touched
    assert "Losses are often" not in answer.text
    assert not answer.claims
    with pytest.raises(ValueError, match="notice"):
        GeneralGuidance("Losses are often taxed.", notice, "ollama/cheap")


def test_general_guidance_in_the_terminal_is_framed(
    sample: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    from rich.console import Console

    from pykala.interfaces.cli import render_answer

    sample = sample.with_parts(guide=Guide(ScriptedWriter(WORDS, name="ollama/cheap"), Meter()))
    answer = sample.ask(UNSURE, as_of=DAY)
    render_answer.answer(Console(width=400), answer)
    told = capsys.readouterr().out
    assert "General guidance, not law" in told
    assert answer.general is not None
    assert told.count(answer.general.notice) == 1  # said once


def test_a_sentence_that_cites_law_is_left_out(sample: Library) -> None:
    cites = "Capital income is taxed. Under section 124 of the Income Tax Act (1535/1992) it is 30 per cent."
    sample = sample.with_parts(guide=Guide(ScriptedWriter(cites, name="ollama/cheap"), Meter()))
    answer = sample.ask(UNSURE, as_of=DAY)
    assert answer.general is not None
    assert "Capital income is taxed." in answer.general.text
    assert "1535" not in answer.general.text


def test_where_something_is_quoted_or_the_question_is_no_legal_one_no_model_guides(sample: Library) -> None:
    writer = ScriptedWriter("NOT_A_LEGAL_QUESTION", name="ollama/cheap")
    sample = sample.with_parts(guide=Guide(writer, Meter()))
    assert sample.ask(RATE, as_of=DAY).general is None
    assert writer.calls == []
    assert sample.ask(OFF_TOPIC, as_of=DAY).general is None
    assert sample.ask(UNSURE, as_of=DAY).general is None


def test_a_guide_that_fails_or_may_not_spend_is_a_caveat(sample: Library) -> None:
    sample = sample.with_parts(
        guide=Guide(ScriptedWriter([ModelUnavailable("nobody is there")], name="ollama/cheap"), Meter())
    )
    answer = sample.ask(UNSURE, as_of=DAY)
    assert answer.general is None
    assert any("nobody is there" in one.message for one in answer.caveats)
    dear = ScriptedWriter(WORDS, name="deepseek/deepseek-flash")
    sample = sample.with_parts(guide=Guide(dear, Meter(caps=Caps(0.000001, 10))))
    assert "cap" in " ".join(one.message for one in sample.ask(UNSURE, as_of=DAY).caveats)
    assert dear.calls == []


def test_a_typed_answer_has_its_kind_its_words_and_what_is_open(sample: Library) -> None:
    typed = answer_json(sample.ask(RATE, as_of=DAY))["structured"]
    assert isinstance(typed, dict)
    assert typed["kind"] == "rate"
    assert "34 per cent" in typed["short_answer"]
    assert {"figure": "34", "unit": "percent", "words": "34 per cent", "key": "L1"} in typed["figures"]
    assert typed["citations"][0]["valid_from"]
    assert typed["open_parts"] == []
    silent = answer_json(sample.ask(UNSURE, as_of=DAY))["structured"]
    assert isinstance(silent, dict)
    assert (silent["short_answer"], silent["citations"]) == (None, [])
    assert silent["open_parts"] == [UNSURE]
    both = answer_json(
        sample.ask(
            "What is the general VAT rate in Finland, and how long may a tenant keep a dog?", as_of=DAY
        )
    )["structured"]
    assert isinstance(both, dict)
    assert len(both["parts"]) == 2
    assert both["parts"][0]["short_answer"]
    assert both["open_parts"] == [both["parts"][1]["question"]]


def test_a_caveat_of_several_parts_is_said_once(sample: Library, capsys: pytest.CaptureFixture[str]) -> None:
    from rich.console import Console

    from pykala.interfaces.cli import render_answer

    two = "What is the general VAT rate in Finland, and what is the tax rate on capital income in Finland?"
    answer = sample.ask(two, as_of=DAY)
    assert len(answer.parts) == 2
    shared = {one.message for one in answer.parts[0].caveats} & {
        one.message for one in answer.parts[1].caveats
    }
    assert shared
    prose = answer_text(answer).replace("\\", "")
    assert all(prose.count(message) == 1 for message in shared)
    render_answer.answer(Console(width=2000), answer)
    told = capsys.readouterr().out
    assert all(told.count(message) <= 1 for message in shared)
    own = {one.message for part in answer.parts for one in part.caveats} - shared
    assert all(message in prose for message in own)  # and none is lost
