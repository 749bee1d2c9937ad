-- Versions of blueprints that people wrote in the web. A row is only ever added.
CREATE TABLE blueprint_versions (
    name TEXT NOT NULL,
    -- Counts the versions of a name, from 1. The folder's text, where there is one, is 0 and not here.
    number BIGINT NOT NULL,
    -- Pairs of a file's name and its text, as JSON.
    files TEXT NOT NULL,
    who TEXT NOT NULL,
    made_at BIGINT NOT NULL,
    -- What was changed, in the words of whoever did.
    note TEXT NOT NULL,
    -- The blueprint that it was made from as a copy; empty where there is none.
    based_on TEXT NOT NULL,
    PRIMARY KEY (name, number)
);
