//! The numbers that the HUD shows until their next refresh.
//!
//! The number of decimals and the column widths stay the same while values fluctuate, so that
//! digits do not jump.

use std::sync::Arc;

use egui::Rect;
use egui::epaint::Mesh;
use stats_core::{FrameSlice, Unit};

use crate::data::frame_choice::rules;
use crate::data::samples::{RecentSamples, Samples};
use crate::data::selection::SelectedSeries;
use crate::data::view::{Data, style_of};
use crate::hud::statistics::HudStatistics;
use crate::input::settings::Settings;
use crate::insight::findings::ToLearn;
use crate::paint::sparkline::most_and_usual;
use stats_analysis::bottleneck::Limit;
use stats_analysis::buckets::Bucket;
use stats_analysis::format::{NO_VALUE, NumberStyle, write_fixed};
use stats_analysis::pace::{Pace, is_over, pace};
use stats_ui::retained::Retained;
use stats_ui::text::one_line;
use stats_ui::theme::Theme;

/// The number of frames in the small graph.
pub(super) const FRAMES: u64 = 230;
/// The maximum number of frames that determine the frame time and rate: one second at 1,000 fps.
const PACE_FRAMES: u64 = 1000;
/// The number of frames that determine the format of a line's value.
const STYLE_FRAMES: u64 = 240;
/// How often the statistics are read per second, at most. They cover ten seconds and change slowly.
const STATISTICS_HZ: f32 = 2.0;
/// The minimum and maximum width of the value column, in characters.
const VALUE_CHARS: (usize, usize) = (9, 18);
/// The minimum frame time at the upper edge of a graph without a budget, in milliseconds.
const LEAST_TOP_MS: f64 = 1000.0 / 30.0;

/// The inputs of the numbers other than the frames.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct HudState {
    /// Changes when the pinned series change.
    pub(crate) revision: u64,
    /// Whether the numbers are frozen.
    pub(crate) paused: bool,
    /// The frame budget in milliseconds; `None` for no line and no marks.
    pub(crate) frame_budget_ms: Option<f64>,
    /// Whether the statistics are shown if they fit.
    pub(crate) has_statistics: bool,
    /// What limits the frame rate, if it is known.
    pub(crate) limit: Option<Limit>,
    /// The first of the newest frames that were all examined for hitches; `None` if none was.
    pub(crate) examined_from: Option<u64>,
}

impl HudState {
    /// Returns the budget, if it is positive and finite.
    pub(super) fn budget_ms(&self) -> Option<f64> {
        self.frame_budget_ms
            .filter(|budget_ms| budget_ms.is_finite() && *budget_ms > 0.0)
    }

    /// Returns whether a frame of `time_ms` is over the budget.
    pub(super) fn is_over(&self, time_ms: f64) -> bool {
        self.budget_ms()
            .is_some_and(|budget_ms| is_over(time_ms, budget_ms))
    }
}

/// The HUD's state between frames.
#[derive(Debug, Default)]
pub(crate) struct Hud {
    /// The mean time of the frames in the last second.
    pub(super) time: String,
    /// The same in milliseconds; 0 before the first frame.
    pub(super) mean_ms: f64,
    time_style: Option<NumberStyle>,
    /// Whether the mean is over the budget.
    pub(super) time_over: bool,
    /// The rate of the same frames.
    pub(super) rate: String,
    /// The budget, written beside its line.
    pub(crate) budget: String,
    /// The frame time at the upper edge of the graph.
    pub(super) top_ms: f64,
    pub(super) lines: Vec<Line>,
    /// The number of lines that fit.
    pub(super) shown: usize,
    /// The number of passes that drew the HUD, up to 255.
    pub(super) passes: u8,
    /// The statistics, which cover more frames than the graph.
    pub(super) statistics: HudStatistics,
    /// The number of refreshes until the statistics are read again.
    until_statistics: u32,
    /// The width of the widest value shown so far, in characters.
    pub(super) value_chars: usize,
    /// A reused buffer for the buckets of a graph.
    pub(super) buckets: Vec<Bucket>,
    /// A reused buffer for finding the usual frame time.
    sorted_ms: Vec<f64>,
    /// The card's text without a finding.
    pub(crate) empty: String,
    /// What the search for hitches has to learn.
    pub(crate) to_learn: Option<ToLearn>,
    state: Option<HudState>,
    /// Changes with the numbers.
    pub(super) revision: u64,
    /// Changes with the statistics.
    pub(super) statistics_revision: u64,
    /// The HUD of one line.
    pub(super) bare: Retained<BareKey>,
    /// The shapes that stay the same until the layout or the statistics change.
    pub(super) still: Retained<StillKey>,
    /// The shapes that stay the same until the numbers change.
    pub(super) texts: Retained<TextsKey>,
    pub(super) places: Places,
    pub(super) picture: HudPicture,
}

/// Everything on screen as one mesh, which egui copies at once: the sheet and its names, then the
/// numbers, then the graphs of the lines, then the graph of frame times. If a part changes, it and
/// the parts after it are rebuilt.
#[derive(Debug, Default)]
pub(super) struct HudPicture {
    pub(super) mesh: Arc<Mesh>,
    /// The size of the mesh after the names, after the numbers, and after the lines' graphs.
    pub(super) still: (usize, usize),
    pub(super) texts: (usize, usize),
    pub(super) sparks: (usize, usize),
    /// The frames in the lines' graphs.
    pub(super) sparks_of: Option<SparkFrames>,
    /// The end and the start of the frames in the graph of frame times, and the revision of the
    /// findings.
    pub(super) times_of: Option<(u64, u64, u64)>,
}

/// Identifies the frames in the lines' graphs by their end, and by the sum of all starts and ends.
pub(super) type SparkFrames = (u64, u64);

impl HudPicture {
    /// Truncates the mesh to these numbers of vertices and indices, and returns it.
    pub(super) fn cut(&mut self, (vertices, indices): (usize, usize)) -> &mut Mesh {
        let mesh = Arc::make_mut(&mut self.mesh);
        mesh.vertices.truncate(vertices);
        mesh.indices.truncate(indices);
        mesh
    }

    /// Returns the number of vertices and indices.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.mesh.vertices.len(), self.mesh.indices.len())
    }
}

/// The cache key of the sheet, its names and its statistics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct StillKey {
    pub(super) sheet: Rect,
    pub(super) theme: Theme,
    /// Numbers that change with the pinned series, and with their colors.
    pub(super) pinned: u64,
    pub(super) colors: u64,
    pub(super) value_chars: usize,
    /// The budget, and the frame time at the upper edge of the graph.
    pub(super) budget_ms: Option<(f64, f64)>,
    /// A number that changes with the statistics; `None` if they are not shown.
    pub(super) statistics: Option<u64>,
    /// The number of lines that fit, and of those that do not.
    pub(super) lines: (usize, usize),
    /// The number of passes so far, up to the one that draws the last part.
    pub(super) passes: u8,
    /// The heights of the card and of the statistics.
    pub(super) heights: (f32, f32),
    /// Changes with the card, and with its text if it is empty.
    pub(super) card: (u64, u64),
    /// Changes with the most expensive timers; `None` if they are not shown.
    pub(super) top: Option<u64>,
}

/// The cache key of the HUD of one line: the screen, the colors, and numbers that change with its
/// texts: those of the head, and of the finding and the notice.
pub(super) type BareKey = (Rect, Theme, u64, (u64, Option<u64>), u8);

/// The cache key of the numbers: that of the names, whose places they share, and a number that
/// changes with the numbers.
pub(super) type TextsKey = (StillKey, u64);

/// Rectangles that depend on the widths of texts.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    pub(super) lines: Vec<LinePlace>,
}

/// The rectangles of the line of a pinned series.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinePlace {
    /// The index of the series.
    pub(super) at: usize,
    pub(super) line: Rect,
    /// `None` without room for a graph.
    pub(super) graph: Option<Rect>,
    pub(super) value: Rect,
}

/// The texts of one pinned series, and the recent samples of a histogram.
#[derive(Debug, Default)]
pub(super) struct Line {
    pub(crate) name: String,
    pub(super) value: String,
    /// Whether the value is over the series' budget.
    pub(super) over: bool,
    style: Option<NumberStyle>,
    path: String,
    samples: RecentSamples,
}

impl Hud {
    /// Refreshes the numbers if a refresh is due or their inputs changed.
    pub(super) fn update(
        &mut self,
        data: &dyn Data,
        pinned: &[SelectedSeries],
        state: HudState,
        settings: &Settings,
        (refresh, now_secs): (bool, f64),
    ) {
        if self.state == Some(state) && !refresh {
            return;
        }
        if self
            .state
            .is_none_or(|shown| shown.revision != state.revision)
        {
            let mut before = std::mem::take(&mut self.lines);
            self.lines.extend(pinned.iter().map(|selected| {
                let same = before.iter_mut().find(|line| line.path == selected.path);
                Line {
                    name: one_line(&selected.name, 80).into(),
                    path: selected.path.clone(),
                    samples: same
                        .map(|line| std::mem::take(&mut line.samples))
                        .unwrap_or_default(),
                    ..Line::default()
                }
            }));
            self.value_chars = VALUE_CHARS.0;
        }
        if self.state.replace(state) != Some(state) {
            self.until_statistics = 0;
        }
        self.revision += 1;
        self.read_pace(data.frame_times(), state);
        self.statistics.read_open(data);
        self.until_statistics = self.until_statistics.saturating_sub(1);
        if state.has_statistics && (self.until_statistics == 0 || self.statistics.is_empty()) {
            self.until_statistics = (settings.refresh_hz / STATISTICS_HZ).ceil() as u32;
            self.statistics_revision += 1;
            self.statistics
                .read(data, &rules(settings), &settings.excluded_marks);
        }
        for (at, (line, selected)) in self.lines.iter_mut().zip(pinned).enumerate() {
            line.read(data, at, selected, now_secs);
            self.value_chars = self
                .value_chars
                .max(line.value.chars().count())
                .min(VALUE_CHARS.1);
        }
    }

    /// Makes the next update read the statistics.
    pub(crate) fn forget_statistics(&mut self) {
        self.until_statistics = 0;
    }

    /// Reads the figures of the head and of the graph.
    fn read_pace(&mut self, times: FrameSlice<'_>, state: HudState) {
        let end = times.frames().end;
        let budget_ms = state.budget_ms();
        let shown = times.within(end.saturating_sub(FRAMES)..end);
        let recent = pace(
            times.within(end.saturating_sub(PACE_FRAMES)..end),
            budget_ms,
        );
        // The time of the newest frame would contradict the rate beside it.
        let mean_ms = recent.map(|pace| pace.mean_ms);
        self.mean_ms = mean_ms.unwrap_or_default();
        self.time_over = mean_ms.is_some_and(|mean_ms| state.is_over(mean_ms));
        self.time.clear();
        match mean_ms {
            Some(mean_ms) => {
                let range = (mean_ms, mean_ms);
                let style = NumberStyle::steady(self.time_style, Unit::Milliseconds, range, false);
                self.time_style = Some(style);
                style.write_text(mean_ms, &mut self.time);
            }
            None => self.time.push_str(NO_VALUE),
        }
        write_rate(of_last_second(times), &mut self.rate);
        self.budget.clear();
        if let Some(budget_ms) = budget_ms {
            write_fixed(budget_ms, 1, &mut self.budget);
            self.budget.push_str(" ms");
        }
        self.top_ms = self.top_of(shown, budget_ms);
    }

    /// Returns the frame time at the upper edge of the graph. The budget is at half the height,
    /// unless frames are much slower. To keep the other frames distinguishable, a frame far slower
    /// than the others extends above the graph, and so does a budget far above all frames.
    fn top_of(&mut self, times: FrameSlice<'_>, budget_ms: Option<f64>) -> f64 {
        let sorted = &mut self.sorted_ms;
        sorted.clear();
        sorted.extend(times.iter().filter(|time_ms| !time_ms.is_nan()));
        let (most, usual) = most_and_usual(sorted);
        let least = budget_ms.map_or(LEAST_TOP_MS, |budget_ms| {
            (budget_ms * 2.0).min(LEAST_TOP_MS.max(usual * 8.0))
        });
        (most * 1.15).min(usual * 5.0).max(least)
    }
}

/// Writes the frame rate of the last second.
fn write_rate(pace: Option<Pace>, rate: &mut String) {
    rate.clear();
    match pace {
        Some(pace) => {
            write_fixed(pace.frames_per_second, 1, rate);
            rate.push_str(" fps");
        }
        None => rate.push_str(NO_VALUE),
    }
}

/// Writes the mean frame time and the frame rate of the last second.
pub(crate) fn write_pace(times: FrameSlice<'_>, [time, rate]: &mut [String; 2]) {
    let pace = of_last_second(times);
    write_rate(pace, rate);
    time.clear();
    if let Some(pace) = pace {
        write_fixed(pace.mean_ms, 2, time);
        time.push_str(" ms");
    }
}

fn of_last_second(times: FrameSlice<'_>) -> Option<Pace> {
    let end = times.frames().end;
    pace(times.within(end.saturating_sub(PACE_FRAMES)..end), None)
}

impl Line {
    fn read(&mut self, data: &dyn Data, at: usize, selected: &SelectedSeries, now_secs: f64) {
        let values = data.values(at);
        let run = selected.is_histogram().then(|| data.distribution(at));
        // Also before the first frame, so that none of its samples are missed.
        let samples = run.flatten().map(|run| self.samples.take(now_secs, run));
        self.value.clear();
        let value = values.last().filter(|_| !selected.is_missing());
        self.over =
            matches!((value, selected.budget()), (Some(value), Some(budget)) if value > budget);
        let Some(value) = value else {
            self.value.push_str(if selected.is_missing() {
                "missing"
            } else {
                NO_VALUE
            });
            return;
        };
        if let Some(samples) = samples {
            let Some(samples) = Samples::of(&samples) else {
                return self.value.push_str(NO_VALUE);
            };
            let style = samples.style(self.style, selected.unit());
            self.style = Some(style);
            return samples.write(style, &mut self.value);
        }
        let end = values.frames().end;
        let recent = values.within(end.saturating_sub(STYLE_FRAMES)..end);
        if let Some((style, _)) = style_of(recent, selected.unit(), self.style) {
            self.style = Some(style);
            style.write_text(value, &mut self.value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Values;
    use stats_testing::Random;

    #[test]
    fn the_graph_shows_the_usual_frames_and_the_budget() {
        let mut hud = Hud::default();
        let mut top = |times: &[f64], budget_ms| {
            (hud.top_of(FrameSlice::new(0, times, &[]), budget_ms) * 10.0).round() / 10.0
        };
        assert_eq!(top(&[], None), 33.3);
        assert_eq!(top(&[16.0; 9], Some(20.0)), 40.0);
        assert_eq!(top(&[50.0; 9], Some(20.0)), 57.5, "all over budget");
        assert_eq!(
            top(&[16.0, 16.0, 4000.0], Some(20.0)),
            80.0,
            "one far slower frame exceeds the graph"
        );
        assert_eq!(
            top(&[8.0; 9], Some(1e9)),
            64.0,
            "so does a budget far above all frames"
        );
    }

    #[test]
    fn the_frame_time_and_the_rate_belong_to_the_same_frames() {
        let mut random = Random::new(55);
        let number = |text: &str| text.replace(',', "").split(' ').next().unwrap().parse();
        for round in 0..500 {
            let usual = [2.0, 16.0, 100.0, 900.0][round % 4];
            let time = |_| match random.below(8) {
                0 => usual * (1 + random.below(60)) as f64 / 10.0,
                _ => usual * (90 + random.below(20)) as f64 / 100.0,
            };
            let data = Values::of((0..2 + round).map(time).collect());
            let mut hud = Hud::default();
            hud.read_pace(data.frame_times(), HudState::default());
            let time_ms: f64 = number(&hud.time).unwrap();
            let rate: f64 = number(&hud.rate).unwrap();
            // Both are rounded, to 0.01 ms and 0.1 fps.
            let error = 0.006 * rate + 0.06 * time_ms;
            let product = time_ms * rate;
            assert!(
                (product - 1000.0).abs() <= error,
                "{} {}",
                hud.time,
                hud.rate
            );
        }
    }

    #[test]
    fn the_value_column_keeps_its_bounds_for_any_value() {
        let mut random = Random::new(3);
        let mut selection = crate::data::selection::Selection::new();
        selection.set("a/b", true);
        for budget_ms in [
            None,
            Some(f64::NAN),
            Some(-1.0),
            Some(0.0),
            Some(f64::INFINITY),
            Some(16.0),
        ] {
            let mut hud = Hud::default();
            for _ in 0..50 {
                let times: Vec<f64> = (0..random.below(300))
                    .map(|_| random.value().abs())
                    .collect();
                let data = Values::of(times);
                let state = HudState {
                    frame_budget_ms: budget_ms,
                    ..HudState::default()
                };
                hud.update(
                    &data,
                    selection.selected(),
                    state,
                    &Settings::default(),
                    (true, 0.0),
                );
                assert!((VALUE_CHARS.0..=VALUE_CHARS.1).contains(&hud.value_chars));
                assert!(hud.top_ms.is_finite() && hud.top_ms > 0.0);
                assert_eq!(hud.lines[1].value, "missing");
                assert_eq!(hud.budget.is_empty(), budget_ms != Some(16.0));
            }
        }
    }
}
