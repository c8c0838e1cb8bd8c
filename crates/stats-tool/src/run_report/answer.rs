//! What a reader wants to know first: what made a program stutter, what grows, and how fast it ran.

use stats_analysis::format::{count_text, fixed_text, value_text};
use stats_analysis::insight::{Hitch, Periodic};

use super::summary::Summary;
use crate::metrics::RunMetrics;
use crate::runs::{recurs_text, slowdowns, slowdowns_text, too_few_frames};

/// The maximum number of culprits to name.
const MAX_CULPRITS: usize = 3;

/// Returns how fast runs were: `136.1 fps on average, 1,224 frames in 9.00 s.` Says so if they have no
/// hitch, or too few frames to find any.
pub(super) fn rate(runs: &[RunMetrics], summary: &Summary) -> String {
    let frames = summary.cell("run/frames");
    let mut text = format!(
        "{} on average, {frames} {} in {}.",
        summary.cell("run/average-fps").replace(" Hz", " fps"),
        if frames == "1" { "frame" } else { "frames" },
        summary.cell("run/seconds"),
    );
    if !runs.iter().any(|run| run.explained.is_examined()) {
        text += &format!(" {}", too_few_frames());
    } else if runs.iter().all(|run| run.explained.seen().next().is_none()) {
        text += " No hitch.";
    }
    text
}

/// Returns a sentence about the hitches of runs, if there are any, one about when they became slower, and
/// one for each level that grows:
/// `4 hitches, all in paths/a-star, +8.1 to +10.2 ms, every 45 frames.`
pub(super) fn problems(runs: &[RunMetrics]) -> Vec<String> {
    let hitches = runs.iter().flat_map(|run| run.explained.seen());
    let stalls = runs.iter().flat_map(|run| &run.explained.periodic);
    let hitches = hitches_text(&hitches.collect::<Vec<_>>(), &stalls.collect::<Vec<_>>());
    let slowdowns = slowdowns_text(&slowdowns(runs));
    let leaks = runs.iter().flat_map(|run| &run.explained.leaks);
    let leaks = leaks.map(|(leak, unit)| {
        let slope = value_text(leak.per_second, *unit);
        format!("{} grows by {slope} a second.", leak.path)
    });
    hitches.into_iter().chain(slowdowns).chain(leaks).collect()
}

/// Returns a sentence about hitches: their culprits, their excess, and whether they recur; `None`
/// without hitches.
fn hitches_text(hitches: &[&Hitch], stalls: &[&Periodic]) -> Option<String> {
    let excess_ms = || hitches.iter().map(|hitch| hitch.excess_ms);
    let (least, most) = (excess_ms().reduce(f64::min)?, excess_ms().reduce(f64::max)?);
    let mut text = count_text(hitches.len() as u64, "hitch", "hitches");
    let culprits = culprits(hitches);
    match &culprits[..] {
        [(culprit, 1)] => text += &format!(": {culprit}"),
        [(culprit, _)] => text += &format!(", all {culprit}"),
        _ => {
            let (named, others) = culprits.split_at(MAX_CULPRITS.min(culprits.len()));
            let mut named: Vec<String> = named
                .iter()
                .map(|(culprit, count)| format!("{count} {culprit}"))
                .collect();
            let others: usize = others.iter().map(|(_, count)| count).sum();
            if others > 0 {
                named.push(count_text(others as u64, "other", "others"));
            }
            text += &format!(": {}", named.join(", "));
        }
    }
    let [least, most] = [least, most].map(|ms| fixed_text(ms, 1));
    text += &match least == most {
        true => format!(", +{most} ms"),
        false => format!(", +{least} to +{most} ms"),
    };
    // The frames themselves were longer by another time.
    if hitches.iter().any(|hitch| hitch.work_text().is_some()) {
        text += " more work";
    }
    for stall in stalls {
        let recurs = recurs_text(stall);
        text += &match (&culprits[..], stall.count >= hitches.len()) {
            ([_], true) => format!(", {recurs}"),
            ([_], false) => format!(", {} of them {recurs}", stall.count),
            _ => format!(", {} {recurs}", stall.what()),
        };
    }
    Some(text + ".")
}

/// Returns the culprits of hitches with the number of their hitches, the most frequent first.
fn culprits(hitches: &[&Hitch]) -> Vec<(String, usize)> {
    let mut all: Vec<(String, usize)> = Vec::new();
    for hitch in hitches {
        let name = match hitch.culprit() {
            Some(culprit) if culprit.series.is_some() && !culprit.is_ready => {
                format!("in {}", culprit.name())
            }
            Some(culprit) => culprit.name().into_owned(),
            None => "without a single culprit".to_owned(),
        };
        match all.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => all.push((name, 1)),
        }
    }
    all.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{self, culprit};

    fn hitch(path: Option<&str>, excess_ms: f64) -> Hitch {
        Hitch {
            excess_ms,
            work_ms: excess_ms,
            ..testing::hitch(path.map(culprit))
        }
    }

    fn text(hitches: &[(Option<&str>, f64)]) -> String {
        let hitches: Vec<Hitch> = hitches.iter().map(|(path, ms)| hitch(*path, *ms)).collect();
        hitches_text(&hitches.iter().collect::<Vec<_>>(), &[]).unwrap_or_default()
    }

    #[test]
    fn the_sentence_names_culprits_and_their_excess() {
        let star = Some("paths/a-star");
        assert_eq!(text(&[]), "");
        assert_eq!(
            text(&[(star, 8.04)]),
            "1 hitch: in paths/a-star, +8.0 ms more work."
        );
        assert_eq!(
            text(&[(star, 8.0), (star, 10.24)]),
            "2 hitches, all in paths/a-star, +8.0 to +10.2 ms more work."
        );
        assert_eq!(
            text(&[(None, 8.0), (star, 9.0), (star, 10.0)]),
            "3 hitches: 2 in paths/a-star, 1 without a single culprit, +8.0 to +10.0 ms more work."
        );
        assert_eq!(text(&[(star, 10.0)]), "1 hitch: in paths/a-star, +10.0 ms.");
        let many = [Some("a"), Some("b"), Some("c"), Some("d"), Some("a")].map(|path| (path, 5.0));
        assert_eq!(
            text(&many),
            "5 hitches: 2 in a, 1 in b, 1 in c, 1 other, +5.0 ms more work."
        );
    }
}
