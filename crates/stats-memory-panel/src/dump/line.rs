//! What the fields of a line mean.
//!
//! ```text
//! address,thread,group,bytes,scope|stack,name,group=bytes|…    optional first line: the budgets
//! address,thread,group,bytes,scope|scope|…,name                one allocation
//! ,,group,bytes,scope|scope|…,name,count                       the sum of one tag
//! address,,untracked,0,resident,bytes,0                        pages that are in memory
//! ```
//!
//! A reader that does not know the last kind reads it as a sum of no allocations.

use std::ops::Range;

use super::damage::DumpProblem;
use super::record::FIELDS;

/// One allocation, or the sum of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line<'a> {
    /// The address; `None` if there is none, or if it is no hexadecimal number.
    pub(crate) address: Option<u64>,
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
    /// Reads a line from its fields. `count` also includes fields beyond [`FIELDS`].
    pub(super) fn read(fields: [&'a str; FIELDS], count: usize) -> Result<Self, DumpProblem> {
        let [address, thread, group, bytes, scopes, name, allocations] = fields;
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
            address: read_address(address),
            thread,
            group,
            bytes,
            scopes,
            name,
            count,
        })
    }

    /// Returns the addresses of the pages if the line says that they are in memory.
    pub(crate) fn resident(&self) -> Option<Range<u64>> {
        let Self {
            address: Some(start),
            group: "untracked",
            bytes: 0,
            scopes: "resident",
            count: Some(0),
            ..
        } = *self
        else {
            return None;
        };
        let bytes = self.name.parse().ok()?;
        Some(start..start.saturating_add(bytes))
    }
}

fn read_address(field: &str) -> Option<u64> {
    u64::from_str_radix(field.strip_prefix("0x")?, 16).ok()
}

/// Reads the budgets in the header of a dump: `group=bytes|group=bytes|…`. Within a name, each `|`,
/// `=` and `\` is preceded by a `\`. A budget that cannot be read is left out.
pub(super) fn read_budgets(field: &str) -> Vec<(String, u64)> {
    let (mut budgets, mut group, mut bytes) = (Vec::new(), String::new(), None::<String>);
    let mut letters = field.chars().chain(['|']);
    while let Some(letter) = letters.next() {
        match (letter, &mut bytes) {
            ('|', _) => {
                let name = std::mem::take(&mut group);
                let bytes = bytes.take().and_then(|bytes| bytes.parse().ok());
                budgets.extend(bytes.map(|bytes| (name, bytes)));
            }
            ('=', None) => bytes = Some(String::new()),
            ('\\', None) => group.extend(letters.next()),
            (letter, None) => group.push(letter),
            (letter, Some(bytes)) => bytes.push(letter),
        }
    }
    budgets
}

/// Returns whether the fields are a header, which may be the first line of a dump.
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
            address: Some(1),
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
    fn pages_in_memory_are_sums_of_nothing_with_an_address() {
        let fields = ["0x7000", "", "untracked", "0", "resident", "8192", "0"];
        let resident = |fields| Line::read(fields, 7).expect("a line").resident();
        assert_eq!(resident(fields), Some(0x7000..0x9000));
        for (at, other) in [
            (0, ""),
            (0, "7000"),
            (2, "g"),
            (3, "1"),
            (4, "other"),
            (5, "x"),
            (6, "1"),
        ] {
            let mut fields = fields;
            fields[at] = other;
            assert_eq!(resident(fields), None, "{fields:?}");
        }
        let allocation = Line::read(fields, 6).expect("a line");
        assert_eq!(allocation.resident(), None);
    }

    #[test]
    fn budgets_that_cannot_be_read_are_left_out() {
        let read = |field: &str| {
            let budgets = read_budgets(field);
            budgets
                .into_iter()
                .map(|(name, bytes)| format!("{name}:{bytes}"))
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(read("ui=1|rendering=536870912"), "ui:1 rendering:536870912");
        assert_eq!(read(r"a\|b\=c\\=7|=3"), r"a|b=c\:7 :3");
        assert_eq!(read("a|b=x|c=-1|d=1=2|count|e=5"), "e:5");
        assert_eq!((read(""), read("count"), read("\\")), Default::default());
    }

    #[test]
    fn numbers_are_whole_and_fit_into_64_bits() {
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
