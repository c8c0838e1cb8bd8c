//! Extreme inputs for distributions, statistics and marks, at extreme sizes, and random steps.

use egui::{
    Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, Pos2, TouchPhase, Vec2,
    vec2,
};
use egui_kittest::Harness;
use stats_core::{GaugeHandle, HistogramHandle, MarkEvent, Unit, counter, gauge, histogram};
use stats_overlay::{Action, FRAME_TIME, Mode, PaneView, RowAction, SavedPane};
use stats_testing::{Random, rounds};

use crate::host::{Host, harness, harness_of_any_glyphs};
use crate::painted::assert_no_clash;
use crate::scoped::Scoped;

const EXTREMES: [f64; 13] = [
    0.0,
    -0.0,
    5e-324,
    -5e-324,
    1e-300,
    1.0,
    -1.0,
    1e300,
    -1e300,
    f64::MAX,
    f64::MIN,
    f64::MIN_POSITIVE,
    1e16,
];

/// Shows every view and the HUD, live and paused, with the pointer at several positions.
fn look_at_views(size: Vec2, pixels_per_point: f32, host: Host, what: &str) -> Host {
    let mut harness = harness_of_any_glyphs(size, pixels_per_point, host);
    for (at, view) in PaneView::ALL.iter().copied().enumerate() {
        let overlay = &mut harness.state_mut().overlay;
        overlay.set_mode(Mode::Full);
        overlay.set_view(view);
        overlay.set_paused(at % 2 == 1);
        harness.run_steps(3);
        for share in [0.35, 0.7, 0.9] {
            harness.hover_at(Pos2::new(size.x * share, size.y * share));
            harness.run_steps(2);
            assert_no_clash(
                &harness.output().shapes,
                &format!("{what}, {view:?} at {size}"),
            );
        }
        harness.state_mut().overlay.select_frames(Some(3..u64::MAX));
        harness.run_steps(2);
        harness.state_mut().overlay.select_frames(None);
    }
    harness.state_mut().overlay.set_mode(Mode::Hud);
    harness.run_steps(2);
    assert_no_clash(&harness.output().shapes, &format!("{what}, HUD at {size}"));
    std::mem::replace(harness.state_mut(), Host::new("hostile-views-done"))
}

#[test]
fn every_view_fits_every_window_and_any_number_of_frames() {
    let level = gauge("hostile-views-size/level").budget(4.0);
    for frames in [0, 1, 2, 700] {
        let mut host = Host::full("hostile-views-size");
        host.overlay
            .show_panes(&[SavedPane::new([FRAME_TIME, "hostile-views-size/level"])]);
        (0..frames).for_each(|frame| {
            level.set(frame as f64 % 7.0);
            host.record(frame, |_| {});
        });
        for (size, pixels_per_point) in [
            (vec2(1.0, 1.0), 1.0),
            (vec2(33.0, 700.0), 1.5),
            (vec2(640.0, 200.0), 0.5),
            (vec2(800.0, 600.0), 3.0),
            (vec2(4000.0, 3000.0), 1.0),
        ] {
            host = look_at_views(size, pixels_per_point, host, &format!("{frames} frames"));
        }
    }
}

/// Limits a value so that the sum of a histogram stays exact. Otherwise, the core reports a problem,
/// which the pictures of other tests in this process would show.
fn summable(value: f64) -> f64 {
    value.clamp(-1e10, 1e10)
}

#[test]
fn values_may_have_any_magnitude() {
    let levels: Vec<GaugeHandle> = (0..EXTREMES.len())
        .map(|at| gauge(&format!("hostile-views-values/{at}")).budget(1e-3))
        .collect();
    let mixed = gauge("hostile-views-values/mixed").unit(Unit::Bytes);
    let samples = histogram("hostile-views-values/samples");
    let paths: Vec<String> = (0..levels.len())
        .map(|at| format!("hostile-views-values/{at}"))
        .chain(["mixed", "samples"].map(|name| format!("hostile-views-values/{name}")))
        .collect();
    for [log, log_counts] in [[false, false], [true, true]] {
        let mut host = Host::full("hostile-views-values");
        let mut pane = SavedPane::new(paths.iter().map(String::as_str));
        (pane.distribution.log_counts, pane.graph.stacked) = (log_counts, !log);
        if log {
            (pane.distribution.scale, pane.graph.log) = (stats_overlay::ValueScale::Log, true);
        }
        host.overlay.show_panes(&[pane]);
        let mut harness = harness(vec2(1000.0, 700.0), host);
        harness.run_steps(2);
        harness.state_mut().record(60, |frame| {
            levels
                .iter()
                .zip(EXTREMES)
                .for_each(|(level, value)| level.set(value));
            mixed.set(EXTREMES[frame as usize % EXTREMES.len()]);
            samples.record(summable(EXTREMES[frame as usize % EXTREMES.len()]));
        });
        let host = std::mem::replace(harness.state_mut(), Host::new("hostile-views-done"));
        look_at_views(vec2(1000.0, 2400.0), 1.0, host, "extremes");
    }
}

#[test]
fn frames_may_have_any_duration() {
    for times_secs in [[0.0; 4], [1e-300; 4], [1e9; 4], [1e-9, 1e6, 0.0, 1e-6]] {
        let mut host = Host::full("hostile-views-times");
        let mut now = 0.0;
        for frame in 0..300 {
            now += times_secs[frame % 4];
            host.recorder.end_frame_at(now);
        }
        look_at_views(vec2(900.0, 600.0), 1.0, host, "frame times");
    }
}

#[test]
fn there_may_be_many_series_and_a_mark_for_every_frame() {
    let counters: Vec<_> = (0..64)
        .map(|number| counter(&format!("hostile-views-many/{number}")).budget(50.0))
        .collect();
    let paths: Vec<String> = (0..64)
        .map(|number| format!("hostile-views-many/{number}"))
        .collect();
    let mut host = Host::full("hostile-views-many");
    host.overlay
        .show_panes(&[SavedPane::new(paths.iter().map(String::as_str))]);
    let mut harness = harness(vec2(600.0, 400.0), host);
    harness.run_steps(2);
    for frame in 0..4200_u64 {
        let recorder = &mut harness.state_mut().recorder;
        match frame % 4 {
            0 => recorder.mark(&format!("span {frame}"), MarkEvent::Begin),
            1 => recorder.mark(&format!("span {}", frame.saturating_sub(9)), MarkEvent::End),
            _ => recorder.mark("loading", MarkEvent::Point),
        }
        counters
            .iter()
            .enumerate()
            .for_each(|(at, counter)| counter.add((frame + at as u64) % 97));
        harness.state_mut().record(frame, |_| {});
    }
    let mut settings = harness.state().overlay.settings().clone();
    settings.excluded_marks = (0..200).map(|at| format!("span {}", at * 16)).collect();
    harness.state_mut().overlay.set_settings(&settings);
    harness.state_mut().overlay.act(Action::ResetView);
    let host = std::mem::replace(harness.state_mut(), Host::new("hostile-views-done"));
    let host = look_at_views(vec2(1280.0, 800.0), 1.0, host, "many");
    look_at_views(vec2(420.0, 320.0), 1.0, host, "many");
}

/// The state of the random steps.
struct Wild {
    random: Random,
    harness: Harness<'static, Host>,
    level: GaugeHandle,
    samples: HistogramHandle,
    size: Vec2,
    frame: u64,
}

const SCOPE: &str = "hostile-views-wild";

const ACTIONS: [Action; 41] = [
    Action::CycleMode,
    Action::TogglePause,
    Action::StepForward,
    Action::StepBackward,
    Action::NextSpike,
    Action::PreviousSpike,
    Action::NextOverBudget,
    Action::PreviousOverBudget,
    Action::AcceptBudget,
    Action::ZoomIn,
    Action::ZoomOut,
    Action::PanLeft,
    Action::PanRight,
    Action::ResetView,
    Action::ClearHistory,
    Action::ToggleTable,
    Action::ToggleDistribution,
    Action::ToggleStatistics,
    Action::ToggleHitches,
    Action::ToggleTimeline,
    Action::ToggleCosts,
    Action::ToggleDistribution,
    Action::ToggleStatistics,
    Action::NextRange,
    Action::ToggleLog,
    Action::ToggleStacked,
    Action::AddPane,
    Action::RemovePane,
    Action::NextPane,
    Action::PreviousPane,
    Action::MovePaneUp,
    Action::MovePaneDown,
    Action::Rows(RowAction::Down),
    Action::Rows(RowAction::Open),
    Action::Rows(RowAction::Activate),
    Action::TogglePin,
    Action::CopyTsv,
    Action::CopyView,
    Action::Back,
    Action::ToggleSettings,
    Action::ToggleProblems,
];

impl Wild {
    fn step(&mut self) {
        match self.random.below(16) {
            0..=3 => self.record(),
            4..=6 => {
                let action = one_of(&mut self.random, &ACTIONS);
                self.harness.state_mut().overlay.act(action);
            }
            7 => self.switch(),
            8..=9 => self.click(),
            10 => {
                let delta = vec2(
                    self.random.below(200) as f32 - 100.0,
                    self.random.below(200) as f32 - 100.0,
                );
                let (unit, phase, source) = (
                    MouseWheelUnit::Point,
                    TouchPhase::Move,
                    MouseWheelSource::Wheel,
                );
                let modifiers = if self.random.below(2) == 0 {
                    Modifiers::NONE
                } else {
                    Modifiers::CTRL
                };
                self.harness.event(Event::MouseWheel {
                    unit,
                    delta,
                    modifiers,
                    phase,
                    source,
                });
            }
            11 => self.select(),
            12 => self.activate(),
            13 => self.resize(),
            14 if self.random.below(8) == 0 => {
                self.frame = 0;
                self.harness.state_mut().recorder = Scoped::new(SCOPE);
                self.harness.state_mut().overlay.forget_source();
            }
            _ => {
                let pos = self.place();
                self.harness.hover_at(pos);
            }
        }
        self.harness.run_steps(1);
    }

    fn place(&mut self) -> Pos2 {
        Pos2::new(self.size.x, self.size.y) * (self.random.below(1000) as f32 / 1000.0)
            + vec2(
                self.random.below(60) as f32 - 30.0,
                self.random.below(200) as f32 - 100.0,
            )
    }

    fn record(&mut self) {
        let state = self.harness.state_mut();
        for _ in 0..self.random.below(40) {
            self.level.set(one_of(&mut self.random, &EXTREMES));
            self.samples
                .record(summable(one_of(&mut self.random, &EXTREMES)));
            let name = one_of(
                &mut self.random,
                &["loading", "menu", "a\nb", "level 2", "x"],
            );
            if self.random.below(5) == 0 {
                let event = one_of(
                    &mut self.random,
                    &[MarkEvent::Begin, MarkEvent::End, MarkEvent::Point],
                );
                state.recorder.mark(name, event);
            }
            state.record(self.frame, |_| {});
            self.frame += 1;
        }
    }

    fn switch(&mut self) {
        let overlay = &mut self.harness.state_mut().overlay;
        match self.random.below(4) {
            0 => overlay.set_mode(one_of(
                &mut self.random,
                &[Mode::Hidden, Mode::Hud, Mode::Full, Mode::Full],
            )),
            1 => overlay.set_view(one_of(&mut self.random, PaneView::ALL)),
            2 => {
                let mut settings = overlay.settings().clone();
                settings.scale = one_of(&mut self.random, &[0.5, 1.0, 1.0, 3.0]);
                settings.frame_budget_ms =
                    one_of(&mut self.random, &[None, Some(16.0), Some(0.01), Some(1e4)]);
                settings.display_hz = one_of(&mut self.random, &[None, Some(60.0)]);
                settings.excluded_marks = ["loading", "nobody"].map(str::to_owned)
                    [..self.random.below(3) as usize]
                    .to_vec();
                settings.hud_statistics = self.random.below(3) > 0;
                overlay.set_settings(&settings);
            }
            _ => {
                let line = overlay.view_line();
                assert_eq!(overlay.show_view_line(&line), Ok(()), "{line}");
                let saved = overlay.saved().to_string().parse();
                overlay.restore(&saved.unwrap_or_default());
            }
        }
    }

    fn click(&mut self) {
        let pos = self.place();
        let button = |pressed| Event::PointerButton {
            pos,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        self.harness.event(Event::PointerMoved(pos));
        self.harness.event(button(true));
        if self.random.below(2) == 0 {
            self.harness.run_steps(1);
            let to = self.place();
            self.harness.event(Event::PointerMoved(to));
            self.harness.run_steps(1);
        }
        self.harness.event(button(false));
    }

    fn select(&mut self) {
        let from = self.random.below(self.frame + 100);
        let end = one_of(
            &mut self.random,
            &[from, from + 1, from + 50, self.frame + 1000, u64::MAX],
        );
        let range = (self.random.below(3) > 0).then_some(from..end);
        self.harness.state_mut().overlay.select_frames(range);
    }

    fn activate(&mut self) {
        let path = one_of(
            &mut self.random,
            &[
                FRAME_TIME,
                "hostile-views-wild/level",
                "hostile-views-wild/samples",
                "hostile-views-wild/none",
            ],
        );
        let overlay = &mut self.harness.state_mut().overlay;
        match self.random.below(3) {
            0 => overlay.deselect(path),
            _ => overlay.select(path),
        }
    }

    fn resize(&mut self) {
        let sizes = [
            vec2(1.0, 1.0),
            vec2(300.0, 200.0),
            vec2(900.0, 600.0),
            vec2(900.0, 600.0),
            vec2(1600.0, 900.0),
        ];
        self.size = one_of(&mut self.random, &sizes);
        self.harness.set_size(self.size);
    }
}

#[test]
fn random_steps_never_panic_or_clash() {
    for seed in [0x9E37_79B9_7F4A_7C15, 0xD1B5_4A32_D192_ED03] {
        let mut host = Host::full(SCOPE);
        host.overlay
            .set_export_folder(std::env::temp_dir().join("stats-overlay-hostile-views"));
        let size = vec2(900.0, 600.0);
        let (level, samples) = (
            gauge("hostile-views-wild/level").budget(3.0),
            histogram("hostile-views-wild/samples"),
        );
        let mut wild = Wild {
            random: Random::new(seed),
            harness: harness(size, host),
            level,
            samples,
            size,
            frame: 0,
        };
        for step in 0..rounds(1500) {
            wild.step();
            assert_no_clash(
                &wild.harness.output().shapes,
                &format!("step {step} of {seed:x}"),
            );
        }
        let overlay = &mut wild.harness.state_mut().overlay;
        overlay.set_mode(Mode::Full);
        wild.harness.set_size(size);
        wild.harness.key_press(Key::Escape);
        wild.harness.run_steps(3);
    }
}

fn one_of<T: Copy>(random: &mut Random, of: &[T]) -> T {
    of[random.index(of.len())]
}
