"""A reader, which was tried and stays out: how a question's tokens meet the words of a section.

The tokens are as the question tower has read them, the words as the table has them. On acts that it had not
seen it ordered worse than the towers alone, and together with them no better (docs/models.md).
A section's words have their vectors already, so that a section costs one product and two looks by the
question; a transformer over both texts would cost some twenty times as much. PyTorch and NumPy alone.
"""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from training.towers import OUT, WIDTH

READ, HEADS, INNER, LAYERS = 256, 8, 512, 2
HEADING_WORDS, TITLE_WORDS, BODY_WORDS = 12, 8, 40
WORDS = HEADING_WORDS + TITLE_WORDS + BODY_WORDS
_NEAR = 3  # a word with the one before and the one after it


class Look(nn.Module):
    """Each token of the question looks at the section's words, then thinks."""

    def __init__(self) -> None:
        super().__init__()
        self.asks = nn.Linear(READ, READ)
        self.holds = nn.Linear(READ, 2 * READ)
        self.takes = nn.Linear(READ, READ)
        self.look_norm = nn.LayerNorm(READ, eps=1e-12)
        self.inner = nn.Linear(READ, INNER)
        self.outer = nn.Linear(INNER, READ)
        self.norm = nn.LayerNorm(READ, eps=1e-12)

    def forward(self, x: torch.Tensor, words: torch.Tensor, there: torch.Tensor, drop: float) -> torch.Tensor:
        """Tokens (lists × sections × tokens) after a look at the words of each section."""
        count, tokens, _ = x.shape

        def heads(y: torch.Tensor) -> torch.Tensor:
            return y.view(count, -1, HEADS, READ // HEADS).transpose(1, 2)

        holds, says = self.holds(words).chunk(2, dim=-1)
        read = functional.scaled_dot_product_attention(
            heads(self.asks(x)), heads(holds), heads(says), attn_mask=there[:, None, None, :]
        )
        taken = self.takes(read.transpose(1, 2).reshape(count, tokens, READ))
        x = self.look_norm(x + functional.dropout(taken, drop, self.training))
        thought = self.outer(functional.gelu(self.inner(x), approximate="tanh"))
        return self.norm(x + functional.dropout(thought, drop, self.training))


class Reader(nn.Module):
    """How likely a section is to answer a question, as one number."""

    def __init__(self, drop: float = 0.1) -> None:
        super().__init__()
        self.drop = drop
        self.question = nn.Linear(WIDTH, READ)
        self.question_norm = nn.LayerNorm(READ, eps=1e-12)
        self.word = nn.Linear(OUT, READ)
        self.near = nn.Parameter(torch.tensor([[0.1], [1.0], [0.1]]).repeat(1, READ))
        self.places = nn.Embedding(WORDS, READ)
        self.word_norm = nn.LayerNorm(READ, eps=1e-12)
        self.looks = nn.ModuleList(Look() for _ in range(LAYERS))
        self.judge = nn.Linear(3 * READ, READ)
        self.says = nn.Linear(READ, 1)
        nn.init.normal_(self.places.weight, std=0.02)

    def words(self, vectors: torch.Tensor, there: torch.Tensor) -> torch.Tensor:
        """The words of sections, each with its neighbours and its place."""
        x = self.word(vectors) * there[..., None]
        before = functional.pad(x[:, :-1], (0, 0, 1, 0))
        after = functional.pad(x[:, 1:], (0, 0, 0, 1))
        near = before * self.near[0] + x * self.near[1] + after * self.near[2]
        return self.word_norm(functional.gelu(near, approximate="tanh") + self.places.weight[None])

    def forward(
        self,
        states: torch.Tensor,
        tokens: torch.Tensor,
        vectors: torch.Tensor,
        there: torch.Tensor,
    ) -> torch.Tensor:
        """One number a section: (questions × sections).

        `states` and `tokens` are what the tower read and where (questions × tokens), `vectors` and `there`
        the same of the sections' words (questions × sections × words).
        """
        questions, sections = vectors.shape[:2]
        asked = self.question_norm(self.question(states))
        x = asked.repeat_interleave(sections, dim=0)
        held = tokens.repeat_interleave(sections, dim=0)
        there = there.flatten(0, 1)
        words = self.words(vectors.flatten(0, 1), there)
        there = there | ~there.any(dim=1, keepdim=True)  # a section without a word is looked at as nothing
        for look in self.looks:
            x = look(x, words, there, self.drop)
        mean = (x * held[..., None]).sum(1) / held.sum(1, keepdim=True)
        most = x.masked_fill(~held[..., None], -1e4).max(dim=1).values
        judged = torch.cat([mean, most, x[:, 0]], dim=-1)
        judged = functional.dropout(
            functional.gelu(self.judge(judged), approximate="tanh"), self.drop, self.training
        )
        return self.says(judged).view(questions, sections)
