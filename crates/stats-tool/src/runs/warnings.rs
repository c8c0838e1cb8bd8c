//! Warnings about runs that may not be comparable.

use stats_analysis::format::count_text;
use stats_capture::Ended;

use super::facts::differences;
use super::run_figures::RunFigures;
use crate::output::name_of;

/// Returns the reasons why runs may not be comparable, one sentence each.
pub(crate) fn warnings(sides: &[(&str, &[RunFigures])]) -> Vec<String> {
    let all = || sides.iter().flat_map(|(_, runs)| runs.iter());
    let runs: Vec<_> = all().map(RunFigures::identity).collect();
    let mut warnings = differences(&runs);
    // A side without a name is a history, which has several commits.
    for (side, runs) in sides.iter().filter(|(side, _)| !side.is_empty()) {
        let mut commits: Vec<&str> = (runs.iter())
            .filter_map(|run| run.run.commit.as_deref())
            .collect();
        commits.sort_unstable();
        commits.dedup();
        if commits.len() > 1 {
            warnings.push(format!(
                "the {side} runs come from {} commits, which are judged as one",
                commits.len()
            ));
        }
    }
    let count = |is: fn(&RunFigures) -> bool| all().filter(|run| is(run)).count();
    let recovered = count(|run| run.run.ended == Ended::Recovered);
    if recovered > 0 {
        let (one, many) = (
            "of the runs was killed or crashed, so its metrics cover only a part of it",
            "of the runs were killed or crashed, so their metrics cover only a part of them",
        );
        warnings.push(count_text(recovered as u64, one, many));
    }
    let dropped = count(|run| run.run.cost.is_some_and(|cost| cost.dropped_frames > 0));
    let (one, many) = ("of the captures lacks", "of the captures lack");
    if dropped > 0 {
        warnings.push(format!(
            "{} frames, because the disk or the processor was too slow to record them",
            count_text(dropped as u64, one, many)
        ));
    }
    let missing = count(|run| run.lost_frames().is_some_and(|lost| lost > 0.0)) - dropped;
    if missing > 0 {
        let lack = count_text(missing as u64, one, many);
        warnings.push(format!("{lack} frames, whose numbers are missing"));
    }
    for run in all() {
        let file = name_of(&run.file);
        warnings.extend(run.doubts.iter().map(|doubt| format!("{file}: {doubt}")));
    }
    warnings
}
