-- Index folders of erased matters, by their random names: each machine removes its own copies of them. Who may use
-- the schema may read this, as every server must, and it names nothing.
CREATE TABLE erased_indexes (
  library text COLLATE "C" PRIMARY KEY, erased_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT ON erased_indexes TO PUBLIC;
