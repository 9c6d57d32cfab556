"""Citations of Finnish law: found in a text, then resolved."""
