//! The scenarios of runs.

use super::run_figures::RunFigures;
use crate::failure::Failure;

/// Returns an error if none of the runs has the scenario `wanted`.
pub(crate) fn check_scenario(runs: &[RunFigures], wanted: Option<&str>) -> Result<(), Failure> {
    match wanted {
        Some(wanted) if !runs.iter().any(|run| run.is_of(Some(wanted))) => {
            Err(Failure::Usage(format!(
                "no run has the scenario {wanted:?}; there are runs of {}",
                scenarios(runs).join(", ")
            )))
        }
        _ => Ok(()),
    }
}

/// Returns the names of the scenarios of runs, sorted.
pub(crate) fn scenarios(runs: &[RunFigures]) -> Vec<&str> {
    let mut names: Vec<&str> = runs.iter().map(RunFigures::scenario).collect();
    names.sort_unstable();
    names.dedup();
    names
}
