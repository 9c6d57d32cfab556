"""Is any word of the law lost? The words of each source against those of the documents made of it."""
