"""From candidates to an answer whose every word can be checked."""
