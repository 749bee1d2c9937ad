-- Hashes of links that work no more, so that whoever has one is told why: a newer one was made, or the interview was deleted.
CREATE TABLE old_links (
    hash TEXT PRIMARY KEY,
    interview TEXT NOT NULL
);
CREATE INDEX old_links_by_interview ON old_links (interview);
