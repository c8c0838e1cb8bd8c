//! The keys of recordings, and the overlay's notices about them.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use egui::{Context, Event, Key, Modifiers, RawInput, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use stats_core::{RecordedLength, RecordingControl, RecordingStatus};
use stats_overlay::{Action, Mode, StatsOverlay};

use crate::host::{Host, click, harness, press, value_of};

/// A program that records: the requests that it got, and the answers that it gives.
#[derive(Debug, Default)]
struct Program(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    asked: Vec<&'static str>,
    marks: Vec<String>,
    status: RecordingStatus,
    saved: Vec<Result<PathBuf, String>>,
}

impl RecordingControl for Program {
    fn toggle(&self) {
        self.0
            .lock()
            .expect("no test panics with it")
            .asked
            .push("toggle");
    }

    fn save_recent(&self) {
        self.0
            .lock()
            .expect("no test panics with it")
            .asked
            .push("save");
    }

    fn restart_frame(&self) {
        let mut state = self.0.lock().expect("no test panics with it");
        state.asked.push("restart");
    }

    fn mark_point(&self, name: &str) {
        let mut state = self.0.lock().expect("no test panics with it");
        state.marks.push(name.to_owned());
    }

    fn status(&self) -> RecordingStatus {
        self.0.lock().expect("no test panics with it").status
    }

    fn poll_saved(&self) -> Option<Result<PathBuf, String>> {
        self.0.lock().expect("no test panics with it").saved.pop()
    }
}

impl Program {
    fn asked(&self) -> Vec<&'static str> {
        std::mem::take(&mut self.0.lock().expect("no test panics with it").asked)
    }
}

fn length(seconds: f64, bytes: u64) -> Option<RecordedLength> {
    let mut length = RecordedLength::default();
    (length.seconds, length.bytes) = (seconds, bytes);
    Some(length)
}

fn opened(scope: &'static str) -> (Harness<'static, Host>, Arc<Program>) {
    let program = Arc::new(Program::default());
    let mut host = Host::full(scope);
    host.overlay.set_recording(Arc::clone(&program) as _);
    let mut harness = harness(vec2(1400.0, 700.0), host);
    harness.run_steps(3);
    (harness, program)
}

#[test]
fn a_key_a_button_and_an_action_start_and_end_recordings() {
    let (mut harness, program) = opened("recording-keys");
    press(&mut harness, Key::V);
    assert_eq!(program.asked(), ["toggle"]);
    click(&mut harness, "Record");
    assert_eq!(program.asked(), ["toggle"]);
    program.0.lock().unwrap().status.running = length(12.4, 3 << 20);
    harness.run_steps(2);
    harness.get_by_label_contains("Stop: 12 s, 3").click();
    harness.run_steps(2);
    assert_eq!(program.asked(), ["toggle"]);
    program.0.lock().unwrap().status = RecordingStatus::default();
    program.0.lock().unwrap().status.completing = 1;
    harness.run_steps(2);
    assert!(harness.query_by_label("Saving").is_some());
    // A hidden overlay performs actions as well: a game pad may start a recording.
    harness.state_mut().overlay.set_mode(Mode::Hidden);
    harness.state_mut().overlay.act(Action::ToggleRecording);
    harness.run_steps(2);
    assert_eq!(program.asked(), ["toggle"]);
}

#[test]
fn the_time_in_which_the_host_slept_is_left_out_of_recordings() {
    let (ctx, mut overlay) = (Context::default(), StatsOverlay::new());
    let program = Arc::new(Program::default());
    overlay.set_recording(Arc::clone(&program) as _);
    // egui asks for the first passes, and an input ends the sleep after them.
    for (secs, has_slept) in [(0.0, false), (0.02, false), (0.04, false), (5.0, true)] {
        let input = RawInput {
            time: Some(secs),
            events: Vec::from_iter(has_slept.then_some(Event::PointerGone)),
            ..RawInput::default()
        };
        let mut output = ctx.run_ui(input, |ui| overlay.show(ui.ctx()));
        output.textures_delta.clear();
        assert_eq!(!program.asked().is_empty(), has_slept, "{secs} s");
    }
}

#[test]
fn the_last_frames_are_saved_if_they_are_kept() {
    let (mut harness, program) = opened("recording-recent");
    harness.key_press_modifiers(Modifiers::SHIFT, Key::E);
    harness.run_steps(2);
    assert_eq!(program.asked(), [""; 0]);
    let notice = value_of(&harness, "Notice");
    assert!(notice.contains("STATS_CAPTURE_RECENT"), "{notice}");
    program.0.lock().unwrap().status.recent = length(60.0, 2 << 20);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::E);
    harness.run_steps(2);
    assert_eq!(program.asked(), ["save"]);
    harness.get_by_label("Record").hover();
    harness.run_steps(40);
    let hint = harness.query_by_label_contains("The last frames can be saved (Shift+E): 60 s, 2");
    assert!(hint.is_some());
}

#[test]
fn a_notice_has_the_path_of_the_recording_or_the_error() {
    let (mut harness, program) = opened("recording-saved");
    for (saved, expected) in [
        (
            Ok("captures/run-1.parquet".into()),
            "captures/run-1.parquet",
        ),
        (Err("make room on the disk".into()), "make room"),
    ] {
        program.0.lock().unwrap().saved.push(saved);
        harness.run_steps(2);
        let notice = value_of(&harness, "Notice");
        assert!(notice.contains(expected), "{notice}");
    }
}

#[test]
fn a_program_that_does_not_record_gets_a_hint() {
    let mut harness = harness(vec2(1400.0, 700.0), Host::full("recording-none"));
    harness.run_steps(3);
    assert!(harness.query_by_label("Record").is_none());
    for action in [Action::ToggleRecording, Action::SaveRecent] {
        harness.state_mut().overlay.act(action);
        harness.run_steps(2);
        let notice = value_of(&harness, "Notice");
        assert!(notice.contains("set_recording"), "{notice}");
    }
}

#[test]
fn a_moment_is_marked_in_any_mode_in_views_and_in_recordings() {
    let (mut harness, program) = opened("recording-moments");
    harness.key_press_modifiers(Modifiers::SHIFT, Key::M);
    harness.run_steps(2);
    assert_eq!(value_of(&harness, "Notice"), "Marked moment 1");
    click(&mut harness, "Menu");
    harness.get_by_label("Note").focus();
    harness.run_steps(1);
    harness.get_by_label("Note").type_text("the bridge");
    harness.run_steps(1);
    harness.key_press(Key::Enter);
    harness.run_steps(2);
    for mode in [Mode::Hidden, Mode::Hud, Mode::Watch] {
        harness.state_mut().overlay.set_mode(mode);
        harness.state_mut().overlay.act(Action::MarkMoment);
        harness.run_steps(2);
    }
    harness.state_mut().overlay.mark_moment("by a pad");
    harness.state_mut().overlay.mark_moment("");
    harness.run_steps(2);
    let expected = [
        "moment 1",
        "moment 1: the bridge",
        "moment 2",
        "moment 3",
        "moment 4",
        "moment 5: by a pad",
        "moment 6",
    ];
    assert_eq!(program.0.lock().unwrap().marks, expected);
    let recorder = &harness.state().recorder;
    let names: Vec<&str> = recorder
        .marks()
        .iter()
        .map(|mark| mark.name.as_str())
        .collect();
    assert_eq!(names, expected);
    assert!(recorder.marks().iter().all(|mark| mark.is_point));
}
