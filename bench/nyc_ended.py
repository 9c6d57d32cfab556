"""Precision and recall of the periods that the words of the code are for, against labels made by reading.

    python -m bench.nyc_ended ../shared/corpora/nyc.tar.zst [--wrong]

The labels (tests/packs/nyc/labels/ended.jsonl) hold no words of the law: for each provision its identifier
and the day on which it is over by its own words or by those that it stands under ("For taxable years
beginning in two thousand nine …"), empty where it stands. All 478 provisions whose first 400 characters name
a year and a bound were read; what can be read both ways (a duty done by a day of 1964, a benefit for works of
past years) was left out. 90 of the labels, drawn at random, stand below a provision that is labelled itself;
6 come from a draw of 200 provisions that stand. 35 were added later, of chapters whose tax has ended or goes
on and of mortgages, credits and tables of past years. 27 others, which were labelled as standing or with a
later day, were read anew: 17 are of a tax that a judgment ended, 10 are over by their own words or their
chapter's.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from bench.nyc_citations import read_title
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Document, Event

LABELS = Path(__file__).parents[1] / "tests" / "packs" / "nyc" / "labels" / "ended.jsonl"
AS_OF = date(2026, 11, 16)


@dataclass(slots=True)
class EndedScore:
    """What is labelled as ended, what the reader ends, and where both name the same day."""

    labelled: int = 0
    standing: int = 0
    found: int = 0
    right: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        """Of what the reader ends, how much ends on that day."""
        return self.right / max(self.found, 1)

    @property
    def recall(self) -> float:
        """Of what has ended, how much the reader ends on the day."""
        return self.right / max(self.labelled, 1)


def score(document: Document) -> EndedScore:
    """Compare the title as it is read with the labels."""
    told = EndedScore()
    nodes = {node.id: node for node in document.root.walk()}
    for line in LABELS.read_text("utf-8").splitlines():
        label = json.loads(line)
        versions = nodes[ProvisionId.parse(label["provision"])].versions
        stands = any(
            one.text and one.event is not Event.REPEALED and one.validity.covers(AS_OF) for one in versions
        )
        end = "" if stands else str(versions[-1].validity.end or "")
        told.labelled += bool(label["end"])
        told.standing += not label["end"]
        told.found += not stands
        told.right += bool(end) and end == label["end"]
        if end != label["end"]:
            told.wrong.append(f"{label['provision']}: {end or 'stands'}, labelled {label['end'] or 'stands'}")
    return told


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("source", type=Path)
    parser.add_argument("--wrong", action="store_true")
    arguments = parser.parse_args()
    told = score(read_title(arguments.source))
    print(f"{told.labelled} ended, {told.standing} standing")
    print(f"precision {told.precision:.3f} ({told.right}/{told.found})")
    print(f"recall {told.recall:.3f} ({told.right}/{told.labelled})")
    if arguments.wrong:
        print("\n".join(told.wrong))


if __name__ == "__main__":
    main()
