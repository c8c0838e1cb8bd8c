//! Lines of a dump that could not be read: they are left out, and told by number.

use std::fmt;

use super::reader::{MAX_LINE_BYTES, MAX_QUOTED_LINES};

/// What is wrong with a line of a dump. As text it is a sentence about the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DumpProblem {
    /// Not six or seven fields, but so many.
    Fields(usize),
    /// The fourth field is no number of bytes.
    Bytes,
    /// The seventh field is no number of allocations.
    Count,
    /// A quoted field does not end, or something follows its end; or a quote stands in a field that
    /// is not quoted.
    Quote,
    /// Not UTF-8.
    Text,
    /// Longer than 1 MiB.
    Long,
}

impl fmt::Display for DumpProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fields(1) => {
                f.write_str("it has 1 field instead of 6 or 7 between commas: it may be cut off, or no line of a dump")
            }
            Self::Fields(fields @ 0..6) => write!(f, "it has {fields} fields instead of 6 or 7 between commas: it may be cut off"),
            Self::Fields(fields) => write!(f, "it has {fields} fields instead of 6 or 7: a name with a comma has to be in quotes"),
            Self::Bytes => write!(f, "its fourth field has to be a number of bytes, 0 to {}", u64::MAX),
            Self::Count => write!(f, "its seventh field has to be a number of allocations, 0 to {}", u64::MAX),
            Self::Quote => write!(
                f,
                "its quotes do not match: a quoted field ends within {MAX_QUOTED_LINES} lines, before a comma or the end of a line, and \
                 a quote inside of it is doubled"
            ),
            Self::Text => f.write_str("it is not UTF-8: a shell may have written the file as UTF-16, or something damaged it"),
            Self::Long => write!(f, "it is longer than {} MiB: line ends may be missing", MAX_LINE_BYTES >> 20),
        }
    }
}

/// How many damaged lines are told by number.
const MOST_TOLD: usize = 100;

/// The lines of a dump that were left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DumpDamage {
    /// How many there were.
    pub lines: u64,
    /// The first of them, by their numbers in the file from 1 on: at most 100.
    pub first: Vec<(u64, DumpProblem)>,
}

impl DumpDamage {
    pub(super) fn tell(&mut self, line: u64, problem: DumpProblem) {
        self.lines += 1;
        if self.first.len() < MOST_TOLD {
            self.first.push((line, problem));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_are_told_and_all_are_counted() {
        let mut damage = DumpDamage::default();
        (1..=250).for_each(|line| damage.tell(line, DumpProblem::Text));
        assert_eq!(
            (damage.lines, damage.first.len(), damage.first.last()),
            (250, 100, Some(&(100, DumpProblem::Text)))
        );
    }

    #[test]
    fn each_problem_is_a_sentence_of_its_own() {
        use DumpProblem::{Bytes, Count, Fields, Long, Quote, Text};
        let problems = [
            Fields(0),
            Fields(1),
            Fields(5),
            Fields(8),
            Bytes,
            Count,
            Quote,
            Text,
            Long,
        ];
        let mut sentences: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert!(
            sentences
                .iter()
                .all(|sentence| sentence.starts_with("it") && sentence.len() > 40),
            "{sentences:#?}"
        );
        sentences.sort();
        sentences.dedup();
        assert_eq!(sentences.len(), problems.len());
    }
}
