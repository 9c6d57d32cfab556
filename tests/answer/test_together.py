"""The answers to the parts of one question, combined."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

from pykala.answer.together import is_sure, says_more, spent_since, together
from pykala.law.answers import (
    Answer,
    Citation,
    CitedProvision,
    Claim,
    Cost,
    Evidence,
    Outcome,
    Relation,
    StrategyName,
    Support,
)
from pykala.law.checks import Check, CheckedClaim, DraftClaim, Finding, Verdict, Verification
from pykala.law.grades import ANSWERED_FROM, HIGHEST_LIKELY
from pykala.law.identifiers import ProvisionId
from pykala.law.messages import Message
from pykala.law.validity import ALWAYS

DAY = date(2026, 1, 1)


def place(number: int) -> ProvisionId:
    return ProvisionId.parse(f"fi:act:1992/1535/sec_{number}")


def cited(number: int) -> CitedProvision:
    return CitedProvision(
        place(number), f"TVL {number} §", "", f"Rule {number}.", "", "en", ALWAYS, 100, "Finlex"
    )


def part(number: int, **more: Any) -> Answer:
    quote = Citation("L1", place(number), f"Rule {number}.", 0, 7, "", f"TVL {number} §")
    given: dict[str, Any] = {
        "id": "",
        "question": f"Question {number}?",
        "language": "en",
        "as_of": DAY,
        "outcome": Outcome.ANSWERED,
        "text": f"Rule {number}. [L1]",
        "primary": cited(number),
        "claims": (Claim(f"Rule {number}. [L1]", (quote,)),),
        "confidence": 9.5,
    }
    return Answer(**{**given, **more})


def open_part(number: int, **more: Any) -> Answer:
    return part(number, outcome=Outcome.SILENT, text="The law is silent.", primary=None, claims=(), **more)


def test_the_weakest_part_says_how_far_all_is_answered() -> None:
    whole = together("Both?", [part(1, confidence=9.5), part(2, outcome=Outcome.LIKELY, confidence=6.0)])
    assert (whole.outcome, whole.confidence, whole.strategy) == (Outcome.LIKELY, 6.0, StrategyName.PARTS)
    assert together("Both?", [part(1), open_part(2)]).outcome is Outcome.SILENT


def test_the_writer_is_that_of_the_first_part_that_was_drafted() -> None:
    assert together("Both?", [part(1), part(2, writer="a model")]).writer == "a model"
    assert together("Both?", [part(1, writer="first"), part(2, writer="second")]).writer == "first"
    assert together("Both?", [part(1), part(2)]).writer == ""


def test_what_was_spent_is_added_up() -> None:
    costs = Cost(10, 5, 0.25), Cost(1, 2, 0.5)
    assert together("Both?", [part(n, cost=cost) for n, cost in enumerate(costs, 1)]).cost == Cost(
        11, 7, 0.75
    )
    assert spent_since(Cost(10, 5, 0.25), Cost(12, 9, 1.0)) == Cost(2, 4, 0.75)


def test_a_key_means_one_quote_in_the_whole_answer() -> None:
    whole = together("All?", [part(1), open_part(2), part(3)])
    assert [one.text for one in whole.claims] == ["Rule 1. [L1]", "Rule 3. [L2]"]
    assert [citation.key for claim in whole.claims for citation in claim.citations] == ["L1", "L2"]
    assert "3. Question 3?\nRule 3. [L2]" in whole.text


def test_keys_that_stand_in_the_text_alone_count_too() -> None:
    quoted = part(1, text="Rule 1. [L1] See also [L3].")
    whole = together("Both?", [quoted, part(2)])
    assert [claim.citations[0].key for claim in whole.claims] == ["L1", "L4"]


def test_what_is_not_a_key_of_ours_is_left_as_it_is() -> None:
    quotes = tuple(
        Citation(key, place(2), "Rule 2.", 0, 7, "", "TVL 2 §") for key in ("L2", "S2", "L", "Lx", "")
    )
    second = part(2, claims=(Claim("Rule 2. [S2] L2", quotes),))
    whole = together("All?", [part(1), second, part(3)])
    assert [one.key for one in whole.claims[1].citations] == ["L3", "S2", "L", "Lx", ""]
    assert whole.claims[1].text == "Rule 2. [S2] L2"
    assert whole.claims[2].citations[0].key == "L4", "behind L3, the last of the second part"


def test_the_checks_of_a_draft_speak_of_the_keys_of_the_whole() -> None:
    finding = Finding(Check.QUOTE, Message("claim.quote"), key="L1")
    general = Finding(Check.NO_KEY, Message("claim.no_key"))
    checked = CheckedClaim(DraftClaim("R.", ("L1",)), Verdict.SUPPORTED, (finding, general), ("L1",))
    verification = Verification((checked,), 1.0, 1.0)
    first, second = together("Both?", [part(n, verification=verification) for n in (1, 2)]).parts
    assert first.verification == verification
    assert second.verification is not None
    (shifted,) = second.verification.claims
    assert (shifted.claim.keys, shifted.supported_by) == (("L2",), ("L2",))
    assert [one.key for one in shifted.findings] == ["L2", ""]


def test_the_first_part_with_a_provision_is_the_primary_one_and_the_others_stand_beside_it() -> None:
    seen = Support(cited(7), Relation.CITES, 1)
    whole = together("All?", [open_part(1), part(2, support=(seen,)), part(3, support=(seen,))])
    assert whole.primary == cited(2)
    assert [(one.cited.provision, one.relation) for one in whole.support] == [
        (place(3), Relation.ASKED_TOO),
        (place(7), Relation.CITES),
    ]


def test_a_part_that_comes_to_the_same_quotation_refers_to_it_and_is_not_sure() -> None:
    whole = together("?", [part(1), part(2), part(1, question="And then?"), part(3)])
    assert [one.outcome for one in whole.parts] == [
        Outcome.ANSWERED, Outcome.ANSWERED, Outcome.LIKELY, Outcome.ANSWERED
    ]  # fmt: skip
    assert whole.outcome is Outcome.LIKELY
    assert whole.confidence < ANSWERED_FROM
    assert whole.text.count("Rule 1.") == 1
    assert "3. And then?\nMost likely the same provision as for part 1: TVL 1 § [L1]." in whole.text
    assert [citation.key for claim in whole.claims for citation in claim.citations] == ["L1", "L2", "L3"]
    assert whole.parts[2].claims == whole.parts[0].claims  # its key means the first part's quote


def test_a_repeated_quotation_is_no_surer_than_it_was() -> None:
    unsure = part(1, outcome=Outcome.LIKELY, confidence=5.5)
    assert together("?", [part(1), unsure]).parts[1].confidence == 5.5


def test_other_words_of_the_provision_and_what_a_model_wrote_stand_as_they_are() -> None:
    other = Citation("L1", place(1), "More.", 8, 13, "", "TVL 1 §")
    elsewhere = part(1, text="More. [L1]", claims=(Claim("More. [L1]", (other,)),))
    assert together("?", [part(1), elsewhere]).parts[1].outcome is Outcome.ANSWERED
    drafted = part(1, writer="some/model", text="In other words. [L1]")
    assert together("?", [part(1), drafted]).parts[1].text == "In other words. [L2]"
    silent = together("?", [open_part(1), open_part(2)])
    assert [one.text for one in silent.parts] == ["The law is silent."] * 2


def test_a_part_completed_from_the_first_that_leads_to_its_section_is_likely_at_most() -> None:
    other = replace(cited(1), provision=ProvisionId.parse("fi:act:1992/1535/sec_1/subsec_2"))
    quote = Citation("L1", other.provision, "Other words.", 0, 12, "", "TVL 1 § 2 mom.")
    second = part(1, primary=other, text="Other words. [L1]", claims=(Claim("Other words. [L1]", (quote,)),))
    asked_alone = together("Both?", [part(1), second]).parts[1]
    assert asked_alone.outcome is Outcome.ANSWERED
    completed = replace(second, standalone="Question 1? – who pays it?")
    shown = together("Both?", [part(1), completed]).parts[1]
    assert (shown.outcome, shown.confidence) == (Outcome.LIKELY, HIGHEST_LIKELY)
    assert together("Both?", [part(2), completed]).parts[1].outcome is Outcome.ANSWERED


def test_what_says_more_than_the_parts_before() -> None:
    assert says_more(part(2), [part(1), open_part(2)])
    assert not says_more(part(1), [part(1)])
    assert not says_more(open_part(2), [part(1)])
    assert is_sure(part(1))
    assert not is_sure(part(1, outcome=Outcome.LIKELY))
    sections = Evidence(place(1), 9.5, 100), Evidence(place(1), 8.5, 100)
    found = [is_sure(part(1, outcome=Outcome.LIKELY, evidence=(one,))) for one in sections]
    assert found == [True, False], "a part may be less sure than its section"


def test_what_is_open_is_named() -> None:
    whole = together("Both?", [part(1), open_part(2)])
    assert whole.text.splitlines()[0] == "1. Question 1?"
    assert "“Question 2?”" in whole.text.split("\n\n")[-1]
    likely = part(2, outcome=Outcome.LIKELY)
    assert "“Question" not in together("Both?", [part(1), likely]).text, "what is quoted is not open"


def test_candidates_come_in_turn_the_surest_of_each_rank_first() -> None:
    first = tuple(Evidence(place(number), score, 100) for number, score in ((1, 9.0), (2, 8.0)))
    second = tuple(Evidence(place(number), score, 100) for number, score in ((3, 9.5), (1, 7.0)))
    whole = together("Both?", [part(1, evidence=first), part(2, evidence=second)])
    assert [one.provision for one in whole.evidence] == [place(3), place(1), place(2)]


def test_the_law_is_known_as_far_as_that_of_the_part_least_known() -> None:
    days = date(2025, 12, 31), date(2025, 6, 30)
    whole = together("All?", [*(part(n, current_to=day) for n, day in enumerate(days, 1)), part(3)])
    assert whole.current_to == days[1]
    assert together("One?", [replace(part(1), current_to=None)]).current_to is None
