"""What each setting may be. A value that is none of that is refused with one line, not passed over."""

from __future__ import annotations

import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ON: Final = frozenset({"1", "true", "yes", "on"})
OFF: Final = frozenset({"0", "false", "no", "off"})
MOST_PROCESSES: Final = 64
_MOST_BYTES: Final = 1 << 20  # of a settings file
_LONGEST: Final = 40  # characters of a wrong value that are shown


class SettingsUnreadable(ValueError):
    """A settings file that is not TOML or names what is no setting, or a value that a setting cannot have."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What a setting may be: in words, as a test of its text, and by the types that a file may give it."""

    means: str
    fits: Callable[[str], bool]
    types: frozenset[type]


def _whole(most: float = float("inf")) -> Callable[[str], bool]:
    return lambda text: text.isascii() and text.isdecimal() and len(text) < 19 and int(text) <= most


def _amount(text: str) -> bool:
    try:
        return 0 <= float(text) < float("inf")
    except ValueError:
        return False


def _among(words: frozenset[str]) -> Callable[[str], bool]:
    return lambda text: text.lower() in words


_TEXTS, _SWITCHES = frozenset({str}), frozenset({bool, int, str})
_TEXT: Final = Kind("a text in quotes", lambda text: True, _TEXTS)
_WORDS: Final = Kind("a text in quotes, or a list of them", lambda text: True, frozenset({str, list}))
_COUNT: Final = Kind("a whole number from 0 on", _whole(), frozenset({int, str}))
_AMOUNT: Final = Kind("a number from 0 on", _amount, frozenset({int, float, str}))
_SWITCH: Final = Kind("1 or 0", _among(ON | OFF), _SWITCHES)
_PROCESSES: Final = Kind(f"a whole number from 0 to {MOST_PROCESSES}", _whole(MOST_PROCESSES), _COUNT.types)
_AUDIT: Final = Kind("0, 1 or questions", _among(frozenset({"0", "1", "questions"})), _SWITCHES)

#: Settings with one name or several.
_LISTS: Final = (
    "PYKALA_API_KEYS", "PYKALA_UPLOAD_KEYS", "PYKALA_DELETE_KEYS", "PYKALA_FETCH_KEYS",
    "PYKALA_INGEST_KEYS", "PYKALA_ADMINISTER_KEYS", "PYKALA_METRICS_KEYS",
    "PYKALA_OIDC_RIGHTS", "PYKALA_ORIGINS", "PYKALA_HOSTS", "PYKALA_PROXIES",
)  # fmt: skip
#: Settings that are not any text.
KINDS: Final[Mapping[str, Kind]] = {
    "PYKALA_WORKERS": _COUNT,
    "PYKALA_MODEL_BUDGET": _COUNT,
    "PYKALA_REQUESTS_PER_MINUTE": _COUNT,
    "PYKALA_PROCESSES": _PROCESSES,
    "PYKALA_DRAIN_SECONDS": _COUNT,
    "PYKALA_ANSWER_CAP": _AMOUNT,
    "PYKALA_MONTH_CAP": _AMOUNT,
    "PYKALA_METRICS": _SWITCH,
    "PYKALA_ACCESS_LOG": Kind("stdout, stderr, a file, 1 or 0", lambda text: True, _SWITCHES),
    "PYKALA_ACCESS_LOG_QUESTIONS": _SWITCH,
    "PYKALA_TELEMETRY": Kind("otlp or none", _among(frozenset({"otlp", "none"})), _TEXTS),
    "PYKALA_TELEMETRY_QUESTIONS": _SWITCH,
    "PYKALA_AUDIT": _AUDIT,
    **dict.fromkeys(_LISTS, _WORDS),
}


def require_valid(values: Mapping[str, str]) -> None:
    """Raise SettingsUnreadable for the first value that its setting cannot have; an empty one is not set."""
    for name, kind in KINDS.items():
        text = values.get(name, "").strip()
        if text and not kind.fits(text):
            raise SettingsUnreadable(f"{name} is {text[:_LONGEST]!r}; it may be {kind.means}")


def text_of(name: str, value: object) -> str | None:
    """A value of a settings file as the environment has it; None where the setting cannot have it."""
    kind = KINDS.get(name, _TEXT)
    if type(value) not in kind.types:
        return None
    if isinstance(value, list):
        return ",".join(value) if all(isinstance(one, str) for one in value) else None
    text = str(int(value)) if isinstance(value, bool) else str(value)
    return text if not text.strip() or kind.fits(text.strip()) else None


def meaning_of(name: str) -> str:
    """What a setting may be, in words."""
    return KINDS.get(name, _TEXT).means


def read_bounded(path: Path) -> str:
    """The text of a small regular file; a device or a pipe might never end. Raises SettingsUnreadable."""
    about = path.stat()
    if not stat.S_ISREG(about.st_mode):
        raise SettingsUnreadable(f"{path}: a settings file must be a regular file")
    with path.open("rb") as file:
        data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise SettingsUnreadable(f"{path}: a settings file may have {_MOST_BYTES:,} bytes; this has more")
    return data.decode("utf-8-sig")
