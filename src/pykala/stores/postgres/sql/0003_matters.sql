-- Matters: work whose documents, answers and index are its own. Each has tables of its own, in a schema that
-- is named here; `sql/matter` says how they are kept from everybody else.
CREATE TABLE matters (
  name text COLLATE "C" PRIMARY KEY,  -- organisation/matter
  tables text COLLATE "C" NOT NULL UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now(), closed_at timestamptz,
  kept_days integer CHECK (kept_days >= 0)  -- after its end; NULL: until it is erased by hand
);

-- Who belongs to a matter, or to an organisation and so to all of its matters.
CREATE TABLE members (
  place text COLLATE "C" NOT NULL, holder text COLLATE "C" NOT NULL,
  joined_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (place, holder)
);
CREATE INDEX members_by_holder ON members (holder);

-- Requests, beside what is done to keys and matters. What was asked is written down where the operator wants it.
ALTER TABLE audit_log
  ADD COLUMN matter text COLLATE "C" NOT NULL DEFAULT '', ADD COLUMN request text COLLATE "C" NOT NULL DEFAULT '',
  ADD COLUMN status integer, ADD COLUMN question text COLLATE "C" NOT NULL DEFAULT '';
CREATE INDEX audit_log_by_matter ON audit_log (matter, at);
