"""Where a question is asked: signs, hints, languages, and the reader's home; a table for each place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.packs.pack import installed
from pykala.retrieve.place import Ground, Place, collections_of, name_of, part_with_own_law, read_place

PACKS = installed()

FINLAND = [
    ("en", "Kela turned down my housing claim, what now?"),
    ("en", "What does Kela's decision need to say?"),
    ("en", "How do I appeal a decision of Migri?"),
    ("en", "My landlord in Helsinki keeps the deposit."),
    ("en", "i rent a flat in tampere and the heating is off"),
    ("en", "Turku: can the neighbour build over the line?"),
    ("en", "Is a dog allowed on a beach in Espoo?"),
    ("en", "The TE office says that I lost my benefit."),
    ("en", "How long does the DVV take to change a name?"),
    ("en", "May I pick berries under everyman's right?"),
    ("en", "I am a light entrepreneur, do I need a pension insurance?"),
    ("en", "Does an Oy need an auditor?"),
    ("en", "How much YEL must a hairdresser pay?"),
    ("en", "Can a wellbeing services county charge for a missed visit?"),
    ("en", "What is in MyTax by the end of March?"),
    ("en", "Rovaniemi, snow from my roof fell on a car"),
    ("en", "Where does the Consumer Disputes Board sit?"),
    ("en", "Is my personal identity code a secret?"),
    ("en", "We moved to Åland, does the same duty apply?"),
    ("en", "the taloyhtiö wants to sell my parking space"),
    ("en", "Does ulosotto take my whole pay?"),
    ("en", "Can Alko refuse to sell me wine?"),
    ("en", "Is Lapland different for hunting?"),
    ("en", "Traficom took my licence"),
    ("en", "What can Valvira do to a doctor?"),
    ("fr", "La Kela refuse mon allocation, que faire ?"),
    ("fr", "J'habite à Helsinki, puis-je louer ma chambre ?"),
    ("en", "KHO ruled against me, is that final?"),
    ("en", "Jyväskylä: may a school search a bag?"),
    ("en", "Do I pay anything to Verohallinto on a gift?"),
    ("en", "Vantaa, my bus card is lost"),
    ("sv", "FPA betalar inte ut mitt bidrag, vad gör jag?"),
]
CANADA = [
    ("en", "The CRA says I owe interest."),
    ("en", "How do I get EI after quitting?"),
    ("en", "someone used my SIN to get a loan"),
    ("en", "How much can I put into an RRSP?"),
    ("en", "Is a TFSA taxed when I die?"),
    ("en", "When does CPP start?"),
    ("en", "Does OAS end if I move away?"),
    ("en", "Can the RCMP search my truck?"),
    ("en", "The CBSA took my phone at the border."),
    ("en", "My boss in Toronto wants me to work on Sunday."),
    ("en", "toronto: is a balcony barbecue allowed"),
    ("en", "We live in Ontario and want to adopt."),
    ("en", "Does British Columbia follow the same rule?"),
    ("en", "Halifax harbour: who pays for a wreck?"),
    ("en", "I flew from Calgary and they lost my bag."),
    ("en", "Do I charge GST or HST?"),
    ("en", "What is a summary conviction?"),
    ("en", "Is this an indictable offence?"),
    ("en", "I live on reserve, is my pay taxed?"),
    ("en", "Can a band council evict me?"),
    ("en", "My record of employment is wrong."),
    ("en", "Do I get paid for a stat holiday?"),
    ("en", "They paid me in loonies."),
    ("en", "It cost CAD 500, is that deductible?"),
    ("en", "Is C$ 10,000 too much to carry over the border?"),
    ("en", "We are a federally regulated employer."),
    ("en", "Which province taxes me?"),
    ("fr", "L'ARC me réclame des intérêts."),
    ("fr", "Puis-je cotiser à un REER à 72 ans ?"),
    ("fr", "Mon relevé d'emploi est faux."),
    ("fr", "Ai-je droit à l'assurance-emploi après une démission ?"),
    ("fr", "À Montréal, mon propriétaire garde la caution."),
    ("fr", "La GRC peut-elle fouiller ma voiture ?"),
]
UNION = [
    ("en", "Does the GDPR apply to my blog?"),
    ("en", "Is a chatbot covered by the AI Act?"),
    ("en", "I worked in another member state for a year."),
    ("en", "Must all member states accept it?"),
    ("en", "Does a toy need a CE mark?"),
    ("en", "CE marking of a drill, who does it?"),
    ("en", "Can I live anywhere in the EEA?"),
    ("en", "How long may I stay in Schengen?"),
    ("en", "What did the CJEU say of it?"),
    ("en", "Is this a matter of the TFEU?"),
    ("en", "I need an A1 certificate for two weeks abroad."),
    ("en", "Which wage does a posted worker get?"),
    ("en", "Do I use IOSS for parcels?"),
    ("en", "What must we report under the DSA?"),
    ("en", "Who is a gatekeeper under the DMA?"),
    ("en", "Does REACH cover paint?"),
    ("en", "May Frontex stop a boat?"),
    ("en", "Our data protection officer left."),
    ("en", "Who do I complain to in Brussels?"),
    ("en", "Does eIDAS cover my signature?"),
    ("en", "When is MiCA in force for a coin?"),
    ("en", "Is it a high-risk AI system?"),
    ("en", "Is a shop in the single market free to refuse me?"),
    ("en", "We fall under NIS2, do we not?"),
    ("en", "Does CBAM cover screws?"),
    ("fr", "Le RGPD s'applique-t-il à un club ?"),
    ("fr", "Un jouet a-t-il besoin du marquage CE ?"),
    ("fr", "Je travaille dans un autre État membre."),
    ("fr", "Que dit la CJUE du droit à l'oubli ?"),
    ("fr", "Un travailleur détaché a-t-il le même salaire ?"),
    ("fr", "Les États membres peuvent-ils refuser ?"),
]
CITY = [
    ("en", "My co-op board raised the fee."),
    ("en", "in queens, who pays for the sidewalk"),
    ("en", "Can I park overnight on Staten Island?"),
    ("en", "What tax is on a store in Harlem?"),
    ("en", "The Department of Finance sent me a bill."),
    ("en", "DOF says my house is class 1"),
    ("en", "How do I go to the Tax Commission?"),
    ("en", "Is my apartment rent stabilized?"),
    ("en", "rent-stabilized and they want a buyout"),
    ("en", "Does SCRIE freeze it?"),
    ("en", "I get a J-51 benefit on the building."),
    ("en", "Is there a 421-a exemption left?"),
    ("en", "How much is the commercial rent tax?"),
    ("en", "Who owes UBT?"),
    ("en", "I sold a brownstone, what tax is due?"),
    ("en", "My taxi medallion is for sale."),
    ("en", "The TLC fined my driver."),
    ("en", "NYPD towed my car."),
    ("en", "Does alternate side parking count on holidays?"),
    ("en", "I commute from New Jersey, am I taxed?"),
    ("en", "I live upstate and work downtown."),
    ("en", "My S corp pays twice, why?"),
    ("en", "I got a W-2 and a form 1099."),
    ("en", "It cost USD 900 a night."),
    ("en", "A bodega sells loose cigarettes."),
    ("en", "What does the IRS have to do with the city's tax?"),
    ("en", "Which boroughs pay it?"),
    ("en", "An office on the Upper East Side"),
    ("en", "ACRIS shows the wrong owner."),
    ("en", "My lot goes to the tax lien sale."),
    ("en", "a bar in astoria"),
]
TABLES = {"fi": FINLAND, "ca": CANADA, "eu": UNION, "nyc": CITY}


@pytest.mark.parametrize(
    ("place", "language", "text"),
    [(place, language, text) for place, rows in TABLES.items() for language, text in rows],
)
def test_the_place_is_read_from_its_signs(place: str, language: str, text: str) -> None:
    read = read_place(text, language, PACKS)
    assert (read.jurisdictions, read.ground) == ((place,), Ground.SIGNS)
    assert read.words


def test_each_place_has_thirty_cases() -> None:
    assert all(len(rows) >= 30 for rows in TABLES.values())


FINNISH = """
Saako vuokranantaja korottaa vuokraa kesken kauden?
Kuinka pitkä koeaika saa olla?
Onko sairausloma palkallinen?
Voiko naapuri kaataa puun rajalta?
Miten haen eron puolisosta?
Paljonko lahjasta menee veroa?
Saako koiraa pitää irti metsässä?
Mitä tapahtuu jos en maksa laskua?
Voinko perua verkkokaupan?
Onko ylityö pakollista?
Kuka maksaa putkiremontin?
Saako poliisi tutkia puhelimen?
Miten riitautan sakon?
Milloin perintö vanhenee?
Onko testamentti pätevä ilman todistajia?
Saako työnantaja lukea sähköpostia?
Voiko lapsi periä isovanhemman?
Kuka valvoo päiväkotia?
Saako mökillä polttaa roskia?
Pitääkö polkupyörällä käyttää kypärää?
Miten valitan päätöksestä?
Onko vuokrasopimus voimassa suullisena?
Saanko lomarahan kun irtisanoudun?
Voiko pankki sulkea tilin?
Mitä kuuluu takuuseen?
Saako alle 15-vuotias tehdä töitä?
Kuinka kauan velka on perittävissä?
Onko meluaminen yöllä kielletty?
Saako yhtiö kieltää grillaamisen?
Voinko saada korvausta virheestä?
""".strip().split("\n")
SWEDISH = """
Får hyresvärden höja hyran?
Hur lång är prövotiden?
Får grannen fälla trädet?
Hur ansöker jag om skilsmässa?
Vad kostar det att ge en gåva?
Får hunden springa fritt?
Vad händer om jag inte betalar?
Kan jag ångra ett köp?
Är övertid obligatorisk?
Vem betalar rören?
Får polisen öppna min telefon?
Hur bestrider jag en bot?
När preskriberas arvet?
Är testamentet giltigt?
Får chefen läsa min e-post?
Kan ett barn ärva?
Vem övervakar daghemmet?
Får man elda skräp?
Måste man ha hjälm?
Hur överklagar jag beslutet?
Gäller ett muntligt avtal?
Får jag semesterpenning?
Kan banken stänga kontot?
Vad ingår i garantin?
Får en femtonåring arbeta?
Hur länge gäller en skuld?
Är det förbjudet att föra oväsen?
Får bolaget förbjuda grillning?
Kan jag få ersättning?
Vem är vårdnadshavare?
""".strip().split("\n")
FRENCH = """
Mon patron peut-il lire mes messages ?
Combien de temps dure la période d'essai ?
Puis-je annuler un achat ?
Qui paie les réparations ?
Le voisin peut-il couper l'arbre ?
Comment contester une amende ?
Quand la dette est-elle prescrite ?
Le testament est-il valable ?
Puis-je refuser des heures supplémentaires ?
La police peut-elle fouiller mon sac ?
Que se passe-t-il si je ne paie pas ?
Un enfant peut-il hériter ?
Le casque est-il obligatoire ?
Comment faire appel d'une décision ?
La banque peut-elle fermer mon compte ?
Qu'est-ce que couvre la garantie ?
À quel âge peut-on travailler ?
Le bruit la nuit est-il interdit ?
Puis-je garder mon chien ?
Mon vol est annulé, que faire ?
Ai-je droit à des vacances ?
Peut-on me congédier malade ?
Quel est le délai pour porter plainte ?
Qui a la garde des enfants ?
Faut-il un permis pour pêcher ?
Puis-je filmer un policier ?
Combien coûte une licence ?
Un contrat oral est-il valide ?
Peut-on saisir mon salaire ?
Comment changer de nom ?
""".strip().split("\n")
ENGLISH = """
Can my boss read my messages?
How long is a trial period?
Can I cancel a purchase?
Who pays for repairs?
Can the neighbour cut my tree?
How do I contest a fine?
When does a debt lapse?
Is the will valid?
May I refuse overtime?
Can the police search my bag?
What if I do not pay?
Can a child inherit?
Is a helmet mandatory?
How do I appeal?
Can the bank close my account?
What does a warranty cover?
At what age may one work?
Is noise at night forbidden?
May I keep a dog?
My flight was cancelled, what now?
Do I get holidays?
Can I be fired while sick?
How long do I have to complain?
Who has custody?
Do I need a licence to fish?
May I film the police?
What does a permit cost?
Is an oral contract valid?
Can they take my pay?
How do I change my name?
""".strip().split("\n")


@pytest.mark.parametrize(
    ("language", "texts", "leaning"),
    [("fi", FINNISH, ("fi",)), ("sv", SWEDISH, ("fi",)), ("fr", FRENCH, ("ca",)), ("en", ENGLISH, ())],
)
def test_a_language_leans_and_english_tells_nothing(
    language: str, texts: list[str], leaning: tuple[str, ...]
) -> None:
    assert len(texts) >= 30
    for text in texts:
        read = read_place(text, language, PACKS)
        assert (read.jurisdictions, read.leaning) == ((), leaning), text


@pytest.mark.parametrize(
    ("text", "language", "jurisdictions", "leaning"),
    [
        # By count: two signs of one place outweigh one of another.
        ("The CRA and the RCMP came to my friend from Helsinki", "en", ("ca",), ()),
        # As many of each: both.
        ("Does the GDPR bind Kela?", "en", ("eu", "fi"), ()),
        ("Koskeeko GDPR yhdistystä?", "fi", ("eu", "fi"), ()),
        ("Le RGPD s'applique-t-il ?", "fr", ("eu",), ()),
        # Money and everyday things only lean.
        ("They charged me $500 twice", "en", (), ("ca", "nyc")),
        ("They charged me 500 euros twice", "en", (), ("eu", "fi")),
        ("A fine of 40 €", "en", (), ("eu", "fi")),
        ("My condo fee is $500 and I file a sales tax return", "en", (), ("nyc",)),
        # In capitals only: "ei" is a Finnish word, and so is "sin" an English one.
        ("Saako ei jättää vastaamatta?", "fi", (), ("fi",)),
        ("Is it a sin to lie?", "en", (), ()),
        # A word within another is no sign.
        ("Who reads the oyster law?", "en", (), ()),
        ("", "en", (), ()),
    ],
)
def test_signs_are_counted_and_hints_lean(
    text: str, language: str, jurisdictions: tuple[str, ...], leaning: tuple[str, ...]
) -> None:
    read = read_place(text, language, PACKS)
    assert (read.jurisdictions, read.leaning) == (jurisdictions, leaning)


@pytest.mark.parametrize(
    ("text", "language", "home", "place"),
    [
        ("How long is a trial period?", "en", "fi", "fi"),
        ("How long is a trial period?", "en", "nyc", "nyc"),
        ("They charged me $500", "en", "ca", "ca"),  # one of the two that it leans to
        ("They charged me $500", "en", "fi", ""),
        ("How do I get EI?", "en", "fi", "ca"),
        ("Kuinka pitkä koeaika on?", "fi", "ca", ""),  # Finnish is a sign itself
        ("Quel est le délai ?", "fr", "eu", "eu"),  # French is the language of both
        ("Quel est le délai ?", "fr", "fi", ""),
    ],
)
def test_home_counts_where_the_question_gives_no_sign(
    text: str, language: str, home: str, place: str
) -> None:
    read = read_place(text, language, PACKS, home=home)
    assert read.jurisdictions == ((place,) if place else ())
    assert (read.ground is Ground.HOME) == (place == home)


def test_an_act_that_is_cited_leans_and_adds_to_the_signs() -> None:
    assert read_place("What does it say?", "en", PACKS, cited={"ca"}) == Place((), ("ca",), Ground.HINTS)
    both = read_place("What does it say of Kela?", "en", PACKS, cited={"ca"})
    assert both.jurisdictions == ("ca", "fi")


def test_uploads_are_of_no_place() -> None:
    assert collections_of(PACKS) == ("up",)


@pytest.mark.parametrize(
    ("code", "language", "name"),
    [
        ("fi", "en", "Finland"),
        ("fi", "fi", "Suomi"),
        ("eu", "sv", "Europeiska unionen"),
        ("ca", "fr", "Canada"),
        ("nyc", "de", "New York City"),
        ("zz", "en", "zz"),
    ],
)
def test_what_a_place_is_called(code: str, language: str, name: str) -> None:
    assert name_of(code, language, PACKS) == name


@given(st.text(max_size=300), st.sampled_from(("en", "fi", "sv", "fr", "")))
def test_any_text_is_read(text: str, language: str) -> None:
    read = read_place(text, language, PACKS)
    assert not (read.jurisdictions and read.leaning)
    assert {*read.jurisdictions, *read.leaning} <= PACKS.keys()


@pytest.mark.parametrize("code", ["fi", "ca", "eu", "nyc"])
def test_a_word_is_a_sign_or_a_hint_and_of_one_place(code: str) -> None:
    own = PACKS[code].facts
    assert not {*own.signs} & {*own.hints}
    assert len({*own.signs}) == len(own.signs)
    assert len({*own.hints}) == len(own.hints)
    for other, pack in PACKS.items():
        assert other == code or not {*own.signs} & {*pack.facts.signs}, other


@pytest.mark.parametrize(
    ("text", "places", "part"),
    [
        ("What is the minimum wage of a waiter in Alberta?", (), "Alberta"),
        ("Quel est le salaire minimum au Québec ?", ("ca",), "Québec"),
        ("rent increase in ontario", ("ca",), "ontario"),
        ("Paljonko vero on Ahvenanmaalla?", ("fi",), "Ahvenanmaalla"),
        ("What is the minimum wage in Canada?", (), ""),
        ("What is the tax on a flat in Alberta?", ("nyc",), ""),  # the place that was given has no such part
        ("a bcc header", (), ""),
    ],
)
def test_parts_of_a_place_that_make_law_of_their_own(text: str, places: tuple[str, ...], part: str) -> None:
    assert part_with_own_law(text, places, PACKS) == part
