//! The texts of a row, and the lines below the selected row.

use std::ops::Range;

use stats_analysis::format::{NumberStyle, fixed_text, percent_text, value_text, whole_text};
use stats_analysis::insight::{Finding, Hitch, Role, Slowdown};
use stats_core::{LogLine, Unit};
use stats_ui::text::one_line;

use crate::data::mark_names::log_text;
use crate::insight::findings::{Findings, RowId, drawable, path_of, tail};
use crate::insight::headline::{place_of, with_path};
use crate::insight::waterfall::waterfall;

/// The maximum number of characters of a verdict and of a path.
const VERDICT_CHARS: usize = 400;
const PATH_CHARS: usize = 200;
/// The characters of a share and of what is between two culprits.
const SHARE_CHARS: usize = 7;
/// The maximum number of characters of the number of a step.
const STEP_CHARS: usize = 9;

/// The texts of a row.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RowTexts {
    /// The frame of a hitch, or the kind of any other row.
    pub(crate) name: String,
    /// The excess over the usual frame, the growth of a level, or the number of stalls.
    pub(crate) excess: String,
    pub(crate) verdict: String,
    /// The paths that the verdict may name, first the one that it names first.
    pub(crate) paths: Vec<String>,
}

impl RowTexts {
    pub(crate) fn of(found: &Findings, row: RowId) -> Self {
        match row {
            RowId::Leak(series) => found.growth(series).map(|growth| {
                let leak = &growth.leak;
                let budget = match leak.seconds_to_budget {
                    Some(0.0) => ", over its budget".to_owned(),
                    Some(secs) => format!(", over budget in {}", duration(secs)),
                    None => String::new(),
                };
                let slower = if leak.is_slower { ", slower now" } else { "" };
                let alike = match growth.alike.len() {
                    0 => String::new(),
                    1 => "; 1 more grows alike".to_owned(),
                    count => format!("; {count} more grow alike"),
                };
                Self {
                    name: "growing".to_owned(),
                    excess: format!("+{}/s", value_text(leak.per_second, growth.unit)),
                    verdict: format!("{}{slower}{budget}{alike}", leak.path),
                    paths: vec![leak.path.clone()],
                }
            }),
            RowId::Periodic(first) => found.stall(first).map(|stall| Self {
                name: "periodic".to_owned(),
                excess: format!("{} times", stall.count),
                verdict: format!(
                    "every {} since frame {}: {}",
                    stall.interval_text(),
                    whole_text(stall.first_frame as f64),
                    path_text(&stall.what())
                ),
                paths: vec![stall.path.clone()],
            }),
            RowId::Slowdown(first) => found.slow_of(first).map(|slow| {
                let Slowdown { from_ms, to_ms, .. } = slow.slowdown;
                let cause = found.hitch_of(row).and_then(|hitch| {
                    let culprit = hitch.culprit()?;
                    Some(format!(": {}", name_of(culprit)))
                });
                let text = |ms| value_text(ms, Unit::Milliseconds);
                Self {
                    name: "slower".to_owned(),
                    excess: format!("+{}", text(to_ms - from_ms)),
                    verdict: format!(
                        "{} to {} since frame {}{}",
                        text(from_ms),
                        text(to_ms),
                        whole_text(first as f64),
                        cause.unwrap_or_default()
                    ),
                    paths: Vec::new(),
                }
            }),
            RowId::Hitch(_) | RowId::Explained => found.hitch_of(row).map(|hitch| {
                let (excess, verdict) = hitch
                    .verdict
                    .split_once(": ")
                    .unwrap_or(("", &hitch.verdict));
                Self {
                    name: frames_text(&found.frames_of(row)),
                    excess: excess.to_owned(),
                    verdict: one_line(&drawable(verdict), VERDICT_CHARS).into(),
                    paths: paths_of(hitch).map(str::to_owned).collect(),
                }
            }),
        }
        .unwrap_or_default()
    }

    /// Returns the verdict. If it has more than `max_chars` characters, shortens paths to their last
    /// segments, so that all culprits have room.
    pub(crate) fn verdict_within(&self, max_chars: usize) -> String {
        if self.verdict.chars().count() <= max_chars {
            return self.verdict.clone();
        }
        let culprits = self.verdict.split("; ").next().unwrap_or_default();
        let named = self
            .paths
            .iter()
            .filter(|path| place_of(culprits, path).is_some());
        let each = (max_chars / named.count().max(1)).saturating_sub(SHARE_CHARS);
        let paths = self.paths.iter().map(String::as_str);
        with_short_paths(&self.verdict, paths, each)
    }

    /// Returns the name for a screen reader.
    pub(crate) fn label(&self, row: RowId) -> String {
        match row {
            RowId::Hitch(_) => format!("Hitch in frame {}", self.name),
            RowId::Explained => format!("Explained {}", self.name),
            RowId::Leak(_) => format!("Growing level {}", self.verdict),
            RowId::Periodic(_) => format!("Periodic stall {}", self.verdict),
            RowId::Slowdown(_) => format!("Slowdown {}", self.verdict),
        }
    }

    /// Returns the texts after the name.
    pub(crate) fn value(&self) -> String {
        format!("{}: {}", self.excess, self.verdict)
    }
}

/// A line below the selected row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Detail {
    Title(String),
    /// A series that moved.
    Finding {
        role: &'static str,
        name: String,
        /// The path, whose color the bar has; `None` for what is no scope.
        path: Option<String>,
        /// The share of the excess; `None` for a series that is not a time.
        share: Option<f64>,
        /// The usual value and the frame's value.
        values: String,
        /// What usual frames reach.
        record: String,
    },
    /// A step of the waterfall, relative to the longest one.
    Step {
        name: String,
        from: f64,
        to: f64,
        /// The path of the scope that adds the time, whose color the bar has; `None` for what is no scope.
        path: Option<String>,
        value: String,
    },
}

impl Detail {
    /// Returns the name and the value for a screen reader.
    pub(crate) fn description(&self) -> (String, String) {
        match self {
            Self::Title(text) => (text.clone(), String::new()),
            Self::Finding {
                role,
                name,
                share,
                values,
                record,
                ..
            } => {
                let share = share.map_or_else(String::new, |share| percent_text(share) + ", ");
                (
                    format!("{role} {name}"),
                    format!("{share}{values}, {record}"),
                )
            }
            Self::Step { name, value, .. } => (format!("step {name}"), value.clone()),
        }
    }
}

/// Returns the paths that a verdict about a hitch may name, the culprits first.
pub(crate) fn paths_of(hitch: &Hitch) -> impl Iterator<Item = &str> {
    let named = |finding: &&Finding| !matches!(finding.role, Role::Via | Role::Unaccounted);
    hitch
        .findings
        .iter()
        .filter(named)
        .map(|finding| finding.path.as_str())
}

/// Returns the shares of the culprits of a hitch, with paths of about `max_chars` characters together:
/// `54 % ai/paths, 43 % sim`. Empty without several culprits, and unless all are times.
pub(super) fn shares_of(hitch: &Hitch, max_chars: usize) -> String {
    let count = hitch.culprits().count();
    if count < 2 || hitch.culprits().any(|culprit| !culprit.is_part) {
        return String::new();
    }
    let share = |culprit: &Finding| {
        let name = match path_of(culprit) {
            Some(path) => tail(&path_text(path), max_chars / count),
            None => name_of(culprit),
        };
        let waiting = match culprit.role {
            Role::Wait => "waiting in ",
            _ => "",
        };
        format!("{} {waiting}{name}", percent_text(culprit.share))
    };
    hitch.culprits().map(share).collect::<Vec<_>>().join(", ")
}

/// Returns a verdict in which each path of more than `max_chars` characters is shortened to its last
/// segments.
pub(crate) fn with_short_paths<'a>(
    verdict: &str,
    paths: impl Iterator<Item = &'a str>,
    max_chars: usize,
) -> String {
    let mut text = verdict.to_owned();
    for path in paths {
        let short = tail(path, max_chars);
        if short.len() < path.len() {
            text = with_path(&text, path, &short);
        }
    }
    text
}

/// Returns the lines below a row when it is selected.
/// `log` are the lines of the log beside it, with their frames.
pub(crate) fn details(found: &Findings, row: RowId, log: Vec<(u64, LogLine<'_>)>) -> Vec<Detail> {
    let hitch = found.hitch_of(row);
    hitch.map_or_else(Vec::new, |hitch| of_hitch(hitch, log))
}

fn of_hitch(hitch: &Hitch, log: Vec<(u64, LogLine<'_>)>) -> Vec<Detail> {
    let mut lines = vec![Detail::Title(title(hitch))];
    lines.extend(hitch.findings.iter().map(of_finding));
    lines.extend(hitch.rest_share().map(|rest| Detail::Finding {
        role: "",
        name: "all others".to_owned(),
        path: None,
        share: Some(rest),
        values: String::new(),
        record: String::new(),
    }));
    lines.extend(log.iter().map(|(frame, line)| {
        let frame = whole_text(*frame as f64);
        Detail::Title(format!("log in frame {frame}: {}", log_text(line)))
    }));
    lines.push(Detail::Title("From the usual frame to this one".to_owned()));
    let steps = waterfall(hitch);
    let longest = steps
        .iter()
        .map(|step| step.to_ms.max(step.from_ms))
        .fold(f64::MIN_POSITIVE, f64::max);
    let last = steps.len() - 1;
    lines.extend(steps.into_iter().enumerate().map(|(at, step)| {
        let is_frame = at == 0 || at == last;
        let ms = step.to_ms - step.from_ms;
        Detail::Step {
            name: one_line(&step.name, PATH_CHARS).into(),
            from: step.from_ms / longest,
            to: step.to_ms / longest,
            path: step.path,
            value: match step_text(ms) {
                text if is_frame || ms < 0.0 => text,
                text => format!("+{text}"),
            },
        }
    }));
    lines
}

fn title(hitch: &Hitch) -> String {
    let text = |ms| value_text(ms, Unit::Milliseconds);
    let times = format!(
        "took {}, usually {}",
        text(hitch.frame_ms),
        text(hitch.usual_ms)
    );
    match hitch.repeats {
        Some(repeats) if repeats.on > 1 => format!("{times}; {repeats}"),
        _ => times,
    }
}

/// Returns the time of a step as text: without decimals from one second on, so that it fits, and in
/// a smaller unit below 0.01 ms.
fn step_text(ms: f64) -> String {
    match ms.abs() {
        1000.0.. => format!("{} ms", whole_text(ms)),
        ..0.01 => {
            NumberStyle::steady_row(None, Unit::Milliseconds, (ms, ms), false, STEP_CHARS).text(ms)
        }
        _ => value_text(ms, Unit::Milliseconds),
    }
}

fn of_finding(finding: &Finding) -> Detail {
    let text = |value: f64| match finding.unit {
        Unit::Milliseconds => format!("{} ms", fixed_text(value, 2)),
        unit => value_text(value, unit),
    };
    Detail::Finding {
        role: match finding.role {
            Role::Culprit => "culprit",
            Role::Via => "via",
            Role::MovedWith => "with it",
            Role::Wait => "wait",
            Role::Unaccounted => "",
        },
        name: name_of(finding),
        path: path_of(finding).map(str::to_owned),
        share: share_of_time(finding),
        values: format!("{} to {}", text(finding.usual), text(finding.value)),
        record: match finding.role {
            Role::Unaccounted => String::new(),
            _ => format!("usual frames reach {}", text(finding.record)),
        },
    }
}

/// Returns words for a finding in one line.
pub(crate) fn name_of(finding: &Finding) -> String {
    path_text(&finding.name())
}

fn path_text(path: &str) -> String {
    one_line(path, PATH_CHARS).into()
}

/// Returns the first frame, and the last one if there are several.
fn frames_text(frames: &Range<u64>) -> String {
    let first = whole_text(frames.start as f64);
    if frames.end <= frames.start + 1 {
        return first;
    }
    format!("{first} to {}", whole_text((frames.end - 1) as f64))
}

/// Returns the share of the excess; `None` if it is an estimate and not a part of the time.
pub(crate) fn share_of_time(finding: &Finding) -> Option<f64> {
    finding.is_part.then_some(finding.share)
}

/// Returns a time as text: `45 s`, `12 min`, `3.5 h`.
pub(crate) fn duration(secs: f64) -> String {
    match secs {
        ..100.0 => format!("{secs:.0} s"),
        ..6000.0 => format!("{:.0} min", secs / 60.0),
        _ => format!("{:.1} h", secs / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::insight::waterfall::tests::{finding, hitch};

    /// Returns the texts of a hitch with this verdict.
    fn texts(verdict: &str, findings: Vec<Finding>) -> RowTexts {
        RowTexts {
            verdict: verdict.to_owned(),
            paths: paths_of(&hitch(findings)).map(str::to_owned).collect(),
            ..RowTexts::default()
        }
    }

    #[test]
    fn a_narrow_verdict_shortens_the_paths_of_all_culprits() {
        let of = |path, role| finding(path, role, 0.5, 11.0, 1.0);
        let both = [
            of("game/level/audio/mix", Role::Culprit),
            of("game/level/dialogue/parse", Role::Culprit),
            of("game/level", Role::Via),
            of("game", Role::Via),
            of("game/level/lines", Role::MovedWith),
        ];
        let texts = texts(
            "54 % game/level/audio/mix, 43 % game/level/dialogue/parse; with it game/level/lines 3 to 9",
            both.to_vec(),
        );
        assert_eq!(texts.verdict_within(200), texts.verdict);
        let narrow = texts.verdict_within(46);
        assert_eq!(
            narrow,
            "54 % …/level/audio/mix, 43 % …/dialogue/parse; with it game/level/lines 3 to 9"
        );
        let culprits = narrow.split(';').next().map(|text| text.chars().count());
        assert!(culprits <= Some(46), "both culprits have room");
    }

    #[test]
    fn a_path_in_a_longer_one_takes_no_room_and_shortens_nothing_of_it() {
        let of = |path, role| finding(path, role, 0.5, 11.0, 1.0);
        // The second one is in no verdict.
        let texts = texts(
            "54 % game/level/audio/mix; with it game/level/audio/mix/lines 3 to 9",
            vec![
                of("game/level/audio/mix", Role::Culprit),
                of("game/level/audio", Role::MovedWith),
            ],
        );
        assert_eq!(texts.verdict_within(27), texts.verdict);
        assert_eq!(
            texts.verdict_within(24),
            "54 % …/level/audio/mix; with it game/level/audio/mix/lines 3 to 9"
        );
    }

    #[test]
    fn the_shares_of_several_culprits_are_one_text() {
        let of = |path, share| finding(path, Role::Culprit, share, 11.0, 1.0);
        let mut both = hitch(vec![
            of("game/level/audio/mix", 0.54),
            of("game/level/dialogue/parse", 0.43),
        ]);
        both.single_culprit = false;
        let shares = shares_of(&both, 30);
        assert_eq!(shares, "54 % …/level/audio/mix, 43 % …/dialogue/parse");
        assert_eq!(shares_of(&hitch(vec![of("game/ai", 0.9)]), 30), "");
        let mut count = of("game/requests", 0.5);
        count.is_part = false;
        both.findings[1] = count;
        assert_eq!(shares_of(&both, 30), "", "a count has no share of the time");
        let mut ready = of("threads/game/worker 3/ready", 0.43);
        ready.is_ready = true;
        let words = ready.name().into_owned();
        both.findings[1] = ready;
        assert_eq!(
            shares_of(&both, 30),
            format!("54 % …/level/audio/mix, 43 % {words}")
        );
    }

    #[test]
    fn durations_have_the_unit_that_fits() {
        assert_eq!(
            [5.4, 99.9, 600.0, 9000.0].map(duration),
            ["5 s", "100 s", "10 min", "2.5 h"]
        );
    }

    #[test]
    fn a_count_that_moved_has_no_share_of_the_time() {
        let mut moved = finding("net/requests", Role::MovedWith, 0.5, 305.0, 6.0);
        moved.unit = Unit::Count;
        moved.is_part = false;
        let lines = of_hitch(&hitch(vec![moved]), Vec::new());
        let described = (
            "with it net/requests".to_owned(),
            "6 to 305, usual frames reach 6".to_owned(),
        );
        assert_eq!(lines[1].description(), described);
    }

    #[test]
    fn a_detail_has_the_color_of_its_path_and_waiting_for_a_processor_has_none() {
        let long = "x/".repeat(300);
        let mut ready = finding("frame/ready", Role::Culprit, 0.5, 6.0, 1.0);
        ready.is_ready = true;
        let long_finding = finding(&long, Role::Culprit, 0.5, 6.0, 1.0);
        let lines = of_hitch(&hitch(vec![ready, long_finding]), Vec::new());
        let paths = |of: &dyn Fn(&Detail) -> Option<Option<String>>| -> Vec<Option<String>> {
            lines.iter().filter_map(of).collect()
        };
        let findings = paths(&|line| match line {
            Detail::Finding { path, .. } => Some(path.clone()),
            _ => None,
        });
        assert_eq!(findings, [None, Some(long.clone())]);
        let steps = paths(&|line| match line {
            Detail::Step { path, .. } => Some(path.clone()),
            _ => None,
        });
        assert_eq!(steps, [None, None, Some(long), None]);
    }

    #[test]
    fn shares_add_up_to_100_percent_with_what_others_saved() {
        let sum_of = |shares: [f64; 2]| {
            let findings = shares.map(|share| finding("ai", Role::Culprit, share, 11.0, 1.0));
            let mut estimate = finding("net/delay", Role::MovedWith, 0.4, 30.0, 20.0);
            estimate.is_part = false;
            let via = finding("sim", Role::Via, 1.0, 12.0, 2.0);
            let all = findings.into_iter().chain([estimate, via]).collect();
            let lines = of_hitch(&hitch(all), Vec::new());
            let shares = lines.iter().filter_map(|line| match line {
                Detail::Finding { role, share, .. } if *role != "via" => *share,
                _ => None,
            });
            let shares: Vec<f64> = shares.map(|share| (share * 100.0).round()).collect();
            (shares.len(), shares.iter().sum::<f64>())
        };
        assert_eq!(sum_of([0.77, 0.3]), (3, 100.0), "others saved 7 %");
        assert_eq!(sum_of([0.5, 0.3]), (3, 100.0));
        assert_eq!(sum_of([0.7, 0.3]), (2, 100.0));
    }

    #[test]
    fn steps_of_seconds_have_no_decimals() {
        assert_eq!(
            [0.02, -9.5, 999.0, 15_201.48].map(step_text),
            ["0.0200 ms", "-9.50 ms", "999.00 ms", "15,201 ms"]
        );
        assert_eq!(step_text(0.0055), "5.50 µs");
    }

    #[test]
    fn details_list_the_findings_and_then_the_steps() {
        let lines = of_hitch(
            &hitch(vec![finding("ai/paths", Role::Culprit, 1.0, 11.0, 1.0)]),
            vec![(1_234, LogLine::of_mark("log warn game: slow").unwrap())],
        );
        let described: Vec<(String, String)> = lines.iter().map(Detail::description).collect();
        let described: Vec<(&str, &str)> = described
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        assert_eq!(
            described,
            [
                ("took 26.50 ms, usually 16.50 ms", ""),
                (
                    "culprit ai/paths",
                    "100 %, 1.00 ms to 11.00 ms, usual frames reach 1.00 ms"
                ),
                ("log in frame 1,234: warn game: slow", ""),
                ("From the usual frame to this one", ""),
                ("step usual frame", "16.50 ms"),
                ("step ai/paths", "+10.00 ms"),
                ("step this frame", "26.50 ms"),
            ]
        );
    }
}
