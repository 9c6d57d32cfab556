"""Cut provisions into parents and children."""
