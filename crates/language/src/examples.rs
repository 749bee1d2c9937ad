//! Example files: one example a line, a label, a tab, and what somebody said.

use std::fmt;

use crate::Intent;

/// Something that a candidate may say, and what they mean by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// What they mean.
    pub intent: Intent,
    /// What they say, as a recogniser writes it.
    pub text: String,
}

/// A line of an example file that cannot be used, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong, and how to mend it.
    pub what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.line, self.what)
    }
}

impl Example {
    /// Reads an example file; all its problems are found at once. Empty lines and those that begin with `#`
    /// are passed over.
    pub fn read(file: &str) -> Result<Vec<Self>, Vec<Problem>> {
        let (mut examples, mut problems) = (Vec::new(), Vec::new());
        let file = file.strip_prefix('\u{feff}').unwrap_or(file);
        for (n, line) in file.lines().enumerate() {
            match of_line(line) {
                Ok(example) => examples.extend(example),
                Err(what) => problems.push(Problem { line: n + 1, what }),
            }
        }
        if examples.is_empty() && problems.is_empty() {
            let what = "the file has no examples: write a label, a tab and what is said on a line";
            problems.push(Problem { line: 1, what: what.to_owned() });
        }
        if problems.is_empty() { Ok(examples) } else { Err(problems) }
    }
}

fn of_line(line: &str) -> Result<Option<Example>, String> {
    if line.trim().is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let Some((label, text)) = line.split_once('\t') else {
        return Err("there is no tab between the label and what is said: write one".to_owned());
    };
    let is_told = |found: &Intent| Intent::ALL.contains(found);
    let Some(intent) = Intent::from_label(label).filter(is_told) else {
        return Err(format!("`{label}` is no label: write one of {}", Intent::labels()));
    };
    let text = text.trim();
    if text.is_empty() {
        return Err(format!(
            "nothing is said after the label `{label}`: write it, or take out the line"
        ));
    }
    Ok(Some(Example { intent, text: text.to_owned() }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Labels and texts are read, whatever ends the lines.
    #[test]
    fn examples_are_read() {
        let file = "\u{feff}# ours\r\nrepeat\tSay again?\r\n\nask_human\t are you\treal \n";
        let read = Example::read(file).unwrap();
        let read: Vec<_> = read.iter().map(|it| (it.intent.label(), it.text.as_str())).collect();
        assert_eq!(read, [("repeat", "Say again?"), ("ask_human", "are you\treal")]);
    }

    /// Every bad line is named, with what to do.
    #[test]
    fn bad_lines_are_named() {
        let bad = "repeat Say again?\nrepeet\tSay again?\nrepeat\t \nrepeat\tagain";
        let problems = Example::read(bad).unwrap_err();
        let said: Vec<_> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(said.len(), 3, "{said:?}");
        assert!(said[0].starts_with("1: there is no tab"), "{}", said[0]);
        assert!(
            said[1].starts_with("2: `repeet` is no label: write one of answer, "),
            "{}",
            said[1]
        );
        assert!(said[2].starts_with("3: nothing is said after"), "{}", said[2]);
        let empty = Example::read("# nothing\n\n").unwrap_err();
        assert!(empty[0].to_string().starts_with("1: the file has no examples"), "{empty:?}");
    }

    proptest! {
        /// No file causes a panic.
        #[test]
        fn any_file_is_read_or_refused(file in "([a-z_]{0,7}[\t ]?\\PC{0,20}[\n\r]{0,2}){0,6}") {
            let _ = Example::read(&file);
        }
    }
}
