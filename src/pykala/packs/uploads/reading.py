"""From a file to a work: identified by its bytes, named by its file, ranked below every source of law."""

from __future__ import annotations

from pykala.fetch.refusals import Refusal, RefusedFile, printable
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Document, Manifestation, Work, WorkKind
from pykala.packs.pack import PackFacts, Reading, Snapshot
from pykala.text.language import detect

from .citing import upload_title, work_of
from .formats import read_upload
from .outline import build


def read_file(snapshot: Snapshot, facts: PackFacts) -> Reading:
    """Read one upload. Nothing in a file makes this raise: what cannot be read is refused by name."""
    try:
        return _read(snapshot, facts)
    except RefusedFile as refused:
        return Reading(None, refusals=(Refusal(snapshot.path, refused.reason),))
    except Exception as fault:  # an error of a reader is a refusal too, so that the other files are read
        reason = printable(f"could not be read: {type(fault).__name__}: {fault}")
        return Reading(None, refusals=(Refusal(snapshot.path, reason),))


def _read(snapshot: Snapshot, facts: PackFacts) -> Reading:
    name = snapshot.path.rpartition("/")[2]
    format, text = read_upload(snapshot.data, name)
    detected = detect(
        "\n".join(block.text for block in text.blocks[:200]), facts.default_language, facts.languages
    )
    unsure = detected.confidence < 0.5
    notes = (*text.notes, f"language unsure, taken as {detected.language!r}") if unsure else text.notes
    work, title = work_of(snapshot.sha256), upload_title(snapshot.path)
    document = Document(
        work,
        detected.language,
        title,
        build(ProvisionId(work), title, text.blocks),
        # Use only the file's own name: the folder in which a user keeps it is private.
        (Manifestation(name, snapshot.sha256, format, "", snapshot.retrieved_at, notes),),
    )
    held = Work(work, WorkKind.UPLOAD, facts.authority["upload"], titles=((detected.language, title),))
    return Reading(held, (document,))
