"""What an answer says of whose law it is, where the question names no place."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from pykala.answer.places import of_place, places_shown
from pykala.law.answers import Answer, CaveatKind, CitedProvision, Evidence, Outcome, Relation, Support
from pykala.law.filters import Filter
from pykala.law.grades import LISTED_FROM
from pykala.law.identifiers import ProvisionId
from pykala.law.validity import ALWAYS
from pykala.packs.pack import installed
from pykala.retrieve.interleave import PLACES
from pykala.retrieve.place import Ground, Place
from pykala.retrieve.question import Question
from pykala.retrieve.wording import NO_FIGURES

DAY = date(2026, 1, 1)
PACKS = installed()
FINNISH, CANADIAN = "fi:act:1992/1535/sec_124", "ca:act:E-15/sec_165"
UNION, CITY, UPLOAD = "eu:32006L0112/art_97", "nyc:adc:11/sec_11-245", "up:file:0123456789abcdef/sec_1"


def cited(provision: str) -> CitedProvision:
    return CitedProvision(
        ProvisionId.parse(provision), f"cited {provision}", "", "Rule.", "", "en", ALWAYS, 1, ""
    )


def answer(primary: str, *beside: str, outcome: Outcome = Outcome.ANSWERED) -> Answer:
    support = tuple(Support(cited(one), Relation.NEAREST, 0) for one in beside)
    return Answer(
        "", "Q?", "en", DAY, outcome, "Rule.", primary=cited(primary) if primary else None, support=support
    )


def question(place: Place, *, text: str = "Is it taxed?", elsewhere: str = "", part: str = "") -> Question:
    cites = (ProvisionId.parse(FINNISH),) if "TVL" in text else ()
    return Question(
        text, text, text, "en", DAY, Filter(), cites, NO_FIGURES, elsewhere=elsewhere, part=part, place=place
    )


NOWHERE = Place()


@pytest.mark.parametrize(
    ("asked", "given", "messages"),
    [
        (
            question(Place(("fi",), ground=Ground.HOME)),
            answer(FINNISH),
            ["Answered for Finland, your home place."],
        ),
        (
            question(Place(("fi",), ground=Ground.HOME)),
            answer(""),
            ["Looked for in the law of Finland, your home place."],
        ),
        (
            question(NOWHERE),
            answer(FINNISH, CANADIAN),
            [
                "The question names no place. This is the law of Finland, which speaks to it most clearly.",
            ],
        ),
        (
            question(NOWHERE),
            answer("", FINNISH, CANADIAN, FINNISH),
            [
                "The question names no place. Nearest of each:"
                f" Finland: cited {FINNISH}; Canada: cited {CANADIAN}.",
            ],
        ),
        (question(NOWHERE), answer(FINNISH), []),  # one place alone needs no word
        (question(NOWHERE), answer(FINNISH, UPLOAD), []),  # an upload is no place
        (question(Place(("fi",), ground=Ground.NAMED)), answer(FINNISH, CANADIAN), []),
        (question(NOWHERE, elsewhere="Germany"), answer(FINNISH, CANADIAN), []),
        (question(NOWHERE, text="TVL 124 §"), answer(FINNISH, CANADIAN), []),
        (
            question(Place(("ca",), ground=Ground.NAMED), part="Alberta"),
            answer(CANADIAN),
            ["Alberta makes law of its own, which is not in this library: what it says may differ."],
        ),
    ],
)
def test_the_place_of_an_answer_is_told_where_the_question_does_not_say_it(
    asked: Question, given: Answer, messages: list[str]
) -> None:
    found = of_place(asked, given, PACKS)
    assert [one.message for one in found] == messages
    assert all(one.kind is CaveatKind.PLACE for one in found)


@pytest.mark.parametrize(
    ("place", "language", "messages"),
    [
        (
            NOWHERE,
            "en",
            [
                "The question names no place. This is the law of Finland, which speaks to it most clearly."
                " Other places hold law on this too: Canada, New York City.",
            ],
        ),
        (
            Place((), ("fi",), Ground.LANGUAGE),
            "fi",
            ["Tästä on lakia myös muualla: Kanada, New York."],
        ),
        (
            Place((), ("fi",), Ground.LANGUAGE),
            "sv",
            ["Det finns lag om detta också på andra håll: Kanada, New York."],
        ),
        (
            Place((), ("fi",), Ground.LANGUAGE),
            "fr",
            ["Le droit d’autres lieux en traite aussi : Canada, New York."],
        ),
        (Place(("fi", "ca", "nyc"), (), Ground.SIGNS), "en", []),
    ],
)
def test_other_places_are_named_in_one_line_beside_an_answer(
    place: Place, language: str, messages: list[str]
) -> None:
    considered = (FINNISH, 9.0), (CANADIAN, 3.0), (CITY, LISTED_FROM), (UNION, LISTED_FROM - 0.01)
    evidence = tuple(Evidence(ProvisionId.parse(one), score, 100) for one, score in considered)
    given = replace(answer(FINNISH), evidence=evidence)
    told = of_place(replace(question(place), language=language), given, PACKS)
    assert [one.message for one in told] == messages
    assert of_place(question(NOWHERE), replace(given, primary=None), PACKS) == ()


def test_no_more_places_are_named_than_are_searched_apart() -> None:
    (told,) = of_place(question(NOWHERE), answer("", FINNISH, CANADIAN, UNION, CITY), PACKS)
    assert told.message.count("cited ") == min(PLACES, 4)


@pytest.mark.parametrize(
    ("outcome", "beside", "places"),
    [
        (Outcome.LIKELY, (FINNISH, CANADIAN, FINNISH), ("fi", "ca")),
        (Outcome.LIKELY, (FINNISH, FINNISH), ()),
        (Outcome.ANSWERED, (FINNISH, CANADIAN), ()),
    ],
)
def test_places_are_offered_where_nothing_answers_for_sure(
    outcome: Outcome, beside: tuple[str, ...], places: tuple[str, ...]
) -> None:
    assert places_shown(answer("", *beside, outcome=outcome)) == places
