//! The meaning of a line of a dump.
//!
//! ```text
//! address,thread,group,bytes,scope|scope|…,name        one allocation
//! ,,group,bytes,scope|scope|…,name,count               the sum of all allocations with one tag
//! ```

use super::damage::DumpProblem;
use super::record::FIELDS;

/// An allocation, or the sum of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line<'a> {
    pub(crate) thread: &'a str,
    pub(crate) group: &'a str,
    pub(crate) bytes: u64,
    /// The scopes as written, separated by `|`.
    pub(crate) scopes: &'a str,
    pub(crate) name: &'a str,
    /// The number of allocations of a sum; `None` for a single allocation.
    pub(crate) count: Option<u64>,
}

impl<'a> Line<'a> {
    /// Reads a line from its fields; `count` is the number of all fields.
    pub(super) fn read(fields: [&'a str; FIELDS], count: usize) -> Result<Self, DumpProblem> {
        let [_, thread, group, bytes, scopes, name, allocations] = fields;
        if !(6..=FIELDS).contains(&count) {
            return Err(DumpProblem::Fields(count));
        }
        let bytes = bytes.parse().map_err(|_| DumpProblem::Bytes)?;
        let count = if count < FIELDS {
            None
        } else {
            Some(allocations.parse().map_err(|_| DumpProblem::Count)?)
        };
        Ok(Self {
            thread,
            group,
            bytes,
            scopes,
            name,
            count,
        })
    }
}

/// Returns whether the fields are a header, which a program may write as the first line.
pub(super) fn is_header(fields: &[&str; FIELDS]) -> bool {
    fields[0].eq_ignore_ascii_case("address") && fields[3].eq_ignore_ascii_case("bytes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_fields_are_an_allocation_and_seven_are_a_sum() {
        let fields = ["0x1", "main", "g", "64", "a|b", "n", "3"];
        let line = Line {
            thread: "main",
            group: "g",
            bytes: 64,
            scopes: "a|b",
            name: "n",
            count: None,
        };
        assert_eq!(Line::read(fields, 6), Ok(line));
        assert_eq!(
            Line::read(fields, 7),
            Ok(Line {
                count: Some(3),
                ..line
            })
        );
        for count in [0, 1, 5, 8] {
            assert_eq!(Line::read(fields, count), Err(DumpProblem::Fields(count)));
        }
    }

    #[test]
    fn numbers_are_whole_and_fit_64_bits() {
        for (bytes, count, expected) in [
            ("18446744073709551615", "0", Ok((u64::MAX, Some(0)))),
            ("18446744073709551616", "0", Err(DumpProblem::Bytes)),
            ("", "0", Err(DumpProblem::Bytes)),
            ("-1", "0", Err(DumpProblem::Bytes)),
            ("1.5", "0", Err(DumpProblem::Bytes)),
            ("1", "", Err(DumpProblem::Count)),
            ("1", " 1", Err(DumpProblem::Count)),
        ] {
            let line = Line::read(["", "", "g", bytes, "", "", count], 7);
            assert_eq!(
                line.map(|line| (line.bytes, line.count)),
                expected,
                "{bytes} {count}"
            );
        }
    }
}
