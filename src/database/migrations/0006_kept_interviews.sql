-- Interviews that are kept in the database instead of in folders (`data.interviews`). Documents are JSON, as in the files.
CREATE TABLE kept_interviews (
    id TEXT PRIMARY KEY,
    made_at BIGINT NOT NULL,
    inputs TEXT NOT NULL,
    launch TEXT,
    consent TEXT,
    -- Who holds the interview, and when they said so last, by the database's own clock.
    holder TEXT,
    renewed_at BIGINT NOT NULL DEFAULT 0,
    -- The process of whoever holds it.
    process TEXT NOT NULL DEFAULT '',
    -- The journal's bytes, and when it was written last; journals that were set aside.
    journal_bytes BIGINT NOT NULL DEFAULT 0,
    written_at BIGINT NOT NULL DEFAULT 0,
    set_aside BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX kept_interviews_by_making ON kept_interviews (made_at, id);
CREATE INDEX kept_interviews_by_holder ON kept_interviews (renewed_at) WHERE holder IS NOT NULL;

-- Processes that hold interviews, and when they said that they live, by the database's own clock.
CREATE TABLE processes (
    name TEXT PRIMARY KEY,
    beaten_at BIGINT NOT NULL
);

-- Whole lines of journals, as they were written together. `aside` is 0 for the journal, and a number for one that was set aside.
CREATE TABLE journal_parts (
    interview TEXT NOT NULL REFERENCES kept_interviews (id) ON DELETE CASCADE,
    aside BIGINT NOT NULL,
    -- The journal's bytes before these lines.
    place BIGINT NOT NULL,
    lines TEXT NOT NULL,
    PRIMARY KEY (interview, aside, place)
);

CREATE TABLE projections (
    interview TEXT NOT NULL REFERENCES kept_interviews (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (interview, name)
);
