-- Interviews of one candidate for one opening have the same value: the id of the first of them.
ALTER TABLE interviews ADD COLUMN candidate TEXT;
CREATE INDEX interviews_by_candidate ON interviews (candidate, made_at);

-- How many attempts a candidate has, as the form says.
ALTER TABLE openings ADD COLUMN attempts BIGINT NOT NULL DEFAULT 1;

-- Who signs in by a provider (OIDC): the name that it gives them, and their account here.
CREATE TABLE identities (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    linked_at BIGINT NOT NULL,
    PRIMARY KEY (issuer, subject)
);

-- Sign-ins by a provider that have begun; each ends within minutes.
CREATE TABLE oidc_sign_ins (
    state_hash TEXT PRIMARY KEY,
    nonce TEXT NOT NULL,
    verifier TEXT NOT NULL,
    expires_at BIGINT NOT NULL
);
