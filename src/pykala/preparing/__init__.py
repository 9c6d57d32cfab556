"""What is made of a source's files before it is stored, on one core, on several, or on a cluster."""
