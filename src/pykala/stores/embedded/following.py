"""Keep the digest of a library's contents up to date, in the transaction that changes the items.

Triggers of the writer's own connection do it, so that no way of changing an item can forget to, and what is
rolled back is rolled back in the digest too. They are not part of the file: a library's schema is the same.
"""

from __future__ import annotations

import hashlib
import secrets
import sqlite3
from pathlib import Path

from pykala.stores.contents import EMPTY, content_digest, with_item, without_item
from pykala.stores.embedded.database import read_meta, write_meta

CONTENT = "content"
#: Drawn anew by every change. Two libraries may hold the same and number it otherwise, by the order in which
#: works came; what was found in one of them, kept by its numbers, is nothing in the other. A copy has it too.
HISTORY = "history"
#: What a search depends on beside the contents: how far the indexes have come, and what they were made with.
_INDEXED = ("text_seq", "vector_seq", "analysis", "embedder", "glossary")
_DRAWN = f"UPDATE meta SET value = lower(hex(randomblob(16))) WHERE key = '{HISTORY}'"
_TRIGGERS = f"""
CREATE TEMP TRIGGER IF NOT EXISTS item_came AFTER INSERT ON main.items BEGIN
  UPDATE meta SET value = with_item(value, NEW.item, NEW.fingerprint) WHERE key = '{CONTENT}';
  {_DRAWN}; END;
CREATE TEMP TRIGGER IF NOT EXISTS item_left AFTER DELETE ON main.items BEGIN
  UPDATE meta SET value = without_item(value, OLD.item, OLD.fingerprint) WHERE key = '{CONTENT}';
  {_DRAWN}; END;
"""


def follow(connection: sqlite3.Connection) -> None:
    """Start to keep the digest; a library without one gets it. Outside a transaction."""
    connection.create_function("with_item", 3, with_item, deterministic=True)
    connection.create_function("without_item", 3, without_item, deterministic=True)
    for statement in _TRIGGERS.split("END;\n"):
        if statement.strip():
            connection.execute(f"{statement} END")
    facts = read_meta(connection)
    if CONTENT not in facts or HISTORY not in facts:
        connection.execute("BEGIN IMMEDIATE")
        write_meta(connection, {CONTENT: _counted(connection), HISTORY: secrets.token_hex(16)})
        connection.execute("COMMIT")


def generation_of(connection: sqlite3.Connection) -> str:
    """A name for the state that a connection sees; it changes with everything that searches can find."""
    facts = read_meta(connection)
    numbered = facts.get(HISTORY) or facts.get("library") or _this_file(connection)
    text = "\0".join((numbered, facts.get(CONTENT, ""), *(facts.get(name, "") for name in _INDEXED)))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _this_file(connection: sqlite3.Connection) -> str:
    """The identity of a library without a history: its file.

    How far its indexes have come tells the states of one file apart.
    """
    path = Path(connection.execute("PRAGMA database_list").fetchone()[2])
    return f"{path} {path.stat().st_ino}"


def _counted(connection: sqlite3.Connection) -> str:
    found = connection.execute("SELECT item, fingerprint FROM items").fetchall()
    return content_digest(dict(found)) if found else EMPTY
