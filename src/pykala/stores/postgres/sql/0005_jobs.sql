-- How far long work on the library has come, for a day: shown on every machine, with or without a Redis.
CREATE TABLE jobs (
  place text COLLATE "C" PRIMARY KEY, name text COLLATE "C" NOT NULL, machine text COLLATE "C" NOT NULL,
  began timestamptz NOT NULL, told timestamptz NOT NULL, done bigint NOT NULL, total bigint NOT NULL,
  ended text COLLATE "C" NOT NULL
);
