"""Keep the digest of a library's contents up to date, in the transaction that changes the items.

Triggers on the writer's own connection do this, so that no change of an item can bypass it, and a rollback
restores the digest too. They are temporary: the schema in the file stays the same.
"""

from __future__ import annotations

import hashlib
import secrets
import sqlite3
from pathlib import Path

from pykala.stores.connection import Connection
from pykala.stores.contents import EMPTY, content_digest, with_item, without_item
from pykala.stores.embedded.database import read_meta, write_meta

CONTENT = "content"
#: A random value, new with every change. Two libraries with the same contents may number them differently, by
#: the order of additions; results cached by the numbers of one are invalid in the other. A copy keeps the
#: value.
HISTORY = "history"
#: Facts that searches depend on, besides the contents: the progress of the indexes, and how they were made.
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


def generation_of(connection: Connection) -> str:
    """A name for the state that a connection sees; it changes with everything that affects searches."""
    facts = read_meta(connection)
    numbered = facts.get(HISTORY) or facts.get("library") or _this_file(connection)
    text = "\0".join((numbered, facts.get(CONTENT, ""), *(facts.get(name, "") for name in _INDEXED)))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _this_file(connection: Connection) -> str:
    """The identity of a library without a history: its file.

    The progress of its indexes distinguishes states of the same file.
    """
    path = Path(connection.execute("PRAGMA database_list").fetchone()[2])
    return f"{path} {path.stat().st_ino}"


def _counted(connection: Connection) -> str:
    found = connection.execute("SELECT item, fingerprint FROM items").fetchall()
    return content_digest(dict(found)) if found else EMPTY
