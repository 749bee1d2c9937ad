-- Addresses of other programs that are told of what happens.
CREATE TABLE webhooks (
    id TEXT PRIMARY KEY,
    url TEXT NOT NULL,
    -- Names of events, with a space between.
    events TEXT NOT NULL,
    -- What messages are signed with. Whoever signs has to know it, so it is no hash.
    secret TEXT NOT NULL,
    disabled BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL
);

-- Messages to them, sent or still to be sent.
CREATE TABLE deliveries (
    id TEXT PRIMARY KEY,
    -- A webhook, or `partner`: then `url` says where it goes.
    webhook TEXT NOT NULL,
    url TEXT NOT NULL,
    event TEXT NOT NULL,
    -- What happened, once: the same is told nobody twice.
    cause TEXT NOT NULL,
    interview TEXT NOT NULL,
    body TEXT NOT NULL,
    state TEXT NOT NULL,
    made_at BIGINT NOT NULL,
    -- How often it was tried since it was wanted.
    tries BIGINT NOT NULL DEFAULT 0,
    -- When it is tried next; nothing where it is not.
    next_at BIGINT,
    UNIQUE (webhook, event, cause)
);
CREATE INDEX deliveries_by_time ON deliveries (next_at);
CREATE INDEX deliveries_by_webhook ON deliveries (webhook, made_at);

CREATE TABLE delivery_tries (
    id TEXT PRIMARY KEY,
    delivery TEXT NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
    at BIGINT NOT NULL,
    -- The status of the answer; nothing where none came.
    status BIGINT,
    -- The beginning of the answer, or why none came.
    answer TEXT NOT NULL
);
CREATE INDEX delivery_tries_by_delivery ON delivery_tries (delivery, at);

-- Links with which somebody without an account reads a report.
CREATE TABLE shares (
    id TEXT PRIMARY KEY,
    interview TEXT NOT NULL REFERENCES interviews (id) ON DELETE CASCADE,
    token_hash TEXT NOT NULL UNIQUE,
    -- Whether decision and notes are shown, too.
    with_decision BIGINT NOT NULL,
    made_by TEXT NOT NULL,
    made_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    revoked_at BIGINT,
    views BIGINT NOT NULL DEFAULT 0,
    viewed_at BIGINT
);
CREATE INDEX shares_by_interview ON shares (interview, made_at);

-- Interviews that an applicant tracking system has ordered, and where it is told of their end.
CREATE TABLE partner_tests (
    interview TEXT PRIMARY KEY REFERENCES interviews (id) ON DELETE CASCADE,
    url TEXT NOT NULL UNIQUE,
    made_at BIGINT NOT NULL
);
