//! The columns of captures, as their files declare them.
//!
//! A series is an integer column in captures where all its values are integers, and a
//! floating-point column in others. DuckDB converts these types while it reads; Spark cannot. The
//! command therefore reads the footers first and gives Spark the types of all columns, and captures
//! with the same types become one scan.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;

use parquet::basic::Type;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use serde::Serialize;
use stats_capture::ReadError;

use crate::failure::Failure;
use crate::progress::Progress;
use crate::runs::read_each;

/// All columns of captures, and the captures in groups with the same types.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Columns {
    /// The name of each column, and whether it is an integer column in all captures that have it.
    columns: Vec<(String, bool)>,
    groups: Vec<Group>,
}

/// Captures with the same types.
#[derive(Debug, PartialEq, Serialize)]
struct Group {
    /// The integer columns of these captures that are not integer columns in all captures.
    whole: Vec<String>,
    files: Vec<String>,
}

/// The name of each column, and whether it is an integer column.
type Types = BTreeMap<String, bool>;

impl Columns {
    /// Reads the columns of captures, several at once.
    pub(super) fn of(files: &[String]) -> Result<Self, Failure> {
        let mut progress = Progress::new("reading columns", files.len());
        let types = read_each(files, |file| types_of(file.as_ref()), &mut progress);
        let types = types.into_iter().collect::<Result<Vec<_>, _>>()?;
        Ok(Self::grouped(files, &types))
    }

    fn grouped(files: &[String], types: &[Types]) -> Self {
        let mut columns = Types::new();
        for (name, is_whole) in types.iter().flatten() {
            *columns.entry(name.clone()).or_insert(true) &= is_whole;
        }
        let mut groups: BTreeMap<BTreeSet<&String>, Vec<String>> = BTreeMap::new();
        for (file, types) in files.iter().zip(types) {
            let is_mixed = |(name, is_whole): &(&String, &bool)| **is_whole && !columns[*name];
            let whole = types.iter().filter(is_mixed).map(|(name, _)| name);
            groups
                .entry(whole.collect())
                .or_default()
                .push(file.clone());
        }
        let groups = groups.into_iter().map(|(whole, files)| Group {
            whole: whole.into_iter().cloned().collect(),
            files,
        });
        Self {
            groups: groups.collect(),
            columns: columns.into_iter().collect(),
        }
    }
}

fn types_of(file: &Path) -> Result<Types, Failure> {
    let opened = File::open(file).map_err(ParquetError::from);
    let reader = opened
        .and_then(SerializedFileReader::new)
        .map_err(|error| {
            Failure::Read(ReadError::Damaged {
                path: file.to_owned(),
                what: error.to_string(),
            })
        })?;
    let schema = reader.metadata().file_metadata().schema_descr();
    let columns = schema.columns().iter();
    Ok(columns
        .map(|column| {
            (
                column.name().to_owned(),
                column.physical_type() == Type::INT64,
            )
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captures_with_the_same_types_are_one_group() {
        let files = ["a", "b", "c", "d"].map(str::to_owned);
        let types = |all: &[(&str, bool)]| -> Types {
            let all = all
                .iter()
                .map(|(name, is_whole)| ((*name).to_owned(), *is_whole));
            all.collect()
        };
        let columns = Columns::grouped(
            &files,
            &[
                types(&[("calls", true), ("mixed", true)]),
                types(&[("calls", true), ("mixed", false), ("ratio", false)]),
                types(&[("calls", true), ("mixed", true), ("late", true)]),
                types(&[("calls", true)]),
            ],
        );
        let group = |whole: &[&str], files: &[&str]| {
            let [whole, files] = [whole, files].map(|texts| {
                texts
                    .iter()
                    .map(|text| (*text).to_owned())
                    .collect::<Vec<_>>()
            });
            Group { whole, files }
        };
        assert_eq!(
            columns.groups,
            [group(&[], &["b", "d"]), group(&["mixed"], &["a", "c"])]
        );
        let expected = [
            ("calls", true),
            ("late", true),
            ("mixed", false),
            ("ratio", false),
        ];
        let expected = expected.map(|(name, is_whole)| (name.to_owned(), is_whole));
        assert_eq!(columns.columns, expected);
    }
}
