"""`python -m docsite`: build the site and check it."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from docsite.build import OUT, build
from docsite.checking import faults_of


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m docsite", description="Build the documentation site.")
    parser.add_argument("--out", type=Path, default=OUT, help="folder to build in; default: build/")
    began = time.perf_counter()
    site = build(parser.parse_args().out)
    faults = faults_of(site)
    for fault in faults:
        sys.stderr.write(f"{fault}\n")
    pages = len(list(site.rglob("*.html")))
    size = sum(file.stat().st_size for file in site.rglob("*") if file.is_file()) / 1e6
    sys.stdout.write(
        f"{pages} pages, {size:.1f} MB, {time.perf_counter() - began:.0f} s: open {site / 'index.html'}\n"
    )
    return 1 if faults else 0


sys.exit(main())
