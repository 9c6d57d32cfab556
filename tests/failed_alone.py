"""Run the few tests that failed in a whole run once more, alone: `python tests/failed_alone.py FOLDER`.

FOLDER is pytest's cache of that run. The tests start servers, databases and browsers, and a busy machine may
give one of them too little in its time. What fails again, fails the run. What passes alone is named in the
last lines, to be mended; more than two are no accident, and are not asked again.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

MOST = 2


def main(cache: Path) -> int:
    try:
        failed = sorted(json.loads((cache / "v/cache/lastfailed").read_text()))
    except FileNotFoundError:
        return 1  # nothing was collected, or pytest itself failed
    if not failed or len(failed) > MOST:
        return 1
    again = [sys.executable, "-m", "pytest", "-n", "0", *failed]
    if status := subprocess.run(again, check=False).returncode:
        return status
    print("UNSTEADY: failed in company, passed alone:", *failed, sep="\n  ")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
