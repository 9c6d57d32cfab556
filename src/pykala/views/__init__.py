"""Views of the law and of answers for readers: histories, documents, surroundings, sheets."""
