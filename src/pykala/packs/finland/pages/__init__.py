"""Pages of Finlex, of the courts and of the Tax Administration, as provisions."""
