//! Taking snapshots and saving dumps: no frame waits, and failures are reported.

use std::io;
use std::path::PathBuf;
use std::sync::mpsc;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use egui::{Key, Modifiers, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use stats_core::MarkEvent;
use stats_overlay::{Action, Mode, StatsOverlay};
use stats_testing::allocations;

use super::dumps::{Program, game, later, lines};
use super::memory::{names, opened, settle, totals};
use crate::host::{Host, click, harness, press, value_of};

fn opened_with(
    scope: &'static str,
    give: impl FnOnce(&mut StatsOverlay),
) -> Harness<'static, Host> {
    let mut host = Host::full(scope);
    give(&mut host.overlay);
    let mut harness = harness(vec2(1280.0, 800.0), host);
    harness.run_steps(2);
    press(&mut harness, Key::B);
    harness
}

/// Steps until something has this label.
pub(crate) fn wait_for(harness: &mut Harness<'_, Host>, label: &str) {
    let end = Instant::now() + Duration::from_secs(60);
    while harness.query_by_label(label).is_none() {
        assert!(Instant::now() < end, "{label} never appears");
        std::thread::sleep(Duration::from_millis(2));
        harness.run_steps(1);
    }
}

/// Runs tests with panicking threads one at a time: the process has one panic hook.
fn quiet() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[test]
fn without_a_dump_function_a_message_names_the_cure() {
    let mut harness = opened_with("memory-none", |_| {});
    assert!(value_of(&harness, "Nothing to show").contains("set_memory_dump"));
    assert!(harness.query_by_label("Take snapshot").is_none());
    press(&mut harness, Key::Escape);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::B);
    harness.run_steps(2);
    assert!(value_of(&harness, "Notice").contains("set_memory_dump"));
    for key in [Key::G, Key::C] {
        harness.run_steps(400);
        assert!(harness.query_by_label("Notice").is_none());
        press(&mut harness, key);
        assert!(value_of(&harness, "Notice").contains("set_memory_dump"));
        assert!(
            harness.query_by_label("Nothing to show").is_none(),
            "the view is not opened"
        );
    }
    let buttons = harness.query_all_by_label("Memory").count();
    assert_eq!(buttons, 0, "no button without a function and snapshots");
    click(&mut harness, "Menu");
    assert!(
        harness.query_by_label_contains("Memory").is_some(),
        "the menu still has an entry"
    );
}

#[test]
fn keys_take_and_compare_snapshots_from_anywhere() {
    let (mut harness, program) = opened("memory-take-keys", &lines(2, "main", "g", 64, "s", "n"));
    program.set(&lines(5, "main", "g", 64, "s", "n"));
    press(&mut harness, Key::G);
    settle(&mut harness);
    assert_eq!(
        (totals(&harness).as_str(), program.taken()),
        ("320 B in 5 allocations", 2)
    );
    // From the help, which closes, and from the panes.
    press(&mut harness, Key::H);
    program.set(&lines(7, "main", "g", 64, "s", "n"));
    press(&mut harness, Key::C);
    settle(&mut harness);
    assert!(
        totals(&harness).contains("; +128 B, +2 since 2:"),
        "{}",
        totals(&harness)
    );
    press(&mut harness, Key::B);
    assert!(names(&harness).is_empty());
    harness.state_mut().overlay.act(Action::TakeMemorySnapshot);
    harness.run_steps(2);
    settle(&mut harness);
    assert!(!names(&harness).is_empty());
    assert_eq!(program.taken(), 4);
    // Copying is another command.
    harness.event(egui::Event::Copy);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::C);
    harness.run_steps(3);
    assert_eq!(program.taken(), 4);
}

#[test]
fn a_snapshot_is_taken_on_request_even_while_the_overlay_is_hidden() {
    let mut host = Host::new("memory-take-hidden");
    let program = super::dumps::Program::new(&lines(2, "main", "g", 64, "s", "n"));
    program.give_to(&mut host.overlay);
    let mut harness = harness(vec2(1280.0, 800.0), host);
    let end = Instant::now() + Duration::from_secs(60);
    harness.state_mut().overlay.act(Action::TakeMemorySnapshot);
    harness.run_steps(1);
    while program.taken() == 0 {
        assert!(Instant::now() < end, "not taken");
        std::thread::sleep(Duration::from_millis(2));
    }
    assert_eq!(harness.state().overlay.mode(), stats_overlay::Mode::Hidden);
    harness
        .state_mut()
        .overlay
        .set_mode(stats_overlay::Mode::Full);
    harness.run_steps(2);
    settle(&mut harness);
    assert_eq!(
        (totals(&harness).as_str(), program.taken()),
        ("128 B in 2 allocations", 1)
    );
}

#[test]
fn no_frame_waits_for_a_slow_dump() {
    let (go, gate) = mpsc::channel::<()>();
    let gate = Mutex::new(gate);
    let mut harness = opened_with("memory-slow", |overlay| {
        overlay.set_memory_dump(move |out| {
            let waited = gate.lock().map(|gate| gate.recv());
            assert!(waited.is_ok());
            assert_eq!(std::thread::current().name(), Some("stats-overlay"));
            out.write_all(lines(2, "main", "g", 64, "s", "n").as_bytes())?;
            Ok(2)
        });
    });
    harness.run_steps(30);
    assert_eq!(value_of(&harness, "Nothing to show"), "Taking a snapshot …");
    assert!(
        harness
            .get_by_label("Take snapshot")
            .accesskit_node()
            .is_disabled(),
        "one at a time"
    );
    press(&mut harness, Key::B);
    press(&mut harness, Key::B);
    go.send(()).unwrap();
    settle(&mut harness);
    assert_eq!(totals(&harness), "128 B in 2 allocations");
    // The shown snapshot stays while another one is taken.
    click(&mut harness, "Compare with now");
    harness.run_steps(20);
    assert_eq!(totals(&harness), "Taking a snapshot …");
    assert_eq!(names(&harness)[0], "thread main");
    drop(go);
    settle(&mut harness);
}

#[test]
fn errors_and_panics_of_the_dump_function_are_shown_and_nothing_is_lost() {
    let _quiet = quiet();
    let (mut harness, _) = opened("memory-fails", &lines(2, "main", "g", 64, "s", "n"));
    harness
        .state_mut()
        .overlay
        .set_memory_dump(|_| Err(io::Error::other("out of paper")));
    click(&mut harness, "Take snapshot");
    wait_for(&mut harness, "Problem");
    assert!(value_of(&harness, "Problem").contains("out of paper"));
    assert_eq!(totals(&harness), "128 B in 2 allocations");
    harness
        .state_mut()
        .overlay
        .set_memory_dump(|_| panic!("what a mess"));
    click(&mut harness, "Compare with now");
    harness.run_steps(3);
    wait_for(&mut harness, "Problem");
    assert!(value_of(&harness, "Problem").contains("what a mess"));
    assert_eq!(totals(&harness), "128 B in 2 allocations");
    harness.state_mut().overlay.set_memory_dump(|out| {
        out.write_all(&lines(3, "main", "g", 64, "", "").into_bytes())
            .map(|()| 3)
    });
    click(&mut harness, "Take snapshot");
    settle(&mut harness);
    assert_eq!(totals(&harness), "192 B in 3 allocations");
    assert!(harness.query_by_label("Problem").is_none());
}

#[test]
fn a_first_snapshot_that_fails_is_not_tried_again_in_every_frame() {
    let program = super::dumps::Program::new("");
    let taken = std::sync::Arc::clone(&program.taken);
    let mut harness = opened_with("memory-fails-first", |overlay| {
        overlay.set_memory_dump(move |_| {
            taken.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            Err(io::Error::other("no"))
        });
    });
    wait_for(&mut harness, "Problem");
    harness.run_steps(30);
    assert_eq!(program.taken(), 1);
    assert!(harness.query_by_label("Take snapshot").is_some());
}

/// Returns the path of an empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!(
        "stats-overlay-memory-{name}-{}",
        std::process::id()
    ));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn files(folder: &PathBuf) -> Vec<String> {
    let Ok(found) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut names: Vec<String> = found
        .flatten()
        .map(|file| file.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn saving_a_dump_overwrites_no_file_and_reports_the_path() {
    let _quiet = quiet();
    let dump = game(0);
    let (mut harness, _) = opened("memory-save", &dump);
    let folder = folder("save");
    harness.state_mut().overlay.set_export_folder(&folder);
    click(&mut harness, "Save dump");
    wait_for(&mut harness, "Notice");
    let path = folder.canonicalize().unwrap().join("memory-1.csv");
    assert!(
        value_of(&harness, "Notice").ends_with(&path.display().to_string()),
        "{}",
        value_of(&harness, "Notice")
    );
    assert_eq!(std::fs::read_to_string(&path).unwrap(), dump);
    // From a key, with the view closed, and with a file in the way.
    std::fs::write(folder.join("memory-2.csv"), "mine").unwrap();
    press(&mut harness, Key::B);
    harness.run_steps(400);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::B);
    harness.run_steps(2);
    wait_for(&mut harness, "Notice");
    assert_eq!(
        files(&folder),
        ["memory-1.csv", "memory-2.csv", "memory-3.csv"]
    );
    assert_eq!(
        std::fs::read_to_string(folder.join("memory-2.csv")).unwrap(),
        "mine"
    );
    // An unfinished dump is removed.
    for panics in [false, true] {
        harness.state_mut().overlay.set_memory_dump(move |out| {
            out.write_all(&[b'x'; 200_000])?;
            assert!(!panics, "in the middle");
            Err(io::Error::other("no more paper"))
        });
        harness.run_steps(400);
        harness.state_mut().overlay.act(Action::SaveMemoryDump);
        harness.run_steps(2);
        wait_for(&mut harness, "Notice");
        let notice = value_of(&harness, "Notice");
        assert!(
            notice.contains(if panics {
                "in the middle"
            } else {
                "no more paper"
            }),
            "{notice}"
        );
        assert_eq!(files(&folder).len(), 3);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_hidden_overlay_allocates_nothing_while_the_view_is_open() {
    let (mut harness, _) = opened("memory-hidden", &game(0));
    harness
        .state_mut()
        .overlay
        .set_mode(stats_overlay::Mode::Hidden);
    harness.run_steps(3);
    let ctx = harness.ctx.clone();
    let Host {
        overlay, recorder, ..
    } = harness.state_mut();
    overlay.show_with(&ctx, recorder);
    let count = allocations(|| (0..10).for_each(|_| overlay.show_with(&ctx, recorder)));
    assert_eq!(count, 0);
}

#[test]
fn the_message_about_a_missing_dump_function_appears_once_per_screen() {
    let mut harness = opened_with("memory-none-once", |_| {});
    let page = value_of(&harness, "Nothing to show");
    assert!(
        page.starts_with("No memory dump is set.") && page.contains("#[global_allocator]"),
        "{page}"
    );
    for action in [
        Action::SaveMemoryDump,
        Action::TakeMemorySnapshot,
        Action::CompareMemory,
    ] {
        harness.state_mut().overlay.act(action);
        harness.run_steps(2);
        assert!(
            harness.query_by_label("Notice").is_none(),
            "{action:?}: the page has the message already"
        );
    }
}

#[test]
fn a_comparison_of_two_empty_dumps_points_to_the_allocator() {
    let (mut harness, _) = opened("memory-nothing", "");
    assert!(value_of(&harness, "Nothing to show").contains("#[global_allocator]"));
    click(&mut harness, "Compare with now");
    settle(&mut harness);
    let message = value_of(&harness, "Nothing to show");
    assert!(
        message.contains("both snapshots") && message.contains("#[global_allocator]"),
        "{message}"
    );
}

/// Marks spans in a frame of a harness's host.
fn mark(harness: &mut Harness<'_, Host>, names: &[&str], event: MarkEvent) {
    let host = harness.state_mut();
    names
        .iter()
        .for_each(|name| host.recorder.mark(name, event));
    let frame = host.recorder.frames().end;
    host.record(frame, |_| {});
    harness.run_steps(2);
}

/// Waits until a program was asked for this many dumps, and their snapshots are listed.
fn wait_for_dumps(harness: &mut Harness<'_, Host>, program: &Program, dumps: u64) {
    let end = Instant::now() + Duration::from_secs(100);
    while program.taken() < dumps {
        assert!(Instant::now() < end, "{} dumps", program.taken());
        harness.run_steps(1);
    }
    // The snapshot follows the dump on another thread.
    for _ in 0..20 {
        std::thread::sleep(Duration::from_millis(5));
        harness.run_steps(1);
    }
}

#[test]
fn memory_left_behind_by_a_level_is_one_click_after_two_snapshots_at_marks() {
    use MarkEvent::{Begin, End, Point};
    let (mut harness, program) = opened("memory-marks", &game(0));
    mark(&mut harness, &["loading"], Begin);
    mark(&mut harness, &["loading"], End);
    assert_eq!(program.taken(), 1, "nobody asked for snapshots at marks");
    click(&mut harness, "At marks");
    mark(&mut harness, &["loading"], Begin);
    wait_for_dumps(&mut harness, &program, 2);
    assert!(harness.query_by_label("Left behind").is_none());
    mark(&mut harness, &["loading"], End);
    wait_for_dumps(&mut harness, &program, 3);
    mark(&mut harness, &["saved"], Point);
    // Also while the overlay is hidden, and once for both marks of a frame.
    harness.state_mut().overlay.set_mode(Mode::Hidden);
    program.set(&later());
    mark(&mut harness, &["loading", "loading level 2"], Begin);
    wait_for_dumps(&mut harness, &program, 4);
    mark(&mut harness, &["loading"], End);
    wait_for_dumps(&mut harness, &program, 5);
    harness.state_mut().overlay.set_mode(Mode::Full);
    harness.run_steps(2);
    assert_eq!(program.taken(), 5);
    let shown = totals(&harness);
    assert!(
        !shown.contains("since"),
        "what was on screen stays: {shown}"
    );
    click(&mut harness, "Left behind");
    settle(&mut harness);
    let compared = totals(&harness);
    assert!(
        compared.contains(" since 3: ") && compared.ends_with("loading ends"),
        "{compared}"
    );
    assert!(
        names(&harness).contains(&"scope spawn enemies".to_owned()),
        "the path of the largest growth is open: {:?}",
        names(&harness)
    );
    click(&mut harness, "Snapshot");
    let listed = |harness: &Harness<'_, Host>, number: &str, name: &str| {
        let mut entries = harness.query_all_by_label_contains(name);
        entries.any(|node| {
            let label = node.accesskit_node().label().unwrap_or_default();
            label.starts_with(number)
        })
    };
    for (number, name) in [
        ("2: ", " loading begins - "),
        ("4: ", " loading level 2 begins - "),
        ("5: ", " loading ends - "),
    ] {
        assert!(listed(&harness, number, name), "{number}{name}");
    }
}
