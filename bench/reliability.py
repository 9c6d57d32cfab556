"""Whether grades are what they say: the table and the picture of a calibration, from its own file.

    python -m bench.reliability                     the weights that ship, into docs/pictures/reliability.svg
    python -m bench.reliability FILE --out PICTURE  those of `pykala calibrate --out FILE`

Both were measured when the weights were fitted, cross-validated over acts; nothing is asked again.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from pykala.evaluate.plots import reliability_plot
from pykala.evaluate.reliability import Bin, bins_from, calibration_error, together

ROOT = Path(__file__).parents[1]
SHIPPED = ROOT / "src" / "pykala" / "retrieve" / "data" / "calibration.json"
PICTURE = ROOT / "docs" / "pictures" / "reliability.svg"


def main() -> None:
    """Print the table and write the picture."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    arguments.add_argument("file", nargs="?", type=Path, default=SHIPPED)
    arguments.add_argument("--out", type=Path, default=PICTURE)
    given = arguments.parse_args()
    cases = bins_of(given.file)
    if not cases:
        arguments.error(f"{given.file} has no reliability; fit it again with 'pykala calibrate --out FILE'")
    for name, bins in cases.items():
        count = sum(one.count for one in bins)
        print(f"{name}: {count} questions, expected calibration error {calibration_error(bins):.3f}")
    whole = together(list(cases.values()))
    print(table(whole))
    error = calibration_error(whole)
    print(f"\nAll together, the expected calibration error is {error:.3f}.")
    given.out.write_text(
        reliability_plot(whole, f"Of provisions with a grade, how many were right (error {error:.3f})")
    )


def bins_of(file: Path) -> dict[str, tuple[Bin, ...]]:
    """The bins of each case that a calibration has measured."""
    cases = json.loads(file.read_text(encoding="utf-8"))["cases"]
    measured = {name: one.get("measured", {}).get("reliability", ()) for name, one in cases.items()}
    return {name: bins_from(bins) for name, bins in measured.items() if bins}


def table(bins: tuple[Bin, ...]) -> str:
    """The bins as Markdown."""
    rows = [f"| {one.predicted:.3f} | {one.measured:.3f} | {one.count} |" for one in bins]
    return "\n".join(["| predicted | measured | questions |", "|---|---|---|", *rows])


if __name__ == "__main__":
    main()
