-- What the candidate's page told about leaving its tab and pasting, where their opening asked for it: facts with times.
CREATE TABLE integrity (
    id TEXT PRIMARY KEY,
    interview TEXT NOT NULL REFERENCES interviews (id) ON DELETE CASCADE,
    what TEXT NOT NULL,
    characters BIGINT,
    at BIGINT NOT NULL
);
CREATE INDEX integrity_by_interview ON integrity (interview, at);
