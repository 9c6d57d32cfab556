"""The findings of libraries of before, which stored English sentences, as messages.

Only migrations use this. The sentences that were ever written are listed in `old_findings.toml`. A sentence
of another pack is kept in its own words.
"""

from __future__ import annotations

import json
import re
import tomllib
from contextlib import suppress
from datetime import date
from functools import cache, lru_cache
from importlib.resources import files
from string import Formatter
from typing import Final

from pykala.law.messages import Message

#: What the facts of a version with findings have in them, for LIKE.
MARK: Final = '%"findings"%'
_DAYS: Final = frozenset({"day", "first", "issued"})
_COUNTS: Final = frozenset({"count", "pages"})


@lru_cache(maxsize=65_536)  # most versions with findings have those of many others
def rewritten(facts: str) -> str:
    """The facts of a version, as `stores.embedded.rows` writes them, with messages for sentences.

    Damaged facts stay as they are: that is for `pykala verify` to tell.
    """
    try:
        known = json.loads(facts)
    except ValueError:
        return facts
    findings = known.get("findings") if isinstance(known, dict) else None
    if not isinstance(findings, list) or not any(isinstance(one, str) for one in findings):
        return facts
    known["findings"] = [message_of(one).plain() if isinstance(one, str) else one for one in findings]
    return json.dumps(known, ensure_ascii=False)


def message_of(sentence: str) -> Message:
    """The message of a sentence that was stored; one in its own words where the sentence is no known one."""
    return _read(sentence, "finding")


def _read(sentence: str, family: str) -> Message:
    for pattern, key in _patterns(family):
        if found := pattern.fullmatch(sentence):
            with suppress(ValueError):  # no day of the calendar
                values = {name: _value(name, value) for name, value in found.groupdict().items()}
                return Message.of(key, **values)
    return Message.in_words(sentence)


def _value(name: str, value: str) -> str | int | date | Message:
    if name == "reason":
        return _read(value, "unplayed")
    if name in _COUNTS:
        return int(value)
    return date.fromisoformat(value) if name in _DAYS else value


@cache
def _patterns(family: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    text = files(__package__).joinpath("old_findings.toml").read_text(encoding="utf-8")
    return tuple(
        (_pattern(sentence), f"{family}.{name}")
        for name, sentences in tomllib.loads(text)[family].items()
        for sentence in sentences
    )


def _pattern(sentence: str) -> re.Pattern[str]:
    parts = (
        re.escape(literal) + (f"(?P<{name}>{_form(name)})" if name else "")
        for literal, name, _, _ in Formatter().parse(sentence)
    )
    return re.compile("".join(parts), re.DOTALL)


def _form(name: str) -> str:
    if name in _DAYS:
        return r"[12]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])"
    return r"\d{1,9}" if name in _COUNTS else ".+"
