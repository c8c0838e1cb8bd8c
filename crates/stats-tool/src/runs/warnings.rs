//! Warnings about runs that may not be comparable.

use stats_analysis::format::count_text;
use stats_capture::Ended;

use super::facts::differences;
use super::run_figures::RunFigures;

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
    let dropped = count(|run| run.run.cost.dropped_frames > 0);
    if dropped > 0 {
        let (one, many) = ("of the captures lacks", "of the captures lack");
        warnings.push(format!(
            "{} frames, because the disk or the processor was too slow to record them",
            count_text(dropped as u64, one, many)
        ));
    }
    warnings
}
