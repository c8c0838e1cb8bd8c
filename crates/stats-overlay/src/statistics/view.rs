//! The state of the statistics view between frames: its figures, until the next refresh.

use egui::{Rect, Ui};
use stats_core::{FrameAnalyzer, FrameRules, FrameSlice, FrameStatistics, Unit};

use crate::data::frame_axis::FrameAxis;
use crate::data::frame_choice::{
    ChosenFrames, Span, WITHOUT_FIRST, read_times, rules, spans, timer_rules, unknown_in,
};
use crate::data::selection::{FRAME_TIME, SelectedSeries};
use crate::data::view::Data;
use crate::input::settings::Settings;
use crate::insight::frame_limit::LimitOf;
use crate::paint::canvas::Canvas;
use crate::paint::choice_ui::choice;
use crate::statistics::choices::StatisticsChoices;
use crate::statistics::groups::{groups, head, limits};
use crate::statistics::row::{Group, Row, Target, frames_text};
use crate::statistics::ui::StatisticsUi;
use crate::view::{Icon, PaneContext, PaneRequest, View};
use stats_analysis::bottleneck::Bottleneck;
use stats_analysis::format::whole_text;
use stats_ui::text::one_line;
use stats_ui::theme::Theme;
use stats_ui::tooltip;

/// Statistics of more frames than this are recomputed at most once in [`SELDOM_SECS`].
const MANY_FRAMES: u64 = 20_000;
const SELDOM_SECS: f64 = 1.0;
/// The maximum number of characters of the name of a series above the pane.
const NAME_CHARS: usize = 40;

/// The state of the statistics view between frames.
#[derive(Debug, Default)]
pub(crate) struct StatisticsView {
    /// The choice of the user.
    pub(crate) choices: StatisticsChoices,
    analyzer: FrameAnalyzer,
    /// A reused input buffer for the analyzer.
    times_ms: Vec<f64>,
    /// The inputs of the current figures; `None` before the first.
    of: Option<(ChosenFrames, StatisticsKey)>,
    read_secs: f64,
    /// The end of those frames for which all values are known that tell what limits them.
    known_end: u64,
    all: Option<FrameStatistics>,
    /// What limits the frame rate; `None` if nothing tells it, or if the figures are not of whole frames.
    limit: Option<Bottleneck>,
    /// The first frame that the figures cover.
    first: u64,
    /// The spans that cover those frames, and all excluded spans.
    pub(crate) spans: Vec<Span>,
    /// Whether there are further spans.
    pub(super) more_spans: bool,
    /// The number of frames, including those left out.
    pub(crate) frames: u64,
    /// Describes the frames.
    pub(super) title: String,
    /// The number of frames left out, with the reason: excluded by marks, or without a value; empty
    /// if there are none.
    pub(super) left_out: String,
    /// The rows in large type.
    pub(super) head: Vec<Row>,
    pub(super) groups: Vec<Group>,
}

/// The user's choices other than the frames. A change takes effect at once.
#[derive(Clone, Debug, PartialEq)]
struct StatisticsKey {
    path: String,
    budget_ms: Option<f64>,
    display_hz: Option<f64>,
    excluded: Vec<String>,
    /// The revision of what limits the frame rate.
    limit: u64,
}

impl StatisticsKey {
    fn is_of(&self, subject: &Subject<'_>, settings: &Settings, limit: LimitOf<'_>) -> bool {
        self.path == subject.path()
            && self.budget_ms == subject.budget_ms(settings)
            && self.display_hz == settings.display_hz
            && self.excluded == settings.excluded_marks
            && self.limit == limit.revision()
    }
}

/// The series that the figures are about.
#[derive(Clone, Copy)]
pub(super) enum Subject<'a> {
    FrameTime,
    /// Another series, with its index among the selected series.
    Series(usize, &'a SelectedSeries),
}

impl Subject<'_> {
    fn path(&self) -> &str {
        match self {
            Self::FrameTime => FRAME_TIME,
            Self::Series(_, selected) => &selected.path,
        }
    }

    fn budget_ms(&self, settings: &Settings) -> Option<f64> {
        match self {
            Self::FrameTime => settings.frame_budget_ms,
            Self::Series(_, selected) => selected.budget(),
        }
    }

    fn rules(&self, settings: &Settings) -> FrameRules {
        match self {
            Self::FrameTime => rules(settings),
            Self::Series(_, selected) if selected.is_frame_time() => rules(settings),
            Self::Series(..) => timer_rules(self.budget_ms(settings)),
        }
    }
}

/// Returns whether a series has frame statistics, which need values in milliseconds.
fn has_statistics(selected: &SelectedSeries) -> bool {
    selected.unit() == Unit::Milliseconds
}

impl View for StatisticsView {
    fn icon(&self) -> Icon {
        &[&[
            (0.9, 0.05),
            (0.1, 0.05),
            (0.6, 0.5),
            (0.1, 0.95),
            (0.9, 0.95),
        ]]
    }

    fn draw(
        &mut self,
        canvas: &mut Canvas<'_>,
        rect: Rect,
        pane: PaneContext<'_>,
    ) -> Option<PaneRequest> {
        StatisticsUi { pane, view: self }.statistics_ui(canvas, rect)
    }

    /// Shows the menu of the series above the pane, and a button that copies the figures.
    fn choices_ui(
        &mut self,
        ui: &mut Ui,
        theme: &Theme,
        selected: &[SelectedSeries],
    ) -> Option<PaneRequest> {
        let subject = self.subject(selected);
        let others = selected.iter().filter(|selected| !selected.is_clock());
        let others = others.filter(|selected| has_statistics(selected));
        if others.clone().next().is_some() {
            let mut chosen = None;
            let help = "The figures of the frame time";
            if choice(ui, theme, (FRAME_TIME, help), subject.path() == FRAME_TIME).clicked() {
                chosen = Some(FRAME_TIME);
            }
            for selected in others.clone() {
                let name = one_line(&selected.name, NAME_CHARS);
                let help = "The figures of this series";
                if choice(ui, theme, (&name, help), subject.path() == selected.path).clicked() {
                    chosen = Some(&selected.path);
                }
            }
            if let Some(path) = chosen {
                self.choices.of = Some(path.to_owned());
                ui.close();
            }
            ui.add_space(6.0);
        }
        let copy = tooltip::with_text(ui.button("Copy"), "All figures as a table of text");
        if copy.clicked()
            && let Some(all) = &self.all
        {
            ui.ctx().copy_text(format!(
                "{}{}\n{}{all}\n",
                self.title,
                self.left_out_text(),
                self.limit_text()
            ));
        }
        None
    }

    fn forget_frames(&mut self) {
        self.of = None;
    }
}

impl StatisticsView {
    /// Returns the series that the figures are about: the chosen one if it is selected, or else the
    /// first in milliseconds; the frame time if there is none.
    pub(super) fn subject<'a>(&self, selected: &'a [SelectedSeries]) -> Subject<'a> {
        let of = |at: usize| match &selected[at] {
            series if series.is_clock() => Subject::FrameTime,
            series => Subject::Series(at, series),
        };
        let mut places = (0..selected.len()).filter(|&at| has_statistics(&selected[at]));
        let chosen = self.choices.of.as_deref();
        if chosen == Some(FRAME_TIME) {
            return Subject::FrameTime;
        }
        let found = places
            .clone()
            .find(|&at| chosen == Some(selected[at].path.as_str()));
        found
            .or_else(|| places.next())
            .map_or(Subject::FrameTime, of)
    }

    fn left_out_text(&self) -> String {
        if self.left_out.is_empty() {
            String::new()
        } else {
            format!("; {}", self.left_out)
        }
    }

    /// Returns the line that tells what limits the frame rate.
    fn limit_text(&self) -> String {
        let limit = self.limit.as_ref();
        limit.map_or(String::new(), |limit| {
            format!("What limits the frame rate: {limit}\n")
        })
    }

    /// Recomputes the figures if a refresh is due.
    pub(super) fn update(
        &mut self,
        data: &dyn Data,
        selected: &[SelectedSeries],
        frame_axis: &FrameAxis,
        settings: &Settings,
        limit: LimitOf<'_>,
        (refresh, now_secs): (bool, f64),
    ) {
        let subject = self.subject(selected);
        let chosen = ChosenFrames::of(frame_axis, &data.frames());
        if let Some((of, key)) = &self.of
            && key.is_of(&subject, settings, limit)
        {
            let many = chosen.frames.end - chosen.frames.start > MANY_FRAMES;
            let is_recent = many && (0.0..SELDOM_SECS).contains(&(now_secs - self.read_secs));
            // Values of known frames may arrive later.
            let is_same = *of == chosen
                && matches!(subject, Subject::FrameTime)
                && self.known_end == limit.known_end().min(chosen.frames.end);
            if is_same || !refresh || is_recent {
                return;
            }
        }
        self.read_secs = now_secs;
        self.read(data, &subject, chosen, settings, limit);
    }

    fn read(
        &mut self,
        data: &dyn Data,
        subject: &Subject<'_>,
        chosen: ChosenFrames,
        settings: &Settings,
        limit: LimitOf<'_>,
    ) {
        let values = match subject {
            Subject::FrameTime => data.frame_times(),
            Subject::Series(at, _) => data.values(*at),
        };
        let window = values.within(chosen.frames.clone());
        let (older, newer) = window.as_slices();
        let unknown = (chosen.frames.end - chosen.frames.start) as usize - window.len()
            + unknown_in(older)
            + unknown_in(newer);
        let of = chosen.clone();
        let chosen = ChosenFrames {
            frames: window.frames(),
            ..chosen
        };
        let excluded = &settings.excluded_marks;
        self.more_spans = spans(data.marks(), &chosen.frames, excluded, &mut self.spans);
        let left_out = read_times(
            window,
            &chosen.frames,
            data.marks(),
            excluded,
            &mut self.times_ms,
        );
        self.all = self
            .analyzer
            .analyze(&self.times_ms, &subject.rules(settings))
            .cloned();
        let times_ms = FrameSlice::new(chosen.frames.start, &self.times_ms, &[]);
        self.known_end = limit.known_end().min(of.frames.end);
        self.limit = match subject {
            Subject::FrameTime => limit.of(times_ms, settings.display_hz),
            Subject::Series(..) => None,
        };
        // Fold from 0, because the sum of an empty iterator is −0.
        let known = window.iter().filter(|ms| !ms.is_nan());
        let total_ms = known.fold(0.0, |sum_ms, ms| sum_ms + ms);
        self.frames = chosen.frames.end - chosen.frames.start;
        self.title = match subject {
            Subject::FrameTime => title(&chosen, total_ms),
            Subject::Series(_, selected) => {
                let name = one_line(&selected.name, NAME_CHARS);
                format!("{name}: {}", title(&chosen, total_ms))
            }
        };
        self.left_out = self.text_of_left_out(left_out, unknown, excluded);
        let first = chosen.frames.start;
        (self.head, self.groups) = self.all.as_ref().map_or_else(Default::default, |all| {
            let slowest = data.frame(first + all.slowest.frame as u64);
            let slowest_secs = slowest.map(|frame| frame.start_secs);
            (head(all, first, slowest_secs), groups(all, first))
        });
        let limits = self.limit.as_ref().map(limits);
        // The rates come first, because a small pane has no room for more.
        let at = self.groups.len().min(1);
        (self.groups).splice(at..at, limits.filter(|group| !group.rows.is_empty()));
        self.first = first;
        let key = StatisticsKey {
            path: subject.path().to_owned(),
            budget_ms: subject.budget_ms(settings),
            display_hz: settings.display_hz,
            excluded: settings.excluded_marks.clone(),
            limit: limit.revision(),
        };
        self.of = Some((of, key));
    }

    /// Returns how many frames are left out because they are in spans of these names, or because they
    /// have no value.
    fn text_of_left_out(&self, in_spans: usize, unknown: usize, excluded: &[String]) -> String {
        let mut texts = Vec::new();
        if in_spans > 0 {
            let is_left_out = |span: &&Span| span.frames > 0 && excluded.contains(&span.name);
            let spans = self.spans.iter().filter(is_left_out);
            let names: Vec<&str> = spans.map(|span| span.name.as_str()).collect();
            let all = if in_spans == self.times_ms.len() {
                "all "
            } else {
                ""
            };
            let frames = frames_text(in_spans);
            texts.push(format!("{all}{frames} left out: {}", names.join(", ")));
        }
        if unknown > 0 {
            texts.push(format!("{} left out: no value", frames_text(unknown)));
        }
        texts.join("; ")
    }

    /// Returns the frame that a click jumps to. Of several frames, this is the first one after the
    /// marked frame, or else the first of all.
    pub(super) fn frame_of(&self, target: Target, marked: Option<u64>) -> Option<u64> {
        let (all, first) = (self.all.as_ref()?, self.first);
        let next_of = |found: &[usize]| next_of(found, first, marked);
        match target {
            Target::Slowest => Some(first + all.slowest.frame as u64),
            Target::LongestRun => Some(first + all.over_budget.as_ref()?.longest_run.start as u64),
            Target::Over60Ms => next_of(&all.over_60_ms),
            Target::Stutter => next_of(&all.stutter),
            Target::Settings => None,
        }
    }
}

fn next_of(found: &[usize], first: u64, marked: Option<u64>) -> Option<u64> {
    let frame = |at: &usize| first + *at as u64;
    let later = |at: &&usize| marked.is_some_and(|marked| frame(at) > marked);
    found.iter().find(later).or(found.first()).map(frame)
}

/// Returns the description of the frames, such as `602 frames on screen (without frame 0), 10.0 s`
/// or `selected frames 120 to 299: 180 frames, 3.0 s`.
fn title(chosen: &ChosenFrames, total_ms: f64) -> String {
    let frames = &chosen.frames;
    let (count, secs) = (
        frames_text((frames.end - frames.start) as usize),
        total_ms / 1e3,
    );
    if chosen.selected && !frames.is_empty() {
        let (first, last) = (
            whole_text(frames.start as f64),
            whole_text((frames.end - 1) as f64),
        );
        format!("selected frames {first} to {last}: {count}, {secs:.1} s")
    } else if chosen.selected {
        "the selected frames are gone".to_owned()
    } else {
        format!(
            "{count} on screen{}, {secs:.1} s",
            if chosen.without_first {
                WITHOUT_FIRST
            } else {
                ""
            }
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::insight::frame_limit::FrameLimit;
    use crate::testing::{Paths, Values};

    #[test]
    fn clicks_cycle_through_the_frames_over_60_ms() {
        let found = [3, 10, 40];
        let next = |marked| next_of(&found, 100, marked);
        assert_eq!(
            [next(None), next(Some(0)), next(Some(103)), next(Some(110))],
            [Some(103), Some(103), Some(110), Some(140)]
        );
        assert_eq!([next(Some(140)), next(Some(1000))], [Some(103); 2]);
        assert_eq!(next_of(&[], 0, None), None);
    }

    #[test]
    fn many_frames_are_analyzed_once_a_second_and_few_at_every_refresh() {
        for (count, settings, seldom) in [
            (100, Settings::default(), false),
            (30_000, Settings::default(), true),
        ] {
            let (mut view, mut settings) = (StatisticsView::default(), settings);
            let mut frame_axis = FrameAxis::default();
            frame_axis.show((0.0, 1e6));
            let mut data = Values::of(vec![16.0; count]);
            let limit = LimitOf {
                limit: &FrameLimit::default(),
                source: &Paths::default(),
            };
            let mut update = |data: &Values, settings: &Settings, refresh, now_secs| {
                view.update(data, &[], &frame_axis, settings, limit, (refresh, now_secs));
                view.title.clone()
            };
            let first = update(&data, &settings, false, 5.0);
            assert!(first.starts_with(&frames_text(count - 1)), "{first}");
            data.times_ms.push(16.0);
            assert_eq!(
                update(&data, &settings, false, 9.0),
                first,
                "no refresh is due"
            );
            assert_eq!(update(&data, &settings, true, 5.9) == first, seldom);
            let second = update(&data, &settings, true, 6.0);
            assert!(second.starts_with(&frames_text(count)), "{second}");
            data.times_ms.push(16.0);
            settings.display_hz = Some(60.0);
            assert_ne!(
                update(&data, &settings, false, 6.1),
                second,
                "a choice takes effect at once"
            );
        }
    }

    #[test]
    fn the_title_describes_the_frames() {
        let first = title(
            &ChosenFrames {
                frames: 1..1395,
                selected: false,
                without_first: true,
            },
            10_030.0,
        );
        assert_eq!(first, "1,394 frames on screen (without frame 0), 10.0 s");
        let title = |frames, selected, total_ms| {
            title(
                &ChosenFrames {
                    frames,
                    selected,
                    without_first: false,
                },
                total_ms,
            )
        };
        assert_eq!(
            title(10..612, false, 10_030.0),
            "602 frames on screen, 10.0 s"
        );
        assert_eq!(
            title(120..300, true, 2880.0),
            "selected frames 120 to 299: 180 frames, 2.9 s"
        );
        assert_eq!(
            title(1200..1201, true, 16.0),
            "selected frames 1,200 to 1,200: 1 frame, 0.0 s"
        );
        assert_eq!(title(5..5, true, 0.0), "the selected frames are gone");
        assert_eq!(title(0..0, false, 0.0), "0 frames on screen, 0.0 s");
    }
}
