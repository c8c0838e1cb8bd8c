//! Damaged lines of a dump, which are skipped and reported by line number.

use std::fmt;

/// The maximum length of a record in bytes. A longer record is damaged.
pub(crate) const MAX_LINE_BYTES: usize = 1 << 20;

/// The maximum number of lines of one record. Every line but the last ends inside quotes.
pub(crate) const MAX_QUOTED_LINES: u64 = 64;

/// What is wrong with a damaged line. The `Display` text is a clause that refers to the line as
/// "it".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DumpProblem {
    /// The line has this many fields instead of six or seven.
    Fields(usize),
    /// The fourth field is not a number of bytes.
    Bytes,
    /// The seventh field is not a number of allocations.
    Count,
    /// A quoted field does not end, text follows its closing quote, or a quote appears in an
    /// unquoted field.
    Quote,
    /// The line is not UTF-8.
    Text,
    /// The line is longer than 1 MiB.
    Long,
}

impl fmt::Display for DumpProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fields(1) => f.write_str(
                "it has 1 field instead of 6 or 7: the line is cut off, or the file is not a memory dump",
            ),
            Self::Fields(fields @ 0..6) => write!(
                f,
                "it has {fields} fields instead of 6 or 7: the line may be cut off"
            ),
            Self::Fields(fields) => write!(
                f,
                "it has {fields} fields instead of 6 or 7: put names that contain commas in quotes"
            ),
            Self::Bytes => write!(
                f,
                "its fourth field must be a number of bytes from 0 to {}",
                u64::MAX
            ),
            Self::Count => write!(
                f,
                "its seventh field must be a number of allocations from 0 to {}",
                u64::MAX
            ),
            Self::Quote => write!(
                f,
                "its quotes do not match: end a quoted field within {MAX_QUOTED_LINES} lines, before a \
                 comma or a line end, and double the quotes inside it"
            ),
            Self::Text => f.write_str(
                "it is not UTF-8: the file is damaged, or a shell wrote it as UTF-16; write it as UTF-8",
            ),
            Self::Long => write!(
                f,
                "it is longer than {} MiB: line ends may be missing",
                MAX_LINE_BYTES >> 20
            ),
        }
    }
}

/// The maximum number of damaged lines to list.
const MAX_LISTED: usize = 100;

/// The damaged lines of a dump, which the snapshot leaves out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DumpDamage {
    /// The number of damaged lines.
    pub lines: u64,
    /// The first 100 of them: the line number, starting at 1, and what is wrong.
    pub first: Vec<(u64, DumpProblem)>,
}

impl DumpDamage {
    pub(super) fn report(&mut self, line: u64, problem: DumpProblem) {
        self.lines += 1;
        if self.first.len() < MAX_LISTED {
            self.first.push((line, problem));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_damaged_lines_are_counted_and_a_hundred_are_listed() {
        let mut damage = DumpDamage::default();
        (1..=250).for_each(|line| damage.report(line, DumpProblem::Text));
        assert_eq!(
            (damage.lines, damage.first.len(), damage.first.last()),
            (250, 100, Some(&(100, DumpProblem::Text)))
        );
    }

    #[test]
    fn each_problem_has_a_sentence_of_its_own() {
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
