-- Levels of criteria that people gave, in place of what a model says. The last one of a criterion counts.
CREATE TABLE levels (
    interview TEXT NOT NULL,
    -- The name of the criterion, as the report has it.
    criterion TEXT NOT NULL,
    -- From 1 to 5.
    level BIGINT NOT NULL,
    given_by TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (interview, criterion)
);
