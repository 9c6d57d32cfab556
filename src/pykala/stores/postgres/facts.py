"""Facts that only a library in PostgreSQL has."""

from __future__ import annotations

from typing import Final

GENERATION: Final = "index_generation"  # the index files that belong to the records
INDEX_FOLDER: Final = "index_folder"  # where they lie, unless a server's settings name another place
INDEX: Final = "index"  # where the index is; in files by default
IN_DATABASE, IN_FILES = "database", "files"
EPOCH: Final = "cluster_epoch"  # the last state whose passages a cluster's writer wrote to Qdrant
LIBRARY: Final = "library"  # distinguishes libraries on the same volume
PUBLISHED: Final = "published"  # numbers the published states
COPIED_FROM: Final = "copied_from"  # the state that an unfinished copy copies
