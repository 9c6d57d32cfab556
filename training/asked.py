"""Questions made by rule from sections that may be trained on, for the reranker to learn from.

A question is made of the words of a section's heading, of a sentence of its body, or of both, some left out,
some put as a synonym (there and back through the dictionaries), in a frame that people ask with. No question
of a question set is among them, nor any section of a held-out work.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pykala.text.analysis import word_terms
from pykala.text.sentences import sentences

FRAMES = {
    "fi": (
        "Mitä laki sanoo asiasta {}?", "Milloin {}?", "Kuka päättää {}?", "Miten {}?",
        "Voiko {}?", "Saako {}?",
        "Pitääkö {}?", "Onko {}?", "Mitä tarkoittaa {}?", "Missä tilanteessa {}?", "Mikä on {}?", "Mitä {}?",
        "Millä edellytyksillä {}?", "Kuinka paljon {}?", "Kuka vastaa {}?", "Mitä tapahtuu, jos {}?",
        "Millainen {} pitää olla?", "Kenellä on oikeus {}?", "Missä ajassa {} pitää tehdä?",
    ),
    "sv": (
        "Vad säger lagen om {}?", "När {}?", "Vem beslutar om {}?", "Hur {}?", "Kan {}?", "Får man {}?",
        "Måste {}?", "Är {} tillåtet?", "Vad betyder {}?", "I vilka fall {}?", "Vad är {}?",
        "Vad gäller för {}?",
        "Under vilka förutsättningar {}?", "Hur mycket {}?", "Vem ansvarar för {}?", "Vad händer om {}?",
        "Vem har rätt till {}?", "Inom vilken tid ska {}?",
    ),
    "en": (
        "What does the law say about {}?", "When {}?", "Who decides on {}?", "How {}?", "Can {}?",
        "May I {}?",
        "Must {}?", "Is {} allowed?", "What does {} mean?", "In what cases {}?", "What is {}?",
        "What are the rules on {}?", "Under what conditions {}?", "How much {}?",
        "Who is responsible for {}?",
        "What happens if {}?", "Who is entitled to {}?", "How long {}?", "Do I need {}?",
    ),
    "fr": (
        "Que dit la loi sur {} ?", "Quand {} ?", "Qui décide de {} ?", "Comment {} ?", "Peut-on {} ?",
        "Doit-on {} ?", "Est-ce que {} ?", "Que signifie {} ?", "Dans quels cas {} ?", "Qu'est-ce que {} ?",
        "Quelles sont les règles sur {} ?", "À quelles conditions {} ?", "Combien {} ?",
        "Qui est responsable de {} ?", "Que se passe-t-il si {} ?", "Qui a droit à {} ?",
        "Dans quel délai {} ?",
    ),
}  # fmt: skip
FILLERS = {
    "fi": "rooli sisältö tilanne asia säännöt määräykset vaatimukset oikeudet tehtävät asema menettely raja",
    "sv": "roll innehåll situation ärende regler krav rättigheter uppgifter ställning förfarande gräns delar",
    "en": "role content situation matter rules requirements rights duties position procedure limit parts",
    "fr": "rôle contenu situation affaire règles exigences droits tâches position procédure limite parties",
}
SEED = 20261115
MOST_MEANINGS = 8
MOST_RARE = 6.5
SYNONYMS = (0.0, 0.2, 0.4, 0.8)  # shares of a question's words put as synonyms, one drawn a question
TALK = 0.2  # share of the questions that stand within words of everyday talk
BASE_FORMS = 0.3  # share of the words asked with in their base form, where base forms are words
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d+(?:[ .,]\d+)*")


@dataclass(frozen=True, slots=True)
class Section:
    """A passage that questions are made of and searched among."""

    work: str
    place: str  # the header without the section's own heading
    heading: str
    body: str
    section: int  # passages of one section share it

    def text(self, *, headed: bool = True) -> str:
        """The passage as search gives it; without its heading where that would give the answer away."""
        header = f"{self.place} › {self.heading}" if headed and self.heading else self.place
        return f"{header}\n{self.body}"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and whether only the passage or its whole section is right."""

    text: str
    whole_section: bool
    headed: bool  # whether candidates are shown with their headings
    kind: int  # 0: of a heading that is shown, 1: of one that is not, 2: of a body's words, 3: written


def synonyms(pairs: Iterable[Sequence[str]], language: str) -> dict[str, list[str]]:
    """Words that a dictionary there and back gives for a word: `talousarvio` → `budget` → `budjetti`."""
    there: dict[str, set[str]] = {}
    back: dict[str, set[str]] = {}
    for first, first_language, second, second_language in (row[:4] for row in pairs):
        for word, code, other in ((first, first_language, second), (second, second_language, first)):
            if code == language and " " not in word and len(word) > 3:
                there.setdefault(word.lower(), set()).add(other.lower())
                back.setdefault(other.lower(), set()).add(word.lower())
    found = {}
    for word, meanings in there.items():
        # Beyond so many meanings a word says nothing certain.
        others = {one for meant in meanings if len(back[meant]) <= MOST_MEANINGS for one in back[meant]}
        if len(meanings) <= MOST_MEANINGS and others - {word}:
            found[word] = sorted(others - {word})
    return found


class Maker:
    """Makes questions in one language."""

    def __init__(
        self,
        language: str,
        rarity: Mapping[str, float],
        synonyms: Mapping[str, Sequence[str]],
        talk: Sequence[str],
    ) -> None:
        self._language, self._rarity, self._synonyms, self._talk = language, rarity, synonyms, talk
        self._terms = word_terms(language)

    def ask(self, of: Section, drawn: random.Random) -> Asked | None:
        """One question, or none where the section has too few words."""
        if of.heading and drawn.random() < 0.4:
            return self._of_heading(of, drawn)
        return self._of_body(of, drawn)

    def _of_heading(self, of: Section, drawn: random.Random) -> Asked | None:
        words = [word for word in _WORD.findall(of.heading) if not word[0].isdigit()]
        content = [word for word in words if self._terms(word.lower())]
        if not content:
            return None
        headed = drawn.random() < 0.6
        if len(words) >= 4 and drawn.random() < 0.6:
            words = [word for word in words if drawn.random() < 0.75] or words
        words = self._put(words, drawn.choice(SYNONYMS), drawn)
        if drawn.random() < 0.25:
            words += self._rare(of.place, drawn, 1)
        whole = True
        if headed and drawn.random() < 0.4:
            words += self._rare(of.body, drawn, drawn.choice((1, 2)))
            whole = False
        return Asked(self._framed(words, drawn, 0.5), whole, headed, 0 if headed else 1)

    def _of_body(self, of: Section, drawn: random.Random) -> Asked | None:
        spans = [(start, end) for start, end in sentences(of.body) if end - start > 30]
        if not spans:
            return None
        start, end = drawn.choice(spans)
        words = self._rare(of.body[start:end], drawn, drawn.choice((1, 2, 2, 3, 3, 4, 5)))
        if len(words) < 2 and not of.heading:
            return None
        words = self._put(words, drawn.choice(SYNONYMS), drawn)
        if drawn.random() < 0.7 or len(words) < 2:
            heading = self._rare(of.heading, drawn, drawn.choice((1, 1, 2)))
            words = heading + words if drawn.random() < 0.6 else words + heading
        if drawn.random() < 0.3:
            words = self._rare(of.place, drawn, 1) + words
        if len(words) < 2:
            return None
        return Asked(self._framed(words, drawn, 0.6), False, drawn.random() < 0.8, 2)

    def _put(self, words: Sequence[str], share: float, drawn: random.Random) -> list[str]:
        """The same words with a share of them as synonyms, found by their base forms."""
        return [self._synonym(word, drawn) if drawn.random() < share else word for word in words]

    def _talked(self, text: str, drawn: random.Random) -> str:
        """The words within some of everyday talk, which tells nothing of what is asked."""
        said = drawn.choice(self._talk).rstrip(".!?").split()
        start = drawn.randrange(len(said))
        said = said[start : start + drawn.choice((1, 2, 3, 4, 5, 6))]
        place = drawn.randrange(len(said) + 1)
        return " ".join((*said[:place], text.lower(), *said[place:])) + "?"

    def _base(self, word: str) -> str:
        terms = self._terms(word.lower()) if self._language == "fi" and word[0].isalpha() else ()
        return terms[0] if terms else word

    def _synonym(self, word: str, drawn: random.Random) -> str:
        for base in (word.lower(), *self._terms(word.lower())[:1]):
            if base in self._synonyms:
                return drawn.choice(self._synonyms[base])
        return word

    def _rare(self, text: str, drawn: random.Random, count: int) -> list[str]:
        """Some of a text's content words, rare ones rather, in their order."""
        words = list(dict.fromkeys(_WORD.findall(text)))
        weighed = []
        for at, word in enumerate(words):
            terms = self._terms(word.lower()) if not word[0].isdigit() else ()
            if terms:
                # The Gumbel trick: drawn without putting back, in proportion to the rarity.
                # Names and slips of the pen are rarest, and nobody asks with them.
                weight = min(self._rarity.get(terms[0], MOST_RARE), MOST_RARE)
                weighed.append((weight * drawn.random() ** 0.5, at))
        chosen = sorted(at for _, at in sorted(weighed, reverse=True)[:count])
        return [words[at] for at in chosen]

    def _framed(self, words: Sequence[str], drawn: random.Random, share: float) -> str:
        words = [self._base(word) if drawn.random() < BASE_FORMS else word for word in dict.fromkeys(words)]
        if drawn.random() < 0.3:
            words.insert(drawn.randrange(len(words) + 1), drawn.choice(FILLERS[self._language].split()))
        text = " ".join(words)
        if self._talk and drawn.random() < TALK:
            return self._talked(text, drawn)
        if drawn.random() < share:
            return drawn.choice(FRAMES[self._language]).format(text.lower())
        return text
