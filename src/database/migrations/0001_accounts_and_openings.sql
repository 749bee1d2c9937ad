-- Times are milliseconds since 1970, flags are 0 or 1, documents are JSON: what SQLite and PostgreSQL read alike.
CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    -- Argon2id with its parameters and salt; nothing until they have chosen a password.
    password TEXT,
    created_at BIGINT NOT NULL,
    last_seen_at BIGINT,
    disabled BIGINT NOT NULL DEFAULT 0
);

-- Links with which somebody chooses a password, each once.
CREATE TABLE password_links (
    token_hash TEXT PRIMARY KEY,
    account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    expires_at BIGINT NOT NULL
);

CREATE TABLE sessions (
    token_hash TEXT PRIMARY KEY,
    account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    last_seen_at BIGINT NOT NULL
);

CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    secret_hash TEXT NOT NULL UNIQUE,
    created_at BIGINT NOT NULL,
    last_used_at BIGINT
);

CREATE TABLE audit (
    id TEXT PRIMARY KEY,
    at BIGINT NOT NULL,
    who TEXT NOT NULL,
    what TEXT NOT NULL,
    object TEXT NOT NULL,
    detail TEXT NOT NULL
);
CREATE INDEX audit_by_time ON audit (at);

CREATE TABLE openings (
    id TEXT PRIMARY KEY,
    version BIGINT NOT NULL,
    state TEXT NOT NULL,
    form TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);

-- What the lists show of each interview; its journal is what counts.
CREATE TABLE interviews (
    id TEXT PRIMARY KEY,
    opening TEXT REFERENCES openings (id) ON DELETE SET NULL,
    preview BIGINT NOT NULL DEFAULT 0,
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    -- Name, address, role and title in lower case, for searching.
    searched TEXT NOT NULL,
    state TEXT NOT NULL,
    made_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    expires_at BIGINT,
    row_json TEXT NOT NULL
);
CREATE INDEX interviews_by_opening ON interviews (opening, made_at);
CREATE INDEX interviews_by_state ON interviews (state, made_at);
CREATE INDEX interviews_by_making ON interviews (made_at, id);
CREATE INDEX interviews_by_change ON interviews (updated_at, id);
CREATE INDEX interviews_by_name ON interviews (name, id);

-- What people decided, the newest one counts; none is ever changed.
CREATE TABLE decisions (
    id TEXT PRIMARY KEY,
    interview TEXT NOT NULL REFERENCES interviews (id) ON DELETE CASCADE,
    verdict TEXT NOT NULL,
    reason TEXT NOT NULL,
    decided_by TEXT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX decisions_by_interview ON decisions (interview, at);

CREATE TABLE notes (
    id TEXT PRIMARY KEY,
    interview TEXT NOT NULL REFERENCES interviews (id) ON DELETE CASCADE,
    text TEXT NOT NULL,
    written_by TEXT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX notes_by_interview ON notes (interview, at);

-- What candidates say about their interview afterwards: corrections, an opinion, a wish to be deleted.
CREATE TABLE candidate_words (
    id TEXT PRIMARY KEY,
    interview TEXT NOT NULL REFERENCES interviews (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    turn BIGINT,
    stars BIGINT,
    text TEXT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX candidate_words_by_interview ON candidate_words (interview, at);

-- What is left of an interview that was deleted; nothing in it names a person.
CREATE TABLE receipts (
    interview TEXT PRIMARY KEY,
    made_at BIGINT NOT NULL,
    asked_at BIGINT NOT NULL,
    done_at BIGINT,
    asked_by TEXT NOT NULL,
    what TEXT NOT NULL
);
