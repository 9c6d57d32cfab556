"""What text is made of, whatever the jurisdiction: encodings, languages, sentences, search terms."""
