//! What a reader wants to know first: what made a program stutter, what grows, and how fast it ran.

use std::borrow::Cow;
use std::collections::HashMap;

use stats_analysis::format::{count_text, fixed_text};
use stats_analysis::insight::{Finding, Hitch, Periodic, Role};

use super::summary::Summary;
use crate::metrics::RunMetrics;
use crate::runs::{
    culprit_name, growth_sentences, own_ms, recurs_text, slowdowns, slowdowns_text, too_few_frames,
};

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
/// one for each level that grows, other than small numbers of things:
/// `4 hitches, all in paths/a-star, +8.1 to +10.2 ms, every 45 frames.`
pub(super) fn problems(runs: &[RunMetrics]) -> Vec<String> {
    let hitches = runs.iter().flat_map(|run| run.explained.seen());
    let stalls = runs.iter().flat_map(|run| &run.explained.periodic);
    let hitches = hitches_text(&hitches.collect::<Vec<_>>(), &stalls.collect::<Vec<_>>());
    let slowdowns = slowdowns_text(&slowdowns(runs));
    let leaks = growth_sentences(runs);
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
            _ if led_by(stall, hitches) > stall.count => {
                format!(", {} of those in {} {recurs}", stall.count, stall.what())
            }
            _ => format!(", {} {} times {recurs}", stall.what(), stall.count),
        };
    }
    Some(text + ".")
}

/// Returns how many hitches have the culprit of a stall.
fn led_by(stall: &Periodic, hitches: &[&Hitch]) -> usize {
    // Another run may number its series in another order.
    let is_it = |culprit: &Finding| {
        stall.role == Some(culprit.role)
            && culprit.path == stall.path
            && culprit.is_ready == stall.is_ready
    };
    let has_it = |hitch: &&&Hitch| hitch.culprits().any(is_it);
    hitches.iter().filter(has_it).count()
}

/// Returns the culprits of hitches with the number of their hitches, the most frequent first. A hitch with
/// several counts for the one that has the most of all hitches together, with those that share all of its
/// hitches: `in audio/mix and in dialogue/parse`.
fn culprits(hitches: &[&Hitch]) -> Vec<(String, usize)> {
    let mut sums_ms: HashMap<Cow<'_, str>, f64> = HashMap::new();
    for hitch in hitches {
        for culprit in hitch.culprits() {
            *sums_ms.entry(culprit_name(culprit)).or_default() += own_ms(hitch, culprit);
        }
    }
    let mut all: Vec<(String, Vec<&Hitch>)> = Vec::new();
    for hitch in hitches {
        let sum_ms = |culprit: &&Finding| sums_ms[&culprit_name(culprit)];
        let most = hitch
            .culprits()
            .max_by(|a, b| sum_ms(a).total_cmp(&sum_ms(b)));
        let name = most.map_or("without a single culprit".to_owned(), place);
        match all.iter_mut().find(|(known, _)| *known == name) {
            Some((_, group)) => group.push(hitch),
            None => all.push((name, vec![hitch])),
        }
    }
    let mut all: Vec<(String, usize)> = (all.into_iter())
        .map(|(name, group)| (with_others(name, &group), group.len()))
        .collect();
    all.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    all
}

/// Adds to the name of a culprit those of the others in all of its hitches.
fn with_others(name: String, group: &[&Hitch]) -> String {
    let mut others: Vec<(String, usize)> = Vec::new();
    for other in group.iter().flat_map(|hitch| hitch.culprits()).map(place) {
        match others.iter_mut().find(|(known, _)| *known == other) {
            Some((_, count)) => *count += 1,
            None if other != name => others.push((other, 1)),
            None => {}
        }
    }
    let always = others
        .into_iter()
        .filter(|(_, count)| *count == group.len());
    let names: Vec<String> = std::iter::once(name)
        .chain(always.map(|(other, _)| other))
        .collect();
    names.join(" and ")
}

/// Returns where the time of a culprit went: `in paths/a-star`.
fn place(culprit: &Finding) -> String {
    let name = culprit_name(culprit);
    match culprit.role {
        Role::Culprit if !culprit.is_ready => format!("in {name}"),
        _ => name.into_owned(),
    }
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

    fn shared(shares: [(&str, f64); 2]) -> Hitch {
        Hitch {
            findings: shares
                .map(|(path, share)| Finding {
                    share,
                    ..culprit(path)
                })
                .into(),
            ..hitch(Some("audio/mix"), 51.0)
        }
    }

    #[test]
    fn two_systems_that_share_each_hitch_are_named_together() {
        let first = shared([("audio/mix", 0.54), ("dialogue/parse", 0.44)]);
        let second = shared([("dialogue/parse", 0.5), ("audio/mix", 0.49)]);
        let all = [&first, &second, &first];
        assert_eq!(
            hitches_text(&all, &[]).as_deref(),
            Some("3 hitches, all in audio/mix and in dialogue/parse, +51.0 ms more work.")
        );
        let alone = hitch(Some("audio/mix"), 51.0);
        assert_eq!(
            hitches_text(&[&first, &first, &alone], &[]).as_deref(),
            Some("3 hitches, all in audio/mix, +51.0 ms more work.")
        );
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
