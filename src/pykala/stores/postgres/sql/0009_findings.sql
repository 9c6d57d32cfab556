-- Findings were English sentences: `postgres.migrations` writes them as messages, with the hashes of their rows.
UPDATE meta SET value = '4' WHERE key = 'schema';
