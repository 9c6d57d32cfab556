"""Fuzzing: whatever a source, a text, a request or an archive holds, reading it ends well."""
