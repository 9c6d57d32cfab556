-- Answers given in the matter, as their readers got them; a thread is a conversation.
CREATE TABLE answer_records (
  id text COLLATE "C" PRIMARY KEY, at timestamptz NOT NULL DEFAULT now(), caller text COLLATE "C" NOT NULL,
  record text COLLATE "C" NOT NULL
);
CREATE INDEX answer_records_by_time ON answer_records (at);
