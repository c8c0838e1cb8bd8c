//! The frame budget that a program sets for all readers. Alone in its process, since it belongs to
//! the whole program.
#![cfg(feature = "enabled")]

use egui::{Context, RawInput};
use stats_overlay::StatsOverlay;

#[test]
fn a_budget_of_the_frame_becomes_a_setting_that_the_user_can_change() {
    let ctx = Context::default();
    let mut overlay = StatsOverlay::new();
    let mut shown = |change: fn(&mut StatsOverlay)| {
        change(&mut overlay);
        // Nobody draws.
        ctx.run_ui(RawInput::default(), |ui| overlay.show(ui.ctx()))
            .textures_delta
            .clear();
        overlay.settings().frame_budget_ms
    };
    let usual = Some(1000.0 / 60.0);
    assert_eq!(shown(|_| {}), usual);
    stats_core::set_budgets(|path, _| Ok((path == "frame").then_some(8.5)));
    assert_eq!(shown(|_| {}), Some(8.5));
    let by_hand = |overlay: &mut StatsOverlay| {
        let mut settings = overlay.settings().clone();
        settings.frame_budget_ms = Some(20.0);
        overlay.set_settings(&settings);
    };
    assert_eq!(shown(by_hand), Some(20.0));
    assert_eq!(shown(|_| {}), Some(20.0));
    stats_core::set_budgets(|path, _| Ok((path == "frame").then_some(1e9)));
    assert_eq!(
        shown(|_| {}),
        Some(10_000.0),
        "the longest that a setting may be"
    );
    stats_core::set_budgets(|_, _| Ok(None));
    assert_eq!(shown(|_| {}), Some(10_000.0), "nothing is set in its place");
}
