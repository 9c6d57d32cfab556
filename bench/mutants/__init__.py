"""Small wrong changes to the code, one at a time, to see whether a test notices each."""
