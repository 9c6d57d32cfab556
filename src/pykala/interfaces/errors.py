"""Convert a library's errors to one line and an exit code."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pykala.fetch.confined import TookTooMuch
from pykala.fetch.refusals import MirrorFault, SourceUnreachable
from pykala.fetch.workers import WorkerLost
from pykala.ingest import WrongPack
from pykala.interfaces.exits import LIBRARY_UNUSABLE, NOT_UNDERSTOOD, UNREACHABLE, fail
from pykala.interfaces.telemetry import TelemetryMissing
from pykala.law.identifiers import InvalidIdentifier
from pykala.models.failures import ModelError
from pykala.online.source import UnknownSubject
from pykala.packs.pack import PackBroken, UnknownPack
from pykala.stores.store import NotInForce, StoreError, UnknownProvision

_MISTAKES = (
    UnknownProvision,
    NotInForce,
    UnknownPack,
    UnknownSubject,
    InvalidIdentifier,
    MirrorFault,
    TookTooMuch,
    WrongPack,
)


@contextmanager
def clear_errors() -> Iterator[None]:
    """Exit with one line that says what to do, and an exit code for programs."""
    try:
        yield
    except SourceUnreachable as error:
        fail(str(error), UNREACHABLE)
    except _MISTAKES as error:
        fail(str(error), NOT_UNDERSTOOD)
    except (StoreError, WorkerLost, PackBroken, ModelError, TelemetryMissing) as error:
        fail(str(error), LIBRARY_UNUSABLE)
    except BrokenPipeError:
        raise
    except OSError as error:
        fail(f"{error.filename or 'a file'}: {error.strerror or error}", LIBRARY_UNUSABLE)
