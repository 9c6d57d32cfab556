-- Files of the matter's uploads as they came, packed as Zstandard. Row security as for its other tables (0003).
CREATE TABLE originals (sha256 text COLLATE "C" PRIMARY KEY, packed bytea NOT NULL);
ALTER TABLE originals ENABLE ROW LEVEL SECURITY;
ALTER TABLE originals FORCE ROW LEVEL SECURITY;
DO $$ BEGIN
  EXECUTE format('CREATE POLICY of_the_matter ON originals'
    ' USING (current_setting(''pykala.owner'', true) = %L)'
    ' WITH CHECK (current_setting(''pykala.owner'', true) = %L)', current_schema(), current_schema());
END $$;
