"""Generations of the index files in S3, with a local copy of those in use.

    FOLDER/objects/<sha256>            a file of an index, under the hash of its bytes
    FOLDER/generations/00000012.json   the files of a generation: name → hash, size, time

A generation is stored completely before the database names it. A machine downloads the files that it lacks,
compares every hash, and moves the generation into place in one step, so that nobody opens a partial one.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import shutil
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Final

from pykala.stores.postgres.copies import copies_in_cache
from pykala.stores.postgres.generations import KEPT, Generations
from pykala.stores.postgres.objects import S3Objects, is_remote, remote_address
from pykala.stores.store import StoreDamaged

_LISTED: Final = "contents.json"  # in a generation's folder: the object that it was fetched from or stored as
_PIECE: Final = 1 << 20
_SHA256: Final = re.compile("[0-9a-f]{64}")
_OUTSIDE: Final = re.compile(r"(?:^|/)\.\.(?:/|$)|[\\:\x00]")

Listed = dict[str, tuple[str, int, int]]  # name → sha256, bytes, time of the last change


def generations_at(place: Path, library: str) -> Generations:
    """The generations of a library, on a volume or in S3."""
    if not is_remote(place):
        return Generations(place / library)
    in_s3, _ = copies_in_cache()
    return RemoteGenerations(in_s3 / library, S3Objects(f"{remote_address(place)}/{library}"))


class RemoteGenerations(Generations):
    """Generations stored in S3; the local folder is a copy."""

    is_copy = True

    def __init__(self, root: Path, objects: S3Objects) -> None:
        super().__init__(root)
        self._objects = objects
        self._published: tuple[int, str] | None = None  # not yet named by the database

    def begin(self, number: int, *, empty: bool = False) -> Path:
        """A new generation after `number`, whose files are downloaded first."""
        if number and not empty:
            self.fetched(number)
        folder = super().begin(number, empty=empty)
        (folder / _LISTED).unlink(missing_ok=True)
        return folder

    def publish(self, number: int) -> None:
        """Upload a generation, before the database names it."""
        folder = self.folder(number)
        listed = _contents(folder)
        stored = self._objects.names("objects/")
        for name, (digest, _, _) in listed.items():
            if f"objects/{digest}" not in stored:
                self._objects.put_file(f"objects/{digest}", folder / name)
                stored.add(f"objects/{digest}")
        manifest = json.dumps(listed, sort_keys=True)
        self._objects.put(_manifest(number), manifest.encode())
        self._published = number, manifest

    def named(self) -> None:
        """Trust the local files of the last published generation."""
        if self._published is not None:
            number, manifest = self._published
            (self.folder(number) / _LISTED).write_text(manifest)
            self._published = None

    def fetched(self, number: int) -> Path:
        """The local folder of a generation, downloaded where needed.

        A local folder from a writer that was killed before the database named it is not trusted: another
        machine may have made a generation with the same number since.
        """
        folder = self.folder(number)
        if (folder / _LISTED).exists():
            return folder
        listed = _read(self._objects.get(_manifest(number)))
        self._fetch(folder, listed)
        for path in self._folder.iterdir():  # local readers, too, open only the last few
            if path.name.isdigit() and int(path.name) < number - KEPT:
                shutil.rmtree(path, ignore_errors=True)
        return folder

    def _fetch(self, folder: Path, listed: Listed) -> None:
        folder.parent.mkdir(parents=True, exist_ok=True)
        known = self._held()
        draft = folder.with_name(f"fetching-{secrets.token_hex(8)}")
        draft.mkdir()  # with the rights of the umask, which the generation keeps
        try:
            for name, (digest, size, changed) in listed.items():
                self._bring(draft / name, digest, size, known.get(digest))
                os.utime(draft / name, ns=(changed, changed))
            (draft / _LISTED).write_text(json.dumps(listed, sort_keys=True))
            shutil.rmtree(folder, ignore_errors=True)  # left by a killed writer
            try:
                draft.rename(folder)
            except OSError:  # another process of this machine was faster
                if not (folder / _LISTED).exists():
                    raise
        finally:
            shutil.rmtree(draft, ignore_errors=True)

    def _bring(self, path: Path, digest: str, size: int, here: Path | None) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        if here is not None:
            with suppress(OSError):  # another process has just removed it
                shutil.copyfile(here, path)
                if _digest(path) == digest:
                    return
        self._objects.get_file(f"objects/{digest}", path)
        if path.stat().st_size != size or _digest(path) != digest:
            raise StoreDamaged(
                f"objects/{digest} in {self._objects.address} is not what was stored there; write the index"
                " anew: 'pykala reindex --library ADDRESS'"
            )

    def _held(self) -> dict[str, Path]:
        """Local files of other generations, by hash."""
        held: dict[str, Path] = {}
        for listed in self._folder.glob(f"[0-9]*/{_LISTED}"):
            with suppress(FileNotFoundError):  # another process has just removed it
                for name, (digest, _, _) in _read(listed.read_bytes()).items():
                    held[digest] = listed.parent / name
        return held

    def discard_all_but(self, current: int) -> None:
        """Remove all but the last few generations, locally and in S3."""
        super().discard_all_but(current)
        manifests = self._objects.names("generations/")
        kept = {_manifest(number) for number in range(current - KEPT, current + 1)} & manifests
        if manifests == kept:
            return
        used = {
            f"objects/{digest}" for one in kept for digest, _, _ in _read(self._objects.get(one)).values()
        }
        self._objects.remove(manifests - kept)
        self._objects.remove(self._objects.names("objects/") - used)

    def remove(self) -> None:
        """Remove every generation, locally and in S3."""
        super().remove()
        self._objects.remove(self._objects.names(""))


def _manifest(number: int) -> str:
    return f"generations/{number:08d}.json"


def _contents(folder: Path) -> Listed:
    found: Listed = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != _LISTED and not path.name.endswith(".lock"):
            about = path.stat()
            found[path.relative_to(folder).as_posix()] = _digest(path), about.st_size, about.st_mtime_ns
    return found


def _read(manifest: bytes) -> Listed:
    """The files of a generation; StoreDamaged where the list is not one that `publish` wrote."""
    try:
        return {name: _listed(name, *about) for name, about in json.loads(manifest).items()}
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise StoreDamaged(
            "the contents of a generation are not listed as they were stored; write the index anew:"
            " 'pykala reindex --library ADDRESS'"
        ) from None


def _listed(name: str, digest: str, size: int, changed: int) -> tuple[str, int, int]:
    path = PurePosixPath(name)
    # Backslashes and colons have a meaning in the paths of some systems; our names contain neither.
    inside = path.parts and not path.is_absolute() and not _OUTSIDE.search(name) and path.name != _LISTED
    if not inside or not _SHA256.fullmatch(digest):
        raise StoreDamaged("the contents of a generation name a file outside of it")
    return digest, int(size), int(changed)


def _digest(path: Path) -> str:
    hashed = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            hashed.update(piece)
    return hashed.hexdigest()
