"""What a reader must know before relying on a cited provision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from pykala.law.answers import Caveat, CaveatKind
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Event, Version, WorkKind
from pykala.law.references import UnresolvedReference
from pykala.stores.store import StoredProvision

LANGUAGES = {"fi": "Finnish", "sv": "Swedish", "en": "English", "fr": "French"}
_SHOWN = 3  # unresolved references named before they are only counted


def of_provision(stored: StoredProvision, language: str, as_of: date) -> Iterator[Caveat]:
    """The caveats of one cited provision on a date."""
    provision, version = stored.provision.id, stored.version
    validity = version.validity
    if version.event is Event.REPEALED:
        since = f" since {validity.start.isoformat()}" if validity.start else ""
        yield Caveat(CaveatKind.REPEALED, provision, f"This provision is repealed{since}.")
    elif validity.end is not None and validity.end <= as_of:
        message = f"This text is no longer in force: it was until {validity.end.isoformat()}."
        yield Caveat(CaveatKind.REPEALED, provision, message)
    if stored.work.kind is WorkKind.GUIDANCE:
        message = "This is guidance, not law: it says how an authority reads the law."
        yield Caveat(CaveatKind.GUIDANCE, provision, message)
    if validity.is_pending:
        message = "This text is enacted, but the day of its entry into force is not fixed."
        yield Caveat(CaveatKind.NOT_YET_IN_FORCE, provision, message)
    elif later := _later_parts(stored, as_of):
        yield _before_start(provision, later, as_of)
    if stored.missing:
        message = (
            f"On {as_of.isoformat()} {len(stored.missing)} parts of it had a wording that the source does not"
            f" hold, and are left out: {', '.join(map(str, stored.missing[:_SHOWN]))}"
            f"{' …' if len(stored.missing) > _SHOWN else ''}."
        )
        yield Caveat(CaveatKind.HISTORY_UNAVAILABLE, provision, message)
    for finding in version.findings:
        yield Caveat(CaveatKind.SUSPECT, provision, finding)
    if stored.translation:
        others = [other for other in stored.languages if other != stored.language]
        message = f"This is an unofficial translation; the authentic text is in {_names(others)}."
        yield Caveat(CaveatKind.TRANSLATION, provision, message)
    if stored.language != language:
        held = f"This is the {_names([stored.language])} text"
        message = f"{held}; the library does not hold the work in {_names([language])}."
        if language in stored.languages:
            message = f"{held}: it is the one that was found, or that has a wording on the date."
        yield Caveat(CaveatKind.OTHER_LANGUAGE, provision, message)


def _later_parts(stored: StoredProvision, as_of: date) -> list[Version]:
    """The wordings shown, of the provision or of anything below it, that are younger than the date."""
    shown = (version for node in stored.provision.walk() for version in node.versions)
    return [version for version in shown if version.validity.start and as_of < version.validity.start]


def _before_start(provision: ProvisionId, later: Sequence[Version], as_of: date) -> Caveat:
    start = max(version.validity.start or date.min for version in later).isoformat()
    if any(version.history_unavailable for version in later):
        message = (
            f"The wording in force on {as_of.isoformat()} is not in this source; what is shown is in force"
            f" since {start}."
        )
        return Caveat(CaveatKind.HISTORY_UNAVAILABLE, provision, message)
    return Caveat(CaveatKind.NOT_YET_IN_FORCE, provision, f"This text comes into force on {start}.")


def of_references(unresolved: Sequence[UnresolvedReference]) -> Iterator[Caveat]:
    """References of the primary provision that lead out of the library."""
    for reference in unresolved[:_SHOWN]:
        message = f"It refers to “{reference.text}”, which is {reference.reason.value}."
        yield Caveat(CaveatKind.UNRESOLVED_REFERENCE, reference.source, message)
    if len(unresolved) > _SHOWN:
        message = f"{len(unresolved) - _SHOWN} more references lead out of the library."
        yield Caveat(CaveatKind.UNRESOLVED_REFERENCE, unresolved[0].source, message)


def of_library(facts: Mapping[str, str]) -> Iterator[Caveat]:
    """What holds for every answer from a library."""
    if facts.get("edition") == "sample":
        message = (
            "This comes from the sample library: short paraphrases that ship with Pykälä, not the law."
            " Add the law itself with 'pykala ingest'."
        )
        yield Caveat(CaveatKind.SAMPLE, None, message)


def _names(languages: Sequence[str]) -> str:
    return " and ".join(LANGUAGES.get(language, language) for language in languages) or "another language"
