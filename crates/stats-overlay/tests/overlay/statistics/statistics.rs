//! The statistics view and the statistics in the HUD: their frames, texts and clicks.

use egui::{Key, Pos2, Rect, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use stats_core::{
    DeferredSeries, DeferredSource, FrameRules, FrameStamp, FrameStatistics, MarkEvent, Recorder,
    Unit,
};
use stats_overlay::{Action, FRAME_TIME, Mode, PaneView, SavedState};

use crate::host::{Host, click, harness, press, value_of};

const SIZE: Vec2 = vec2(1280.0, 800.0);

/// Records frames with these times. Returns the end of the last one.
fn record(
    recorder: &mut Recorder,
    mut now_ms: f64,
    times_ms: impl IntoIterator<Item = f64>,
) -> f64 {
    for time_ms in times_ms {
        now_ms += time_ms;
        recorder.end_frame_at(now_ms / 1e3);
    }
    now_ms
}

/// Returns a host whose only pane shows statistics of frame 0, 400 frames of 8 ms and, 100 frames
/// before the end, one of 200 ms.
fn host() -> Host {
    let mut host = Host::full("statistics");
    host.overlay.set_view(PaneView::Statistics);
    let frames = (0..401).map(|frame| if frame == 300 { 200.0 } else { 8.0 });
    record(&mut host.recorder, 0.0, frames);
    host
}

fn shown(size: Vec2) -> Harness<'static, Host> {
    let mut harness = harness(size, host());
    harness.run_steps(12);
    harness
}

#[test]
fn each_figure_names_its_definition() {
    let harness = shown(SIZE);
    assert_eq!(
        value_of(&harness, "Frames"),
        "400 frames on screen (without frame 0), 3.4 s"
    );
    for (name, value) in [
        ("average", "8.48 ms, 117.9 fps"),
        ("median", "8.00 ms, 125.0 fps"),
        ("1 % low (integral)", "200.00 ms, 5.0 fps"),
        ("1 % low (average)", "56.00 ms, 17.9 fps"),
        ("99 % of the frames no slower than", "8.00 ms, 125.0 fps"),
        ("slowest frame", "200.00 ms, frame 300, at 2.4 s"),
        ("frames over budget", "1 frame over 16.67 ms + 10 %"),
        ("longest run over budget", "1 frame from 300"),
        ("time lost over budget", "183.33 ms beyond 16.67 ms"),
        ("frames over 60 ms, 1.5 × the one before", "1"),
        (
            "frames over 2.5 × the average",
            "1 frame, 5.9 % of the time",
        ),
        (
            "missed refreshes, estimated",
            "set the display's refresh rate",
        ),
        ("120 fps", "94.1 %"),
        ("slower", "5.9 %"),
    ] {
        assert_eq!(value_of(&harness, name), value, "{name}");
    }
}

#[test]
fn selected_frames_take_precedence_over_those_on_screen() {
    let mut harness = shown(SIZE);
    harness.state_mut().overlay.select_frames(Some(290..300));
    harness.run_steps(12);
    assert_eq!(
        value_of(&harness, "Frames"),
        "selected frames 290 to 299: 10 frames, 0.1 s"
    );
    assert_eq!(value_of(&harness, "average"), "8.00 ms, 125.0 fps");
    assert!(
        harness
            .query_by_label("Go to the next frame over 60 ms")
            .is_none(),
        "there is none among them"
    );
    harness.state_mut().overlay.select_frames(None);
    harness.run_steps(12);
    assert_eq!(
        value_of(&harness, "Frames"),
        "400 frames on screen (without frame 0), 3.4 s"
    );
}

#[test]
fn a_click_jumps_to_the_frames_of_a_figure() {
    for label in [
        "Go to the slowest frame",
        "Go to the longest run",
        "Go to the next frame over 60 ms",
        "Go to the next stutter",
    ] {
        let mut harness = shown(SIZE);
        assert!(!harness.state().overlay.paused());
        click(&mut harness, label);
        assert!(harness.state().overlay.paused(), "{label}");
        harness.state_mut().overlay.set_view(PaneView::Graph);
        harness.hover_at(Pos2::new(1.0, 1.0));
        harness.run_steps(4);
        let text = value_of(&harness, "legend frame time");
        assert!(text.starts_with("at 300 200"), "{label}: {text}");
    }
}

#[test]
fn missed_refreshes_need_the_refresh_rate_of_the_display() {
    let mut harness = shown(SIZE);
    click(&mut harness, "Open the settings");
    click(&mut harness, "refresh rate of the display");
    assert_eq!(harness.state().overlay.settings().display_hz, Some(60.0));
    harness.state_mut().overlay.act(Action::ToggleSettings);
    harness.run_steps(12);
    assert_eq!(
        value_of(&harness, "missed refreshes, estimated"),
        "about 11 at 60 Hz"
    );
    let saved: SavedState = harness.state().overlay.saved().to_string().parse().unwrap();
    assert_eq!(saved.settings.display_hz, Some(60.0));
}

#[test]
fn marked_frames_can_be_excluded_and_the_view_says_so() {
    let mut host = Host::full("statistics-marks");
    host.overlay.set_view(PaneView::Statistics);
    host.recorder.mark("start", MarkEvent::Point);
    let now_ms = record(&mut host.recorder, 0.0, [10.0; 101]);
    host.recorder.mark("loading", MarkEvent::Begin);
    let now_ms = record(&mut host.recorder, now_ms, [100.0; 29]);
    host.recorder.mark("loading", MarkEvent::End);
    let now_ms = record(&mut host.recorder, now_ms, [100.0]);
    record(&mut host.recorder, now_ms, [10.0; 100]);
    let mut harness = harness(SIZE, host);
    harness.run_steps(12);
    assert_eq!(
        value_of(&harness, "Frames"),
        "230 frames on screen (without frame 0), 5.0 s"
    );
    assert_eq!(
        value_of(&harness, "slowest frame"),
        "100.00 ms, frame 101, at 1.0 s"
    );
    assert!(
        harness.query_by_label_contains("without start").is_none(),
        "a point has no frames to leave out"
    );
    click(&mut harness, "without loading (30 frames)");
    assert_eq!(
        value_of(&harness, "Frames"),
        "230 frames on screen (without frame 0), 5.0 s; 30 frames left out: loading"
    );
    assert_eq!(value_of(&harness, "average"), "10.00 ms, 100.0 fps");
    assert_eq!(value_of(&harness, "longest run over budget"), "none");
    let saved = harness.state().overlay.saved().to_string();
    assert_eq!(
        saved.parse::<SavedState>().unwrap().settings.excluded_marks,
        ["loading"]
    );
    // The HUD also leaves them out.
    harness.state_mut().overlay.set_mode(Mode::Hud);
    harness.run_steps(12);
    let over = value_of(&harness, "Frames over budget");
    assert_eq!(over, "0 of 200 over budget");
    harness.state_mut().overlay.set_mode(Mode::Full);
    harness.run_steps(12);
    // The checkbox stays if no frame is in the span, so that the exclusion can be undone.
    harness.state_mut().overlay.select_frames(Some(0..50));
    harness.run_steps(12);
    assert_eq!(
        value_of(&harness, "Frames"),
        "selected frames 0 to 49: 50 frames, 0.5 s"
    );
    click(&mut harness, "without loading (0 frames)");
    assert!(harness.state().overlay.settings().excluded_marks.is_empty());
    harness.run_steps(12);
    assert!(harness.query_by_label_contains("without loading").is_none());
    harness.state_mut().overlay.select_frames(None);
    harness.run_steps(12);
    assert_eq!(
        value_of(&harness, "Frames"),
        "230 frames on screen (without frame 0), 5.0 s"
    );
}

#[test]
fn the_hud_shows_statistics_and_open_spans() {
    let mut harness = shown(SIZE);
    harness.state_mut().overlay.set_mode(Mode::Hud);
    harness.run_steps(12);
    assert_eq!(value_of(&harness, "1 % low (integral)"), "5.0 fps");
    let over = value_of(&harness, "Frames over budget");
    assert_eq!(over, "1 of 400 over budget");
    assert!(harness.query_by_label("Open spans").is_none());
    harness
        .state_mut()
        .recorder
        .mark("loading", MarkEvent::Begin);
    harness.run_steps(12);
    assert_eq!(value_of(&harness, "Open spans"), "loading");
    let recorder = &mut harness.state_mut().recorder;
    recorder.mark("loading", MarkEvent::End);
    record(recorder, 3400.0, [8.0; 3]);
    harness.run_steps(12);
    assert!(harness.query_by_label("Open spans").is_none());
    let mut settings = harness.state().overlay.settings().clone();
    settings.hud_statistics = false;
    harness.state_mut().overlay.set_settings(&settings);
    harness.run_steps(2);
    assert!(harness.query_by_label("Frames over budget").is_none());
}

#[test]
fn a_key_shows_the_statistics_and_they_fit_any_size() {
    for size in [
        vec2(1920.0, 1080.0),
        SIZE,
        vec2(420.0, 320.0),
        vec2(300.0, 200.0),
        vec2(60.0, 50.0),
    ] {
        let mut host = host();
        host.overlay.set_view(PaneView::Graph);
        let mut harness = harness(size, host);
        harness.run_steps(2);
        press(&mut harness, Key::M);
        harness.run_steps(10);
        assert_eq!(
            harness.state().overlay.saved().layout.panes[0].view,
            PaneView::Statistics
        );
        if size.x >= 300.0 {
            assert!(
                value_of(&harness, "Frames").starts_with("400 frames"),
                "{size}"
            );
            let screen = Rect::from_min_size(Pos2::ZERO, size);
            let rows = [
                "average",
                "median",
                "slowest frame",
                "frames over 60 ms, 1.5 × the one before",
                "60 fps",
            ]
            .map(|name| harness.query_by_label(name));
            let rows: Vec<Rect> = rows.into_iter().flatten().map(|row| row.rect()).collect();
            assert!(size.x < 1000.0 || rows.len() == 5, "{rows:?} of {size}");
            assert!(
                rows.iter()
                    .all(|row| screen.left() <= row.left() && row.right() <= screen.right()),
                "{rows:?} of {size}"
            );
        }
        press(&mut harness, Key::M);
        assert_eq!(
            harness.state().overlay.saved().layout.panes[0].view,
            PaneView::Graph
        );
    }
}

#[test]
fn a_late_timer_has_the_figures_of_its_known_frames() {
    let path = "statistics-late/gpu";
    let source = DeferredSource::new();
    let series = source.timer(path).budget(2.0);
    let mut host = Host::full("statistics-late");
    host.overlay.set_view(PaneView::Statistics);
    host.overlay.select(path);
    host.overlay.deselect(FRAME_TIME);
    let mut harness = harness(SIZE, host);
    harness.run_steps(2);
    let time = |frame: u64| match frame {
        40..=43 => 3.5,
        70 => 90.0,
        _ => 0.5 + (frame % 7) as f64 * 0.125,
    };
    // The values of the last three frames have not arrived.
    let mut stamps = Vec::new();
    harness.state_mut().record(99, |frame| {
        stamps.push(source.issue());
        if let Some(at) = stamps.len().checked_sub(4) {
            source.deliver(stamps[at], &[(series, time(frame - 3))]);
        }
    });
    harness.run_steps(12);
    let known: Vec<f64> = (1..97).map(time).collect();
    let mut rules = FrameRules::default();
    (rules.is_frame_time, rules.budget_ms) = (false, Some(2.0));
    let all = FrameStatistics::of(&known, &rules).unwrap();
    let over = all.over_budget.as_ref().unwrap();
    assert_eq!(
        (all.slowest.frame, over.frames, all.over_60_ms.len()),
        (69, 5, 1)
    );
    assert_eq!(
        value_of(&harness, "Frames"),
        format!(
            "{path}: 96 frames on screen (without frame 0), {:.1} s; 3 frames left out: no value",
            all.total_ms / 1e3
        )
    );
    for (name, value) in [
        ("average", format!("{:.2} ms", all.total_ms / 96.0)),
        (
            "median",
            format!("{:.2} ms", all.median_ms).replace("0.88", "0.875"),
        ),
        ("slowest frame", "90.00 ms, frame 70".to_owned()),
        ("frames over budget", "5 frames over 2.00 ms".to_owned()),
        ("longest run over budget", "4 frames from 40".to_owned()),
        ("frames over 60 ms, 1.5 × the one before", "1".to_owned()),
        (
            "95 % of the frames no slower than",
            format!("{:.2} ms", all.p95_by_frame_ms),
        ),
        (
            "99 % of the time no slower than",
            format!("{:.2} ms", all.p99_by_time_ms),
        ),
    ] {
        let shown = value_of(&harness, name);
        assert!(shown.starts_with(&value), "{name}: {shown}, not {value}");
    }
    for frame_rate in [
        "1 % low (integral)",
        "missed refreshes, estimated",
        "60 fps",
    ] {
        assert!(harness.query_by_label(frame_rate).is_none(), "{frame_rate}");
    }
    // A click leads to the frame, and values that arrive are included.
    for stamp in &stamps[97..100] {
        source.deliver(*stamp, &[(series, 0.5)]);
    }
    harness.state_mut().record(100, |_| _ = source.issue());
    harness.run_steps(12);
    let frames = value_of(&harness, "Frames");
    assert!(
        frames.starts_with("statistics-late/gpu: 99 frames"),
        "{frames}"
    );
    assert!(frames.ends_with("; 1 frame left out: no value"), "{frames}");
    click(&mut harness, "Go to the slowest frame");
    assert!(harness.state().overlay.paused());
}

#[test]
fn the_head_chooses_whose_figures_are_shown_and_the_choice_is_saved() {
    let timer = stats_core::timer("statistics-chooser/ai");
    let mut host = Host::full("statistics-chooser");
    host.overlay.set_view(PaneView::Statistics);
    host.overlay.select("statistics-chooser/ai");
    host.overlay.set_search("nothing has this name");
    let mut harness = harness(SIZE, host);
    harness.run_steps(2);
    harness.state_mut().record(50, |_| timer.record_ms(1.5));
    harness.run_steps(12);
    assert!(value_of(&harness, "Frames").starts_with("50 frames on screen"));
    click(&mut harness, "Options");
    click(&mut harness, "statistics-chooser/ai");
    harness.run_steps(12);
    assert!(value_of(&harness, "Frames").starts_with("statistics-chooser/ai: 50 frames"));
    assert_eq!(value_of(&harness, "average"), "1.50 ms");
    assert_eq!(value_of(&harness, "frames over budget"), "no budget is set");
    let saved: SavedState = harness.state().overlay.saved().to_string().parse().unwrap();
    let of = saved.layout.panes[0].statistics.of.as_deref();
    assert_eq!(of, Some("statistics-chooser/ai"));
    harness.state_mut().overlay.restore(&saved);
    harness.run_steps(12);
    assert!(value_of(&harness, "Frames").starts_with("statistics-chooser/ai: 50 frames"));
}

/// What limits the frame rate, as the view lists it.
fn limits(harness: &Harness<'_, Host>) -> Vec<(&'static str, String)> {
    let names = [
        "CPU bound",
        "GPU bound",
        "waiting for the display",
        "waiting for a processor",
        "blocked in no declared wait",
        "unknown",
    ];
    let shown = names.into_iter().filter(|name| {
        let row = harness.query_all_by_label(name);
        row.into_iter().next().is_some()
    });
    shown.map(|name| (name, value_of(harness, name))).collect()
}

/// The times of the GPU in the newest frames, which have not arrived.
struct OnTheWay {
    source: DeferredSource,
    gpu: DeferredSeries,
    stamps: Vec<FrameStamp>,
}

impl OnTheWay {
    fn arrive(self) {
        for stamp in self.stamps {
            self.source.deliver(stamp, &[(self.gpu, 1.0)]);
        }
    }
}

fn limited(scope: &'static str, timed: bool) -> Harness<'static, Host> {
    limited_with_times(scope, timed).0
}

/// Returns a host whose thread ran in the frames before 200, and had no processor for three quarters
/// of each later one. The GPU was busy in the frames before 100.
fn limited_with_times(
    scope: &'static str,
    timed: bool,
) -> (Harness<'static, Host>, Option<OnTheWay>) {
    let gauge =
        |name: &str| stats_core::gauge(&format!("{scope}/frame/{name}")).unit(Unit::Milliseconds);
    let times = ["running", "ready", "blocked"].map(gauge);
    let source = DeferredSource::new();
    let gpu = timed.then(|| source.timer(&format!("{scope}/gpu/frame")));
    let mut host = Host::full(scope);
    host.recorder.is_system = true;
    host.overlay.set_view(PaneView::Statistics);
    // Histories begin once the listing was read.
    host.record(1, |_| ());
    let mut harness = harness(SIZE, host);
    harness.run_steps(40);
    let mut stamps = Vec::new();
    harness.state_mut().record(399, |frame| {
        let running_ms = if frame < 200 { 16.0 } else { 4.0 };
        let values = [running_ms, 16.0 - running_ms, 0.0];
        for (gauge, ms) in times.iter().zip(values) {
            gauge.set(ms);
        }
        let Some(gpu) = gpu else {
            return;
        };
        // The times of the last three frames have not arrived.
        stamps.push(source.issue());
        if let Some(at) = stamps.len().checked_sub(4) {
            let gpu_ms = if at < 98 { 16.0 } else { 1.0 };
            source.deliver(stamps[at], &[(gpu, gpu_ms)]);
        }
    });
    harness.run_steps(60);
    let stamps = stamps.split_off(stamps.len().saturating_sub(3));
    let on_the_way = gpu.map(|gpu| OnTheWay {
        source,
        gpu,
        stamps,
    });
    (harness, on_the_way)
}

#[test]
fn the_frames_on_screen_and_selected_frames_say_what_limits_them() {
    let mut harness = limited("statistics-limit", false);
    let select = |harness: &mut Harness<'_, Host>, frames| {
        harness.state_mut().overlay.select_frames(frames);
        harness.run_steps(12);
        limits(harness)
    };
    let row = |name, share: &str| (name, format!("{share} % of the time"));
    // 100 whole frames and a quarter of 100 others.
    let half = [
        row("CPU bound", "62.5"),
        row("waiting for the display", "0.0"),
        row("waiting for a processor", "37.5"),
    ];
    assert_eq!(select(&mut harness, Some(100..300)), half);
    let crowded = [
        row("CPU bound", "25.0"),
        row("waiting for the display", "0.0"),
        row("waiting for a processor", "75.0"),
    ];
    assert_eq!(select(&mut harness, Some(250..300)), crowded);
    // 198 whole frames and a quarter of 200 others. One was before the histories.
    let on_screen = select(&mut harness, None);
    assert_eq!(on_screen[0], row("CPU bound", "62.2"));
    // Also of frames at which the views were paused.
    harness.state_mut().overlay.act(Action::TogglePause);
    harness.run_steps(12);
    assert_eq!(select(&mut harness, Some(250..300)), crowded);
    let running = select(&mut harness, Some(100..200));
    assert_eq!(running[0], row("CPU bound", "100.0"));
}

#[test]
fn the_newest_frames_wait_for_the_times_of_the_gpu() {
    let (mut harness, on_the_way) = limited_with_times("statistics-limit-late", true);
    for (frames, cpu, gpu) in [(50..150, "50.0", "50.0"), (390..400, "25.0", "0.0")] {
        harness
            .state_mut()
            .overlay
            .select_frames(Some(frames.clone()));
        harness.run_steps(12);
        let shown = limits(&harness);
        for (name, share) in [("CPU bound", cpu), ("GPU bound", gpu)] {
            let expected = (name, format!("{share} % of the time"));
            assert!(shown.contains(&expected), "{frames:?} {shown:?}");
        }
    }
    harness.state_mut().overlay.select_frames(Some(397..400));
    harness.run_steps(12);
    assert_eq!(limits(&harness), [], "nothing is known yet");
    on_the_way.expect("they are timed").arrive();
    harness.state_mut().record(400, |_| ());
    harness.run_steps(12);
    assert_eq!(
        limits(&harness)[0],
        ("CPU bound", "25.0 % of the time".to_owned())
    );
}

#[test]
fn paused_views_say_what_limited_their_frames_however_long_the_pause_is() {
    let (mut harness, on_the_way) = limited_with_times("statistics-limit-paused", true);
    let select = |harness: &mut Harness<'_, Host>, frames| {
        harness.state_mut().overlay.select_frames(Some(frames));
        harness.run_steps(12);
        limits(harness)
    };
    let half = select(&mut harness, 50..150);
    let names: Vec<&str> = half.iter().map(|(name, _)| *name).collect();
    assert!(
        names.contains(&"GPU bound") && !names.contains(&"unknown"),
        "{half:?}"
    );
    harness.state_mut().overlay.set_paused(true);
    harness.run_steps(12);
    assert_eq!(select(&mut harness, 397..400), [], "nothing is known yet");
    // Times that arrive while the views are paused belong to their frames.
    on_the_way.expect("they are timed").arrive();
    harness.state_mut().record(400, |_| ());
    harness.run_steps(12);
    let newest = limits(&harness);
    assert_eq!(newest[0], ("CPU bound", "25.0 % of the time".to_owned()));
    // The recorder no longer keeps these frames.
    harness.state_mut().record(6000, |_| ());
    harness.run_steps(12);
    assert_eq!(select(&mut harness, 50..150), half);
    // Nor are the series watched after a while without the overlay.
    harness.state_mut().overlay.set_mode(Mode::Hidden);
    harness.run_steps(240);
    harness.state_mut().overlay.set_mode(Mode::Full);
    harness.run_steps(60);
    assert_eq!(limits(&harness), half);
    assert_eq!(select(&mut harness, 397..400), newest);
}

#[test]
fn views_that_are_resumed_and_paused_at_once_know_the_limit_of_their_frames() {
    let mut harness = limited("statistics-limit-again", false);
    harness.state_mut().overlay.set_paused(true);
    harness.run_steps(12);
    // The recorder no longer keeps the frames of the first pause.
    harness.state_mut().record(6000, |_| ());
    harness.run_steps(12);
    harness.state_mut().overlay.act(Action::TogglePause);
    harness.state_mut().overlay.act(Action::TogglePause);
    harness.run_steps(1);
    assert!(harness.state().overlay.paused());
    harness.state_mut().overlay.select_frames(Some(5900..6000));
    harness.run_steps(12);
    let known = limits(&harness);
    assert!(
        known.contains(&("CPU bound", "25.0 % of the time".to_owned())),
        "{known:?}"
    );
}

#[test]
fn other_series_have_no_limit() {
    let mut harness = limited("statistics-limit-other", false);
    let other = stats_core::timer("statistics-limit-other/work");
    harness.state_mut().record(450, |_| other.record_ms(1.0));
    let overlay = &mut harness.state_mut().overlay;
    overlay.select("statistics-limit-other/work");
    overlay.deselect(FRAME_TIME);
    harness.run_steps(30);
    assert_eq!(limits(&harness), []);
}
