"""Prepare a source's files for storing: in this process, on several cores, or on a cluster."""
