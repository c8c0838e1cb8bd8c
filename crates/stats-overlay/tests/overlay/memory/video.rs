//! The memory view of the graphics device, beside that of the program.

use std::time::{Duration, Instant};

use egui::{Key, Modifiers, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use stats_overlay::{Action, Mode};

use super::dumps::{Program, lines};
use super::memory::{compare_with_now, figures, names, settle, totals};
use super::take::wait_for;
use crate::host::{Host, click, harness, press, value_of};

/// Returns the dump of a device.
fn device(more: u64) -> String {
    lines(
        1,
        "",
        "labeled",
        (8 << 20) + more,
        "textures|terrain",
        "albedo",
    ) + &lines(3, "", "labeled", 1 << 20, "textures", "sky")
        + &lines(2, "", "unlabeled", 1 << 20, "", "buffer")
}

/// Returns a host with the memory of a program and of a device, and the sources of both.
fn hidden(scope: &'static str) -> (Harness<'static, Host>, Program, Program) {
    let main = Program::new(&lines(2, "main", "g", 64, "s", "n"));
    let video = Program::new(&device(0));
    let mut host = Host::new(scope);
    main.give_to(&mut host.overlay);
    video.give_video_to(&mut host.overlay);
    host.overlay.set_mode(Mode::Hidden);
    let mut harness = harness(vec2(1280.0, 800.0), host);
    harness.run_steps(2);
    (harness, main, video)
}

/// Presses Shift and a key.
fn press_shift(harness: &mut Harness<'_, Host>, key: Key) {
    harness.key_press_modifiers(Modifiers::SHIFT, key);
    harness.run_steps(2);
}

/// Returns whether a button of the bar is highlighted.
fn is_shown(harness: &Harness<'_, Host>, button: &str) -> bool {
    let node = harness.get_by_label(button).accesskit_node();
    node.toggled() == Some(egui::accesskit::Toggled::True)
}

#[test]
fn three_keys_lead_from_the_hidden_overlay_to_the_largest_texture_and_to_what_grew() {
    let (mut harness, main, video) = hidden("video-keys");
    let mut settings = harness.state().overlay.settings().clone();
    (settings.cycle_hud, settings.cycle_watch) = (false, false);
    harness.state_mut().overlay.set_settings(&settings);
    press(&mut harness, Key::F3);
    press_shift(&mut harness, Key::G);
    settle(&mut harness);
    assert_eq!((main.taken(), video.taken()), (0, 1));
    assert_eq!(totals(&harness), "13.0 MiB in 6 allocations");
    let largest = [
        "group labeled",
        "scope textures",
        "scope terrain",
        "name albedo",
        "name sky",
        "group unlabeled",
    ];
    assert_eq!(names(&harness), largest);
    video.set(&device(1 << 20));
    press(&mut harness, Key::C);
    settle(&mut harness);
    assert_eq!(names(&harness)[3], "name albedo");
    let grown = figures(&harness, "name albedo");
    assert!(grown.contains("+1.00 MiB"), "{grown}");
}

#[test]
fn each_kind_has_a_key_a_button_and_snapshots_of_its_own() {
    let (mut harness, main, video) = hidden("video-switch");
    harness.state_mut().overlay.set_mode(Mode::Full);
    harness.run_steps(2);
    press(&mut harness, Key::B);
    settle(&mut harness);
    assert_eq!(totals(&harness), "128 B in 2 allocations");
    assert!(is_shown(&harness, "Main") && !is_shown(&harness, "Video"));
    click(&mut harness, "Video");
    settle(&mut harness);
    assert_eq!(totals(&harness), "13.0 MiB in 6 allocations");
    assert!(is_shown(&harness, "Video") && !is_shown(&harness, "Main"));
    compare_with_now(&mut harness);
    press(&mut harness, Key::B);
    settle(&mut harness);
    assert_eq!(totals(&harness), "128 B in 2 allocations", "not compared");
    assert_eq!((main.taken(), video.taken()), (1, 2));
    press(&mut harness, Key::B);
    assert!(names(&harness).is_empty(), "B leaves its own kind");
    press_shift(&mut harness, Key::G);
    settle(&mut harness);
    assert!(totals(&harness).starts_with("13.0 MiB in 6 allocations; 0 B, 0 since 1"));
    press_shift(&mut harness, Key::G);
    assert!(names(&harness).is_empty());
}

#[test]
fn a_dump_of_the_device_is_saved_under_its_own_name() {
    let (mut harness, ..) = hidden("video-save");
    let folder = stats_testing::Folder::new("video-save");
    harness.state_mut().overlay.set_export_folder(&folder.0);
    harness.state_mut().overlay.set_mode(Mode::Full);
    harness.run_steps(2);
    press_shift(&mut harness, Key::G);
    settle(&mut harness);
    press_shift(&mut harness, Key::B);
    wait_for(&mut harness, "Notice");
    let file = folder.0.join("video-memory-1.csv");
    assert_eq!(std::fs::read_to_string(file).unwrap(), device(0));
}

#[test]
fn without_the_report_of_a_device_the_message_names_the_cure() {
    let mut host = Host::full("video-none");
    Program::new("").give_to(&mut host.overlay);
    let mut harness = harness(vec2(1280.0, 800.0), host);
    harness.run_steps(2);
    press(&mut harness, Key::B);
    settle(&mut harness);
    assert!(harness.query_by_label("Video").is_none(), "no switch");
    press_shift(&mut harness, Key::G);
    let page = value_of(&harness, "Nothing to show");
    assert!(page.contains("set_video_memory_dump"), "{page}");
    press(&mut harness, Key::Escape);
    harness.state_mut().overlay.act(Action::TakeMemorySnapshot);
    harness.run_steps(2);
    assert!(value_of(&harness, "Notice").contains("set_video_memory_dump"));
}

#[test]
fn a_program_with_only_a_device_shows_it_with_every_key() {
    for key in [Key::B, Key::G, Key::C] {
        let mut host = Host::full("video-alone");
        Program::new(&device(0)).give_video_to(&mut host.overlay);
        let mut harness = harness(vec2(1280.0, 800.0), host);
        harness.run_steps(2);
        press(&mut harness, key);
        settle(&mut harness);
        assert_eq!(totals(&harness), "13.0 MiB in 6 allocations", "{key:?}");
        press(&mut harness, Key::B);
        assert!(names(&harness).is_empty());
    }
}

#[test]
fn a_program_with_only_a_device_saves_its_dump() {
    let folder = stats_testing::Folder::new("video-alone");
    let mut host = Host::full("video-alone-save");
    Program::new(&device(0)).give_video_to(&mut host.overlay);
    host.overlay.set_export_folder(&folder.0);
    let mut harness = harness(vec2(1280.0, 800.0), host);
    harness.run_steps(2);
    press_shift(&mut harness, Key::B);
    let end = Instant::now() + Duration::from_secs(100);
    while harness.query_by_label("Notice").is_none() && Instant::now() < end {
        std::thread::yield_now();
        harness.run_steps(1);
    }
    let file = folder.0.join("video-memory-1.csv");
    assert_eq!(std::fs::read_to_string(file).unwrap(), device(0));
}

#[test]
fn snapshots_at_marks_are_one_choice_for_both_kinds_of_memory() {
    let (mut harness, ..) = hidden("video-marks");
    let overlay = &mut harness.state_mut().overlay;
    overlay.set_memory_snapshots_at_marks(true);
    overlay.set_mode(Mode::Full);
    harness.run_steps(2);
    press(&mut harness, Key::B);
    settle(&mut harness);
    assert!(is_shown(&harness, "At marks"));
    click(&mut harness, "At marks");
    press_shift(&mut harness, Key::G);
    settle(&mut harness);
    assert!(!is_shown(&harness, "At marks"));
    click(&mut harness, "At marks");
    press(&mut harness, Key::B);
    assert!(is_shown(&harness, "At marks"));
}

#[test]
fn an_empty_report_does_not_point_to_the_allocator() {
    let mut host = Host::full("video-empty");
    Program::new("").give_video_to(&mut host.overlay);
    let mut harness = harness(vec2(1280.0, 800.0), host);
    harness.run_steps(2);
    press_shift(&mut harness, Key::G);
    settle(&mut harness);
    for _ in 0..2 {
        let page = value_of(&harness, "Nothing to show");
        assert!(page.contains("nothing is allocated"), "{page}");
        compare_with_now(&mut harness);
    }
}

#[test]
fn the_memory_of_the_process_is_above_both_trees() {
    const RESIDENT: &str = "process/memory-resident";
    let main = Program::new(&lines(2, "main", "g", 64, "s", "n"));
    let mut host = Host::full(RESIDENT);
    main.give_to(&mut host.overlay);
    main.give_video_to(&mut host.overlay);
    let mut harness = harness(vec2(1280.0, 800.0), host);
    harness.run_steps(2);
    press(&mut harness, Key::B);
    settle(&mut harness);
    // The overlay may sample the process meanwhile.
    let resident = stats_core::gauge(RESIDENT).unit(stats_core::Unit::Bytes);
    resident.set(100_u64 << 20);
    for tree in ["main", "video"] {
        // A second of the host's time, in which the line is read again.
        harness.run_steps(60);
        let line = value_of(&harness, "Process and system");
        assert!(line.starts_with("Process: "), "{tree}: {line}");
        assert!(line.ends_with("iB in RAM"), "{tree}: {line}");
        press_shift(&mut harness, Key::G);
        settle(&mut harness);
    }
}
