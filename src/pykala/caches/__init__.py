"""Results kept for a while: what was costly to make and may be asked for again soon."""
