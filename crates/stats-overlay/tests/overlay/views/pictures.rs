//! A few pictures that must not change unintentionally, and pictures of all views for people to
//! look at.
//!
//! The CPU renders the pictures. `UPDATE_SNAPSHOTS=1 cargo test -p stats-overlay picture` updates
//! the expected ones.

use egui::{Theme, vec2};
use egui_kittest::kittest::Queryable;
use egui_kittest::{Harness, SnapshotOptions, SnapshotResults};
use stats_core::{MarkEvent, Unit, counter, gauge, histogram, timer, up_down_counter};
use stats_overlay::{
    Action, FRAME_TIME, HudSize, Mode, PaneView, Place, RowAction, SavedPane, StatsOverlay,
    ValueRange,
};

use crate::host::{Host, harness_with_pictures};
use crate::memory::dumps::{self, Program};
use crate::memory::memory;

/// Returns a host with the counters of a game and 900 frames.
fn game() -> Host {
    game_with(|_, _| {})
}

/// Like [`game`], and calls `each` before the end of each frame.
fn game_with(mut each: impl FnMut(&mut Host, u32)) -> Host {
    let mut host = Host::new("picture");
    let draws = counter("picture/renderer/draw-calls")
        .budget(1_800.0)
        .describe("Draw calls issued");
    let bytes = counter("picture/renderer/uploaded").unit(Unit::Bytes);
    let enemies = up_down_counter("picture/game/enemies");
    let camera = gauge("picture/camera/x").unit(Unit::Meters);
    let paths = timer("picture/ai/pathfinding")
        .budget(2.0)
        .describe("Finding ways for everyone who wants to be elsewhere");
    for name in [
        "audio/voices",
        "audio/streams",
        "net/packets",
        "net/lost",
        "renderer/primitives",
        "renderer/textures",
        "physics/bodies",
    ] {
        counter(&format!("picture/{name}")).add(3);
    }
    for path in [
        "renderer/draw-calls",
        "renderer/uploaded",
        "game/enemies",
        "ai/pathfinding",
    ] {
        host.overlay.select(&format!("picture/{path}"));
    }
    let watches: Vec<_> = [
        draws.id(),
        bytes.id(),
        enemies.id(),
        camera.id(),
        paths.id(),
    ]
    .map(|id| host.recorder.watch(id))
    .into();
    let mut now = 0.0;
    for frame in 0..900_u32 {
        let t = f64::from(frame);
        draws.add(
            1200.0
                + 300.0 * (t * 0.02).sin()
                + f64::from(frame * 7919 % 97)
                + if frame % 223 == 200 { 900.0 } else { 0.0 },
        );
        bytes.add(
            (40_000.0 + 30_000.0 * (t * 0.05).cos()).round()
                + if frame % 150 == 0 { 900_000.0 } else { 0.0 },
        );
        if frame % 40 == 0 {
            enemies.increment()
        }
        camera.set(t * 0.25);
        paths.record_ms(
            0.8 + 0.3 * (t * 0.11).sin().abs() + if frame % 223 == 200 { 14.0 } else { 0.0 },
        );
        now += 0.0158
            + f64::from(frame * 31 % 17) * 0.0001
            + if frame % 223 == 200 { 0.018 } else { 0.0 };
        each(&mut host, frame);
        host.recorder.end_frame_at(now);
    }
    std::mem::forget(watches);
    host
}

/// Returns a host with 50,000 counters, in full mode.
fn many() -> Host {
    for number in 0..50_000 {
        let _ = counter(&format!(
            "picture-many/level-{}/enemy-{number}",
            number % 300
        ));
    }
    Host::full("picture-many")
}

/// Records a frame with usual values or, now and then, spikes.
fn spike(harness: &mut Harness<'_, Host>, spikes: bool, frame: u32) {
    let is_spike = |every: u32| spikes && frame % every == 60;
    let factor = |every: u32| if is_spike(every) { 9.0 } else { 1.0 };
    timer("picture/ai/pathfinding").record_ms(0.8 * factor(70));
    timer("picture/physics/step").record_ms(2.0 * factor(200));
    timer("picture/audio/mix").record_ms(0.005 * factor(70));
    counter("picture/renderer/draw-calls").add(1200.0 * factor(100));
    gauge("picture/game/memory-of-a-long-name").set(4e6 * factor(200));
    end_frame(harness, if is_spike(150) { 36.0 } else { 16.0 });
}

/// One game for all pictures: its counters are global, and adding to them twice would change the
/// pictures.
#[test]
fn the_pictures_of_hud_watch_graph_and_table_are_unchanged() {
    let mut harness = harness_with_pictures(vec2(960.0, 600.0), Theme::Dark, game());
    for (name, mode, view) in [
        ("hud", Mode::Hud, PaneView::Graph),
        ("watch", Mode::Watch, PaneView::Graph),
        ("graph", Mode::Full, PaneView::Graph),
        ("table", Mode::Full, PaneView::Table),
    ] {
        let overlay = &mut harness.state_mut().overlay;
        overlay.set_mode(mode);
        overlay.set_view(view);
        harness.run_steps(12);
        harness.snapshot(name);
    }
}

/// Runs 700 frames with a hitch in every ninetieth, and a growing level.
fn play_hitches(harness: &mut Harness<'_, Host>, scope: &str) {
    let times = [
        "ai/pathfinding",
        "renderer/upload",
        "physics/step",
        "audio/mix",
    ];
    let times = times.map(|path| timer(&format!("{scope}/{path}")));
    let requests = counter(&format!("{scope}/ai/path-requests"));
    let textures = up_down_counter(&format!("{scope}/renderer/texture-memory"))
        .unit(Unit::Bytes)
        .budget(1e9);
    for frame in 0..700_u32 {
        let hitch = (frame % 90 == 80).then_some(frame / 90 % 4);
        let noise = f64::from(frame * 7919 % 97) / 97.0;
        let more = |kind: u32, ms: f64| if hitch == Some(kind) { ms } else { 0.0 };
        let ms = [
            0.8 + 0.2 * noise + more(0, 11.0) + more(3, 4.0),
            2.0 + 0.3 * noise + more(1, 9.0) + more(3, 5.0),
            3.0 - 0.2 * noise + more(3, 0.4),
            0.2,
        ];
        times
            .iter()
            .zip(ms)
            .for_each(|(timer, ms)| timer.record_ms(ms));
        requests.add(if hitch == Some(0) { 212 } else { 3 + frame % 5 });
        textures.add(1_000_000);
        let idle_ms = 9.0 + more(2, 14.0);
        end_frame(harness, ms.iter().sum::<f64>() + idle_ms);
    }
    // The next pictures begin with the same level.
    textures.add(-700_000_000);
}

/// Ends a frame and runs a step.
fn end_frame(harness: &mut Harness<'_, Host>, frame_ms: f64) {
    let recorder = &mut harness.state_mut().recorder;
    let last = recorder.frames().end.saturating_sub(1);
    let begun_secs = recorder
        .frame(last)
        .map_or(0.0, |frame| frame.start_secs + frame.duration_ms / 1000.0);
    recorder.end_frame_at(begun_secs + frame_ms / 1000.0);
    harness.run_steps(1);
}

#[test]
fn the_pictures_of_hitches_are_unchanged() {
    let mut results = SnapshotResults::new();
    for (theme, name) in [(Theme::Dark, "hitches"), (Theme::Light, "hitches-light")] {
        let mut host = Host::full("hitch-picture");
        host.overlay.act(Action::ToggleHitches);
        let mut harness = harness_with_pictures(vec2(960.0, 600.0), theme, host);
        play_hitches(&mut harness, "hitch-picture");
        let overlay = &mut harness.state_mut().overlay;
        (0..4).for_each(|_| overlay.act(Action::Rows(RowAction::Down)));
        harness.run_steps(4);
        // The last digits of the slope of the leak depend on how many series other tests
        // registered.
        let digit = SnapshotOptions::new().max_failed_pixels(200);
        harness.snapshot_options(name, &digit);
        results.extend(harness.take_snapshot_results());
    }
}

#[test]
fn the_pictures_of_calls_are_unchanged() {
    let mut results = SnapshotResults::new();
    for (theme, view, name) in [
        (Theme::Dark, PaneView::Timeline, "timeline"),
        (Theme::Light, PaneView::Timeline, "timeline-light"),
        (Theme::Dark, PaneView::Costs, "costs"),
        (Theme::Light, PaneView::Costs, "costs-light"),
    ] {
        let mut host = crate::timeline::host_of_threads("calls-picture");
        host.overlay.set_view(view);
        let mut harness = harness_with_pictures(vec2(960.0, 600.0), theme, host);
        harness.run_steps(20);
        harness
            .state_mut()
            .overlay
            .act(Action::Rows(RowAction::Down));
        harness.run_steps(4);
        harness.snapshot(name);
        results.extend(harness.take_snapshot_results());
    }
}

/// Returns a host with 4,096 frames: `healthy` with a few spikes, `slow` with all frames over
/// budget, or with `many-spikes`, one in ten frames.
fn paced(name: &str) -> Host {
    let mut host = Host::new("picture-pace");
    let x = counter("picture-pace/draws").budget(1500.0);
    host.overlay.select("picture-pace/draws");
    let watch = host.recorder.watch(x.id());
    let (mut now, mut random) = (0.0, stats_testing::Random::new(7));
    for frame in 0..4096_u32 {
        let noise = random.below(1000) as f64 / 1000.0;
        now += match name {
            "slow" => 0.040 + 0.008 * noise + if frame % 400 == 399 { 0.1 } else { 0.0 },
            "many-spikes" if frame % 10 == 0 => 0.030 + 0.030 * noise,
            "healthy" if frame % 700 == 500 => 0.045,
            "healthy" if (2000..2038).contains(&frame) => 0.0195 + 0.001 * noise,
            _ => 0.0160 + 0.0012 * noise,
        };
        let burst = if (2600..3100).contains(&frame) {
            600.0
        } else {
            0.0
        };
        x.add(1000.0 + 80.0 * noise + burst + if frame % 900 == 800 { 1900.0 } else { 0.0 });
        host.recorder.end_frame_at(now);
    }
    std::mem::forget(watch);
    host
}

/// Sets marks of all kinds in frames 300 to 899, with many in the last frames.
fn mark(host: &mut Host, frame: u32) {
    let spans = [
        ("loading", 310, 370),
        ("streaming of the next level", 340, 440),
        ("a", 350, 400),
        ("b", 355, 410),
        ("c", 360, 380),
    ];
    for (name, first, last) in spans {
        if frame == first {
            host.recorder.mark(name, MarkEvent::Begin);
        } else if frame == last {
            host.recorder.mark(name, MarkEvent::End);
        }
    }
    match frame {
        302 => host.recorder.mark("start", MarkEvent::Point),
        500 => host.recorder.mark("level 2", MarkEvent::Point),
        610 => host.recorder.mark(
            "checkpoint beside the old mill at the river",
            MarkEvent::Point,
        ),
        780 => host.recorder.mark("boss fight", MarkEvent::Begin),
        885 => host.recorder.mark("boss fight", MarkEvent::End),
        830 | 835 | 838 | 881 | 882 | 890.. => host.recorder.mark("shot", MarkEvent::Point),
        _ => {}
    }
}

/// Shows one of the views.
fn show(host: &mut Host, name: &str) {
    let overlay = &mut host.overlay;
    overlay.set_mode(match name {
        name if name.starts_with("hud") => Mode::Hud,
        name if name.starts_with("watch") => Mode::Watch,
        _ => Mode::Full,
    });
    overlay.set_view(if name.starts_with("table") {
        PaneView::Table
    } else if name.contains("hitches") {
        PaneView::Hitches
    } else {
        PaneView::Graph
    });
    match name {
        "spiking" | "spiking-none" => overlay.set_search("spiking"),
        "search" => {
            overlay.set_search("rend pi");
            overlay.select("picture/later");
        }
        "panes" => {
            let table = overlay.saved().layout.panes[0].clone();
            let mut panes = vec![
                SavedPane::new([FRAME_TIME, "picture/ai/pathfinding"]),
                SavedPane::new(["picture/renderer/draw-calls", "picture/renderer/uploaded"]),
                SavedPane::new(["picture/game/enemies", "picture/camera/x"]),
                table,
            ];
            panes[3].view = PaneView::Table;
            overlay.show_panes(&panes);
        }
        "range" => {
            overlay.set_paused(true);
            overlay.select_frames(Some(620..760));
        }
        "hud-pinned" => {
            overlay.pin("picture/renderer/draw-calls");
            overlay.pin("picture/later");
        }
        "hud-marks" => {
            host.recorder.mark("loading", MarkEvent::Begin);
            host.recorder.end_frame_at(15.0);
        }
        "statistics" => {
            host.recorder.mark("loading", MarkEvent::Begin);
            host.recorder.end_frame_at(15.0);
            host.recorder.mark("loading", MarkEvent::End);
            let overlay = &mut host.overlay;
            let mut settings = overlay.settings().clone();
            settings.display_hz = Some(60.0);
            overlay.set_settings(&settings);
            overlay.set_view(PaneView::Statistics);
        }
        "own-ranges-far" => show_far(overlay, PaneView::Graph),
        "distribution-far" => show_far(overlay, PaneView::Distribution),
        "watch-far" => {
            show_far(overlay, PaneView::Graph);
            overlay.set_mode(Mode::Watch);
        }
        "hud-far" => {
            overlay.pin("picture/far/queue");
            overlay.set_mode(Mode::Hud);
        }
        "one-unit" | "two-units" | "three-units" | "own-ranges" | "long-legend" => {
            show_series(overlay, name)
        }
        "statistics-timer" => {
            let mut pane = SavedPane::new([FRAME_TIME, "picture/ai/pathfinding"]);
            pane.view = PaneView::Statistics;
            pane.statistics.of = Some("picture/ai/pathfinding".to_owned());
            overlay.show_panes(&[pane]);
        }
        "hud-line" | "hud-small" | "hud-large" | "first-steps" => {
            let mut settings = overlay.settings().clone();
            settings.first_steps = name == "first-steps";
            settings.hud_size = match name {
                "hud-line" => HudSize::Line,
                "hud-small" => HudSize::Small,
                _ => HudSize::Large,
            };
            overlay.set_settings(&settings);
        }
        "baseline" => {
            overlay.select_frames(Some(400..500));
            overlay.act(Action::MarkBaseline);
        }
        "timeline" => overlay.set_view(PaneView::Timeline),
        "costs" => overlay.set_view(PaneView::Costs),
        "help" => overlay.act(Action::ToggleHelp),
        "settings" => overlay.act(Action::ToggleSettings),
        "problems" => {
            let _ = stats_core::counter("ai//agents");
            stats_core::counter("renderer/uploads").add(f64::NAN);
            overlay.act(Action::ToggleProblems);
        }
        "notice" => overlay.act(Action::CopyView),
        "log" => overlay.act(Action::ToggleLog),
        "stacked" => {
            overlay.show_panes(&[SavedPane::new(["picture/ai/pathfinding", FRAME_TIME])]);
            overlay.act(Action::ToggleStacked);
        }
        "distribution" | "distribution-hover" => overlay.act(Action::ToggleDistribution),
        "distribution-log" | "distribution-panes" => show_distributions(overlay, name),
        name if name.starts_with("watch") => show_watched(overlay, name),
        "jump" => overlay.act(Action::PreviousSpike),
        "healthy" | "slow" | "many-spikes" => (0..9).for_each(|_| overlay.act(Action::ZoomOut)),
        _ => {}
    }
}

/// Shows a graph of series of one or more units.
fn show_series(overlay: &mut StatsOverlay, name: &str) {
    let paths = [
        FRAME_TIME,
        "picture/ai/pathfinding",
        "picture/renderer/uploaded",
        "picture/renderer/draw-calls",
        "picture/camera/x",
        "picture/game/enemies",
        "picture/audio/voices",
        "picture/audio/streams",
        "picture/net/packets",
        "picture/net/lost",
        "picture/renderer/primitives",
        "picture/renderer/textures",
        "picture/physics/bodies",
    ];
    let series = match name {
        "one-unit" => 2,
        "two-units" => 3,
        "long-legend" => paths.len(),
        _ => 5,
    };
    let mut pane = SavedPane::new(paths[..series].iter().copied());
    if name == "own-ranges" {
        pane.graph.range = ValueRange::Own;
    }
    overlay.show_panes(&[pane]);
}

/// Shows series that are far from zero, and a histogram.
fn show_far(overlay: &mut StatsOverlay, view: PaneView) {
    let mut pane = SavedPane::new(["picture/far/heap", "picture/far/angle", "picture/far/queue"]);
    (pane.graph.range, pane.view) = (ValueRange::Own, view);
    overlay.show_panes(&[pane]);
}

/// Records series that vary little and are far from zero, and a histogram.
fn far(host: &mut Host, frame: u32) {
    let (heap, angle, queue) = (
        gauge("picture/far/heap").unit(Unit::Bytes),
        gauge("picture/far/angle"),
        histogram("picture/far/queue"),
    );
    if frame == 0 {
        let watches = [heap.id(), angle.id(), queue.id()].map(|id| host.recorder.watch(id));
        std::mem::forget(watches);
    }
    heap.set(24e9 + f64::from(frame) * 9e3);
    angle.set(1.7e15 + f64::from(frame % 21) - 10.0);
    (0..frame % 6).for_each(|sample| queue.record(f64::from((frame + sample * 7) % 26)));
}

/// Shows the panes over the game, at the place or with the panes of the name.
fn show_watched(overlay: &mut StatsOverlay, name: &str) {
    let mut settings = overlay.settings().clone();
    settings.watch_place = match name {
        "watch-left" => Place::Left,
        "watch-top" => Place::Top,
        "watch-bottom" | "watch-panes" => Place::Bottom,
        "watch-top-left" => Place::TopLeft,
        "watch-top-right" => Place::TopRight,
        "watch-bottom-left" => Place::BottomLeft,
        "watch-bottom-right" => Place::BottomRight,
        _ => Place::Right,
    };
    if name == "watch-all" {
        (settings.watch_share, settings.watch_opacity) = (1.0, 0.0);
    }
    overlay.set_settings(&settings);
    let views = match name {
        "watch-views" | "watch-views-paused" => [
            PaneView::Table,
            PaneView::Statistics,
            PaneView::Distribution,
        ],
        "watch-panes" => [PaneView::Graph; 3],
        _ => return,
    };
    let mut panes = [
        vec!["picture/renderer/draw-calls", "picture/game/enemies"],
        vec![FRAME_TIME, "picture/ai/pathfinding"],
        vec!["picture/renderer/uploaded", "picture/camera/x"],
    ]
    .map(SavedPane::new);
    for (pane, view) in panes.iter_mut().zip(views) {
        pane.view = view;
    }
    overlay.show_panes(&panes);
    if name.ends_with("paused") {
        overlay.act(Action::PreviousSpike);
    }
}

/// Shows the memory view by performing a user's steps.
fn show_memory(harness: &mut Harness<'_, Host>, name: &str) {
    let is_hostile = matches!(name, "memory-hostile" | "memory-groups");
    let program = Program::new(&if is_hostile {
        dumps::hostile()
    } else {
        dumps::game(0) + "cut off\n"
    });
    if name != "memory-empty" {
        program.give_to(&mut harness.state_mut().overlay);
    }
    harness.state_mut().overlay.act(Action::ToggleMemory);
    memory::settle(harness);
    match name {
        "memory-compare" => {
            program.set(&dumps::later());
            memory::compare_with_now(harness);
        }
        "memory-filter" => {
            harness.state_mut().overlay.act(Action::Search);
            harness.run_steps(2);
            harness.event(egui::Event::Text("mesh".to_owned()));
            harness.run_steps(2);
        }
        "memory-groups" => {
            memory::open(harness, "Groups: all");
            return;
        }
        "memory-pages" => {
            program.set(&dumps::scattered());
            crate::host::click(harness, "Take snapshot");
            memory::settle(harness);
            crate::host::click(harness, "Pages");
        }
        "memory-hostile" => {
            memory::open(harness, "Close all");
            if harness.query_by_label("level thread").is_none() {
                crate::host::click(harness, "Levels");
            }
            ["level thread", "level group"]
                .into_iter()
                .for_each(|level| crate::host::click(harness, level));
            memory::settle(harness);
            return;
        }
        "memory-threads" | "memory-damage" => {
            memory::open(
                harness,
                if name == "memory-damage" {
                    "1 damaged line"
                } else {
                    "Threads: all"
                },
            );
            return;
        }
        "memory-tip" => {
            harness.hover_at(egui::pos2(
                200.0,
                harness.ctx.content_rect().height().min(700.0) * 0.32,
            ));
            harness.run_steps(40);
        }
        _ => {}
    }
    (0..2).for_each(|_| {
        harness
            .state_mut()
            .overlay
            .act(Action::Rows(RowAction::Open))
    });
    harness.run_steps(3);
}

/// Shows several panes, or one with samples over several decades.
fn show_distributions(overlay: &mut StatsOverlay, name: &str) {
    if name == "distribution-log" {
        let samples = histogram("picture/io/pack").unit(Unit::Milliseconds);
        (0..2000)
            .for_each(|n| samples.record(0.4 * 1.002_f64.powi(n * 7919 % 2003) + f64::from(n % 7)));
        let mut pane = SavedPane::new([
            "picture/io/pack",
            "picture/camera/x",
            "picture/renderer/uploaded",
        ]);
        pane.view = PaneView::Distribution;
        overlay.show_panes(&[pane]);
        overlay.act(Action::ToggleLog);
        overlay.act(Action::ToggleLog);
    } else {
        let mut panes = [
            [FRAME_TIME],
            ["picture/renderer/draw-calls"],
            ["picture/game/enemies"],
        ]
        .map(SavedPane::new);
        panes
            .iter_mut()
            .for_each(|pane| pane.view = PaneView::Distribution);
        overlay.show_panes(&panes);
        overlay.select_frames(Some(300..700));
    }
}

/// Renders every view into a folder for a person to look at:
/// `STATS_OVERLAY_LOOK=/tmp/look cargo test look -- --ignored`. `STATS_OVERLAY_VIEWS="panes help"`
/// renders only those.
#[test]
#[ignore = "writes pictures for people"]
fn look() {
    let Ok(folder) = std::env::var("STATS_OVERLAY_LOOK") else {
        return;
    };
    std::fs::create_dir_all(&folder).unwrap();
    let all = "one-unit two-units three-units own-ranges own-ranges-far watch-far hud-far distribution-far long-legend \
               hud hud-pinned hud-line hud-small hud-large first-steps timeline costs baseline graph search table panes range paused hover row-hover help settings \
               problems notice log stacked jump marks marks-hover table-marks \
               distribution distribution-log distribution-panes distribution-hover \
               statistics statistics-timer hud-marks healthy slow many-spikes \
               watch watch-left watch-top watch-bottom watch-top-left watch-top-right \
               watch-bottom-left watch-bottom-right watch-all watch-panes watch-views \
               watch-views-paused watch-marks hitches hud-hitches watch-hitches spiking spiking-none reading searching \
               memory memory-compare memory-hostile memory-groups memory-filter memory-pages memory-empty memory-tip memory-threads memory-damage";
    let names = std::env::var("STATS_OVERLAY_VIEWS").unwrap_or_else(|_| all.to_owned());
    for (size_name, size, pixels_per_point) in [
        ("640", vec2(640.0, 480.0), 1.0),
        ("800", vec2(800.0, 600.0), 1.0),
        ("1280", vec2(1280.0, 800.0), 1.0),
        ("1920", vec2(1920.0, 1080.0), 1.0),
        ("960-fine", vec2(960.0, 540.0), 2.0),
        ("420", vec2(420.0, 320.0), 1.0),
    ] {
        for theme in [Theme::Dark, Theme::Light] {
            for name in names.split_whitespace() {
                let mut harness = harness_with_pictures(
                    size,
                    theme,
                    match name {
                        "reading" | "searching" => many(),
                        "timeline" | "costs" => crate::timeline::host_of_threads("calls-picture"),
                        _ if name.contains("marks") => game_with(mark),
                        "healthy" | "slow" | "many-spikes" => paced(name),
                        _ if name.ends_with("far") => game_with(far),
                        _ => game(),
                    },
                );
                harness.set_pixels_per_point(pixels_per_point);
                if name == "reading" {
                    let picture = harness.render().unwrap();
                    let file = format!("{folder}/{name}-{size_name}-{theme:?}.png");
                    picture.save(file).unwrap();
                    continue;
                }
                if name == "searching" {
                    harness.run_steps(200);
                    harness.state_mut().overlay.set_search("99");
                }
                harness.run_steps(2);
                show(harness.state_mut(), name);
                harness.run_steps(4);
                if name == "baseline" {
                    harness.state_mut().overlay.select_frames(None);
                }
                if name == "paused" {
                    harness.state_mut().overlay.set_paused(true);
                    harness.run_steps(2);
                    harness.state_mut().record(950, |_| {});
                }
                if name.starts_with("spiking") {
                    (0..200).for_each(|frame| spike(&mut harness, name == "spiking", frame));
                }
                if name.ends_with("hover") {
                    let share = match name {
                        "marks-hover" => 0.42,
                        "row-hover" => 0.1,
                        _ => 0.6,
                    };
                    harness.hover_at(egui::pos2(size.x * share, size.y * 0.53));
                    harness.run_steps(30);
                }
                if name.contains("hitches") {
                    play_hitches(&mut harness, "picture");
                    let overlay = &mut harness.state_mut().overlay;
                    (0..4).for_each(|_| overlay.act(Action::Rows(RowAction::Down)));
                }
                if name.starts_with("memory") {
                    show_memory(&mut harness, name);
                }
                harness.run_steps(4);
                let picture = harness.render().unwrap();
                picture
                    .save(format!("{folder}/{name}-{size_name}-{theme:?}.png"))
                    .unwrap();
            }
        }
    }
}
