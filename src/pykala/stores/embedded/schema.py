"""The tables of the record database, from which both indexes can be rebuilt."""

from __future__ import annotations

#: Increased when a table changes. A library of an older schema is migrated (migrations.py), one of a newer
#: schema is refused.
SCHEMA = 4

TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- Small numbers for the strings that filters speak of: jurisdictions, languages, kinds.
CREATE TABLE names (id INTEGER PRIMARY KEY, value TEXT NOT NULL UNIQUE);

-- What ingest has seen: an item's fingerprint, and its work or the reasons why it gave none.
CREATE TABLE items (
  item TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, work INTEGER, refusals TEXT NOT NULL,
  paths TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX items_by_work ON items (work);

-- Identifiers of works are never reused: both indexes delete by them.
CREATE TABLE works (
  id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, jurisdiction INTEGER NOT NULL,
  kind INTEGER NOT NULL, authority INTEGER NOT NULL, record TEXT NOT NULL
);
CREATE TABLE aliases (alias TEXT, work INTEGER, PRIMARY KEY (alias, work)) WITHOUT ROWID;
CREATE INDEX aliases_by_work ON aliases (work);
-- Names that a source gives to single provisions, such as "410/2015:fin@20230780:113:1".
CREATE TABLE places (alias TEXT, node INTEGER, work INTEGER, PRIMARY KEY (alias, node)) WITHOUT ROWID;
CREATE INDEX places_by_work ON places (work);

CREATE TABLE documents (
  id INTEGER PRIMARY KEY, work INTEGER NOT NULL, language TEXT NOT NULL, title TEXT NOT NULL,
  short_title TEXT NOT NULL, translation INTEGER NOT NULL, manifestations TEXT NOT NULL,
  UNIQUE (work, language)
);

-- A place in a work, whatever its language. `unit` is the section that holds it; a container, which
-- stands above sections, is its own.
CREATE TABLE nodes (
  id INTEGER PRIMARY KEY, work INTEGER NOT NULL, path TEXT NOT NULL, unit INTEGER NOT NULL,
  container INTEGER NOT NULL
);
CREATE UNIQUE INDEX nodes_by_path ON nodes (work, path);

-- One row a version of a provision in a language. Positions number a document's provisions in order;
-- a provision and all below it are the positions from `position` to `last`.
CREATE TABLE versions (
  id INTEGER PRIMARY KEY, document INTEGER NOT NULL, position INTEGER NOT NULL, last INTEGER NOT NULL,
  parent INTEGER NOT NULL, node INTEGER NOT NULL, kind TEXT NOT NULL, label TEXT NOT NULL,
  heading TEXT NOT NULL, text TEXT NOT NULL, valid_from INTEGER NOT NULL, valid_to INTEGER NOT NULL,
  event TEXT NOT NULL, facts TEXT NOT NULL
);
CREATE INDEX versions_by_position ON versions (document, position, last);
CREATE INDEX versions_by_node ON versions (node, document);
-- What began and what ended in a period; most versions have no end.
CREATE INDEX versions_by_start ON versions (valid_from) WHERE valid_from > 0;
CREATE INDEX versions_by_end ON versions (valid_to) WHERE valid_to < 4000000;

CREATE TABLE terms (term TEXT NOT NULL, language TEXT NOT NULL, written TEXT NOT NULL,
  node INTEGER NOT NULL, scope TEXT NOT NULL, work INTEGER NOT NULL);
CREATE INDEX terms_by_term ON terms (term, language);
CREATE INDEX terms_by_work ON terms (work);

CREATE TABLE pairings (work INTEGER NOT NULL, first INTEGER NOT NULL, first_language TEXT NOT NULL,
  second INTEGER NOT NULL, second_language TEXT NOT NULL, confidence REAL NOT NULL, method TEXT NOT NULL);
CREATE INDEX pairings_by_first ON pairings (first);
CREATE INDEX pairings_by_second ON pairings (second);
CREATE INDEX pairings_by_work ON pairings (work);

-- References are the truth as written; edges are derived from those that lead to a loaded provision.
CREATE TABLE refs (
  id INTEGER PRIMARY KEY, work INTEGER NOT NULL, source INTEGER NOT NULL, kind TEXT NOT NULL,
  target_work TEXT NOT NULL, target_path TEXT NOT NULL, alias TEXT NOT NULL, text TEXT NOT NULL,
  language TEXT NOT NULL, method TEXT NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL,
  valid_from INTEGER NOT NULL, valid_to INTEGER NOT NULL, reverse INTEGER NOT NULL,
  reason TEXT NOT NULL
);
CREATE INDEX refs_by_work ON refs (work);
CREATE INDEX refs_by_source ON refs (source);
CREATE INDEX refs_by_target ON refs (target_work);
CREATE INDEX refs_by_alias ON refs (alias) WHERE alias != '';

CREATE TABLE edges (
  source_unit INTEGER, kind INTEGER, target_unit INTEGER, source INTEGER, target INTEGER, ref INTEGER,
  valid_from INTEGER NOT NULL, valid_to INTEGER NOT NULL,
  PRIMARY KEY (source_unit, kind, target_unit, source, target, ref)
) WITHOUT ROWID;
CREATE INDEX edges_reversed
  ON edges (target_unit, kind, source_unit, source, target, ref, valid_from, valid_to);
CREATE INDEX edges_by_ref ON edges (ref);

-- Parents hold the text; children, which are what the indexes know, are spans of it.
CREATE TABLE passages (
  id INTEGER PRIMARY KEY, document INTEGER NOT NULL, node INTEGER NOT NULL, ordinal INTEGER NOT NULL,
  offset INTEGER NOT NULL, valid_from INTEGER NOT NULL, valid_to INTEGER NOT NULL,
  header TEXT NOT NULL, text TEXT NOT NULL
);
CREATE INDEX passages_by_document ON passages (document);
CREATE TABLE children (
  id INTEGER PRIMARY KEY AUTOINCREMENT, passage INTEGER NOT NULL, start INTEGER NOT NULL,
  end INTEGER NOT NULL, node INTEGER NOT NULL, kind INTEGER NOT NULL
);
CREATE INDEX children_by_passage ON children (passage);

-- Every work that came or went, so that an index that was cut off knows what it missed.
CREATE TABLE journal (seq INTEGER PRIMARY KEY AUTOINCREMENT, work INTEGER NOT NULL);
"""
