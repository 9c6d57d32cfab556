"""Facts of versions as libraries stored them before schema 4: findings were English sentences."""

from __future__ import annotations

import json

from pykala.law.messages import Message
from pykala.text.phrases import tell


def in_english(facts: str) -> str:
    """The facts of a version with sentences for messages."""
    known = json.loads(facts) if facts else {}
    if "findings" not in known:
        return facts
    sentences = [tell("en", Message.from_plain(one)) for one in known["findings"]]
    return json.dumps({**known, "findings": sentences}, ensure_ascii=False)
