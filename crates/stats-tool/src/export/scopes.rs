//! The scopes of a run, from the file beside its capture.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::rc::Rc;

use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};

use stats_capture::ReadError;
use stats_file::Target;

use crate::failure::Failure;

/// One call of a scope, with its start and end.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scope {
    pub(super) path: Rc<str>,
    /// The number of scopes around it.
    depth: i64,
    pub(super) begin_ns: u64,
    pub(super) end_ns: u64,
}

/// The start or the end of a scope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Edge<'a> {
    Begin(&'a str),
    End,
}

/// Reads the scopes of some frames from the file beside a capture, or beside the target of a link,
/// by thread. Returns none if there is no such file.
pub(super) fn read(
    capture: &Path,
    frames: &Range<u64>,
    is_wanted: impl Fn(&str) -> bool,
) -> Result<BTreeMap<String, Vec<Scope>>, Failure> {
    let target = Target::of(capture);
    let target = target.as_ref().map_or(capture, Target::path);
    let path = target.with_extension("spans.parquet");
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(_) if !path.exists() => return Ok(BTreeMap::new()),
        Err(source) => return Err(Failure::reading(&path)(source)),
    };
    let damaged = |source: ParquetError| {
        let what = format!("{source}; move it away to export the rest");
        Failure::from(ReadError::Unsupported {
            path: path.clone(),
            what,
        })
    };
    let mut threads: BTreeMap<String, Vec<Scope>> = BTreeMap::new();
    let mut paths: HashSet<Rc<str>> = HashSet::new();
    let reader = SerializedFileReader::new(file).map_err(damaged)?;
    for row in reader.get_row_iter(None).map_err(damaged)? {
        let row = row.map_err(damaged)?;
        let frame = whole(&row, "frame").map_err(damaged)?;
        let path = text(&row, "path").map_err(damaged)?;
        let is_inside = u64::try_from(frame).is_ok_and(|frame| frames.contains(&frame));
        if !is_inside || !is_wanted(path) {
            continue;
        }
        let ns = |column| -> Result<u64, Failure> {
            let ns = whole(&row, column).map_err(damaged)?;
            Ok(u64::try_from(ns).unwrap_or(0))
        };
        let path = match paths.get(path.as_str()) {
            Some(known) => Rc::clone(known),
            None => {
                let path = Rc::from(path.as_str());
                paths.insert(Rc::clone(&path));
                path
            }
        };
        let scope = Scope {
            path,
            depth: whole(&row, "depth").map_err(damaged)?,
            begin_ns: ns("begin_ns")?,
            end_ns: ns("end_ns")?,
        };
        let thread = text(&row, "thread").map_err(damaged)?;
        match threads.get_mut(thread) {
            Some(scopes) => scopes.push(scope),
            None => _ = threads.insert(thread.clone(), vec![scope]),
        }
    }
    for scopes in threads.values_mut() {
        scopes.sort_by_key(|scope| (scope.begin_ns, scope.depth));
    }
    Ok(threads)
}

fn field<'a>(row: &'a Row, name: &str) -> Result<&'a Field, ParquetError> {
    let mut fields = row.get_column_iter();
    let found = fields.find(|(of, _)| *of == name).map(|(_, field)| field);
    found.ok_or_else(|| ParquetError::General(format!("it has no column {name:?}")))
}

/// Returns a whole number of a row, of any type of integers.
fn whole(row: &Row, name: &str) -> Result<i64, ParquetError> {
    Ok(match field(row, name)? {
        Field::Byte(number) => (*number).into(),
        Field::Short(number) => (*number).into(),
        Field::Int(number) => (*number).into(),
        Field::Long(number) => *number,
        Field::UByte(number) => (*number).into(),
        Field::UShort(number) => (*number).into(),
        Field::UInt(number) => (*number).into(),
        Field::ULong(number) => i64::try_from(*number).unwrap_or(i64::MAX),
        Field::TimestampMicros(number) | Field::TimeMicros(number) => number.saturating_mul(1_000),
        _ => {
            let what = format!("column {name:?} has no whole numbers; write it as INT64");
            return Err(ParquetError::General(what));
        }
    })
}

fn text<'a>(row: &'a Row, name: &str) -> Result<&'a String, ParquetError> {
    match field(row, name)? {
        Field::Str(text) => Ok(text),
        _ => {
            let what = format!("column {name:?} has no texts; write it as UTF-8");
            Err(ParquetError::General(what))
        }
    }
}

/// Returns the starts and ends of a thread's scopes, in chronological order and each with its time.
/// Ends each scope no later than the scope around it.
pub(super) fn edges(scopes: &[Scope]) -> Vec<(u64, Edge<'_>)> {
    let mut edges = Vec::with_capacity(2 * scopes.len());
    let mut open_until: Vec<u64> = Vec::new();
    for scope in scopes {
        while let Some(end_ns) = open_until.pop_if(|end_ns| *end_ns <= scope.begin_ns) {
            edges.push((end_ns, Edge::End));
        }
        let around_ns = open_until.last().copied().unwrap_or(u64::MAX);
        open_until.push(scope.end_ns.clamp(scope.begin_ns, around_ns));
        edges.push((scope.begin_ns, Edge::Begin(&scope.path)));
    }
    let left = open_until.into_iter().rev();
    edges.extend(left.map(|end_ns| (end_ns, Edge::End)));
    edges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_nested_and_in_chronological_order() {
        let mut random = stats_testing::Random::new(4);
        for _ in 0..200 {
            let mut scopes: Vec<Scope> = (0..random.below(30))
                .map(|number| {
                    let begin_ns = random.below(100);
                    Scope {
                        path: number.to_string().into(),
                        depth: random.below(4) as i64,
                        begin_ns,
                        end_ns: begin_ns + random.below(40),
                    }
                })
                .collect();
            scopes.sort_by_key(|scope| (scope.begin_ns, scope.depth));
            let edges = edges(&scopes);
            assert!(edges.is_sorted_by_key(|(ns, _)| *ns), "{edges:?}");
            assert_eq!(edges.len(), 2 * scopes.len());
            // Each scope ends at its recorded end, or earlier with the scope around it.
            let mut open: Vec<u64> = Vec::new();
            for (ns, edge) in &edges {
                let Edge::Begin(path) = edge else {
                    assert_eq!(open.pop(), Some(*ns));
                    continue;
                };
                let scope = scopes.iter().find(|scope| *scope.path == **path);
                let scope = scope.expect("a scope of this name");
                assert_eq!(scope.begin_ns, *ns);
                let around_ns = open.last().copied().unwrap_or(u64::MAX);
                open.push(scope.end_ns.min(around_ns));
            }
            assert!(open.is_empty());
        }
    }
}
