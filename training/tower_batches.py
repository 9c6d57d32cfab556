"""What the towers learn from after stage one: documents, questions and pairs of texts."""

from __future__ import annotations

import numpy as np
import torch

from training.tower_files import CHOSEN_BY, TRAINED, UNSEEN, Arrays
from training.tower_steps import drawn
from training.towers import Texts, Words, words_of

LANGUAGES = ("fi", "sv", "en", "fr")
_TITLE_WORDS, _HEADING_WORDS = 24, 16
_TITLE_ROWS, _HEADING_ROWS, _TEXT_ROWS = 32, 24, 48
_TEXT_WORDS = 32
_FIRST, _NEXT = 18, 24  # words of a body in its first window and in every other
_OWN_LANGUAGE = 6  # times as often a question meets its section in its own language


def rows_of(texts: torch.Tensor, words: Words, most: int) -> torch.Tensor:
    """The table's rows of texts, each once and in no order; -1 where there are fewer."""
    found = []
    for part in texts.split(4096):
        rows = torch.where((part >= 0)[..., None], words.rows[part.clamp(min=0)], -1).flatten(1)
        rows = rows.sort(dim=1, descending=True).values
        repeated = torch.zeros_like(rows, dtype=torch.bool)
        repeated[:, 1:] = rows[:, 1:] == rows[:, :-1]
        rows = torch.where(repeated, -1, rows)
        # Which rows are left out where there are too many is left to chance.
        order = ((rows < 0).float() + torch.rand(rows.shape, device=rows.device) * 0.5).argsort(dim=1)
        found.append(rows.gather(1, order[:, :most]).int())
    return torch.cat(found)


class Documents:
    """Sections in one language each: words of title, heading and body, and the rows of each."""

    def __init__(
        self, arrays: Arrays, words: Words, body_words: int, body_rows: int, everything: bool, device: str
    ) -> None:
        def part(name: str, most: int) -> torch.Tensor:
            return Texts(arrays[f"{name}/flat"], arrays[f"{name}/counts"], device, most).words

        self.title, self.heading = part("titles", _TITLE_WORDS), part("headings", _HEADING_WORDS)
        self.body = part("bodies", body_words)
        self.title_rows = rows_of(self.title, words, _TITLE_ROWS)
        self.heading_rows = rows_of(self.heading, words, _HEADING_ROWS)
        self.body_rows = rows_of(self.body, words, body_rows)
        facts = torch.from_numpy(arrays["documents"].astype(np.int64)).to(device)
        self.section, self.language, status, work, self.place = facts.unbind(1)
        self.count = len(facts)
        self.numbers = torch.arange(self.count, device=device)
        #: Those that are learned from.
        self.open = torch.nonzero(status != UNSEEN if everything else status == TRAINED).flatten()
        self.with_heading = self.open[(self.heading[self.open] >= 0).any(dim=1)]
        acts = work * len(LANGUAGES) + self.language
        self._by_act = torch.argsort(acts)
        sorted_acts = acts[self._by_act]
        self._first = torch.searchsorted(sorted_acts, acts)
        self._past = torch.searchsorted(sorted_acts, acts, right=True)

    def of_same_act(self, documents: torch.Tensor) -> torch.Tensor:
        """For each document one of the same act and language, perhaps itself."""
        first, past = self._first[documents], self._past[documents]
        step = (torch.rand(len(documents), device=first.device) * (past - first)).long()
        return self._by_act[(first + step).clamp(max=self.count - 1)]

    def window(self, documents: torch.Tensor, which: int) -> torch.Tensor:
        """As many words as a question has: first heading, title and beginning, then the body on."""
        if which == 0:
            parts = self.heading[documents, :8], self.title[documents, :6], self.body[documents, :_FIRST]
            return torch.cat(parts, dim=1)
        start = _FIRST + _NEXT * (which - 1)
        return self.body[documents, start : start + _NEXT]


class Questions:
    """Questions by their sections: (text, section, language, status)."""

    def __init__(self, arrays: Arrays, documents: Documents, device: str) -> None:
        found = torch.from_numpy(arrays["questions"].astype(np.int64)).to(device)
        sections = int(max(documents.section.max(), found[:, 1].max())) + 1
        #: The document of each section in each language, or -1.
        self.documents = torch.full((sections, len(LANGUAGES)), -1, dtype=torch.long, device=device)
        self.documents[documents.section, documents.language] = documents.numbers
        answered = (self.documents >= 0).any(dim=1)[found[:, 1]]
        trained = found[:, 3] == TRAINED
        self.held = found[(found[:, 3] == CHOSEN_BY) & answered]
        #: Those that are learned and whose section is held.
        self.trained = found[trained & answered]
        own = found[trained]
        own = own[torch.argsort(own[:, 1])]
        #: The texts of all questions that are learned, a section's together.
        self.texts = own[:, 0]
        numbers = torch.arange(sections, device=device)
        self._first = torch.searchsorted(own[:, 1].contiguous(), numbers)
        self._count = torch.searchsorted(own[:, 1].contiguous(), numbers, right=True) - self._first
        self._several = torch.nonzero(self._count >= 2).flatten()

    def batch(self, count: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Texts of questions, their sections, and a document of each."""
        text, section, language, _ = drawn(self.trained, count).unbind(1)
        own = self.documents[section]
        same = torch.arange(len(LANGUAGES), device=own.device)[None, :] == language[:, None]
        chances = (own >= 0).float() * (1 + (_OWN_LANGUAGE - 1) * same.float())
        return text, section, own.gather(1, torch.multinomial(chances, 1)).flatten()

    def twins(self, count: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Texts of two questions on the same section, and the section."""
        section = drawn(self._several, count)
        first, several = self._first[section], self._count[section]
        one = (torch.rand(count, device=section.device) * several).long()
        step = (torch.rand(count, device=section.device) * (several - 1)).long()
        other = (one + 1 + step) % several
        return self.texts[first + one], self.texts[first + other], section


class Data:
    """All of it."""

    def __init__(
        self, arrays: Arrays, body_words: int, body_rows: int, everything: bool, device: str
    ) -> None:
        def pairs(name: str) -> torch.Tensor:
            return torch.from_numpy(arrays[name].astype(np.int64)).to(device)

        self.words = words_of(arrays, device)
        self.texts = Texts(arrays["texts/flat"], arrays["texts/counts"], device, most=_TEXT_WORDS)
        self.text_rows = rows_of(self.texts.words, self.words, _TEXT_ROWS)
        self.documents = Documents(arrays, self.words, body_words, body_rows, everything, device)
        self.questions = Questions(arrays, self.documents, device)
        #: Finnish questions with passages, texts in two languages, everyday words with the law's.
        self.answers, self.translations, self.terms = map(pairs, ("answers", "translations", "terms"))
        self.device = device

    @property
    def short_texts(self) -> torch.Tensor:
        """All texts but passages, each once."""
        texts = self.translations.flatten(), self.terms.flatten(), self.questions.texts
        return torch.unique(torch.cat(texts))
