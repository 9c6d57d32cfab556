"""Pykälä beside other engines: `python -m bench.peers` prints Markdown tables.

    python -m bench.peers --peer-python VENV/bin/python \\
        --library canada=DIR:en:ca --library finland=DIR:fi:fi [--bank kuntalaki.json] \\
        [--peers bm25s tantivy …] [--documents 20000] [--newest] [--out FOLDER] \\
        [--model all-MiniLM-L6-v2=FOLDER]

Libraries are made with `pykala ingest`; of one that holds several places, the last part names the place whose
law is taken. Peers are installed apart, for nothing of the product needs them:

    python -m venv VENV && VENV/bin/pip install -e . bm25s tantivy llama-index-core haystack-ai txtai lancedb

Peers whose names end in "-own" come with their own default model, where `--model` says where its weights lie
(`bench/peers/models.py`: which can be had, and how their vectors are computed beforehand in `--out`).

Every engine runs in a process of its own, one after another, on the same documents (each wording of a section
is one; `--newest` also measures peers that are given only the newest) and the same questions. One that is not
installed is named and left out. Ratios are to Pykälä's own row; processor time is what others on the
machine do not lengthen.
`--keep` takes the peers' figures of an earlier run in `--out`, where documents and questions are the same.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Any

from bench.peers.engines import PEERS
from bench.peers.export import ROOT, Wanted, export
from bench.peers.models import WEIGHTS, weights_held
from bench.peers.records import DOCUMENTS, QUESTIONS, read_questions
from bench.peers.report import Row, tables

OWN = "Pykälä, words and meaning"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--library", action="append", required=True, metavar="NAME=FOLDER:LANGUAGE[:PLACE]")
    parser.add_argument("--peer-python", default=sys.executable, help="the Python that the peers run with")
    parser.add_argument("--peers", nargs="*", choices=list(PEERS), default=list(PEERS))
    parser.add_argument("--bank", type=Path, action="append", default=[], help="questions beside our own")
    parser.add_argument("--documents", type=int, default=20_000, help="of each library, at most")
    parser.add_argument("--newest", action="store_true", help="also index only the newest wordings")
    parser.add_argument("--keep", action="store_true", help="measure no peer twice; needs --out")
    parser.add_argument("--out", type=Path, help="keep documents, questions and what was measured")
    parser.add_argument("--model", action="append", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--only-export", action="store_true", help="measure nothing; needs --out")
    options = parser.parse_args()
    os.environ[WEIGHTS] = json.dumps(dict(one.partition("=")[::2] for one in options.model))
    with tempfile.TemporaryDirectory() as temporary:
        out = options.out or Path(temporary)
        for given in options.library:
            name, _, rest = given.partition("=")
            folder, language, *place = rest.split(":")
            wanted = Wanted(name, Path(folder), language, options.documents, *place)
            documents, asked = export(wanted, options.bank, out / name)
            print(f"\n### {name}: {documents:,} documents, {asked} questions\n", flush=True)
            if not options.only_export:
                measure_all(out / name, options)


def measure_all(folder: Path, options: argparse.Namespace) -> None:
    """Every engine over one set of documents."""
    own = _measure(sys.executable, "pykala", folder)
    words = _measure(sys.executable, "pykala-words", folder)
    rows = [
        Row(OWN, own, "search"),
        Row("Pykälä, a whole answer (`ask`)", own, "ask"),
        Row("Pykälä, words alone", words, "search"),
    ]
    for name in options.peers:
        if PEERS[name].model and not weights_held(PEERS[name].model):
            print(f"{PEERS[name].title} is left out: no --model {PEERS[name].model}=FOLDER", file=sys.stderr)
            continue
        for newest in (False, True) if options.newest else (False,):
            title = PEERS[name].title + (", newest wordings" if newest else "")
            kept = _kept(folder, name, newest) if options.keep else None
            try:
                found = kept or _measure(options.peer_python, name, folder, newest=newest)
                rows.append(Row(title, found, "search"))
            except EngineFailed as error:
                print(f"{title} is left out: {error}", file=sys.stderr)
    print(tables(rows, read_questions(folder)), flush=True)


class EngineFailed(RuntimeError):
    """An engine that is not installed, or did not come to an end."""


def _measure(python: str, engine: str, folder: Path, *, newest: bool = False) -> dict[str, Any]:
    command = [python, "-m", "bench.peers.measure", engine, str(folder), *(["--newest"] if newest else [])]
    paths = [str(ROOT), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, reversed(paths))),
        "HAYSTACK_TELEMETRY_ENABLED": "False",
        "HF_HUB_OFFLINE": "1",
    }
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise EngineFailed(done.stderr.strip().rpartition("\n")[2])
    found: dict[str, Any] = json.loads(done.stdout.strip().rpartition("\n")[2])
    found["given"] = _given(folder)
    _file(folder, engine, newest).write_text(json.dumps(found), encoding="utf-8")
    return found


def _kept(folder: Path, engine: str, newest: bool) -> dict[str, Any] | None:
    """What was measured earlier on the very same documents and questions."""
    path = _file(folder, engine, newest)
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found if found.get("given") == _given(folder) else None


def _file(folder: Path, engine: str, newest: bool) -> Path:
    return folder / f"{engine}{'-newest' if newest else ''}.json"


def _given(folder: Path) -> str:
    return sha256((folder / DOCUMENTS).read_bytes() + (folder / QUESTIONS).read_bytes()).hexdigest()


if __name__ == "__main__":
    main()
