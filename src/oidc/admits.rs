//! Who may come with an account from elsewhere, and what they may do.

/// What somebody may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grade {
    /// Reads.
    Viewer,
    /// Launches interviews and decides.
    Recruiter,
    /// Manages accounts and keys.
    Admin,
}

/// Who may come: lists of e-mail domains such as `@example.org` and of groups, separated by commas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Admits {
    admins: Vec<String>,
    recruiters: Vec<String>,
    viewers: Vec<String>,
}

impl Admits {
    /// Reads the lists; nobody may come where all are empty, which is a mistake.
    pub fn read(admins: &str, recruiters: &str, viewers: &str) -> Result<Self, String> {
        let [admins, recruiters, viewers] = [admins, recruiters, viewers].map(list);
        let all = [&admins, &recruiters, &viewers];
        if all.iter().all(|list| list.is_empty()) {
            return Err("`oidc.admins`, `oidc.recruiters` and `oidc.viewers` are all empty, so nobody could \
                        sign in: write domains such as @example.org or names of groups"
                .to_owned());
        }
        if let Some(bad) = all.into_iter().flatten().find(|one| *one == "@" || *one == "@*") {
            return Err(format!(
                "`{bad}` in [oidc] would let everybody in: write a domain after the @"
            ));
        }
        Ok(Self { admins, recruiters, viewers })
    }

    /// What somebody may do; the highest of all that fit. A domain counts only in an address that the
    /// provider has checked.
    pub(super) fn grade(&self, email: &str, is_checked: bool, groups: &[String]) -> Option<Grade> {
        let domain = email.rsplit_once('@').map(|(_, domain)| domain.to_lowercase());
        let fits = |list: &[String]| {
            list.iter().any(|one| match one.strip_prefix('@') {
                Some(wanted) => is_checked && domain.as_deref() == Some(wanted),
                None => groups.contains(one),
            })
        };
        let grades = [
            (&self.admins, Grade::Admin),
            (&self.recruiters, Grade::Recruiter),
            (&self.viewers, Grade::Viewer),
        ];
        grades.into_iter().find(|(list, _)| fits(list)).map(|(_, grade)| grade)
    }
}

fn list(text: &str) -> Vec<String> {
    let one = |one: &str| match one.trim() {
        domain if domain.starts_with('@') => domain.to_lowercase(),
        group => group.to_owned(),
    };
    text.split(',').map(one).filter(|one| !one.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// U01: the highest role that fits is theirs; a domain counts whole, and only in a checked address.
    #[test]
    fn the_highest_that_fits() {
        let admits =
            Admits::read("vivavoce-admins", "@Example.org, hiring", "@partner.example").unwrap();
        let grade = |email: &str, is_checked, groups: &[&str]| {
            let groups: Vec<_> = groups.iter().map(|group| (*group).to_owned()).collect();
            admits.grade(email, is_checked, &groups)
        };
        assert_eq!(grade("ada@EXAMPLE.org", true, &[]), Some(Grade::Recruiter));
        assert_eq!(grade("ada@example.org", true, &["vivavoce-admins"]), Some(Grade::Admin));
        assert_eq!(grade("ada@example.org", false, &[]), None, "nobody has checked it");
        assert_eq!(grade("ada@elsewhere.example", false, &["hiring"]), Some(Grade::Recruiter));
        assert_eq!(grade("ada@partner.example", true, &["Hiring"]), Some(Grade::Viewer));
        for other in ["ada@sub.example.org", "ada@notexample.org", "example.org", ""] {
            assert_eq!(grade(other, true, &[]), None, "{other}");
        }
        assert!(Admits::read("", " , ", "").unwrap_err().contains("nobody could"));
        assert!(Admits::read("", "@", "").unwrap_err().contains("everybody"));
    }
}
