"""What was asked of a section, as one vector beside its own: how much it helps, and the vectors themselves.

    python -m training.asked_sections sections.xz --towers FOLDER --out FOLDER

A section is found by its own words and by the questions that were written for it, which lie nearer to what
people ask. Measured on acts whose questions the towers have not seen, each question without itself.
`training.write_asked` makes the package's file of what is written.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from torch.nn import functional

from training.tower_batches import LANGUAGES, Data
from training.tower_files import CHOSEN_BY, read_checkpoint, unpack, write_checkpoint
from training.tower_steps import machine
from training.tower_training import Recipe, Training
from training.train_towers import towers_of
from training.write_towers import mean

_SHARES = (0.0, 0.3, 0.6, 1.0, 1.5)  # of what was asked, beside a section's own vector


class Asked:
    """Vectors of all questions, and their sum by section."""

    @torch.no_grad()
    def __init__(self, training: Training, questions: torch.Tensor) -> None:
        data = training.data
        training.tower.eval()
        self.questions = questions
        parts = [training.questions(data.texts.of(one), drop=0.0) for one in questions[:, 0].split(1024)]
        self.vectors = torch.cat(parts)
        count = int(max(data.documents.section.max(), questions[:, 1].max())) + 1
        self.sums = torch.zeros(count, self.vectors.shape[1], device=data.device)
        self.sums.index_add_(0, questions[:, 1], self.vectors)
        self.count = torch.zeros(count, device=data.device)
        self.count.index_add_(0, questions[:, 1], torch.ones(len(questions), device=data.device))


@torch.no_grad()
def recall(training: Training, asked: Asked, share: float, *, alone: bool) -> dict[str, tuple[float, ...]]:
    """Recall at 1, 5, 10 and 100 of held-out questions; `alone`: their own sections have none of theirs."""
    data = training.data
    documents = data.documents
    own = training.all_documents()
    known = (asked.count > 0)[documents.section][:, None]
    mixed = functional.normalize(
        own + share * known * functional.normalize(asked.sums[documents.section], dim=-1), dim=-1
    )
    held = torch.nonzero(asked.questions[:, 3] == CHOSEN_BY).flatten()
    found = {}
    for code, language in enumerate(LANGUAGES):
        pool = torch.nonzero(documents.language == code).flatten()
        chosen = held[
            (asked.questions[held, 2] == code)
            & (data.questions.documents[asked.questions[held, 1], code] >= 0)
        ]
        chosen = chosen[:: max(1, len(chosen) // 1500)]
        ranks = []
        for part in chosen.split(256):
            sections, vectors = asked.questions[part, 1], asked.vectors[part]
            answer = data.questions.documents[sections, code]
            rest = asked.sums[sections] - vectors
            beside = functional.normalize(rest, dim=-1) * (asked.count[sections] > 1)[:, None]
            right = functional.normalize(own[answer] + (0.0 if alone else share) * beside, dim=-1)
            scores = vectors @ mixed[pool].T
            scores.masked_fill_(documents.section[pool][None] == sections[:, None], -9.0)
            ranks.append((scores > (vectors * right).sum(1, keepdim=True)).sum(1))
        rank = torch.cat(ranks)
        found[language] = tuple(round(float((rank < most).float().mean()), 3) for most in (1, 5, 10, 100))
    return found


def main() -> None:
    """Measure, and write the sum of the vectors of each section's questions."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sections", type=Path)
    parser.add_argument(
        "--towers", type=Path, nargs="+", required=True, help="checkpoints; their mean is used"
    )
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    device = machine()
    arrays, weights = unpack(given.sections), mean([read_checkpoint(folder) for folder in given.towers])
    tower, table = (one.to(device) for one in towers_of(weights, Recipe((0, 0, 0)), None))
    data = Data(arrays, 66, 110, True, device)
    data.words.look_up(table)
    training = Training(tower, table, data, Recipe((0, 0, 0)))
    asked = Asked(training, torch.from_numpy(arrays["questions"].astype("int64")).to(device))
    for share in _SHARES:
        print(f"{share}: with its questions {recall(training, asked, share, alone=False)}", flush=True)
        print(f"{share}: without {recall(training, asked, share, alone=True)}", flush=True)
    kept = torch.nonzero(asked.count > 0).flatten()
    found = {"sums": asked.sums[kept], "count": asked.count[kept], "numbers": kept.float()}
    write_checkpoint({name: one.cpu().numpy() for name, one in found.items()}, given.out)


if __name__ == "__main__":
    main()
