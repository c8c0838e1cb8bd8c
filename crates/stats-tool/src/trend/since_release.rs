//! Sentences about the project and its teams since the last release.

use stats_analysis::format::{count_text, value_text};

use super::contents::{name, percent_text};
use crate::document::{Tone, Verdict};
use crate::history::{Course, Direction, History, SinceRelease};

/// The maximum number of metrics that a sentence names.
const MAX_NAMED: usize = 3;

/// Returns whether the project is getting better or worse since its last release: a headline, a
/// sentence with the metrics, and one for each team.
pub(super) fn verdict(history: &History) -> Verdict {
    let Some(since) = history.since_release() else {
        return Verdict {
            tone: Tone::Unsure,
            headline: "Nothing is known about the project: there are no runs".to_owned(),
            sentences: Vec::new(),
        };
    };
    let release = match &since.release {
        Some(release) => format!("release {release}"),
        None => "the first run".to_owned(),
    };
    let headline = match since.project.direction {
        Direction::Better => format!("The project is getting better since {release}"),
        Direction::Worse => format!("The project is getting worse since {release}"),
        Direction::Same => format!("The project is neither better nor worse since {release}"),
        Direction::Unknown => {
            format!("Cannot tell whether the project is getting better or worse since {release}")
        }
    };
    let project = format!(
        "{headline}, {}{}.",
        name(&history.runs[since.run]),
        reasons(&since.project, &since)
    );
    let teams = (since.teams.iter()).map(|(team, course)| team_sentence(team, course, &since));
    Verdict {
        tone: tone(since.project.direction),
        sentences: std::iter::once(project).chain(teams).collect(),
        headline,
    }
}

/// Returns what became of a team in several histories, each with a name: the headline about all of
/// them, and a sentence for each.
pub(super) fn team_verdict<'a>(
    team: &str,
    histories: impl Iterator<Item = (String, &'a History)>,
) -> Verdict {
    let (mut tones, mut sentences) = (Vec::new(), Vec::new());
    for (name, history) in histories {
        let Some(since) = history.since_release() else {
            continue;
        };
        let Some((_, course)) = since.teams.iter().find(|(of, _)| of == team) else {
            continue;
        };
        sentences.push(format!("{name}: {}", team_sentence(team, course, &since)));
        tones.push(tone(course.direction));
    }
    let (tone, headline) = team_headline(team, &tones);
    Verdict {
        tone,
        headline,
        sentences,
    }
}

/// Returns the tone and the headline of a team, by the tone of each of its scenarios: the worst. One
/// that cannot be judged may be worse than one that is good.
fn team_headline(team: &str, tones: &[Tone]) -> (Tone, String) {
    let unsure = tones.iter().filter(|tone| **tone == Tone::Unsure).count();
    if tones.contains(&Tone::Bad) {
        (Tone::Bad, format!("Team {team} is getting worse"))
    } else if unsure == 0 && !tones.is_empty() {
        (Tone::Good, format!("Team {team} is not getting worse"))
    } else {
        let mut headline = format!("Cannot tell whether team {team} is getting better or worse");
        if unsure < tones.len() {
            headline += &format!(" in {unsure} of {} scenarios", tones.len());
        }
        (Tone::Unsure, headline)
    }
}

fn team_sentence(team: &str, course: &Course, since: &SinceRelease) -> String {
    let what = match course.direction {
        Direction::Better => "is getting better",
        Direction::Worse => "is getting worse",
        Direction::Same => "is neither better nor worse",
        Direction::Unknown => "is not known to be better or worse",
    };
    format!("Team {team} {what}{}.", reasons(course, since))
}

fn tone(direction: Direction) -> Tone {
    match direction {
        Direction::Better | Direction::Same => Tone::Good,
        Direction::Worse => Tone::Bad,
        Direction::Unknown => Tone::Unsure,
    }
}

/// Returns the metrics that changed, after a colon, or how many runs are needed.
fn reasons(course: &Course, since: &SinceRelease) -> String {
    if course.direction == Direction::Unknown && since.runs_needed > 0 {
        let runs = count_text(since.runs_needed as u64, "more run", "more runs");
        return format!(": {runs} would tell");
    }
    let named = course.metrics.iter().take(MAX_NAMED).map(|one| {
        let text = |value| value_text(value, one.unit);
        let (before, after) = (text(one.before), text(one.after));
        // A change from 0 has no percentage.
        let percent = match one.percent.is_finite() {
            true => format!(" {}", percent_text(one.percent)),
            false => String::new(),
        };
        let how = match one.drifts {
            true => " in a steady drift, from about",
            false => ", from a mean of",
        };
        format!("{}{percent}{how} {before} to {after}", one.name)
    });
    let mut named: Vec<String> = named.collect();
    let more = course.metrics.len().saturating_sub(MAX_NAMED);
    if more > 0 {
        named.push(format!("{more} more"));
    }
    match &named[..] {
        [] => String::new(),
        named => format!(": {}", named.join("; ")),
    }
}

#[cfg(test)]
mod tests {
    use super::team_headline;
    use crate::document::Tone::{self, Bad, Good, Unsure};

    #[test]
    fn a_team_is_good_only_if_each_of_its_scenarios_is() {
        let of = |tones: &[Tone]| team_headline("ai", tones);
        let worse = (Bad, "Team ai is getting worse".to_owned());
        let fine = (Good, "Team ai is not getting worse".to_owned());
        let unknown = "Cannot tell whether team ai is getting better or worse";
        assert_eq!(of(&[Good, Unsure, Bad]), worse);
        assert_eq!(of(&[Bad, Unsure]), worse);
        assert_eq!(of(&[Good, Good]), fine);
        let one_of_three = format!("{unknown} in 1 of 3 scenarios");
        assert_eq!(of(&[Good, Unsure, Good]), (Unsure, one_of_three.clone()));
        assert_eq!(of(&[Unsure, Good, Good]), (Unsure, one_of_three));
        assert_eq!(of(&[Unsure, Unsure]), (Unsure, unknown.to_owned()));
        assert_eq!(of(&[]), (Unsure, unknown.to_owned()));
    }
}
