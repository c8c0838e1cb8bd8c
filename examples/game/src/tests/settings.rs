//! The overlay's settings file: restored in the next run, and never lost.
use std::path::PathBuf;

use crate::overlay::Overlay;

/// Returns the path of a temporary folder for one test, which does not exist yet.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("hollow-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

#[test]
fn changes_are_restored_in_the_next_run() {
    let folder = folder("settings");
    let file = folder.join("new").join("overlay.json");
    let mut first = Overlay::new(Some(file.clone()));
    first.finish();
    assert!(!file.exists(), "without a change nothing is written");
    first.pin("sim/fight");
    first.show_preset("AI");
    first.finish();
    let restored = stats_overlay::SavedState::load(&file)
        .expect("the file is valid")
        .expect("the file exists");
    assert_eq!(
        restored.pinned.last().map(String::as_str),
        Some("sim/fight")
    );
    let second = Overlay::new(Some(file));
    assert_eq!(second.saved(), first.saved());
    assert_ne!(second.saved(), Overlay::new(None).saved());
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn a_damaged_file_is_kept_under_another_name_when_settings_are_saved() {
    let folder = folder("damaged");
    let file = folder.join("overlay.json");
    std::fs::create_dir_all(&folder).expect("the temporary folder can be created");
    std::fs::write(&file, "{ \"version\": 1, \"pinned\": ").expect("the file can be written");
    let mut overlay = Overlay::new(Some(file.clone()));
    assert_eq!(
        overlay.saved(),
        Overlay::new(None).saved(),
        "the defaults are used"
    );
    overlay.pin("sim/fight");
    overlay.finish();
    let beside = std::fs::read_to_string(folder.join("overlay.damaged.json"))
        .expect("the damaged file was kept");
    assert!(beside.ends_with("\"pinned\": "), "{beside}");
    assert_eq!(Overlay::new(Some(file)).saved(), overlay.saved());
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn a_budget_that_a_slow_machine_needs_is_not_saved_and_one_of_the_player_is() {
    let folder = folder("paced");
    let file = folder.join("overlay.json");
    let own = Overlay::new(None).settings().clone();
    let mut overlay = Overlay::new(Some(file.clone()));
    overlay.pace_to(vec![200.0; 9]);
    let raised = overlay.settings().clone();
    assert_eq!(raised.frame_budget_ms, Some(300.0));
    assert!(raised.overlay_budget_ms > own.overlay_budget_ms);
    overlay.pin("sim/fight");
    overlay.finish();
    assert_eq!(Overlay::new(Some(file.clone())).settings(), &own);
    overlay.pace_to(vec![1.0; 9]);
    assert_eq!(overlay.settings(), &own, "the machine is fast again");
    overlay.pace_to(vec![200.0; 9]);
    overlay.set_frame_budget(100.0);
    overlay.finish();
    let saved = Overlay::new(Some(file)).settings().clone();
    assert_eq!(saved.frame_budget_ms, Some(100.0));
    assert_eq!(saved.overlay_budget_ms, own.overlay_budget_ms);
    overlay.pace_to(vec![1.0; 9]);
    assert_eq!(
        overlay.settings().frame_budget_ms,
        Some(100.0),
        "the player's own is no less"
    );
    let own = overlay.settings().clone();
    overlay.pace_to(vec![200.0; 9]);
    overlay.set_frame_budget(None);
    overlay.pace_to(vec![200.0; 9]);
    assert_eq!(overlay.settings().frame_budget_ms, None);
    assert_eq!(
        overlay.settings().overlay_budget_ms,
        own.overlay_budget_ms,
        "without a frame budget, the overlay has its own"
    );
    let _ = std::fs::remove_dir_all(folder);
}
