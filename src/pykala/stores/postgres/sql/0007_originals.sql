-- Files of uploads as they came, packed as Zstandard: backed up, moved and erased with the records.
CREATE TABLE originals (sha256 text COLLATE "C" PRIMARY KEY, packed bytea NOT NULL);
