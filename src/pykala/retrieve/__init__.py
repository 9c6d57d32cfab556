"""From a question to ranked candidates."""
