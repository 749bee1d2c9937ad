-- Who did each deed, beside the name that they had then: a person, a key, a candidate or the system. Of entries from
-- before, the name alone is known.
ALTER TABLE audit ADD COLUMN actor_kind TEXT NOT NULL DEFAULT 'unknown';
ALTER TABLE audit ADD COLUMN actor_id TEXT NOT NULL DEFAULT '';
-- The deed's name; empty where it has none any more.
ALTER TABLE audit ADD COLUMN deed TEXT NOT NULL DEFAULT '';
-- Its place in the chain, from 1, and the SHA-256 of the hash before it and of its own content. Both are missing in
-- entries that are not chained yet: those of before, which the program chains when it opens the database.
ALTER TABLE audit ADD COLUMN number BIGINT;
ALTER TABLE audit ADD COLUMN hash TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX audit_by_number ON audit (number);
CREATE INDEX audit_by_actor ON audit (actor_id, deed, object, at);

-- The end of the chain: one row. Whoever adds an entry locks it, so that of two at once one comes first.
CREATE TABLE audit_head (
    id BIGINT PRIMARY KEY,
    number BIGINT NOT NULL,
    hash TEXT NOT NULL
);

-- When somebody last showed in this session who they are: by their password, or at their provider of accounts.
ALTER TABLE sessions ADD COLUMN confirmed_at BIGINT NOT NULL DEFAULT 0;

-- Whether a sign-in by a provider that has begun asks for the password there, whoever is signed in there already.
ALTER TABLE oidc_sign_ins ADD COLUMN fresh BIGINT NOT NULL DEFAULT 0;

-- When the candidate asked for it; nothing where they did not.
ALTER TABLE receipts ADD COLUMN candidate_asked_at BIGINT;
