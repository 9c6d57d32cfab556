"""Compare the locked packages with published advisories: `python -m fuzz.audit`, or `make audit`.

What is audited are the versions that a server is installed with (`deploy/requirements.lock`, which `make
lock` writes), whatever is installed here; `--installed` audits that.

Advisories come over the network. Where they cannot be had, nothing was audited, and the exit code is 2, so
that nobody takes silence for safety.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

LOCK = Path(__file__).parents[1] / "deploy" / "requirements.lock"
AUDITED, VULNERABLE, NOT_AUDITED = 0, 1, 2


def told(output: str, errors: str) -> tuple[int, str]:
    """What pip-audit's JSON and error stream mean: an exit code, and words."""
    try:
        packages = json.loads(output)["dependencies"]
    except (ValueError, KeyError, TypeError):
        reason = (errors.strip().splitlines() or ["it said nothing"])[-1]
        return NOT_AUDITED, f"nothing was audited: the advisories could not be had ({reason})"
    lines = [
        f"{package['name']} {package['version']}: {found['id']}, mended in"
        f" {', '.join(found.get('fix_versions', [])) or 'no version yet'}"
        for package in packages
        for found in package.get("vulns", [])
    ]
    skipped = [package["name"] for package in packages if "skip_reason" in package]
    if len(skipped) == len(packages):  # what pip-audit makes of an index that it cannot reach
        reason = packages[0]["skip_reason"] if packages else "no package is installed"
        return NOT_AUDITED, f"nothing was audited: the advisories could not be had ({reason})"
    lines.append(f"{len(packages) - len(skipped)} packages audited, {len(lines)} advisories apply")
    if skipped:
        lines.append(f"not audited: {', '.join(skipped)}")
    return (VULNERABLE if any(package.get("vulns") for package in packages) else AUDITED), "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """Audit, and say how it went."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.audit", description=__doc__.splitlines()[0])
    parser.add_argument("--installed", action="store_true", help="what is installed here, not the lock")
    asked = parser.parse_args(arguments)
    if find_spec("pip_audit") is None:
        print('nothing was audited: pip-audit is not installed (pip install "pip-audit>=2.7,<3")')
        return NOT_AUDITED
    command = [
        sys.executable,
        "-m",
        "pip_audit",
        "--format",
        "json",
        "--progress-spinner",
        "off",
        "--timeout",
        "15",
        # The lock names every package with its hashes: nothing is resolved or downloaded.
        *(() if asked.installed else ("--requirement", str(LOCK), "--require-hashes", "--disable-pip")),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    code, words = told(done.stdout, done.stderr)
    print(f"{'what is installed here' if asked.installed else 'deploy/requirements.lock'}: {words}")
    return code


if __name__ == "__main__":
    sys.exit(main())
