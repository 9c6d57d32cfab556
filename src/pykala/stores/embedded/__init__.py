"""A library in one folder without a server: SQLite for records, Tantivy for text, mapped vectors."""
