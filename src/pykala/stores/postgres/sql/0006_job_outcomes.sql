-- What came of long work, for those who did not wait for it.
ALTER TABLE jobs ADD COLUMN outcome text COLLATE "C" NOT NULL DEFAULT '';
