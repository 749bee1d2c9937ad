//! Whether candidate and interviewer can hear one another.

#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    /// Whether the candidate is there.
    here: bool,
    /// Whether our line is up.
    up: bool,
}

impl Contact {
    /// On a line that is up, before the candidate has come.
    pub(super) const BEFORE: Self = Self { here: false, up: true };

    pub(super) fn candidate_came(&mut self) {
        self.here = true;
    }

    pub(super) fn candidate_left(&mut self) {
        self.here = false;
    }

    pub(super) fn line_cut(&mut self) {
        self.up = false;
    }

    pub(super) fn line_back(&mut self) {
        self.up = true;
    }

    pub(super) fn exists(&self) -> bool {
        self.here && self.up
    }
}
