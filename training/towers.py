"""The two towers as they are trained: a transformer that reads questions, a table that holds documents.

PyTorch and NumPy alone: this file travels to a machine that has nothing of the package. What it trains is
written by `training.write_towers` in the form that `pykala.models.bundled` reads.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.nn import functional

WIDTH, LAYERS, HEADS, INNER, OUT = 384, 6, 12, 1536, 256
MOST_PIECES, MOST_ROWS = 8, 12  # of one word
MOST_TOKENS = 48  # of one question
START, END = 1, 2  # pieces


@dataclass
class Words:
    """Every word's pieces and rows, padded; `-1` is no piece and no row."""

    pieces: torch.Tensor
    rows: torch.Tensor
    vectors: torch.Tensor | None = None  # what the table says of each word, looked up anew now and then

    @torch.no_grad()
    def look_up(self, table: Table) -> None:
        """Keep the table's vector of every word: rows move slowly, and the words are many."""
        self.vectors = torch.cat([table.words(part) for part in self.rows.split(65_536)]).to(torch.bfloat16)


def padded(flat: np.ndarray, counts: np.ndarray, most: int) -> np.ndarray:
    """Ragged rows as a matrix, filled up with -1."""
    matrix = np.full((len(counts), most), -1, dtype=np.int32)
    matrix[np.arange(most)[None, :] < counts[:, None]] = flat
    return matrix


def words_of(arrays: dict[str, np.ndarray], device: str) -> Words:
    """The tables of words on the machine that trains."""
    pieces = padded(arrays["pieces/flat"], arrays["pieces/counts"], MOST_PIECES)
    rows = padded(arrays["rows/flat"], arrays["rows/counts"], MOST_ROWS)
    return Words(torch.from_numpy(pieces).to(device), torch.from_numpy(rows).to(device))


class Texts:
    """Texts as padded rows of word numbers."""

    def __init__(self, flat: np.ndarray, counts: np.ndarray, device: str, most: int = 28) -> None:
        starts = np.cumsum(counts.astype(np.int64)) - counts
        cut = np.minimum(counts, most).astype(np.int64)
        matrix = np.full((len(counts), most), -1, dtype=np.int32)
        mask = np.arange(most)[None, :] < cut[:, None]
        places = (starts[:, None] + np.arange(most)[None, :])[mask]
        matrix[mask] = flat[places]
        self.words = torch.from_numpy(matrix).to(device)
        self.counts = torch.from_numpy(cut).to(device)

    def of(self, numbers: torch.Tensor) -> torch.Tensor:
        """Some texts, no wider than the longest of them."""
        width = max(1, int(self.counts[numbers].max()))
        return self.words[numbers, :width]


class Table(nn.Module):
    """The document tower: rows of words, each with a weight in a body and one in a header."""

    def __init__(self, rows: np.ndarray) -> None:
        super().__init__()
        count, width = rows.shape
        start = torch.zeros(count + 1, width)
        start[:count] = torch.from_numpy(rows)
        self.rows = nn.Parameter(start)  # the last is padding
        self.body = nn.Parameter(torch.zeros(count + 1))
        self.header = nn.Parameter(torch.full((count + 1,), math.log(0.7)))
        self.padding = count

    def sums(self, rows: torch.Tensor, weights: torch.Tensor | None, dropout: float) -> torch.Tensor:
        """Sums of rows (-1: none), weighed by row where weights are given."""
        keep = rows >= 0
        if dropout:
            keep = keep & (torch.rand(rows.shape, device=rows.device) >= dropout)
        places = torch.where(rows >= 0, rows, self.padding).long()
        weighed = keep.float()
        if weights is not None:
            weighed = keep * functional.embedding(places, weights[:, None])[..., 0].exp()
        # Looked up and summed by a product: `embedding_bag` with weights takes many times as long to learn.
        return torch.bmm(weighed[:, None, :], functional.embedding(places, self.rows))[:, 0]

    def words(self, rows: torch.Tensor) -> torch.Tensor:
        """Unit vectors of single words."""
        return functional.normalize(self.sums(rows, None, 0.0), dim=-1)

    def documents(self, header: torch.Tensor, body: torch.Tensor, dropout: float) -> torch.Tensor:
        """Unit vectors of documents from the rows of their headers and bodies."""
        summed = self.sums(body, self.body, dropout) + self.sums(header, self.header, dropout / 2)
        return functional.normalize(summed, dim=-1)


class Layer(nn.Module):
    """One layer of a transformer, as in BERT."""

    def __init__(self) -> None:
        super().__init__()
        self.attention_in = nn.Linear(WIDTH, 3 * WIDTH)
        self.attention_out = nn.Linear(WIDTH, WIDTH)
        self.attention_norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.inner = nn.Linear(WIDTH, INNER)
        self.outer = nn.Linear(INNER, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Attend, then transform; the mask says which tokens are there."""
        texts, tokens, _ = x.shape
        parts = self.attention_in(x).view(texts, tokens, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        read = functional.scaled_dot_product_attention(parts[0], parts[1], parts[2], attn_mask=mask)
        x = self.attention_norm(x + self.attention_out(read.transpose(1, 2).reshape(texts, tokens, WIDTH)))
        return self.norm(x + self.outer(functional.gelu(self.inner(x))))


class Tower(nn.Module):
    """The question tower: pieces, each with its whole word's row of the table, through six layers."""

    def __init__(self, pieces: int) -> None:
        super().__init__()
        self.pieces = nn.Embedding(pieces, WIDTH)
        self.gates = nn.Parameter(torch.zeros(pieces))
        self.from_table = nn.Linear(OUT, WIDTH, bias=False)
        self.positions = nn.Embedding(MOST_TOKENS, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.out = nn.Linear(WIDTH, OUT, bias=False)

    def tokens(self, texts: torch.Tensor, words: Words) -> tuple[torch.Tensor, torch.Tensor]:
        """Pieces of texts with start and end, and the place of each piece's word in its text."""
        count, width = texts.shape
        there = texts >= 0
        pieces = torch.where(there[..., None], words.pieces[texts.clamp(min=0)], -1).flatten(1)
        places = torch.arange(width, device=texts.device).repeat_interleave(MOST_PIECES).expand(count, -1)
        held = pieces >= 0
        order = torch.argsort(~held, dim=1, stable=True)[:, : MOST_TOKENS - 2]
        pieces, places, held = pieces.gather(1, order), places.gather(1, order), held.gather(1, order)
        lengths = held.sum(1)
        longest = int(lengths.max()) if count else 0
        pieces, places = pieces[:, :longest], places[:, :longest]
        full = torch.full((count, longest + 2), -1, dtype=torch.long, device=texts.device)
        full[:, 1:-1] = pieces
        full[:, 0] = START
        full[torch.arange(count, device=texts.device), lengths + 1] = END
        whose = torch.full((count, longest + 2), -1, dtype=torch.long, device=texts.device)
        whose[:, 1:-1] = torch.where(pieces >= 0, places, -1)
        return full, whose

    def states(
        self, texts: torch.Tensor, words: Words, *, drop: float = 0.0
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """What each token of texts means in its text, and which tokens are there."""
        tokens, whose = self.tokens(texts, words)
        assert words.vectors is not None, "look the words up first"
        meant = words.vectors[texts.clamp(min=0)].float() * (texts >= 0)[..., None]
        if drop:  # now and then a word is known by its letters or by its row alone
            lost = torch.rand(texts.shape, device=texts.device) < drop
            meant = meant * ~lost[..., None]
        own = meant.gather(1, whose.clamp(min=0)[..., None].expand(-1, -1, OUT)) * (whose >= 0)[..., None]
        there = tokens >= 0
        pieces = self.pieces(tokens.clamp(min=0))
        gates = self.gates[tokens.clamp(min=0)][..., None]
        at = torch.arange(tokens.shape[1], device=tokens.device)
        x = self.norm(pieces + gates * self.from_table(own) + self.positions(at))
        mask = there[:, None, None, :]
        for layer in self.layers:
            x = layer(x, mask)
        return x, there

    def forward(self, texts: torch.Tensor, words: Words, *, drop: float = 0.0) -> torch.Tensor:
        """What texts mean, before the last step: the mean of their tokens."""
        x, there = self.states(texts, words, drop=drop)
        return (x * there[..., None]).sum(1) / there.sum(1, keepdim=True)

    def questions(self, texts: torch.Tensor, words: Words, *, drop: float = 0.0) -> torch.Tensor:
        """Unit vectors of questions, in the documents' space."""
        return functional.normalize(self.out(self(texts, words, drop=drop)).float(), dim=-1)


def contrast(
    left: torch.Tensor, right: torch.Tensor, same: torch.Tensor | None, scale: float
) -> torch.Tensor:
    """InfoNCE both ways; `same` marks pairs that are right besides the diagonal and count for neither."""
    logits = left @ right.T * scale
    if same is not None:
        logits = logits.masked_fill(same, float("-inf"))
    target = torch.arange(len(left), device=left.device)
    return (functional.cross_entropy(logits, target) + functional.cross_entropy(logits.T, target)) / 2
