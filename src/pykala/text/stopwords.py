"""Words too common to tell one provision from another, per language (`terms.stop_words` of its file).

The lists are short on purpose. Words that turn a rule around or bind someone stay searchable: not, ei,
inte, ne; shall, must, may; only, unless, except; a number is never a stop word.
"""

from __future__ import annotations

from pykala.text.languages.known import derived, language_of


@derived
def stop_words(language: str) -> frozenset[str]:
    """The stop words of a language; none for one that is not known."""
    known = language_of(language)
    return frozenset(known.words("terms.stop_words")) if known else frozenset()
