"""Text processing for every jurisdiction: encodings, languages, sentences, search terms."""
