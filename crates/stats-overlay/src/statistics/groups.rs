//! The rows of the statistics view by group, each with its definition and the definition's source.

use stats_core::frame_metrics::{OverBudget, RateShare};
use stats_core::{FIGURES, Figure, FrameStatistics};

use crate::data::frame_choice::RATES;
use crate::statistics::row::{self, Group, Row, Target, by_ms, figure_text, frames_text, ms_text};
use stats_analysis::bottleneck::{Bottleneck, Limit};
use stats_analysis::format::whole_text;
use stats_analysis::pace::{BY_SLACK, PLUS_SLACK, SLACK};

/// The figures that come first, in large type.
const HEAD: [&str; 2] = ["mean", "p99-by-time"];

/// Returns the rows that come first, in large type: the average, the 1 % low, and the slowest frame,
/// which began at `slowest_secs`. The frames begin at `first_frame`.
pub(super) fn head(all: &FrameStatistics, first_frame: u64, slowest_secs: Option<f64>) -> Vec<Row> {
    let is_frame_time = all.rules.is_frame_time;
    let name = |figure: &Figure| match figure.rate {
        Some(rate) if is_frame_time => rate,
        _ => figure.label,
    };
    let mut rows = rows(all, |figure| HEAD.contains(&figure.key), name);
    rows.push(slowest(all, first_frame, slowest_secs));
    rows
}

/// Returns all other rows for the statistics of the frames from `first_frame` on.
pub(super) fn groups(all: &FrameStatistics, first_frame: u64) -> Vec<Group> {
    let mut groups = vec![
        rates(all),
        percentiles(all),
        budget(all, first_frame),
        smoothness(all),
    ];
    if all.rules.is_frame_time {
        groups.push(shares(all));
    }
    groups
}

/// Returns the rows about what limits the frame rate.
pub(super) fn limits(found: &Bottleneck) -> Group {
    let row = |(limit, name, share): (Limit, String, f64)| {
        let figure = row::Figure::Text(format!("{:.1} % of the time", share * 100.0));
        Row::new(&name, figure, limit.definition())
    };
    Group {
        title: "What limits the frame rate",
        rows: found.named_shares().into_iter().map(row).collect(),
    }
}

/// The figures of the first group, by their names as frame rates.
const RATES_SHOWN: [&str; 3] = ["median", "slowest-1-percent", "slowest-0.1-percent"];

fn rates(all: &FrameStatistics) -> Group {
    let is_frame_time = all.rules.is_frame_time;
    let (title, shown) = if is_frame_time {
        ("Rates", &RATES_SHOWN[..])
    } else {
        ("Times", &RATES_SHOWN[..1])
    };
    let name = |figure: &Figure| figure.rate.unwrap_or(figure.label);
    let rows = rows(all, |figure| shown.contains(&figure.key), name);
    Group { title, rows }
}

fn percentiles(all: &FrameStatistics) -> Group {
    let is_percentile =
        |figure: &Figure| figure.label.ends_with("no slower than") && !HEAD.contains(&figure.key);
    Group {
        title: "Percentiles",
        rows: rows(all, is_percentile, |figure| figure.label),
    }
}

/// Returns the rows of some figures in milliseconds.
fn rows(
    all: &FrameStatistics,
    is_shown: impl Fn(&Figure) -> bool,
    name: impl Fn(&Figure) -> &'static str,
) -> Vec<Row> {
    let shown = FIGURES
        .iter()
        .filter(|figure| is_shown(figure) && all.frames >= figure.least_frames);
    let row = |figure: &Figure| {
        let ms = (figure.of)(all)?;
        Some(Row::new(name(figure), by_ms(all, ms), figure.definition))
    };
    shown.filter_map(row).collect()
}

/// Returns the row of a figure with a text of its own.
fn row_of(key: &str, text: String) -> Row {
    let (label, definition) =
        Figure::find(key).map_or(("", ""), |figure| (figure.label, figure.definition));
    Row::new(label, row::Figure::Text(text), definition)
}

/// Returns the row of the slowest frame, which began at `slowest_secs`.
fn slowest(all: &FrameStatistics, first_frame: u64, slowest_secs: Option<f64>) -> Row {
    let ms = if all.rules.is_frame_time {
        ms_text
    } else {
        figure_text
    };
    let when = slowest_secs.map_or(String::new(), |secs| format!(", at {secs:.1} s"));
    let text = format!(
        "{}, frame {}{when}",
        ms(all.slowest.ms),
        whole_text((first_frame + all.slowest.frame as u64) as f64)
    );
    row_of("high-water", text).to(Target::Slowest)
}

fn budget(all: &FrameStatistics, first_frame: u64) -> Group {
    let at = |frame: usize| whole_text((first_frame + frame as u64) as f64);
    let rows = match all.over_budget.as_ref().zip(all.rules.budget_ms) {
        Some((over, budget_ms)) => over_budget(all, over, budget_ms, at).into(),
        None => vec![without_budget(all.rules.is_frame_time)],
    };
    Group {
        title: "Over budget",
        rows,
    }
}

/// Returns the row of a series without a budget.
fn without_budget(is_frame_time: bool) -> Row {
    let (target, help) = if is_frame_time {
        let help = "Set the frame budget in the settings.";
        (Some(Target::Settings), help)
    } else {
        (
            None,
            "Set a budget in the menu, in the code or in stats.toml.",
        )
    };
    let figure = row::Figure::Text("no budget is set".to_owned());
    Row::new("frames over budget", figure, help).to(target)
}

/// Returns the rows about frames over budget. `at` returns the number of a frame as text.
fn over_budget(
    all: &FrameStatistics,
    found: &OverBudget,
    budget_ms: f64,
    at: impl Fn(usize) -> String,
) -> [Row; 3] {
    let is_frame_time = all.rules.is_frame_time;
    let ms = if is_frame_time { ms_text } else { figure_text };
    let budget = ms(budget_ms);
    let limit = ms(budget_ms * (1.0 + all.rules.budget_tolerance));
    let slack = if is_frame_time {
        format!(" {PLUS_SLACK}")
    } else {
        String::new()
    };
    let over = format!("{} over {budget}{slack}", frames_text(found.frames));
    let help = if is_frame_time {
        format!(
            "Frames that took more than {limit}: over the budget of {budget} {BY_SLACK} or more. Half of all healthy frames are a little over \
             the period of the display; those do not count."
        )
    } else {
        format!("Frames that took more than {budget}.")
    };
    let over = Row::new("frames over budget", row::Figure::Text(over), &help);
    let run = match found.longest_run.len() {
        0 => "none".to_owned(),
        count => format!(
            "{} from {}",
            frames_text(count),
            at(found.longest_run.start)
        ),
    };
    let target = (!found.longest_run.is_empty()).then_some(Target::LongestRun);
    let help = format!(
        "The longest run of consecutive frames over {limit}{}; the first of several. Click to go there.",
        if is_frame_time {
            format!(" (the budget {PLUS_SLACK})")
        } else {
            String::new()
        }
    );
    let longest = Row::new("longest run over budget", row::Figure::Text(run), &help).to(target);
    let help = format!(
        "The total time beyond the budget of all frames over {limit}, counted from {budget}{}.",
        if is_frame_time {
            format!(", not from {limit}")
        } else {
            String::new()
        }
    );
    let lost = row::Figure::Text(format!("{} beyond {budget}", ms(found.over_ms)));
    [
        over,
        longest,
        Row::new("time lost over budget", lost, &help),
    ]
}

fn smoothness(all: &FrameStatistics) -> Group {
    let target = |found: &[usize], target| (!found.is_empty()).then_some(target);
    let stuttered = format!(
        "{}, {:.1} % of the time",
        frames_text(all.stutter.len()),
        all.stutter_share * 100.0
    );
    let (missed, settings) = match (all.estimated_missed_refreshes, all.rules.refresh_period_ms) {
        (Some(missed), Some(period_ms)) => (
            format!(
                "about {} at {} Hz",
                whole_text(missed as f64),
                (1e3 / period_ms * 100.0).round() / 100.0
            ),
            None,
        ),
        _ => (
            "set the display's refresh rate".to_owned(),
            Some(Target::Settings),
        ),
    };
    let over_60_ms = whole_text(all.over_60_ms.len() as f64);
    let mut rows = vec![
        row_of("frames-over-60-ms", over_60_ms).to(target(&all.over_60_ms, Target::Over60Ms)),
        row_of("stutter-frames", stuttered).to(target(&all.stutter, Target::Stutter)),
        row_of("missed-refreshes-estimated", missed).to(settings),
    ];
    if !all.rules.is_frame_time {
        // Only a whole frame can miss a refresh.
        rows.truncate(2);
    }
    Group {
        title: "Smoothness",
        rows,
    }
}

fn shares(all: &FrameStatistics) -> Group {
    let help = format!(
        "The share of the time spent at this rate but below the next higher one. A frame reaches a rate if it comes within {:.0} % of it.",
        (SLACK - 1.0) * 100.0
    );
    let names = RATES
        .iter()
        .map(|rate| format!("{rate} fps"))
        .chain(["slower".to_owned()]);
    let row = |(name, rate): (String, &RateShare)| {
        let figure = row::Figure::Share {
            text: format!("{:.1} %", rate.share * 100.0),
            share: rate.share as f32,
        };
        Row::new(&name, figure, &help)
    };
    Group {
        title: "Share of the time at each rate, reached within 10 %",
        // Without the rates that no frame reaches.
        rows: (names.zip(&all.rates))
            .skip_while(|(_, rate)| rate.share == 0.0)
            .map(row)
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::frame_choice::rules;
    use crate::input::settings::Settings;

    fn figure<'a>(groups: &'a [Group], name: &str) -> &'a Row {
        groups
            .iter()
            .flat_map(|group| &group.rows)
            .find(|row| row.name == name)
            .unwrap()
    }

    #[test]
    fn every_row_names_its_definition() {
        let mut frames = vec![8.0; 999];
        frames.push(200.0);
        let mut settings = Settings {
            display_hz: Some(59.94),
            ..Settings::default()
        };
        let all = FrameStatistics::of(&frames, &rules(&settings)).unwrap();
        let mut groups = groups(&all, 1000);
        let head = head(&all, 1000, Some(12.0));
        let names: Vec<&str> = head.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(names, ["average", "1 % low (integral)", "slowest frame"]);
        groups.push(Group {
            title: "Head",
            rows: head,
        });
        let mut names: Vec<String> = (groups.iter().flat_map(|group| &group.rows))
            .map(|row| row.name.clone())
            .collect();
        let all_names = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all_names, "a figure has one name, and one row");
        for rate in ["240 fps", "144 fps"] {
            assert!(!names.contains(&rate.to_owned()), "no frame reaches {rate}");
        }
        for (name, text, target) in [
            ("average", "8.19 ms, 122.1 fps", None),
            ("median", "8.00 ms, 125.0 fps", None),
            ("1 % low (integral)", "200.00 ms, 5.0 fps", None),
            ("1 % low (average)", "27.20 ms, 36.8 fps", None),
            ("0.1 % low (average)", "200.00 ms, 5.0 fps", None),
            (
                "95 % of the time no slower than",
                "8.00 ms, 125.0 fps",
                None,
            ),
            (
                "99 % of the frames no slower than",
                "8.00 ms, 125.0 fps",
                None,
            ),
            (
                "slowest frame",
                "200.00 ms, frame 1,999, at 12.0 s",
                Some(Target::Slowest),
            ),
            ("frames over budget", "1 frame over 16.67 ms + 10 %", None),
            (
                "longest run over budget",
                "1 frame from 1,999",
                Some(Target::LongestRun),
            ),
            ("time lost over budget", "183.33 ms beyond 16.67 ms", None),
            (
                "frames over 60 ms, 1.5 × the one before",
                "1",
                Some(Target::Over60Ms),
            ),
            (
                "frames over 2.5 × the average",
                "1 frame, 2.4 % of the time",
                Some(Target::Stutter),
            ),
            ("missed refreshes, estimated", "about 11 at 59.94 Hz", None),
            ("120 fps", "97.6 %", None),
            ("slower", "2.4 %", None),
        ] {
            let row = figure(&groups, name);
            assert_eq!(
                (row.figure.text().as_str(), row.target),
                (text, target),
                "{name}"
            );
            assert!(
                row.help.len() > 20 && !row.help.contains('\n'),
                "{name}: {}",
                row.help
            );
        }
        for name in [
            "frames over budget",
            "longest run over budget",
            "time lost over budget",
        ] {
            assert!(
                figure(&groups, name).help.contains("18.33 ms"),
                "the row names its limit: {name}"
            );
        }
        assert!(
            groups
                .iter()
                .any(|group| group.title.ends_with("reached within 10 %"))
        );
        (settings.display_hz, settings.frame_budget_ms) = (None, None);
        let all = FrameStatistics::of(&[16.0; 3], &rules(&settings)).unwrap();
        let groups = super::groups(&all, 0);
        for name in ["frames over budget", "missed refreshes, estimated"] {
            assert_eq!(
                figure(&groups, name).target,
                Some(Target::Settings),
                "{name}"
            );
        }
        assert_eq!(
            figure(&groups, "frames over 60 ms, 1.5 × the one before").target,
            None,
            "there is none to go to"
        );
        assert_eq!(figure(&groups, "60 fps").figure.text(), "100.0 %");
    }

    #[test]
    fn a_share_that_is_less_than_a_frame_is_left_out() {
        let names = |count: usize| -> Vec<String> {
            let frames: Vec<f64> = (0..count).map(|at| 16.0 + at as f64 / 1e3).collect();
            let all = FrameStatistics::of(&frames, &rules(&Settings::default())).unwrap();
            let groups = groups(&all, 0);
            let rows = groups.iter().flat_map(|group| &group.rows);
            rows.map(|row| row.name.clone()).collect()
        };
        let has = |count, name: &str| names(count).iter().any(|known| known == name);
        for (name, least) in [
            ("0.1 % low (average)", 1000),
            ("99.9 % of the frames no slower than", 1000),
            ("1 % low (average)", 100),
            ("99 % of the frames no slower than", 100),
            ("95 % of the frames no slower than", 20),
        ] {
            assert!(has(least, name) && !has(least - 1, name), "{name}");
        }
    }

    #[test]
    fn frames_that_fluctuate_around_a_rate_count_at_that_rate() {
        let frames: Vec<f64> = (0..600)
            .map(|frame| 1e3 / 60.0 + if frame % 2 == 0 { 0.4 } else { -0.4 })
            .collect();
        let groups = groups(
            &FrameStatistics::of(&frames, &rules(&Settings::default())).unwrap(),
            0,
        );
        assert_eq!(figure(&groups, "60 fps").figure.text(), "100.0 %");
    }
}
