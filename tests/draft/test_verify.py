"""A draft is held against its evidence: verdicts in four languages, and what no draft may get past."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pykala.answer.figures import figures
from pykala.answer.record import verification_record
from pykala.draft.bearing import normalised
from pykala.draft.claims import claims_from, claims_of
from pykala.draft.keyed import KeyedProvision, numbered
from pykala.draft.verify import verify
from pykala.law.answers import CitedProvision
from pykala.law.checks import Check, DraftClaim, Verdict, Verification
from pykala.law.identifiers import ProvisionId
from pykala.law.validity import ALWAYS, Validity
from pykala.text.phrases import tell
from pykala.versions.mismatches import CitedChain, Wording

TODAY = date(2026, 6, 1)
LAW = {
    "en": (
        "The tax rate on capital income is 30 per cent. On the part above 30,000 euros it is 34 per cent.",
        "A person is regarded as a key employee for at most 84 months from the start of the work.",
        "An appeal is made within 60 days of the notice. The fee of $25.50 is not refunded.",
    ),
    "fi": (
        "Pääomatulon veroprosentti on 30. Siltä osin kuin se ylittää 30 000 euroa veroprosentti on 34.",
        "Henkilöä pidetään avainhenkilönä enintään 84 kuukautta siitä, kun työ Suomessa alkoi.",
        "Muutosta haetaan kuuden kuukauden kuluessa 1 päivästä tammikuuta 2024. Maksua ei palauteta.",
    ),
    "sv": (
        "Skattesatsen för kapitalinkomst är 30 procent. Till den del den överstiger 30 000 euro, 34 procent.",
        "En person anses vara nyckelperson i högst 84 månader från det att arbetet i Finland började.",
        "Ändring söks inom sex månader från den 1 januari 2024. Avgiften återbetalas inte.",
    ),
    "fr": (
        "Le taux d’impôt sur le revenu du capital est de 30 %. Au-dessus de 30 000 euros, il est de 34 %.",
        "Une personne est un employé clé pendant au plus 84 mois à compter du début du travail.",
        "L’appel est interjeté dans les six mois du 1er janvier 2024. Les droits ne sont pas remboursés.",
    ),
}


def cited(number: int, text: str, language: str, validity: Validity = ALWAYS) -> CitedProvision:
    provision = ProvisionId.parse(f"fi:act:1992/1535/sec_{number}")
    return CitedProvision(provision, f"TVL {number} §", "", text, "", language, validity, 100, "test")


def evidence(language: str) -> tuple[KeyedProvision, ...]:
    return numbered(cited(120 + place, text, language) for place, text in enumerate(LAW[language], start=1))


CASES = [
    ("en", "Capital income above 30,000 euros is taxed at a rate of 34 per cent [L1].", Verdict.SUPPORTED),
    ("en", "Capital income above 30,000 euros is taxed at a rate of 35 per cent [L1].", Verdict.UNSUPPORTED),
    ("en", "On the part above 30,000 euros it is 30 per cent [L1].", Verdict.UNSUPPORTED),
    ("en", "A person is a key employee for at most 84 months [L1].", Verdict.MISATTRIBUTED),
    ("en", "A person is a key employee for at most seven years [L2].", Verdict.SUPPORTED),
    ("en", "A person is a key employee for at most six years [L2].", Verdict.UNSUPPORTED),
    ("en", "The law says “at most 84 months from the start of the work”. [L2]", Verdict.SUPPORTED),
    ("en", "The law says “at most 48 months from the start of the work”. [L2]", Verdict.ALTERED_QUOTE),
    ("en", "The law says “at most 84 months from the end of the work” [L2].", Verdict.ALTERED_QUOTE),
    ("en", "The law says “at most 84 months … of the work” [L2].", Verdict.SUPPORTED),
    ("en", "The law says “4 months from the start of the work” [L2].", Verdict.ALTERED_QUOTE),
    ("en", "The law says “regarded as a key employee for at most 84 month” [L2].", Verdict.ALTERED_QUOTE),
    ("en", "The law says “garded as a key employee for at most 84 months” [L2].", Verdict.ALTERED_QUOTE),
    ("en", "The law says “at most 84 months from the start of the work” [L3].", Verdict.MISATTRIBUTED),
    ("en", "The fee of $25.50 is refunded [L3].", Verdict.UNSUPPORTED),
    ("en", "An appeal is made within 60 days of the notice [L9].", Verdict.MISATTRIBUTED),
    ("en", "An appeal is made within 60 days of the notice.", Verdict.UNSUPPORTED),
    ("en", "Inheritances between spouses are exempt from stamp duty [L3].", Verdict.UNSUPPORTED),
    ("en", "Under section 121 capital income is taxed at 30 per cent [L1].", Verdict.SUPPORTED),
    ("en", "Under section 129 capital income is taxed at 30 per cent [L1].", Verdict.UNSUPPORTED),
    ("fi", "Yli 30.000 euron pääomatulon veroprosentti on 34 [L1].", Verdict.SUPPORTED),
    ("fi", "Yli 30 000 euron pääomatulosta veroa on 34 prosenttia [L1].", Verdict.SUPPORTED),
    ("fi", "Yli 40 000 euron pääomatulon veroprosentti on 34 [L1].", Verdict.UNSUPPORTED),
    ("fi", "Avainhenkilönä pidetään enintään 48 kuukautta työn alkamisesta [L2].", Verdict.UNSUPPORTED),
    ("fi", "Muutosta haetaan 6 kuukauden kuluessa 1.1.2024 lukien [L3].", Verdict.SUPPORTED),
    ("fi", "Muutosta haetaan 6 kuukauden kuluessa 1.2.2024 lukien [L3].", Verdict.UNSUPPORTED),
    # A year that only tells when; where the law names years itself, it must be one of them.
    ("fi", "Vuonna 2026 pääomatulon veroprosentti on 30 [L1].", Verdict.SUPPORTED),
    ("fi", "Vuonna 2026 muutosta haetaan 6 kuukauden kuluessa 1.1.2024 lukien [L3].", Verdict.UNSUPPORTED),
    ("fi", "Laissa sanotaan: ”enintään 84 kuukautta siitä, kun työ Suomessa alkoi” [L2].", Verdict.SUPPORTED),
    ("fi", "Laissa sanotaan: ”enintään 84 kuukautta siitä, kun työ alkoi” [L2].", Verdict.ALTERED_QUOTE),
    ("fi", "Maksua palauteta [L3].", Verdict.UNSUPPORTED),
    ("sv", "För kapitalinkomst som överstiger 30 000 euro är skattesatsen 34 % [L1].", Verdict.SUPPORTED),
    ("sv", "För kapitalinkomst som överstiger 30 000 euro är skattesatsen 33 % [L1].", Verdict.UNSUPPORTED),
    ("sv", "Ändring söks inom 6 månader från 2024-01-01 [L3].", Verdict.SUPPORTED),
    ("sv", "Ändring söks inom 7 månader från 2024-01-01 [L3].", Verdict.UNSUPPORTED),
    ("sv", "Enligt lagen ”nyckelperson i högst 84 månader från det” [L2].", Verdict.SUPPORTED),
    ("sv", "Enligt lagen ”nyckelperson i högst 48 månader från det” [L2].", Verdict.ALTERED_QUOTE),
    ("sv", "En nyckelperson i högst 84 månader [L1].", Verdict.MISATTRIBUTED),
    ("fr", "Le revenu du capital excédant 30 000 euros est imposé au taux de 34 % [L1].", Verdict.SUPPORTED),
    ("fr", "La loi dit « 30 000 euros, il est de 34 % » [L1].", Verdict.SUPPORTED),
    ("fr", "La loi dit « 000 euros, il est de 34 % » [L1].", Verdict.ALTERED_QUOTE),
    ("fr", "La loi dit « Au-dessus de 30 » [L1].", Verdict.ALTERED_QUOTE),
    (
        "fr",
        "Le revenu du capital excédant 30 000 euros est imposé au taux de 43 % [L1].",
        Verdict.UNSUPPORTED,
    ),
    ("fr", "L'appel est interjeté dans les 6 mois du 1er janvier 2024 [L3].", Verdict.SUPPORTED),
    ("fr", "L'appel est interjeté dans les 6 mois du 2 janvier 2024 [L3].", Verdict.UNSUPPORTED),
    ("fr", "La loi dit « un employé clé pendant au plus 84 mois » [L2].", Verdict.SUPPORTED),
    ("fr", "La loi dit « un employé clé pendant au moins 84 mois » [L2].", Verdict.ALTERED_QUOTE),
    ("fr", "Un employé clé l'est pendant au plus 84 mois [L3].", Verdict.MISATTRIBUTED),
]


@pytest.mark.parametrize(("language", "draft", "verdict"), CASES)
def test_a_claim_gets_its_verdict(language: str, draft: str, verdict: Verdict) -> None:
    (claim,) = verify(draft, evidence(language), TODAY).claims
    assert (claim.verdict, claim.claim.text) == (verdict, claim.claim.text), claim.findings
    assert bool(claim.findings) is (verdict is not Verdict.SUPPORTED)


def test_a_claim_is_covered_by_one_key_that_is_known() -> None:
    checked = verify("A person is a key employee for at most 84 months [L2, L9].", evidence("en"), TODAY)
    assert checked.coverage == 1.0
    unknown = verify("A person is a key employee for at most 84 months [L9].", evidence("en"), TODAY)
    assert (unknown.coverage, unknown.grounding) == (0.0, 0.0)


def test_a_misattributed_claim_names_the_key_that_bears_it() -> None:
    (claim,) = verify("A person is a key employee for at most 84 months [L1].", evidence("en"), TODAY).claims
    assert claim.supported_by == ("L2",)


def test_a_sentence_of_another_source_is_misattributed_though_the_cited_one_has_its_words() -> None:
    sentence = "A trader keeps the receipts of the sales in the order of their dates."
    near = "Receipts: a trader keeps them in order. Sales have dates."
    sources = numbered([cited(1, near, "en"), cited(2, sentence, "en")])
    (claim,) = verify(f"{sentence} [L1]", sources, TODAY).claims
    assert (claim.verdict, claim.supported_by) == (Verdict.MISATTRIBUTED, ("L2",))
    (alone,) = verify(f"{sentence} [L1]", sources[:1], TODAY).claims
    assert alone.verdict is Verdict.SUPPORTED


def test_the_opening_of_a_list_is_a_claim_too() -> None:
    text = "No tax is paid by the person on the following benefits from an employer:\n1) lunch;\n2) a phone."
    sources = numbered([cited(1, text, "en")])
    assert verify(f"{text} [L1]", sources, TODAY).passed
    found = verify(f"{text.replace('No tax', 'Tax')} [L1]", sources, TODAY)
    assert found.claims[0].verdict is Verdict.UNSUPPORTED


def test_words_that_stand_far_apart_bear_nothing() -> None:
    words = "trader receipts sales order dates library winter harbour"
    text = " ".join(f"The {word} matters here. It is so. And so on it goes." for word in words.split())
    claim = "A trader keeps receipts of sales in order [L1]."
    assert verify(claim, numbered([cited(1, text, "en")]), TODAY).claims[0].verdict is Verdict.UNSUPPORTED


def test_figures_are_held_against_a_text_in_another_language() -> None:
    right = verify("A key employee is taxed so for at most 84 months [L2].", evidence("fi"), TODAY)
    wrong = verify("A key employee is taxed so for at most 48 months [L2].", evidence("fi"), TODAY)
    assert right.claims[0].verdict is Verdict.SUPPORTED
    assert [one.check for one in right.claims[0].findings] == [Check.OTHER_LANGUAGE]
    assert right.grounding == 0.5  # the words could not be compared
    assert wrong.claims[0].verdict is Verdict.UNSUPPORTED


def test_both_languages_of_a_pair_bear_a_claim() -> None:
    pair = KeyedProvision("L1", cited(122, LAW["fi"][1], "fi"), (cited(122, LAW["sv"][1], "sv"),))
    for language in ("fi", "sv"):
        found = verify(f"{LAW[language][1]} [L1]", [pair], TODAY)
        assert (found.passed, found.grounding) == (True, 1.0)


def test_a_wording_not_in_force_supports_nothing_unless_the_claim_names_its_time() -> None:
    ended = cited(2, "A key employee is taxed so for 48 months.", "en", Validity(None, date(2024, 1, 1)))
    now = verify("A key employee is taxed so for 48 months [L1].", numbered([ended]), TODAY)
    then = verify("In 2019 a key employee was taxed so for 48 months [L1].", numbered([ended]), TODAY)
    assert [one.check for one in now.claims[0].findings] == [Check.NOT_IN_FORCE]
    assert now.claims[0].verdict is Verdict.UNSUPPORTED
    assert then.claims[0].verdict is Verdict.SUPPORTED


def test_a_claim_of_another_times_wording_says_of_which() -> None:
    change = date(2024, 1, 1)
    old, new = "A key employee is taxed so for 48 months.", "A key employee is taxed so for 84 months."
    wordings = (Wording(old, Validity(None, change)), Wording(new, Validity(change)))
    shown = cited(2, new, "en", Validity(change))
    chain = CitedChain(shown.provision, shown.citation, "en", wordings)
    found = verify(f"{old} [L1]", [KeyedProvision("L1", shown, chain=chain)], TODAY).claims[0]
    assert found.verdict is Verdict.UNSUPPORTED
    assert Check.OTHER_TIME in {one.check for one in found.findings}
    assert any("until 2024-01-01" in tell("en", one.message) for one in found.findings)


def test_scores_confidence_and_level() -> None:
    draft = "A person is a key employee for at most 84 months [L2]. The fee is 99 euros [L3]. Nothing else."
    found = verify(draft, evidence("en"), TODAY)
    assert [one.verdict for one in found.claims] == [
        Verdict.SUPPORTED, Verdict.UNSUPPORTED, Verdict.UNSUPPORTED,
    ]  # fmt: skip
    assert (found.coverage, found.grounding) == (pytest.approx(2 / 3), pytest.approx(1 / 3))
    assert found.confidence == pytest.approx(0.4 * 2 / 3 + 0.6 / 3)
    assert (found.level, found.passed) == ("low", False)
    assert verify("", evidence("en"), TODAY) == Verification((), 0.0, 0.0)
    data = verification_record(found).as_json()
    assert [one["verdict"] for one in data["claims"]] == ["supported", "unsupported", "unsupported"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("draft", "claims"),
    [
        ("One thing [L1]. Two things [L2, L3].", [("One thing.", ["L1"]), ("Two things.", ["L2", "L3"])]),
        ("One thing. [L1] Two things. [L2][L3]", [("One thing.", ["L1"]), ("Two things.", ["L2", "L3"])]),
        ("One thing [L1]. [L2] says more.", [("One thing.", ["L1"]), ("says more.", ["L2"])]),
        ("First. Second [L1].\n\nThird.", [("First.", ["L1"]), ("Second.", ["L1"]), ("Third.", [])]),
        ("# Heading\n\nWhat is it?\n\n- One thing [L1]\n---", [("One thing", ["L1"])]),
        ("He says “It ends. Then it begins.” [L1]", [("He says “It ends. Then it begins.”", ["L1"])]),
        ("(Repealed, eff. 6/28/2023) [L1]", [("(Repealed, eff.", ["L1"])]),
        ("A bank means the following: [L1]", [("A bank means the following:", ["L1"])]),
        ("The rates are:\n30 per cent, and more [L1]", [("30 per cent, and more", ["L1"])]),
    ],
)
def test_a_draft_is_read_into_claims(draft: str, claims: list[tuple[str, list[str]]]) -> None:
    assert [(one.text, list(one.keys)) for one in claims_of(draft)] == claims


def test_structured_claims_are_checked_alike() -> None:
    good = {"text": "It is so for 84 months.", "keys": ["L2"], "quotes": ["at most 84 months"]}
    bad = {"text": "It is so for 84 months.", "keys": ["L2"], "quotes": ["at most 94 months"]}
    found = verify(claims_from([good, bad]), evidence("en"), TODAY)
    assert [one.verdict for one in found.claims] == [Verdict.SUPPORTED, Verdict.ALTERED_QUOTE]
    for broken in ({"keys": ["L1"]}, {"text": "x", "keys": "L1"}, {"text": "x", "quotes": [1]}):
        with pytest.raises(ValueError, match="claim"):
            claims_from([broken])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("kuuden kuukauden", "6 months"), ("sex månader", "six mois"), ("30 000 euroa", "30,000 €"),
        ("7,50 prosenttia", "7.5 %"), ("cinq pour cent", "five per cent"), ("$1,000.00", "1 000 $"),
        ("1 päivänä maaliskuuta 2020", "March 1, 2020"), ("1.3.2020", "1er mars 2020"),
    ],
)  # fmt: skip
def test_figures_are_the_same_whatever_their_language(one: str, other: str) -> None:
    assert figures(one) == figures(other) != figures("")


VOCABULARY = (
    "the tax employee rate vero prosentti henkilö työ skatt inkomst är personen revenu taux impôt och"
)
words = st.sampled_from(VOCABULARY.split())
numerals = st.one_of(
    st.integers(0, 9_999_999).map(str),
    st.integers(1, 999).map(lambda thousands: f"{thousands} 000"),
    st.tuples(st.integers(0, 99), st.integers(1, 9)).map(lambda parts: f"{parts[0]},{parts[1]}"),
)
units = st.sampled_from(["months", "euroa", "%", "kuukautta", "procent", "dagar", "euros", "§", "items"])
phrases = st.one_of(words, words, st.tuples(numerals, units).map(" ".join))


@st.composite
def passages(draw: st.DrawFn) -> tuple[list[list[str]], int]:
    """A law of some sentences, each a list of phrases, and which of them is quoted."""
    law = draw(st.lists(st.lists(phrases, min_size=3, max_size=8), min_size=1, max_size=4))
    return law, draw(st.integers(0, len(law) - 1))


def text_of(law: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"Law {' '.join(sentence)} end." for sentence in law)


@given(
    passages(),
    st.sampled_from(["“{}”", "”{}”", "« {} »", '"{}"', "{}"]),
    st.sampled_from([" ", "\n", "\u00a0"]),
)
def test_a_verbatim_quote_with_its_own_key_is_supported(
    passage: tuple[list[list[str]], int], marks: str, space: str
) -> None:
    law, place = passage
    quote = f"Law {' '.join(law[place])} end"
    claim = DraftClaim(marks.format(quote.replace(" ", space)), ("L2",), (quote,) if marks != "{}" else ())
    sources = numbered([cited(1, "Something else altogether.", "en"), cited(2, text_of(law), "en")])
    found = verify([claim], sources, TODAY)
    assert found.claims[0].verdict is Verdict.SUPPORTED
    assert (found.coverage, found.grounding) == (1.0, 1.0)


@given(passages(), st.data(), st.booleans())
def test_a_quote_with_one_digit_changed_never_is(
    passage: tuple[list[list[str]], int], data: st.DataObject, marked: bool
) -> None:
    law, place = passage
    quote = f"Law {' '.join(law[place])} end"
    digits = [index for index, mark in enumerate(quote) if mark.isdigit()]
    assume(digits)
    index = data.draw(st.sampled_from(digits))
    digit = data.draw(st.sampled_from([one for one in "0123456789" if one != quote[index]]))
    changed = quote[:index] + digit + quote[index + 1 :]
    assume(normalised(changed) not in normalised(text_of(law)))
    claim = DraftClaim(f"“{changed}”" if marked else changed, ("L1",), (changed,) if marked else ())
    found = verify([claim], numbered([cited(1, text_of(law), "en")]), TODAY)
    assert found.claims[0].verdict is not Verdict.SUPPORTED


@given(st.text(max_size=400), st.lists(st.text(max_size=80), max_size=3))
def test_any_draft_is_read_and_its_scores_lie_between_0_and_1(draft: str, texts: list[str]) -> None:
    found = verify(draft, numbered(cited(n, text, "en") for n, text in enumerate(texts, 1)), TODAY)
    assert 0.0 <= found.grounding <= found.coverage <= 1.0
    for one in found.claims:
        assert 0 <= one.claim.start < one.claim.end <= len(draft)
