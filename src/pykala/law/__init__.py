"""The vocabulary of the law. Standard library only; nothing here reads, writes or asks the time."""
