//! Running games in a window: the overlay, showing what games elsewhere send.

use std::path::PathBuf;

use eframe::egui::{Ui, ViewportCommand};
use stats_overlay::{FRAME_TIME, Mode, StatsOverlay};
use stats_remote::RemoteSource;

use super::games::Games;
use super::recordings::{Origin, Recordings};

/// The contents of the window.
pub(super) struct Window {
    games: Games,
    overlay: StatsOverlay,
    recordings: Recordings,
}

impl Window {
    /// Shows games. Recordings of them go to a folder.
    pub(super) fn new(games: Games, folder: impl Into<PathBuf>) -> Self {
        let recordings = Recordings::new(folder);
        let mut overlay = super::overlay();
        overlay.set_recording(recordings.control());
        let selected = games.first_selected();
        if !selected.is_empty() {
            overlay.deselect(FRAME_TIME);
        }
        selected.iter().for_each(|path| overlay.select(path));
        Self {
            games,
            overlay,
            recordings,
        }
    }

    /// Draws the window.
    fn window_ui(&mut self, ui: &mut Ui) {
        self.games.pump();
        let program = self.games.program();
        let all = self.games.all().iter().map(RemoteSource::status);
        let max_watches: Vec<usize> = all.clone().map(|status| status.max_watches).collect();
        let game_of = self.games.game_of();
        let origin = Origin {
            program: &program,
            max_watches: &max_watches,
            game_of: &game_of,
            refused: all.map(|status| status.refused).sum(),
        };
        self.recordings.follow(self.games.source_mut(), origin);
        let mut said = self.games.said();
        let note = self.recordings.note();
        if !note.is_empty() {
            said = format!("{said}, {note}");
        }
        self.overlay.set_program(&program, &said);
        self.overlay.show_with(ui.ctx(), self.games.source_mut());
        if self.overlay.mode() != Mode::Full {
            ui.ctx().send_viewport_cmd(ViewportCommand::Close);
            // Until the window is gone, it continues to show the overlay.
            self.overlay.set_mode(Mode::Full);
        }
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        let program = self.games.program();
        self.recordings.finish(self.games.source(), &program);
    }
}

impl eframe::App for Window {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.window_ui(ui);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::sync::{Mutex, MutexGuard, PoisonError};
    use std::time::{Duration, Instant};

    use eframe::egui::{Key, vec2};
    use egui_kittest::Harness;
    use egui_kittest::kittest::{NodeT, Queryable};
    use stats_analysis::insight::Event;
    use stats_capture::CaptureFile;
    use stats_core::limits::LATE_FRAMES;
    use stats_core::{Counter, DeferredSource, Recorder, Source, Timer};
    use stats_overlay::PaneView;
    use stats_remote::{Remote, RemoteAddress, RemoteOptions};

    use super::*;
    use crate::failure::Failure;

    static WORK: Counter = Counter::new("view-game/work");
    static AI: Timer = Timer::new("view-game/ai");
    static PART: Timer = Timer::new("view-game/ai/part");

    /// Lets only one test listen at a time: another one would take a port that is free again.
    fn alone() -> MutexGuard<'static, ()> {
        static ALONE: Mutex<()> = Mutex::new(());
        ALONE.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn connect(address: &str) -> Result<Games, Failure> {
        Games::connect(&[address.to_owned()])
    }

    struct Game {
        recorder: Recorder,
        remote: Remote,
    }

    impl Game {
        fn start(token: Option<&RemoteAddress>) -> Self {
            let mut options = RemoteOptions::default();
            options.port = token.map_or(0, RemoteAddress::port);
            options.program = Some("the game".to_owned());
            options.token = token.and_then(|address| {
                let text = address.to_string();
                text.split('#').nth(1)?.parse().ok()
            });
            Self {
                recorder: Recorder::new(),
                remote: Remote::start(options).expect("a port is free"),
            }
        }

        fn frame(&mut self) {
            WORK.add(3);
            self.recorder.end_frame();
            self.remote.publish(&mut self.recorder);
        }
    }

    /// Plays and draws until a condition holds.
    fn play(
        game: &mut Game,
        harness: &mut Harness<'_, Window>,
        mut is_done: impl FnMut(&Harness<'_, Window>) -> bool,
    ) {
        let begun = Instant::now();
        while !is_done(harness) {
            assert!(
                begun.elapsed() < Duration::from_secs(60),
                "it takes too long"
            );
            game.frame();
            harness.step();
        }
    }

    /// Returns what a part of the header says.
    fn said(harness: &Harness<'_, Window>, part: &str) -> String {
        let node = harness.get_by_label(part);
        node.accesskit_node().value().unwrap_or_default()
    }

    #[test]
    fn a_game_is_shown_with_its_name_and_values_and_after_it_was_started_again() {
        let _alone = alone();
        let mut game = Game::start(None);
        let address = game.remote.address().clone();
        let source = connect(&address.to_string()).unwrap_or_else(|error| panic!("{error}"));
        let folder = stats_testing::Folder::new("view-game");
        let mut window = Window::new(source, &folder.0);
        window.overlay.select("view-game/work");
        let mut harness = Harness::builder()
            .with_size(vec2(1280.0, 800.0))
            .build_ui_state(|ui, window: &mut Window| window.window_ui(ui), window);
        let is_shown = |harness: &Harness<'_, Window>| {
            let mut found = harness.query_all_by_label_contains("legend view-game/work");
            found.next().is_some() && harness.state().games.source().frames().end > 50
        };
        play(&mut game, &mut harness, is_shown);
        assert_eq!(said(&harness, "Title"), "the game");
        assert!(said(&harness, "Build").contains("s behind"));
        drop(game);
        let begun = Instant::now();
        while harness.state().games.all()[0].status().error.is_none() {
            assert!(begun.elapsed() < Duration::from_secs(60));
            harness.step();
        }
        assert!(said(&harness, "Build").contains("not connected"));
        let mut game = Game::start(Some(&address));
        play(&mut game, &mut harness, |harness| {
            harness.state().games.all()[0].status().error.is_none()
        });
        let before = harness.state().games.source().frames().end;
        play(&mut game, &mut harness, |harness| {
            harness.state().games.source().frames().end > before + 50
        });
        assert!(said(&harness, "Build").contains("s behind"));
        let mut selected = harness.state().overlay.selected();
        assert!(selected.any(|path| path == "view-game/work"));
    }

    #[test]
    fn a_key_records_what_arrives_into_a_capture() {
        let _alone = alone();
        let folder = stats_testing::Folder::new("view-game-recording");
        let mut game = Game::start(None);
        let address = game.remote.address().to_string();
        let source = connect(&address).unwrap_or_else(|error| panic!("{error}"));
        let mut harness = Harness::builder()
            .with_size(vec2(1280.0, 800.0))
            .build_ui_state(
                |ui, window: &mut Window| window.window_ui(ui),
                Window::new(source, &folder.0),
            );
        let frames = |harness: &Harness<'_, Window>| harness.state().games.source().frames().end;
        play(&mut game, &mut harness, |harness| frames(harness) > 10);
        let running = |harness: &Harness<'_, Window>| harness.state().recordings.control().status();
        harness.key_press(Key::V);
        play(&mut game, &mut harness, |harness| {
            running(harness).running.is_some()
        });
        let begun = frames(&harness);
        play(&mut game, &mut harness, |harness| {
            frames(harness) > begun + 100
        });
        harness.key_press(Key::V);
        let saved = |harness: &Harness<'_, Window>| {
            let mut notices = harness.query_all_by_label_contains("Notice");
            let text = notices.find_map(|notice| notice.accesskit_node().value());
            text.is_some_and(|text| text.contains("Saved the recording as"))
        };
        play(&mut game, &mut harness, saved);
        // Closing the window saves a recording, too.
        harness.key_press(Key::V);
        play(&mut game, &mut harness, |harness| {
            let running = running(harness).running;
            running.is_some_and(|length| length.seconds > 0.0)
        });
        drop(harness);
        let files = std::fs::read_dir(&folder.0).expect("it is a folder");
        let files: Vec<_> = files.map(|file| file.expect("it can be read")).collect();
        assert_eq!(files.len(), 2, "{files:?}");
        let mut longest = 0;
        for file in files {
            let capture = CaptureFile::open(file.path()).expect("it is a capture");
            assert!(!capture.frames().is_empty());
            let work = capture.read("view-game/work").expect("it has the series");
            let known = work.slice().iter().filter(|value| !value.is_nan());
            let known: Vec<f64> = known.collect();
            assert!(known.iter().all(|value| *value == 3.0), "{known:?}");
            longest = longest.max(known.len());
        }
        assert!(longest > 50, "{longest}");
    }

    /// Frames arrive several at once, and each is examined.
    #[test]
    fn each_hitch_of_a_game_is_noticed_with_its_culprit() {
        let _alone = alone();
        check_hitches(&mut [Game::start(None)], "view-game/ai");
    }

    #[test]
    fn each_hitch_of_the_first_of_two_games_is_noticed_and_none_of_the_other() {
        let _alone = alone();
        let mut games = [Game::start(None), Game::start(None)];
        check_hitches(&mut games, "the game/view-game/ai");
    }

    /// Plants hitches in games until some of the first game were noticed. Those of the others are in other
    /// frames.
    fn check_hitches(games: &mut [Game], culprit: &str) {
        let addresses = games.iter().map(|game| game.remote.address().to_string());
        let addresses: Vec<String> = addresses.collect();
        let shown = Games::connect(&addresses).unwrap_or_else(|error| panic!("{error}"));
        let folder = stats_testing::Folder::new("view-game-hitches");
        let mut harness = Harness::builder()
            .with_size(vec2(1280.0, 800.0))
            .build_ui_state(
                |ui, window: &mut Window| window.window_ui(ui),
                Window::new(shown, &folder.0),
            );
        let mut secs = vec![0.0; games.len()];
        let (mut noticed, mut planted) = (Vec::new(), Vec::new());
        let begun = Instant::now();
        while noticed.len() < 5 {
            let waited = begun.elapsed();
            assert!(
                waited < Duration::from_secs(60),
                "{noticed:?} of {planted:?}"
            );
            // A block, unless the viewer has not shown the last few. After a while, some frames take longer.
            let shown = harness.state().games.source().frames().end;
            let end = games[0].recorder.frames().end;
            let block = end..end + if end < shown + 20 { 5 } else { 0 };
            for frame in block {
                for (at, game) in games.iter_mut().enumerate() {
                    let ms = match frame > 400 && frame % 64 == 32 * at as u64 {
                        true => 40,
                        false => 10,
                    };
                    if at == 0 {
                        if ms == 40 {
                            planted.push(frame);
                        }
                        AI.record(Duration::from_millis(ms - 5));
                    }
                    secs[at] += ms as f64 / 1e3;
                    game.recorder.end_frame_at(secs[at]);
                    game.remote.publish(&mut game.recorder);
                }
            }
            harness.step();
            while let Some(event) = harness.state_mut().overlay.poll_event() {
                if let Event::Hitch(hitch) = event {
                    assert!(planted.contains(&hitch.frame), "{hitch:?}");
                    // This thread really waits for a processor on a busy machine.
                    let is_ready = hitch.findings.first().is_some_and(|first| first.is_ready);
                    let is_own = hitch.verdict.contains(culprit) || is_ready;
                    assert!(is_own && !hitch.verdict.contains("game 2"), "{hitch:?}");
                    noticed.push(hitch.frame);
                }
            }
        }
        let first = planted.iter().position(|frame| *frame == noticed[0]);
        let expected = planted.iter().skip(first.expect("it was planted"));
        assert!(
            noticed.iter().take(5).eq(expected.take(5)),
            "{noticed:?} of {planted:?}"
        );
    }

    /// Returns the texts of all nodes whose labels begin so.
    fn texts<S>(harness: &Harness<'_, S>, label: &str) -> Vec<String> {
        let nodes = harness.query_all_by_label_contains(label);
        let texts = nodes.filter_map(|node| {
            let node = node.accesskit_node();
            Some(format!("{}: {}", node.label()?, node.value()?))
        });
        texts.collect()
    }

    #[test]
    fn the_timeline_and_the_costs_are_those_of_an_overlay_in_the_game() {
        let _alone = alone();
        let mut game = Game::start(None);
        let games = connect(&game.remote.address().to_string());
        let games = games.unwrap_or_else(|error| panic!("{error}"));
        let folder = stats_testing::Folder::new("view-game-scopes");
        let mut window = Window::new(games, &folder.0);
        window.overlay.set_view(PaneView::Timeline);
        let mut harness = Harness::builder()
            .with_size(vec2(1280.0, 800.0))
            .build_ui_state(|ui, window: &mut Window| window.window_ui(ui), window);
        let work = || std::hint::black_box((0..20_000_u64).fold(0, |sum, n| sum ^ (n * n)));
        // Until the viewer has some frames that do not change any more.
        let begun = Instant::now();
        let frames = loop {
            let is_early = begun.elapsed() < Duration::from_secs(60);
            assert!(is_early, "it takes too long");
            AI.time(|| (0..3).for_each(|_| PART.time(|| _ = work())));
            game.frame();
            harness.step();
            let source = harness.state_mut().games.source_mut();
            let end = source.frames().end;
            let timeline = source.timeline(&[]).expect("a game has one");
            let known = timeline.frames().map(|frame| frame.index());
            let known: Vec<u64> = known.filter(|index| index + LATE_FRAMES < end).collect();
            let mut runs = known.windows(20);
            if let Some(run) = runs.find(|run| run[19] - run[0] == 19) {
                break run[0]..run[19] + 1;
            }
        };
        let mut own = StatsOverlay::new();
        own.set_mode(Mode::Full);
        let mut own = Harness::builder()
            .with_size(vec2(1280.0, 800.0))
            .build_ui_state(
                |ui, (overlay, game): &mut (StatsOverlay, &mut Game)| {
                    overlay.show_with(ui.ctx(), &mut game.recorder);
                },
                (own, &mut game),
            );
        for view in [PaneView::Costs, PaneView::Timeline] {
            let selected = Some(frames.clone());
            let overlay = &mut harness.state_mut().overlay;
            overlay.set_view(view);
            overlay.select_frames(selected.clone());
            let overlay = &mut own.state_mut().0;
            overlay.set_view(view);
            overlay.select_frames(selected);
            let labels: &[&str] = match view {
                PaneView::Costs => &["About the costs", "Cost of view-game/"],
                _ => &["Shown frame"],
            };
            let is_shown = |harness: &Harness<'_, Window>| {
                labels.iter().all(|label| !texts(harness, label).is_empty())
            };
            let begun = Instant::now();
            while !is_shown(&harness) || begun.elapsed() < Duration::from_millis(300) {
                let is_early = begun.elapsed() < Duration::from_secs(60);
                assert!(is_early, "{view:?}: {:?}", texts(&harness, labels[0]));
                // What is still on the way arrives.
                own.state_mut().1.frame();
                harness.step();
            }
            own.run_steps(60);
            for label in labels {
                assert_eq!(texts(&harness, label), texts(&own, label), "{view:?}");
            }
        }
    }

    /// The times of a GPU are known five frames later, and some never.
    #[test]
    fn late_times_of_a_gpu_are_those_of_an_overlay_in_the_game() {
        let _alone = alone();
        let (mut game, gpu) = (Game::start(None), DeferredSource::new());
        let pass = gpu.timer("view-game/gpu/pass");
        let games = connect(&game.remote.address().to_string());
        let games = games.unwrap_or_else(|error| panic!("{error}"));
        let folder = stats_testing::Folder::new("view-game-late");
        let mut window = Window::new(games, &folder.0);
        window.overlay.select("view-game/gpu/pass");
        let mut harness = Harness::builder()
            .with_size(vec2(1280.0, 800.0))
            .build_ui_state(|ui, window: &mut Window| window.window_ui(ui), window);
        let mut own = StatsOverlay::new();
        own.set_mode(Mode::Full);
        own.select("view-game/gpu/pass");
        let mut stamps = VecDeque::new();
        let mut own = Harness::builder()
            .with_size(vec2(1280.0, 800.0))
            .build_ui_state(
                |ui, (overlay, game): &mut (StatsOverlay, &mut Game)| {
                    overlay.show_with(ui.ctx(), &mut game.recorder);
                },
                (own, &mut game),
            );
        own.step();
        let mut play = |own: &mut Harness<'_, (StatsOverlay, &mut Game)>| {
            let game = &mut own.state_mut().1;
            stamps.push_back((gpu.issue(), game.recorder.frames().end));
            if stamps.len() > 5
                && let Some((stamp, frame)) = stamps.pop_front()
            {
                match frame % 16 {
                    15 => gpu.give_up(stamp),
                    of => gpu.deliver(stamp, &[(pass, 2.0 + of as f64)]),
                }
            }
            game.frame();
        };
        // Until the viewer has followed for a while.
        let begun = Instant::now();
        let mut first = None;
        let frames = loop {
            let is_early = begun.elapsed() < Duration::from_secs(60);
            assert!(is_early, "it takes too long");
            play(&mut own);
            harness.step();
            let end = harness.state().games.source().frames().end;
            let first = *first.get_or_insert(end.max(1));
            if end > first + 200 {
                break first + 50..first + 150;
            }
        };
        for overlay in [&mut harness.state_mut().overlay, &mut own.state_mut().0] {
            overlay.select_frames(Some(frames.clone()));
        }
        let label = "legend view-game/gpu/pass";
        let begun = Instant::now();
        loop {
            play(&mut own);
            harness.step();
            own.step();
            let shown = [texts(&harness, label), texts(&own, label)];
            let is_known = shown[1].iter().any(|text| text.contains("max 16"));
            if is_known && shown[0] == shown[1] {
                break;
            }
            let is_early = begun.elapsed() < Duration::from_secs(60);
            assert!(is_early, "{shown:?}");
        }
    }

    #[test]
    fn two_games_are_shown_on_one_axis_with_the_error_of_their_clocks() {
        let _alone = alone();
        let folder = stats_testing::Folder::new("view-games");
        let (mut one, mut two) = (Game::start(None), Game::start(None));
        let addresses = [&one, &two].map(|game| game.remote.address().to_string());
        let games = Games::connect(&addresses).unwrap_or_else(|error| panic!("{error}"));
        let mut window = Window::new(games, &folder.0);
        window.overlay.select("the game 2/view-game/work");
        let mut harness = Harness::builder()
            .with_size(vec2(1280.0, 800.0))
            .build_ui_state(|ui, window: &mut Window| window.window_ui(ui), window);
        let mut watch = None;
        play(&mut one, &mut harness, |_| {
            two.frame();
            true
        });
        // Until values of the second game are in frames of the first.
        let begun = Instant::now();
        loop {
            assert!(
                begun.elapsed() < Duration::from_secs(60),
                "it takes too long"
            );
            one.frame();
            two.frame();
            harness.step();
            let source = harness.state_mut().games.source_mut();
            if watch.is_none()
                && let Some(id) = source.find("the game 2/view-game/work")
            {
                watch = Some(source.watch(id));
            }
            let known = watch.as_ref().and_then(|watch| {
                let window = source.history(watch, usize::MAX);
                window.iter().find(|value| !value.is_nan())
            });
            if known.is_some() {
                break;
            }
        }
        assert_eq!(said(&harness, "Title"), "the game + the game 2");
        let build = said(&harness, "Build");
        assert!(
            build.starts_with("clocks ±") && build.contains("; the game 2: "),
            "{build}"
        );
        for path in ["the game/frame time", "the game 2/frame time"] {
            let legend = format!("legend {path}");
            let mut found = harness.query_all_by_label_contains(&legend);
            assert!(found.next().is_some(), "{path}");
        }
    }

    #[test]
    fn an_address_that_is_wrong_is_said_to_be_with_the_cure() {
        let _alone = alone();
        let said = |text: &str| connect(text).err().map(|error| error.to_string());
        let usage = said("stats://localhost").unwrap_or_default();
        assert!(usage.contains("HOST:PORT"), "{usage}");
        let token = "0123456789abcdef0123456789abcdef";
        let game = Game::start(None);
        let refused = said(&format!(
            "stats://{}#{token}",
            game.remote.address().authority()
        ));
        let refused = refused.unwrap_or_default();
        assert!(
            refused.contains("token is wrong") && !refused.contains(token),
            "{refused}"
        );
        let port = game.remote.address().port();
        drop(game);
        let nobody = said(&format!("stats://127.0.0.1:{port}#{token}")).unwrap_or_default();
        assert!(
            nobody.contains("STATS_REMOTE=1") && !nobody.contains(token),
            "{nobody}"
        );
    }
}
