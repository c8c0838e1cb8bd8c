//! The problems that registrations and values have.

use std::mem::discriminant;
use std::panic::Location;

use super::Catalog;
use crate::Problem;
use crate::live::counter::SINK;

/// The maximum number of problems that are kept. The first few are enough to find the cause.
const KEPT_PROBLEMS: usize = 256;

impl Catalog {
    /// Reports that `given` is reserved, and that `used` was registered in its place.
    pub(crate) fn report_reserved_path(&mut self, given: &str, used: &str) {
        self.report(Problem::ReservedPath {
            given: excerpt(given),
            used: excerpt(used),
        });
    }

    /// Reports that a source counts further names in the series at `path`.
    pub(crate) fn report_over_limit(&mut self, path: &str, limit: usize) {
        self.report(Problem::OverLimit {
            path: excerpt(path),
            limit,
        });
    }

    /// Reports that a series refused a value for the first time.
    pub(crate) fn report_refused(&mut self, slot: u32, location: &'static Location<'static>) {
        if let Some(path) = self.path(slot) {
            self.report(Problem::RefusedValue {
                path: excerpt(path),
                location,
            });
        }
    }

    /// Reports that the total of a series is not exact, since the add at `location`.
    pub(crate) fn report_inexact(
        &mut self,
        slot: u32,
        location: Option<&'static Location<'static>>,
    ) {
        if let Some(path) = self.path(slot) {
            self.report(Problem::InexactTotal {
                path: excerpt(path),
                location,
            });
        }
    }

    /// Reports that a scope of a timer was not ended on its thread.
    pub(crate) fn report_open_scope(&mut self, slot: u32) {
        if let Some(path) = self.path(slot) {
            self.report(Problem::OpenScope {
                path: excerpt(path),
            });
        }
    }

    /// Returns the problems found so far, each once, up to 256.
    pub(crate) fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Reports a problem unless one of its kind is known: reports of all further paths would leave no
    /// room for other problems.
    pub(super) fn report_first(&mut self, problem: Problem) {
        let kind = discriminant(&problem);
        if !self
            .problems
            .iter()
            .any(|known| discriminant(known) == kind)
        {
            self.report(problem);
        }
    }

    pub(crate) fn report(&mut self, problem: Problem) {
        if self.problems.len() < KEPT_PROBLEMS && !self.problems.contains(&problem) {
            self.problems.push(problem);
            self.changes.push(SINK);
        }
    }
}

/// Cuts a path for the text of a problem, if it is longer than anyone would read.
pub(super) fn excerpt(path: &str) -> String {
    const CHARS: usize = 200;
    match path.char_indices().nth(CHARS) {
        Some((end, _)) => format!("{}…", &path[..end]),
        None => path.to_owned(),
    }
}
