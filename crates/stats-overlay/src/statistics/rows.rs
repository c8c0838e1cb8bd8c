//! The rows of the statistics view as text, each with its definition and the definition's source.

use stats_core::{FrameStatistics, Unit};

use crate::data::frame_choice::RATES;
use stats_analysis::format::{NumberStyle, whole_text};
use stats_analysis::pace::{BY_SLACK, SLACK};

/// Rows under one title.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) title: &'static str,
    pub(super) rows: Vec<Row>,
}

/// One row.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) figure: Figure,
    /// The definition and its source.
    pub(super) help: String,
    /// The effect of a click.
    pub(super) target: Option<Target>,
}

/// The figure of a row.
#[derive(Debug)]
pub(super) enum Figure {
    /// A frame time, also shown as a frame rate.
    Time { ms: String, fps: String },
    /// Any other figure, as text.
    Text(String),
    /// A share of the time from 0 to 1, with a bar.
    Share { text: String, share: f32 },
}

/// The effect of a click on a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Slowest,
    LongestRun,
    /// The next hitch after the marked frame.
    Hitch,
    /// The next frame that stutters.
    Stutter,
    /// The setting for the display's refresh rate.
    Settings,
}

impl Figure {
    /// Returns the row's figure as text.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Time { ms, fps } => format!("{ms}, {fps}"),
            Self::Text(text) | Self::Share { text, .. } => text.clone(),
        }
    }
}

/// Returns all rows for statistics of frames that start at `first_frame`. The slowest frame began
/// at `slowest_secs`.
pub(super) fn groups(
    all: &FrameStatistics,
    first_frame: u64,
    slowest_secs: Option<f64>,
) -> Vec<Group> {
    let mut groups = vec![
        rates(all),
        percentiles(all),
        spikes(all, first_frame, slowest_secs),
        smoothness(all),
    ];
    if all.rules.is_frame_time {
        groups.push(shares(all));
    }
    groups
}

fn row(name: &str, figure: Figure, help: &str) -> Row {
    Row {
        name: name.to_owned(),
        figure,
        help: help.to_owned(),
        target: None,
    }
}

/// Returns a time with two decimals.
fn ms_text(ms: f64) -> String {
    NumberStyle::new(Unit::Milliseconds, 10.0, false).text(ms)
}

/// Returns a rate with one decimal; empty for a time of zero.
fn fps_text(fps: f64) -> String {
    if fps.is_finite() {
        format!(
            "{} fps",
            NumberStyle::new(Unit::Hertz, 100.0, false).number(fps)
        )
    } else {
        "– fps".to_owned()
    }
}

/// Returns a time, with its rate if it is that of a whole frame.
fn by_ms(all: &FrameStatistics, ms: f64) -> Figure {
    if all.rules.is_frame_time {
        Figure::Time {
            ms: ms_text(ms),
            fps: fps_text(1e3 / ms),
        }
    } else {
        Figure::Text(figure_text(ms))
    }
}

/// Returns a time with three significant digits, since times of other series may be in the
/// microseconds.
fn figure_text(ms: f64) -> String {
    NumberStyle::steady_figure(None, Unit::Milliseconds, ms, false).text(ms)
}

fn by_fps(fps: f64) -> Figure {
    Figure::Time {
        ms: ms_text(1e3 / fps),
        fps: fps_text(fps),
    }
}

fn rates(all: &FrameStatistics) -> Group {
    if !all.rules.is_frame_time {
        let mean = all.total_ms / all.frames as f64;
        let rows = vec![
            row(
                "average",
                by_ms(all, mean),
                "The total time divided by the number of frames.",
            ),
            row(
                "median",
                by_ms(all, all.median_ms),
                "Half of the frames took no longer: nearest rank.",
            ),
        ];
        return Group {
            title: "Times",
            rows,
        };
    }
    let rows = vec![
        row(
            "average",
            by_fps(all.average_fps),
            "Frames divided by the time they took. The mean of each frame's own rate would be higher, and wrong.",
        ),
        row(
            "median",
            by_ms(all, all.median_ms),
            "Half of the frames are no slower: nearest rank.",
        ),
        row(
            "1 % low (integral, RTSS)",
            by_ms(all, all.p99_by_time_ms),
            "The slowest frames that fill 1 % of the time are no faster than this. RTSS and MSI Afterburner show it as “1 % low” with their \
             integral method, CapFrameX as “1 % low integral”. The same as 99 % of the time, among the percentiles.",
        ),
        row(
            "1 % low (average of slowest 1 %)",
            by_fps(all.low_1_percent_fps),
            "The rate during the slowest 1 % of the frames, at least one: their number divided by their time. CapFrameX calls it “1 % low average”, \
             many reviews “1 % low”.",
        ),
        row(
            "0.1 % low (average of slowest 0.1 %)",
            by_fps(all.low_0_1_percent_fps),
            "The rate during the slowest 0.1 % of the frames, at least one. CapFrameX calls it “0.1 % low average”.",
        ),
    ];
    Group {
        title: "Rates",
        rows,
    }
}

fn percentiles(all: &FrameStatistics) -> Group {
    const BY_TIME: &str = "By time: the shortest frame time such that the frames that were no slower fill this share of the total time. Long frames \
                           count for as long as they last. After “You're calculating framerate percentiles wrong!” (M. N. Goldberg).";
    const BY_FRAME: &str = "By frame: the shortest frame time such that this share of the frames was no slower (nearest rank). Each frame counts \
                            once, however long it lasts. CapFrameX shows it as fps, by the rest of the frames: P5, P1, P0.1.";
    let by_frame = if all.rules.is_frame_time {
        [
            "P5 (95 % of frames)",
            "P1 (99 % of frames)",
            "P0.1 (99.9 % of frames)",
        ]
    } else {
        ["95 % of frames", "99 % of frames", "99.9 % of frames"]
    };
    let rows = vec![
        row(
            "95 % of the time was no slower than",
            by_ms(all, all.p95_by_time_ms),
            BY_TIME,
        ),
        row(
            "99 % of the time was no slower than",
            by_ms(all, all.p99_by_time_ms),
            BY_TIME,
        ),
        row(by_frame[0], by_ms(all, all.p95_by_frame_ms), BY_FRAME),
        row(by_frame[1], by_ms(all, all.p99_by_frame_ms), BY_FRAME),
        row(by_frame[2], by_ms(all, all.p99_9_by_frame_ms), BY_FRAME),
    ];
    Group {
        title: "Percentiles",
        rows,
    }
}

fn spikes(all: &FrameStatistics, first_frame: u64, slowest_secs: Option<f64>) -> Group {
    let at = |frame: usize| whole_text((first_frame + frame as u64) as f64);
    let is_frame_time = all.rules.is_frame_time;
    let ms = if is_frame_time { ms_text } else { figure_text };
    let when = slowest_secs.map_or(String::new(), |secs| format!(", at {secs:.1} s"));
    let slowest = Figure::Text(format!(
        "{}, frame {}{when}",
        ms(all.slowest.ms),
        at(all.slowest.frame)
    ));
    let help = "The high-water mark: the first of the slowest frames. Click to go there.";
    let mut rows = vec![Row {
        target: Some(Target::Slowest),
        ..row("slowest frame", slowest, help)
    }];
    let Some((spikes, budget_ms)) = all.spikes.as_ref().zip(all.rules.budget_ms) else {
        let (target, help) = if is_frame_time {
            let help = "Set the frame budget in the settings.";
            (Some(Target::Settings), help)
        } else {
            (None, "The program gives a series its budget: .budget(2.0)")
        };
        rows.push(Row {
            target,
            ..row(
                "over budget",
                Figure::Text("no budget is set".to_owned()),
                help,
            )
        });
        return Group {
            title: "Spikes",
            rows,
        };
    };
    let budget = ms(budget_ms);
    let limit = ms(budget_ms * (1.0 + all.rules.budget_tolerance));
    let by_slack = if is_frame_time {
        format!(" {BY_SLACK}")
    } else {
        String::new()
    };
    let over = format!("{} over {budget}{by_slack}", frames_text(spikes.frames));
    let help = if is_frame_time {
        format!(
            "Frames that took more than {limit}: over the budget of {budget} {BY_SLACK} or more. Half of all healthy frames are a little over \
             the period of the display; those do not count."
        )
    } else {
        format!("Frames that took more than {budget}.")
    };
    rows.push(row("over budget", Figure::Text(over), &help));
    let run = match spikes.longest_run.len() {
        0 => "none".to_owned(),
        count => format!(
            "{} from {}",
            frames_text(count),
            at(spikes.longest_run.start)
        ),
    };
    let target = (!spikes.longest_run.is_empty()).then_some(Target::LongestRun);
    let help = format!(
        "The longest run of consecutive frames over {limit}{}; the first of several. Click to go there.",
        if is_frame_time {
            " (the budget plus 10 %)"
        } else {
            ""
        }
    );
    rows.push(Row {
        target,
        ..row("longest run over budget", Figure::Text(run), &help)
    });
    let help = format!(
        "The total time beyond the budget of all frames over {limit}, counted from {budget}{}.",
        if is_frame_time {
            format!(", not from {limit}")
        } else {
            String::new()
        }
    );
    rows.push(row(
        "time lost over budget",
        Figure::Text(format!("{} beyond {budget}", ms(spikes.over_ms))),
        &help,
    ));
    Group {
        title: "Spikes",
        rows,
    }
}

fn smoothness(all: &FrameStatistics) -> Group {
    let (hitch, stutter) = (all.rules.hitch, all.rules.stutter);
    let hitch_help = format!(
        "Frames over {} ms that took at least {} times as long as the frame before. In the {} ms after a hitch, no other is counted. The rule of \
         Unreal Engine: t.HitchFrameTimeThreshold, t.HitchVersusNonHitchRatio, t.HitchDeadTimeWindow. A click goes to the next.",
        hitch.threshold_ms, hitch.ratio, hitch.dead_time_ms
    );
    let stutter_help = format!(
        "Frames that took over {} times the average of the {} frames before. The rule of CapFrameX, which averages over about the same number \
         at 60 frames per second. A click goes to the next.",
        stutter.factor, stutter.average_over
    );
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
                Hz(1e3 / period_ms)
            ),
            None,
        ),
        _ => (
            "set the display's refresh rate".to_owned(),
            Some(Target::Settings),
        ),
    };
    let missed_help = "Estimated from frame times alone: the time of each frame is rounded to a whole number of the display's periods. The \
                       estimate needs the actual rate of the display; set it in the settings.";
    let mut rows = vec![
        Row {
            target: target(&all.hitches, Target::Hitch),
            ..row(
                "hitches",
                Figure::Text(whole_text(all.hitches.len() as f64)),
                &hitch_help,
            )
        },
        Row {
            target: target(&all.stutter, Target::Stutter),
            ..row("stutter", Figure::Text(stuttered), &stutter_help)
        },
        Row {
            target: settings,
            ..row(
                "missed refreshes (estimated)",
                Figure::Text(missed),
                missed_help,
            )
        },
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
    let row = |(name, rate): (String, &stats_core::frame_metrics::RateShare)| {
        let figure = Figure::Share {
            text: format!("{:.1} %", rate.share * 100.0),
            share: rate.share as f32,
        };
        row(&name, figure, &help)
    };
    Group {
        title: "Share of the time at each rate, reached within 10 %",
        rows: names.zip(&all.rates).map(row).collect(),
    }
}

/// `1 frame`, `1,234 frames`.
pub(super) fn frames_text(count: usize) -> String {
    format!(
        "{} {}",
        whole_text(count as f64),
        if count == 1 { "frame" } else { "frames" }
    )
}

/// A rate with up to two decimals.
struct Hz(f64);

impl std::fmt::Display for Hz {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", (self.0 * 100.0).round() / 100.0)
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
        let groups = groups(&all, 1000, Some(12.0));
        for (name, text, target) in [
            ("average", "8.19 ms, 122.1 fps", None),
            ("median", "8.00 ms, 125.0 fps", None),
            ("1 % low (integral, RTSS)", "200.00 ms, 5.0 fps", None),
            (
                "1 % low (average of slowest 1 %)",
                "27.20 ms, 36.8 fps",
                None,
            ),
            (
                "0.1 % low (average of slowest 0.1 %)",
                "200.00 ms, 5.0 fps",
                None,
            ),
            (
                "95 % of the time was no slower than",
                "8.00 ms, 125.0 fps",
                None,
            ),
            (
                "99 % of the time was no slower than",
                "200.00 ms, 5.0 fps",
                None,
            ),
            ("P1 (99 % of frames)", "8.00 ms, 125.0 fps", None),
            (
                "slowest frame",
                "200.00 ms, frame 1,999, at 12.0 s",
                Some(Target::Slowest),
            ),
            ("over budget", "1 frame over 16.67 ms by 10 %", None),
            (
                "longest run over budget",
                "1 frame from 1,999",
                Some(Target::LongestRun),
            ),
            ("time lost over budget", "183.33 ms beyond 16.67 ms", None),
            ("hitches", "1", Some(Target::Hitch)),
            (
                "stutter",
                "1 frame, 2.4 % of the time",
                Some(Target::Stutter),
            ),
            ("missed refreshes (estimated)", "about 11 at 59.94 Hz", None),
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
            "over budget",
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
        let groups = super::groups(&all, 0, None);
        for name in ["over budget", "missed refreshes (estimated)"] {
            assert_eq!(
                figure(&groups, name).target,
                Some(Target::Settings),
                "{name}"
            );
        }
        assert_eq!(
            figure(&groups, "hitches").target,
            None,
            "there is none to go to"
        );
        assert_eq!(figure(&groups, "60 fps").figure.text(), "100.0 %");
    }

    #[test]
    fn frames_that_fluctuate_around_a_rate_count_at_that_rate() {
        let frames: Vec<f64> = (0..600)
            .map(|frame| 1e3 / 60.0 + if frame % 2 == 0 { 0.4 } else { -0.4 })
            .collect();
        let groups = groups(
            &FrameStatistics::of(&frames, &rules(&Settings::default())).unwrap(),
            0,
            None,
        );
        assert_eq!(figure(&groups, "60 fps").figure.text(), "100.0 %");
    }
}
