"""Verify a library whose index is in its database: every passage's row, and some words and vectors."""

from __future__ import annotations

from typing import Final

from pykala.stores.database.store import DatabaseStore, indexes_of
from pykala.stores.database.tables import FACETS, MEANING, WORDS, DatabaseConnection
from pykala.stores.embedded import indexing
from pykala.stores.embedded.checking import compare_sample
from pykala.stores.postgres.address import split_index_folder
from pykala.stores.postgres.connection import PostgresConnection
from pykala.stores.postgres.store import PostgresStore
from pykala.stores.postgres.verifying import DatabaseVerifier
from pykala.stores.served.files import check_files
from pykala.stores.served.passages import PASSAGES
from pykala.stores.verification import Finding, Verification

_WANTED: Final = ", ".join(f"wanted.{one}" for one in FACETS)
_HELD: Final = ", ".join(f"held.{one}" for one in FACETS)
_DIFFERING: Final = (
    f"SELECT count(*) FROM ({PASSAGES}) AS wanted (passage, {', '.join(FACETS)})"
    f" FULL JOIN {{table}} AS held USING (passage) WHERE ({_WANTED}) IS DISTINCT FROM ({_HELD})"
)


class TablesVerifier(DatabaseVerifier):
    """Verifies a library without index files."""

    def connect(self) -> PostgresConnection:
        """Connect to the records, as a writer."""
        return DatabaseConnection(split_index_folder(self.library)[0], writable=True)

    def check_index(self, records: PostgresConnection, facts: dict[str, str], found: Verification) -> None:
        """Compare the rows of the index with the records."""
        tables = {indexing.TEXT_FOLDER: WORDS}
        if int(facts.get("dimension", "0")):
            tables[indexing.VECTOR_FOLDER] = MEANING
        for part, table in tables.items():
            self.progress(f"rows: {part}")
            row = records.execute(_DIFFERING.format(table=table)).fetchone()
            if row and row[0]:
                found.findings.append(Finding(part, f"{row[0]:,} passages are not those of the records"))
            found.checked[f"{part} rows"] = int(facts.get("text_documents", "0"))
        check_files(records, found)
        if indexing.is_behind(records, self.embedder):
            found.findings.append(Finding("indexes", "they are behind the records: a writer was cut off"))
        elif not found.damaged(*tables):
            self.progress("terms and vectors against the records")
            compare_sample(indexes_of(records, facts), records, self.embedder, found)

    def write_index_anew(self) -> None:
        """Write the rows of the index from the records."""
        DatabaseStore.reindex_at(self.library, embedder=self.embedder)

    def open_writer(self) -> PostgresStore:
        """Open the library for writing, with nobody else."""
        return DatabaseStore.open_at(
            self.library, writable=True, create=False, embedder=self.embedder, whole=True
        )
