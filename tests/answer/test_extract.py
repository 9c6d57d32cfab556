"""The sentence that answers, and the list it introduces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from numpy.typing import NDArray

from asked_embedder import AskedHashingEmbedder
from making import section
from pykala.answer.extract import (
    best_parts,
    clause_cited,
    cut_behind_table,
    is_a_term,
    opening_of,
    pinpoint,
    pinpointed,
    quoted,
    rule_denied,
    wants_the_rule,
    whole_rule,
    whole_statement,
)
from pykala.answer.sentence_signs import _asked_of_parts, _held_signs, worth_of
from pykala.answer.sentences import Sentence, sentences_of
from pykala.law.composition import Composed, Line, compose
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Provision, ProvisionKind, Version
from pykala.models.hashing import HashingEmbedder
from pykala.retrieve.kinds import Kind, Wanted, wanted
from pykala.retrieve.likeness import AskedWords

TODAY = date(2026, 1, 1)
SECTION = ProvisionId.parse("ca:act:d-4/sec_241")


def best_sentence(law: Composed, asked: AskedWords, *, wanted: Wanted, as_of: date) -> tuple[int, int]:
    """The span of the sentence that answers best; the first among equals."""
    found = sentences_of(law)
    best = found[int(np.argmax(worth_of(found, asked, "en", wanted=wanted, as_of=as_of)))]
    return best.start, best.end


def composed(law: str, note: str = "") -> Composed:
    """A section with, perhaps, an editor's note below it."""
    text = f"{law}\n{note}" if note else law
    lines = [Line(SECTION, ProvisionKind.SECTION, 0, 0, len(law))]
    if note:
        below = SECTION.child("note", "1")
        lines.append(Line(below, ProvisionKind.HISTORICAL_NOTE, 1, len(law) + 1, len(text)))
    return Composed(text, tuple(lines))


LIST = "A bank means\n(a) a bank listed here; or\n(b) a foreign bank.\nThis Part applies to it."


@pytest.mark.parametrize(
    ("text", "sentence", "whole"),
    [
        (LIST, "A bank means", "A bank means\n(a) a bank listed here; or\n(b) a foreign bank."),
        (LIST, "This Part applies to it.", "This Part applies to it."),
        ("The rate is 5 %.\nIt is paid yearly.", "The rate is 5 %.", "The rate is 5 %."),
        ("It means\n" + "x" * 2000, "It means", "It means"),
        ("No end", "No end", "No end"),
    ],
)
def test_a_statement_is_quoted_with_its_list(text: str, sentence: str, whole: str) -> None:
    start = text.index(sentence)
    first, last = whole_statement(text, start, start + len(sentence))
    assert text[first:last] == whole


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (Kind.PERIOD, "The stay ends after 84 months."),
        (Kind.RATE, "The tax on the stay is 25 per cent."),
    ],
)
def test_the_kind_asked_for_decides(kind: Kind, expected: str) -> None:
    text = "A stay is taxed. The tax on the stay is 25 per cent. The stay ends after 84 months."
    asked = AskedWords("stay", "en", {"stay": 1.0})
    start, end = best_sentence(composed(text), asked, wanted=Wanted((kind,)), as_of=TODAY)
    assert text[start:end] == expected


def test_what_editors_note_below_a_section_answers_nothing() -> None:
    law, note = "A dog wears a tag.", "R.S., c. D-4, s. 241; a tag for a dog, c. 20."
    asked = AskedWords("tag dog 241", "en", {"tag": 1.0, "dog": 1.0, "241": 5.0})
    text = composed(law, note)
    best = best_sentence(text, asked, wanted=Wanted(), as_of=TODAY)
    for start, end in (best, opening_of(text)):
        assert text.text[start:end] == law
    alone = composed("", note)
    start, end = opening_of(alone)
    assert alone.text[start:end].strip() == note


def test_of_a_place_that_was_cited_as_much_is_quoted_as_fits() -> None:
    short = composed("a.\nEvery stay is taxed.\nThe tax is 5 per cent.")
    assert opening_of(short) == (0, len(short.text))
    rule = "Every stay of a guest in a room is taxed at the rate of the day. "
    long = composed(rule * 40)
    start, end = opening_of(long)
    assert start == 0
    assert 900 < end <= 1_000
    assert long.text[:end].endswith("the day.")


PAST = "For tax years ending before 1971 the rate is 2 per cent. For later tax years the rate is 5 per cent."


@pytest.mark.parametrize(
    ("day", "expected"),
    [(TODAY, "For later tax years the rate is 5 per cent."), (date(1969, 1, 1), PAST.split(". ")[0] + ".")],
)
def test_words_bound_to_a_past_period_do_not_answer_for_a_later_day(day: date, expected: str) -> None:
    asked = AskedWords("tax years rate", "en", {"tax": 1.0, "year": 1.0, "rate": 1.0})
    start, end = best_sentence(composed(PAST), asked, wanted=Wanted((Kind.RATE,)), as_of=day)
    assert PAST[start:end] == expected


def test_a_time_within_which_is_no_time_of_service() -> None:
    law = (
        "A person dismissed may make a complaint of unjust dismissal after 12 months of employment."
        " The complaint shall be made within ninety days."
    )
    asked = AskedWords("file complaint", "en", {"complaint": 1.0})
    wants = wanted("How long does an employee have to file a complaint?", "en")
    start, end = best_sentence(composed(law), asked, wanted=wants, as_of=TODAY)
    assert law[start:end] == "The complaint shall be made within ninety days."


def test_an_item_is_quoted_with_the_words_that_open_its_list() -> None:
    opening, item = "Notice is given", "(b) four weeks before, after four years."
    text = f"{opening}\n(a) two weeks before, after two years;\n{item}\n{'x' * 990}."
    starts = [0, *(place + 1 for place, letter in enumerate(text) if letter == "\n")]
    ends = [*(start - 1 for start in starts[1:]), len(text)]
    places = [SECTION, SECTION.child("para", "a"), SECTION.child("para", "b"), SECTION.child("para", "c")]
    lines = [
        Line(place, ProvisionKind.ITEM if depth else ProvisionKind.SECTION, depth, start, end)
        for place, depth, start, end in zip(places, (0, 1, 1, 1), starts, ends, strict=True)
    ]
    at = text.index(item)
    start, end = whole_rule(Composed(text, tuple(lines)), at, at + len(item))
    assert text[start:end].startswith(opening)
    assert text[start:end].endswith(item)


def listed(*rows: tuple[str, str]) -> Composed:
    """Lines of a section, each with its path below it: "a/i" is item (i) of item (a)."""
    lines: list[Line] = []
    position = 0
    for path, words in rows:
        place = SECTION
        for step in filter(None, path.split("/")):
            place = place.child("item", step)
        kind = ProvisionKind.ITEM if path else ProvisionKind.SECTION
        note = ProvisionKind.HISTORICAL_NOTE if path == "note" else kind
        lines.append(Line(place, note, path.count("/") + bool(path), position, position + len(words)))
        position += len(words) + 1
    return Composed("\n".join(words for _, words in rows), tuple(lines))


HORSES, CARTS, MULES = "(a) horses;", f"(b) carts {'and carts ' * 60}of wood;", f"(c) mules {'x' * 400};"
TOO_LONG = f"(a) horses {'and horses ' * 120}of any age;"


@pytest.mark.parametrize(
    ("rows", "best", "quote"),
    [
        # An item ends with ";": what follows is another item, and the opening fits instead.
        (
            [("", "Tax is paid on"), ("a", HORSES), ("b", CARTS), ("c", MULES)],
            HORSES,
            f"Tax is paid on\n{HORSES}",
        ),
        # An item is quoted with its own items, and not with the item behind them.
        (
            [("", "It is paid on"), ("a", "(a) beasts,"), ("a/i", "(i) tame;"), ("b", CARTS), ("c", MULES)],
            "(a) beasts,",
            "It is paid on\n(a) beasts,\n(i) tame;",
        ),
        # An opening comes with as many whole items as fit; a full stop may end each of them.
        (
            [("", "Tax is paid on:"), ("a", "(a) horses."), ("b", CARTS), ("c", MULES)],
            "Tax is paid on:",
            f"Tax is paid on:\n(a) horses.\n{CARTS}",
        ),
        # An item whose own items do not all fit is left out whole.
        (
            [("", "Tax is paid on:"), ("a", HORSES), ("b", "(b) carts:"), ("b/i", CARTS), ("b/ii", MULES)],
            "Tax is paid on:",
            f"Tax is paid on:\n{HORSES}",
        ),
        # Where the first item does not fit with all below it, those of its items that fit are quoted.
        (
            [("", "Tax is paid on:"), ("a", "(a) carts:"), ("a/i", CARTS), ("a/ii", MULES), ("b", HORSES)],
            "Tax is paid on:",
            f"Tax is paid on:\n(a) carts:\n{CARTS}",
        ),
        # A colon is never the end, be the first item ever so long.
        ([("", "Tax is paid on:"), ("a", TOO_LONG)], "Tax is paid on:", f"Tax is paid on:\n{TOO_LONG}"),
        # The list may stand beside its opening.
        (
            [("", "x" * 1_000 + "."), ("1", "Tax is paid on:"), ("2", "horses.")],
            "Tax is paid on:",
            "Tax is paid on:\nhorses.",
        ),
        # What editors note is no item.
        (
            [("", "Tax is paid on:"), ("note", "[1990, c. 3.]")],
            "Tax is paid on:",
            "Tax is paid on:",
        ),
        # A list that fits from the sentence that opens it is quoted whole, without the sentences before.
        (
            [("", f"It is {'very ' * 200}old. Tax is paid on"), ("a", HORSES), ("b", "(b) carts.")],
            HORSES,
            f"Tax is paid on\n{HORSES}\n(b) carts.",
        ),
    ],
)  # fmt: skip
def test_a_quotation_ends_where_an_item_ends(rows: list[tuple[str, str]], best: str, quote: str) -> None:
    text = listed(*rows)
    at = text.text.index(best)
    start, end = whole_rule(text, at, at + len(best))
    assert text.text[start:end] == quote


def test_a_place_that_was_cited_is_not_quoted_up_to_a_colon() -> None:
    text = listed(("", "Tax is paid on:"), ("a", TOO_LONG), ("b", HORSES))
    start, end = opening_of(text)
    assert text.text[start:end] == f"Tax is paid on:\n{TOO_LONG}"


def test_items_that_answer_about_as_well_are_quoted_together() -> None:
    rows = [("", f"It is {'very ' * 200}old. Free are"), ("a", f"(a) carts {'x' * 1_100};")]
    like = "(b) a horse of a farm;", "(c) a horse of a school;"
    text = listed(*rows, ("b", like[0]), ("c", like[1]), ("d", "(d) a mill."))
    asked = AskedWords("horse", "en", {"hors": 1.0})
    start, end = quoted(text, asked, "en", wanted=Wanted(), as_of=TODAY)
    assert text.text[start:end] == "\n".join(like)


HOLDS, LACKS, PASSED, STATED, IN_RULE = range(5)


@pytest.mark.parametrize(
    ("sentence", "asked", "signs"),
    [
        ("The rate is 5 per cent.", Wanted((Kind.RATE,)), {HOLDS: 1.0}),
        ("The rate is fair.", Wanted((Kind.RATE,)), {LACKS: 1.0}),
        ("The rate is fair.", Wanted(), {}),
        ("The board decides.", Wanted((Kind.CONDITION,)), {}),  # too common a kind to tell
        ("It is 5 per cent.", Wanted((Kind.CONDITION,)), {IN_RULE: 1.0}),
        ("It is paid for 12 months.", Wanted((Kind.CONDITION,), stated=frozenset({"months"})),
         {STATED: 1.0, IN_RULE: 1.0}),
        ("It is paid for 12 months.", Wanted((Kind.CONDITION,), stated=frozenset({"euros"})), {IN_RULE: 1.0}),
        ("It is paid for 12 months.", Wanted(stated=frozenset({"months"})), {}),  # no kind is asked for
        ("For tax years ending before 1971 it is paid.", Wanted(), {PASSED: 1.0}),
    ],
)  # fmt: skip
def test_the_signs_of_a_sentence(sentence: str, asked: Wanted, signs: dict[int, float]) -> None:
    found = _held_signs(Sentence(0, len(sentence), sentence, SECTION, (), ""), asked, TODAY)
    assert found == tuple(signs.get(column, 0.0) for column in range(5))


def test_a_table_below_a_sentence_holds_its_figures_nearly_as_well() -> None:
    asked = Wanted((Kind.RATE,))
    beside = Sentence(0, 9, "It is paid at the rates below", SECTION, (), "a | 5 per cent")
    own = Sentence(0, 9, "It is 6 per cent, and by the table", SECTION, (), "a | 5 per cent")
    assert _held_signs(beside, asked, TODAY)[:2] == (pytest.approx(0.9), 0.0)
    assert _held_signs(own, asked, TODAY)[0] == 1.0
    opening = ("For tax years ending before 1971",)
    below_past = Sentence(0, 9, "the rate is 5 per cent;", SECTION, opening, "")
    assert _held_signs(below_past, asked, TODAY)[PASSED] == 1.0, "what opens its list counts for it"


KNOWN = {"subsec_1": "how long is tax", "subsec_3": "who pays the horse tax"}


class KnowingEmbedder(AskedHashingEmbedder):
    """Knows what is asked of two subsections of three."""

    def encode_passages(self, headers: Sequence[str], texts: Sequence[str]) -> NDArray[np.float32]:
        return self.encode(texts, "document")

    def asked_of(self, provisions: Sequence[str]) -> NDArray[np.float32]:
        return self.encode([KNOWN.get(one.rpartition("/")[2], "") for one in provisions], "query")


@pytest.mark.parametrize("embedder", [KnowingEmbedder(64), HashingEmbedder(64), None])
def test_what_is_asked_of_a_subsection_counts_against_the_others(embedder: HashingEmbedder | None) -> None:
    places = [SECTION.child("subsec", number) for number in "1233"]
    found = [Sentence(at, at + 1, "It is.", place, (), "") for at, place in enumerate(places)]
    asked = AskedWords("who pays the horse tax", "en", {"tax": 1.0}, embedder)
    near = _asked_of_parts(found, asked)
    if isinstance(embedder, KnowingEmbedder):
        assert near[0] < 0 < near[2] == near[3]
        assert near[1] == 0, "nothing is known of it"
    else:
        assert not near.any()
    assert not _asked_of_parts(found[2:], asked).any(), "one subsection alone has nothing to stand against"


@pytest.mark.parametrize(("question", "counts"), [("who pays the horse tax", 0.5), ("where is it", 0.0)])
def test_what_is_known_of_one_subsection_alone_counts_only_where_it_is_near(
    question: str, counts: float
) -> None:
    places = [SECTION.child("subsec", number) for number in "23"]
    found = [Sentence(at, at + 1, "It is.", place, (), "") for at, place in enumerate(places)]
    near = _asked_of_parts(found, AskedWords(question, "en", {"tax": 1.0}, KnowingEmbedder(64)))
    assert near.tolist() == [0.0, pytest.approx(counts, abs=1e-3)]


def test_a_sentence_knows_what_opens_its_list() -> None:
    made = section(SECTION.work, "241", "Notice is given:", "in May;", "in June.")
    found = sentences_of(compose(made))
    assert [(one.text.strip(), one.above) for one in found] == [
        ("Notice is given:", ()),
        ("(1) in May;", ("Notice is given:",)),
        ("(2) in June.", ("Notice is given:",)),
    ]
    assert [one.opening for one in found] == ["", "Notice is given:", "Notice is given:"]


def test_a_sentence_has_the_tables_below_its_own_provision_alone() -> None:
    made = section(SECTION.work, "241", "", "The tax on a cart is", "The tax on a horse is", "Mules are free")
    parts = [
        replace(
            part,
            children=(Provision(part.id.child("table", "1"), ProvisionKind.TABLE, "", (Version(rates),)),),
        )
        for part, rates in zip(made.children, ("rate | 5 per cent", "rate | 7 per cent"), strict=False)
    ]
    parts.append(made.children[2])
    found = sentences_of(compose(replace(made, children=tuple(parts))))
    assert [one.below for one in found if one.text.startswith("(")] == [
        "rate | 5 per cent",
        "rate | 7 per cent",
        "",
    ]


RULES = ("A cart is free of tax.", "A horse is taxed at 5 per cent.", "A mule is taxed at 7 per cent.")


def test_the_subsection_that_answers_comes_first_and_its_like_behind_it() -> None:
    made = section(SECTION.work, "241", "", *RULES)
    asked = AskedWords("horse taxed", "en", {"hors": 1.0, "tax": 1.0})
    first, *others = pinpoint(made, asked, "en", wanted=Wanted((Kind.RATE,)), as_of=TODAY)
    assert str(first) == "ca:act:d-4/sec_241/subsec_2"
    assert "ca:act:d-4/sec_241/subsec_1" not in map(str, others), "it lacks the rate that is asked for"
    alone = section(SECTION.work, "241", RULES[1])
    assert [str(one) for one in pinpoint(alone, asked, "en", wanted=Wanted(), as_of=TODAY)] == [
        "ca:act:d-4/sec_241"
    ]


def test_an_item_is_cited_by_the_subsection_that_it_stands_in() -> None:
    made = section(SECTION.work, "241", "", RULES[0], "A tax is paid on:")
    items = tuple(
        Provision(
            made.children[1].id.child("para", letter), ProvisionKind.ITEM, f"({letter})", (Version(text),)
        )
        for letter, text in (("a", "a horse, at 5 per cent;"), ("b", "a mule, at 7 per cent."))
    )
    made = replace(made, children=(made.children[0], replace(made.children[1], children=items)))
    asked = AskedWords("mule", "en", {"mule": 1.0})
    first, *_ = best_parts(made, asked, "en", wanted=Wanted((Kind.RATE,)), as_of=TODAY)
    assert first == made.children[1].id


LONG = "It is " + "very " * 200 + "old."


@pytest.mark.parametrize(
    ("rules", "parts", "pinpointed"),
    [
        ([RULES[1]] * 6, ["subsec_1", "subsec_2", "subsec_3"], ["sec_241"]),  # short: what holds them all
        (
            [f"{RULES[1]} {LONG}"] * 3,
            ["subsec_1", "subsec_2", "subsec_3"],
            ["subsec_1", "subsec_2", "subsec_3"],
        ),
        ([RULES[1], RULES[0], LONG], ["subsec_1"], ["subsec_1"]),  # no other is about as good
    ],
)
def test_parts_that_answer_as_well_are_quoted_together_or_named(
    rules: list[str], parts: list[str], pinpointed: list[str]
) -> None:
    made = section(SECTION.work, "241", "", *rules)
    asked = AskedWords("horse taxed", "en", {"hors": 1.0, "tax": 1.0})
    for found, expected in ((best_parts, parts), (pinpoint, pinpointed)):
        places = found(made, asked, "en", wanted=Wanted((Kind.RATE,)), as_of=TODAY)
        assert [str(one).rpartition("/")[2] for one in places] == expected


@pytest.mark.parametrize(("length", "whole"), [(300, True), (2_000, False)])
def test_a_rule_is_quoted_whole_unless_it_is_too_long(length: int, whole: bool) -> None:
    further = "It is " + "very " * (length // 5) + "old."
    made = compose(section(SECTION.work, "241", "", f"{RULES[1]} {further}", RULES[2]))
    at = made.text.index(RULES[1])
    start, end = whole_rule(made, at, at + len(RULES[1]))
    assert (further in made.text[start:end]) is whole
    assert made.text[start:end].startswith(f"(1) {RULES[1]}" if whole else RULES[1])


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Rate of tax. The rate is 5 %. It is paid.", "Rate of tax. The rate is 5 %."),
        ("Hats are free. The rate is 5 %.\nCaps.", "Hats are free. The rate is 5 %."),
        ("Rate of tax.\nThe rate is 5 %.", "Rate of tax."),
    ],
)
def test_a_caption_comes_with_the_sentence_that_it_stands_over(text: str, quote: str) -> None:
    start, end = whole_statement(text, 0, text.index(".") + 1)
    assert text[start:end] == quote


REFUSING = (
    "",
    "Subject to this section, an employee may refuse to work if that is a danger.",
    "An employee may not, under this section, refuse if the life of another is put in danger.",
    "The employer reports each refusal.",
)


@pytest.mark.parametrize(("part", "denied"), [(1, False), (2, True), (3, False)])
def test_what_only_denies_brings_the_rule_along(part: int, denied: bool) -> None:
    work = WorkId("xx:act:1")
    refusing = section(work, "128", *REFUSING)
    found = rule_denied(refusing, refusing.children[part - 1].id, "en")
    assert found == (refusing.children[0].id if denied else None)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Where the tax is not paid in time, interest may be charged."),
        ("en", "The return is filed not later than 30 days after the sale."),
        ("fi", "Jos veroa ei ole maksettu, peritään korkoa."),
        ("sv", "Om skatten inte har betalats tas ränta ut."),
        ("fr", "La demande ne peut être faite que par écrit."),
    ],
)
def test_a_case_or_a_limit_denies_nothing(language: str, text: str) -> None:
    whole = section(WorkId("xx:act:1"), "5", "", "The tax is ten per cent.", text)
    assert rule_denied(whole, whole.children[1].id, language) is None


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("fi", "Lomaa ei saa siirtää sairauden aikana."),
        ("sv", "Semestern får inte flyttas under sjukdom."),
        ("fr", "Le congé ne peut pas être reporté pendant une maladie."),
    ],
)
def test_denials_are_known_in_every_language(language: str, text: str) -> None:
    whole = section(WorkId("xx:act:1"), "5", "", "Ten.", text)
    assert rule_denied(whole, whole.children[1].id, language) == whole.children[0].id


def test_a_rule_that_denies_itself_is_no_rule_to_depart_from() -> None:
    work = WorkId("xx:act:1")
    forbidding = section(work, "9", "", "No carter may enter.", "A carter may not wait at the gate.")
    assert rule_denied(forbidding, forbidding.children[1].id, "en") is None
    assert rule_denied(section(work, "3", "No carter may enter."), ProvisionId(work), "en") is None


@pytest.mark.parametrize(
    ("text", "language", "asks"),
    [
        ("dangerous work", "en", True),
        ("exemptions from the tax", "en", False),
        ("poikkeukset", "fi", False),
        ("undantag från skatten", "sv", False),
        ("exonérations de la taxe", "fr", False),
    ],
)
def test_the_rule_is_wanted_beside_a_denial_unless_exceptions_are_asked_for(
    text: str, language: str, asks: bool
) -> None:
    assert wants_the_rule(Wanted(), text, language) is asks
    assert wants_the_rule(Wanted((Kind.CONDITION,)), text, language)
    assert not wants_the_rule(Wanted((Kind.RATE,)), text, language)


@pytest.mark.parametrize(
    ("language", "rule", "departs"),
    [
        ("en", "A person who stays six months is a resident.", "A citizen is, however, one for three years."),
        ("fi", "Kuusi kuukautta oleskellut asuu maassa.", "Kansalainen asuu kuitenkin kolme vuotta."),
        ("sv", "Den som vistas sex månader bor i landet.", "En medborgare bor dock här i tre år."),
        ("fr", "Qui séjourne six mois est résident.", "Le citoyen l'est toutefois pendant trois ans."),
    ],
)
def test_a_sentence_that_departs_from_the_one_before_it_is_quoted_with_it(
    language: str, rule: str, departs: str
) -> None:
    further = " It is " + "very " * 150 + "old."
    made = compose(section(SECTION.work, "241", f"It is a rule. {rule} {departs}{further}"))
    at = made.text.index(departs)
    start, end = whole_rule(made, at, at + len(departs), language)
    assert made.text[start:end] == f"{rule} {departs}"
    plain = departs.replace("however", "indeed").replace("kuitenkin", "aina").replace("dock", "ju")
    plain = plain.replace("toutefois", "aussi")
    other = compose(section(SECTION.work, "241", f"It is a rule. {rule} {plain}{further}"))
    at = other.text.index(plain)
    start, end = whole_rule(other, at, at + len(plain), language)
    assert other.text[start:end] == plain


def with_table(behind: str) -> Composed:
    """A rule with a table and text behind it, then another rule."""
    rule, table = SECTION.child("subsec", "1"), "10 euros | 5 %\n20 euros | 7 %"
    rows = (
        (rule, ProvisionKind.SUBSECTION, "The tax is paid at the rates of this table:"),
        (rule.child("table", "1"), ProvisionKind.TABLE, table),
        (rule.child("flush", "1"), ProvisionKind.FLUSH, behind),
        (SECTION.child("subsec", "2"), ProvisionKind.SUBSECTION, "It is paid in May. " + "It is late. " * 60),
    )
    lines, text = [], ""
    for place, kind, words in rows:
        lines.append(Line(place, kind, 1, len(text), len(text) + len(words)))
        text += f"{words}\n"
    return Composed(text.rstrip(), tuple(lines))


@pytest.mark.parametrize(("more", "quoted_too"), [(60, True), (120, False)])
def test_text_behind_a_table_is_quoted_with_it(more: int, quoted_too: bool) -> None:
    behind = "For later years it is eighty percent of these rates." + " They are rates." * more
    text = with_table(behind)
    at = text.text.index("The tax")
    start, end = whole_rule(text, at, text.text.index("table:") + 6)
    assert "20 euros | 7 %" in text.text[start:end]
    assert text.text[start:end].endswith(behind) is quoted_too


def table_section(behind: str) -> Provision:
    rule = section(SECTION.work, "241", "", "The tax is paid at these rates:").children[0]
    below = [
        replace(rule, id=rule.id.child("table", "1"), kind=ProvisionKind.TABLE, label="", children=()),
        replace(rule, id=rule.id.child("flush", "1"), kind=ProvisionKind.FLUSH, label="", children=()),
    ]
    texts = ("10 euros | 5 %", behind)
    made = [
        replace(one, versions=(replace(one.versions[0], text=text),))
        for one, text in zip(below, texts, strict=True)
    ]
    return replace(rule, children=tuple(made))


def test_a_table_whose_later_text_cannot_be_quoted_is_known() -> None:
    assert not cut_behind_table(table_section("It is eighty percent of these rates."))
    assert cut_behind_table(table_section("It is eighty percent of these rates. " * 60))
    assert not cut_behind_table(section(SECTION.work, "241", "", LONG * 3))


def test_a_bare_term_is_answered_by_the_section_from_its_beginning() -> None:
    rules = (
        "A worker may refuse to work where there is danger.",
        "The boss is told of it at once.",
        "No worker may refuse work on a ship where there is danger.",
        LONG,
    )
    made = section(SECTION.work, "128", "", *rules)
    asked = AskedWords(
        "refuse work danger ship", "en", {"refus": 1.0, "work": 1.0, "danger": 1.0, "ship": 0.6}
    )
    found = pinpointed(made, asked, "en", wanted=Wanted(), as_of=TODAY, term=True)
    assert (found.parts, found.lead) == ((made.id,), None)
    text = compose(made)
    start, end = quoted(text, asked, "en", wanted=Wanted(), as_of=TODAY, term=True)
    assert all(rule in text.text[start:end] for rule in rules[:3])
    assert LONG not in text.text[start:end]
    otherwise = pinpointed(made, asked, "en", wanted=Wanted(), as_of=TODAY)
    assert otherwise.parts[0] == made.children[2].id
    assert made.children[0].id in otherwise.parts, "what is not surely behind is named"
    assert otherwise.lead is not None
    far = section(SECTION.work, "128", "", LONG, *rules[2:3])
    assert (
        pinpointed(far, asked, "en", wanted=Wanted(), as_of=TODAY, term=True).parts[0] == far.children[1].id
    )


@pytest.mark.parametrize(
    ("text", "kinds", "term"),
    [
        ("right to refuse dangerous work", (), True),
        ("can a worker refuse?", (), False),
        ("trial period", (Kind.PERIOD,), False),
        ("limitation refund claim general corporation tax city", (), False),
        ("I was told to go, now what", (), False),
    ],
)
def test_a_bare_term_is_short_and_asks_nothing(text: str, kinds: tuple[Kind, ...], term: bool) -> None:
    asked = AskedWords(text, "en", dict.fromkeys(text.split(), 1.0))
    assert is_a_term(text, asked, Wanted(kinds)) is term


def test_what_is_quoted_of_a_place_does_not_end_with_words_that_open_a_list() -> None:
    opening, rule = (
        "A worker may refuse where he believes that",
        "Every stay is taxed at the rate of the day. ",
    )
    text = compose(section(SECTION.work, "128", rule * 20, opening, "it is dark;" + " very" * 60))
    start, end = opening_of(text)
    assert text.text[start:end].endswith("of the day.")


def test_an_item_has_the_figure_of_its_opening() -> None:
    opening = "The tax is 2 per cent if the thing sold is:"
    item = Sentence(0, 8, "a share.", SECTION, (opening,), "")
    bare = replace(item, above=("The tax is paid if the thing sold is:",))
    holds, lacks, *_ = _held_signs(item, Wanted((Kind.RATE,)), TODAY)
    assert holds == pytest.approx(0.9)
    assert not lacks
    assert _held_signs(bare, Wanted((Kind.RATE,)), TODAY)[:2] == (0.0, 1.0)


@pytest.mark.parametrize(
    ("cited", "begins"),
    [
        ("PIPEDA Principle 4.3", "4.3 Consent"),
        ("principle 4.3.1", "4.3.1 Consent is"),
        ("clause 4.1 of Schedule 1", "4.1 Accountability"),
        ("Schedule 1", "Principles"),
        ("Principle 4.9", "Principles"),
    ],
)
def test_a_clause_that_a_schedule_only_prints_is_quoted_from_its_number(cited: str, begins: str) -> None:
    clauses = ["4.1 Accountability is owed.", "4.3 Consent is needed.", "4.3.1 Consent is asked for."]
    numbered = section(WorkId("ca:act:P-8.6"), "1", "Principles.", *clauses)
    unlabelled = tuple(replace(one, label="") for one in numbered.children)
    schedule = compose(replace(numbered, children=unlabelled))
    start, _ = opening_of(schedule, begin=clause_cited(schedule, cited))
    assert schedule.text[start:].startswith(begins)
