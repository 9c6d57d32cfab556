-- No row of a matter is seen, added or changed by a connection that does not say that it works on the matter
-- (`pykala.owner`), whatever statement it runs and whoever owns the tables. Superusers, and roles that bypass
-- row security, are beyond any policy: a server must not be one.
DO $$
DECLARE held name;
BEGIN
  FOR held IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename <> 'migrations'
    AND NOT rowsecurity
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', held);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', held);
    EXECUTE format('CREATE POLICY of_the_matter ON %I'
      ' USING (current_setting(''pykala.owner'', true) = %L)'
      ' WITH CHECK (current_setting(''pykala.owner'', true) = %L)', held, current_schema(), current_schema());
  END LOOP;
END $$;
