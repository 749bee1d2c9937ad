-- Times that were proposed to candidates; one that was taken back stays, because calendars were told of it.
CREATE TABLE appointments (
    interview TEXT PRIMARY KEY REFERENCES interviews (id) ON DELETE CASCADE,
    at BIGINT NOT NULL,
    zone TEXT NOT NULL,
    -- Counts its changes, for calendars.
    sequence BIGINT NOT NULL,
    taken_back BIGINT NOT NULL DEFAULT 0
);

-- Mail to candidates: what waits to be sent, and what became of it. Neither addresses nor links are here.
CREATE TABLE mails (
    id TEXT PRIMARY KEY,
    interview TEXT NOT NULL REFERENCES interviews (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    tries BIGINT NOT NULL DEFAULT 0,
    -- When it is tried next.
    due_at BIGINT NOT NULL,
    -- Why it was not sent, as people read it.
    problem TEXT NOT NULL DEFAULT '',
    -- The time zone in which it tells times.
    zone TEXT NOT NULL,
    -- Of a reminder: which time it reminds of.
    about_at BIGINT,
    made_at BIGINT NOT NULL,
    done_at BIGINT
);
CREATE INDEX mails_by_due ON mails (state, due_at);
CREATE INDEX mails_by_interview ON mails (interview, made_at);
