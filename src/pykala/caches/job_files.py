"""Progress of long work on a library in a folder: one small file a job, for the processes of this machine."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from dataclasses import asdict
from hashlib import blake2b
from pathlib import Path
from typing import Final

from pykala.caches.jobs import job_of
from pykala.stores.jobs import KEPT_SECONDS, Job

FOLDER: Final = "jobs"  # in the cache


class JobFiles:
    """The jobs of one library; files of the last day."""

    def __init__(self, cache: Path, library: Path) -> None:
        named = blake2b(str(library.absolute()).encode(), digest_size=8).hexdigest()
        self._folder = cache / FOLDER / named
        self.fault = ""

    def keep(self, place: str, job: Job) -> bool:
        """Write down how far a job has come; a file is replaced whole."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            draft = self._folder / f"{place}.part"
            draft.write_text(json.dumps(asdict(job)), "utf-8")
            draft.replace(self._folder / place)
        except OSError as error:
            self.fault = f"the progress cannot be written into {self._folder} ({error.strerror})"
            return False
        self.fault = ""
        if job.ended:
            self._forget()
        return True

    def read(self) -> dict[str, Job]:
        """The jobs of the last day by place."""
        found = {}
        for path in self._files():
            with suppress(OSError):  # another process forgets it just now
                job = job_of(path.read_bytes())
                if job is not None and time.time() - job.told < KEPT_SECONDS:
                    found[path.name] = job
        return found

    def close(self) -> None:
        """Do nothing: no file stays open."""

    def _forget(self) -> None:
        for path in self._files():
            with suppress(OSError):
                if time.time() - path.stat().st_mtime > KEPT_SECONDS:
                    path.unlink()

    def _files(self) -> list[Path]:
        try:
            return [path for path in self._folder.iterdir() if path.suffix != ".part"]
        except OSError:
            return []
