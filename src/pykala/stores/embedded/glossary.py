"""The library's glossary: words of one language and their translations, learned from its own texts.

It is learned from works that the library holds in two languages (`pykala.text.alignment`), and kept in its
own file, which a writer replaces as a whole when enough of the library has changed. Terms are those of
`pykala.text.analysis`, so that every inflected form matches. A term of several words is an exact pair: the
titles of a work, or a term and its counterpart defined in the same provision.

The glossary is optional. Where it is missing, damaged or of another analysis, nothing is translated.
"""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from typing import Final, TypeVar

from pykala.stores.connection import Connection
from pykala.stores.embedded.database import create_by_umask, write_meta
from pykala.text.alignment import Alignment
from pykala.text.analysis import analyse, fingerprint, fold, normalise, word_terms
from pykala.text.languages.known import derived, language_of
from pykala.text.tokens import words_of

FILE: Final = "glossary.db"
_FORMAT: Final = "1"
_TABLES: Final = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE entries (language TEXT, into_language TEXT, term TEXT, other TEXT, weight REAL NOT NULL,"
    " PRIMARY KEY (language, into_language, term, other)) WITHOUT ROWID",
    # A term without its diacritics, as some people type it.
    "CREATE TABLE spellings (language TEXT, folded TEXT, term TEXT, PRIMARY KEY (language, folded, term))"
    " WITHOUT ROWID",
)
_LANGUAGE_PAIRS: Final = 6  # the pairs with the most works; a library of the whole Union would have hundreds
_LONGEST_TEXT: Final = 200  # characters; the words of a longer text have too many possible partners
_LONGEST_PHRASE: Final = 5  # words, stop words not counted
_OTHERS: Final = 4  # translations kept per term
_WORDS: Final = 128  # the most words of a question
_CHANGES_PER_WORK: Final = 0.1  # changes per work since it was last learned, from which it is learned again
_SHORTEST_PART: Final = 3
_MEMO: Final = 100_000  # distinct words kept per language, so that memory has a bound

Entries = dict[tuple[str, str], float]  # (term, other) → weight
Number = TypeVar("Number", int, float)


class Glossary:
    """A reader's glossary; opened at its first use."""

    def __init__(self, folder: Path) -> None:
        """The glossary of a library's folder, whether or not it exists."""
        self._path = folder / FILE
        self._connection: sqlite3.Connection | None = None
        self._unusable = False

    def translations(self, text: str, language: str, into: str) -> dict[str, float]:
        """Terms of another language for a text's words; the weights of each known word sum to 1.

        Numbers and citations are the same in every language. A word without a learned pair gives nothing.
        """
        if language == into:
            return {}
        found = _numerals(text, into)
        try:
            if self._usable():
                self._translate(text, language, into, found)
        except sqlite3.Error:  # damaged, or on a disk that is gone: continue without it
            self._unusable = True
        return found

    def close(self) -> None:
        """Close the file; the next question opens the newest one."""
        if self._connection is not None:
            self._connection.close()
        self._connection, self._unusable = None, False

    def _usable(self) -> bool:
        if self._connection is None and not self._unusable:
            self._unusable = True
            if _is_current(_read_state(self._path)):
                self._connection = _connect(self._path)
                self._unusable = False
        return not self._unusable

    def _translate(self, text: str, language: str, into: str, found: dict[str, float]) -> None:
        words = _terms_in(language)(" ".join(words_of(normalise(text))[:_WORDS]))
        for terms in dict.fromkeys(words):
            known = self._known(terms, language, into)
            for others in known:
                _add(found, others, 1 / len(known))
        for phrase in _phrases_in(words):
            _add(found, self._others(phrase, language, into), 1.0)

    def _known(self, terms: Sequence[str], language: str, into: str) -> list[dict[str, float]]:
        """The translations of a word; of its parts where the whole is unknown."""
        if others := self._others(terms[0], language, into):
            return [others]
        assert self._connection is not None
        query = "SELECT term FROM spellings WHERE language = ? AND folded = ?"
        for (spelled,) in self._connection.execute(query, (language, terms[0])).fetchall():
            if others := self._others(spelled, language, into):
                return [others]
        if parts := [others for part in terms[1:] if (others := self._others(part, language, into))]:
            return parts
        for left, right in _halves(terms[0], language):
            last = self._others(right, language, into)
            if last and (first := self._others(left, language, into)):
                return [first, last]
        return []

    def _others(self, term: str, language: str, into: str) -> dict[str, float]:
        """The translations of a term; their weights sum to 1."""
        assert self._connection is not None
        query = "SELECT other, weight FROM entries WHERE language = ? AND into_language = ? AND term = ?"
        others = dict(self._connection.execute(query, (language, into, term)).fetchall())
        total = sum(others.values())
        return {other: weight / total for other, weight in others.items()}


def keep_up(folder: Path, connection: Connection) -> None:
    """Learn the glossary again where it is due, and record that. Outside a transaction.

    Where the disk is full or the folder is read-only, the old glossary stays, since it is optional.
    """
    with suppress(OSError, sqlite3.Error):
        if is_due(folder, connection):
            write_meta(connection, {"glossary": build(folder, connection)})


def is_due(folder: Path, connection: Connection) -> bool:
    """Whether the library holds works in two languages, and no glossary covers most of them."""
    state = _read_state(folder / FILE)
    changes = _newest(connection) - int(state.get("changes", 0))
    works = int(connection.execute("SELECT count(*) FROM works").fetchone()[0])
    if _is_current(state) and changes <= works * _CHANGES_PER_WORK:
        return False
    return is_possible(connection) or bool(state)


def is_possible(connection: Connection) -> bool:
    """Whether the library holds works in two languages."""
    return bool(_language_pairs(connection))


def build(folder: Path, connection: Connection) -> str:
    """Learn the glossary from the records; return the state of the records that it was learned from.

    Readers use the old one until the new one is complete.
    """
    new = folder / f"{FILE}.new"
    try:
        new.unlink(missing_ok=True)
        create_by_umask(new)
        with closing(sqlite3.connect(new, isolation_level=None)) as written:
            _write(written, connection)
        new.replace(folder / FILE)
    finally:
        new.unlink(missing_ok=True)
    return str(_newest(connection))


def _write(written: sqlite3.Connection, connection: Connection) -> None:
    written.execute("PRAGMA journal_mode = OFF")  # no journal: the file is new, and is deleted on failure
    written.execute("BEGIN")
    for statement in _TABLES:
        written.execute(statement)
    for first, second in _language_pairs(connection):
        forward, backward = _learn(connection, first, second)
        for language, into, entries in ((first, second, forward), (second, first, backward)):
            rows = [(language, into, *entry) for entry in _strongest(entries)]
            written.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?)", rows)
            spelled = {(language, fold(row[2]), row[2]) for row in rows}
            written.executemany(
                "INSERT OR IGNORE INTO spellings VALUES (?, ?, ?)",
                sorted(row for row in spelled if row[1] != row[2]),
            )
    state = {"format": _FORMAT, "analysis": fingerprint(), "changes": str(_newest(connection))}
    written.executemany("INSERT INTO meta VALUES (?, ?)", state.items())
    written.execute("COMMIT")


def _learn(connection: Connection, first: str, second: str) -> tuple[Entries, Entries]:
    """(term, other) → weight, from the first language to the second and back."""
    alignment = Alignment()
    terms = _terms_in(first), _terms_in(second)
    equivalents = list(_equivalents(connection, first, second))
    for one, other in _distinct(chain(equivalents, _paired_texts(connection, first, second))):
        alignment.add([*chain.from_iterable(terms[0](one))], [*chain.from_iterable(terms[1](other))])
    agreed = {(pair.first, pair.second): pair.agreement for pair in alignment.words()}
    exact: Counter[tuple[str, str]] = Counter()
    for one, other in equivalents:
        exact[_phrase(terms[0](one)), _phrase(terms[1](other))] += 1
    return _with_exact(agreed, exact), _with_exact(_turned(agreed), Counter(_turned(exact)))


def _with_exact(agreed: Entries, exact: Counter[tuple[str, str]]) -> Entries:
    """Pairs that the law states itself, by frequency, for words that could not be learned.

    Learned pairs are kept: an act that defines `köp` means only one kind of sale.
    """
    learned, total = {term for term, _ in agreed}, Counter[str]()
    for (term, _), count in exact.items():
        total[term] += count
    entries = dict(agreed)
    for (term, other), count in exact.items():
        if term and other and term not in learned:
            entries[term, other] = count / total[term]
    return entries


def _turned(pairs: Mapping[tuple[str, str], Number]) -> dict[tuple[str, str], Number]:
    return {(other, term): value for (term, other), value in pairs.items()}


def _strongest(entries: Entries) -> Iterator[tuple[str, str, float]]:
    others: defaultdict[str, list[tuple[float, str]]] = defaultdict(list)
    for (term, other), weight in entries.items():
        others[term].append((-weight, other))
    for term in sorted(others):
        for negative, other in sorted(others[term])[:_OTHERS]:
            yield term, other, round(-negative, 4)


# Texts that the library has in two languages


def _language_pairs(connection: Connection) -> list[tuple[str, str]]:
    return connection.execute(
        "SELECT one.language, other.language FROM documents AS one"
        " JOIN documents AS other ON other.work = one.work AND other.language > one.language"
        f" GROUP BY 1, 2 ORDER BY count(*) DESC, 1, 2 LIMIT {_LANGUAGE_PAIRS}"
    ).fetchall()


def _paired_texts(connection: Connection, first: str, second: str) -> Iterator[tuple[str, str]]:
    """Headings and short texts with the same meaning; the newest wording of each."""
    counterparts = _counterparts(connection, first, second)
    for here, _, _, there, _, _ in _paired_documents(connection, first, second):
        own = _wordings(connection, here)
        for node, (other_heading, other_text) in _wordings(connection, there).items():
            heading, text = own.get(counterparts.get(node, node), ("", ""))
            yield heading, other_heading
            yield text, other_text


def _paired_documents(
    connection: Connection, first: str, second: str
) -> list[tuple[int, str, str, int, str, str]]:
    return connection.execute(
        "SELECT one.id, one.title, one.short_title, other.id, other.title, other.short_title"
        " FROM documents AS one JOIN documents AS other ON other.work = one.work AND other.language = ?"
        " WHERE one.language = ? ORDER BY one.id",
        (second, first),
    ).fetchall()


def _wordings(connection: Connection, document: int) -> dict[int, tuple[str, str]]:
    """Node → newest heading and text; no text where it is long."""
    found: dict[int, tuple[int, str, str]] = {}
    query = (
        f"SELECT node, valid_from, heading, CASE WHEN length(text) <= {_LONGEST_TEXT} THEN text ELSE '' END"
        " FROM versions WHERE document = ?"
    )
    for node, since, heading, text in connection.execute(query, (document,)):
        if node not in found or since >= found[node][0]:
            found[node] = since, heading, text
    return {node: (heading, text) for node, (_, heading, text) in found.items()}


def _counterparts(connection: Connection, first: str, second: str) -> dict[int, int]:
    """Second node → first, where a provision has another place in the other language."""
    query = "SELECT {}, {} FROM pairings WHERE first != second AND first_language = ? AND second_language = ?"
    return dict(
        [
            *connection.execute(query.format("second", "first"), (first, second)),
            *connection.execute(query.format("first", "second"), (second, first)),
        ]
    )


def _equivalents(connection: Connection, first: str, second: str) -> Iterator[tuple[str, str]]:
    """Titles of a work, and terms defined in the same provision, one in each language."""
    for _, title, short_title, _, other_title, other_short in _paired_documents(connection, first, second):
        yield title, other_title
        yield short_title, other_short
    defined: tuple[defaultdict[int, list[str]], ...] = (defaultdict(list), defaultdict(list))
    for side, language in enumerate((first, second)):
        query = "SELECT DISTINCT node, written FROM terms WHERE language = ? ORDER BY node"
        for node, written in connection.execute(query, (language,)):
            defined[side][node].append(written)
    counterparts = _counterparts(connection, first, second)
    for node, written_there in defined[1].items():
        here = defined[0].get(counterparts.get(node, node), [])
        if len(here) == len(written_there) == 1:
            yield here[0], written_there[0]


def _distinct(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Each pair once, as "Voimaantulo" is in every act; tracked by hash to save memory."""
    seen: set[int] = set()
    for pair in pairs:
        if pair[0] and pair[1] and (key := hash(pair)) not in seen:
            seen.add(key)
            yield pair


# Terms of a text


@cache
def _terms_in(language: str) -> Callable[[str], list[tuple[str, ...]]]:
    """A function from a text to the terms of each word: the whole word first, then its parts."""
    terms = lru_cache(_MEMO)(word_terms(language))
    return lambda text: [found for word in words_of(normalise(text)) if (found := terms(word))]


def _phrase(words: Sequence[tuple[str, ...]]) -> str:
    return " ".join(word[0] for word in words) if len(words) <= _LONGEST_PHRASE else ""


def _phrases_in(words: Sequence[tuple[str, ...]]) -> list[str]:
    lengths = range(2, _LONGEST_PHRASE + 1)
    return [
        _phrase(words[start : start + length])
        for length in lengths
        for start in range(len(words) - length + 1)
    ]


@derived
def _linking_letters(language: str) -> frozenset[str]:
    """Letters that may join the parts of a compound; none where no compounds are split here."""
    known = language_of(language)
    return frozenset(known.text("compounds.linking")) if known else frozenset()


def _halves(term: str, language: str) -> Iterator[tuple[str, str]]:
    """The ways to split a compound, longest last part first: `bostadsbidrag`, `bostad`, `bidrag`."""
    linking = _linking_letters(language)
    if not linking:
        return
    for cut in range(_SHORTEST_PART, len(term) - _SHORTEST_PART + 1):
        lefts = [term[:cut]]
        if term[cut - 1] in linking and cut > _SHORTEST_PART:
            lefts.append(term[: cut - 1])
        yield from ((stem, term[cut:]) for left in lefts for stem in word_terms(language)(left)[:1])


def _numerals(text: str, language: str) -> dict[str, float]:
    terms = analyse(text, language)[:_WORDS]
    return {term: 1.0 for term in terms if any(character.isdigit() for character in term)}


def _add(found: dict[str, float], others: Mapping[str, float], share: float) -> None:
    for other, weight in others.items():
        for term in other.split(" "):
            found[term] = max(found.get(term, 0.0), weight * share)


# The file


def _connect(path: Path) -> sqlite3.Connection:
    # The file is never changed, only replaced, so that no lock is needed and any folder will do.
    uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)


def _read_state(path: Path) -> dict[str, str]:
    """The glossary's facts; empty where it is missing or unreadable."""
    try:
        with closing(_connect(path)) as connection:
            return dict(connection.execute("SELECT key, value FROM meta").fetchall())
    except sqlite3.Error:
        return {}


def _is_current(state: Mapping[str, str]) -> bool:
    return state.get("format") == _FORMAT and state.get("analysis") == fingerprint()


def _newest(connection: Connection) -> int:
    row = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'journal'").fetchone()
    return int(row[0]) if row else 0
