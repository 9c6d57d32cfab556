"""One folder, no server: SQLite for the truth, Tantivy for words, mapped vectors for meaning."""
