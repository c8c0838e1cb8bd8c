//! The game's own HUD: score, hull, level, active faults and a line of keys. The overlay has a HUD
//! of its own, which is not drawn here.
use egui::{Align2, Color32, CornerRadius, FontId, Pos2, Rect, Stroke, Vec2};

use crate::sim::Sim;
use crate::sim::faults::Fault;

const TEXT: Color32 = Color32::from_rgb(214, 232, 240);
const FAINT: Color32 = Color32::from_rgb(130, 152, 165);
const CYAN: Color32 = Color32::from_rgb(84, 214, 226);
const AMBER: Color32 = Color32::from_rgb(255, 176, 72);
const RED: Color32 = Color32::from_rgb(255, 92, 84);
const KEYS: &str = "WASD move   mouse aim + fire   Space nova   Tab level   P autopilot   0-9 faults   F3 statistics   Q newest hitch   M mark a moment";
/// The keys of a narrow window.
const OVERLAY_KEYS: &str = "F3 statistics   Q newest hitch   M mark a moment";
const KEYS_SIZE: f32 = 11.5;
/// What the panels at the left and at the right take of the width.
const PANELS: f32 = 400.0;
/// The question before the game ends.
const QUIT: &str = "QUIT?   Esc once more quits, any other key plays on";

/// Paints the HUD at the lower edge of the screen, and the question whether to quit if it is asked.
/// It takes no input. `is_covered`: panes lie over its right side.
pub(crate) fn paint(ctx: &egui::Context, sim: &Sim, asks_to_quit: bool, is_covered: bool) {
    let _memory = stats_memory::scope!("hud");
    let layer = egui::LayerId::new(egui::Order::Background, egui::Id::unique("game-hud"));
    let painter = ctx.layer_painter(layer);
    let screen = ctx.content_rect();
    let corner = screen.left_bottom() + Vec2::new(22.0, -22.0);
    ship_panel(&painter, corner, sim);
    // Their text would shine through the panes.
    if !is_covered {
        level_panel(
            &painter,
            screen.right_bottom() + Vec2::new(-22.0, -22.0),
            sim,
        );
        keys(&painter, screen);
    }
    active_faults(
        &painter,
        screen.center_bottom() + Vec2::new(0.0, -44.0),
        sim,
    );
    if asks_to_quit {
        let place = screen.center() - Vec2::new(0.0, 60.0);
        shadowed(&painter, place, Align2::CENTER_CENTER, QUIT, 18.0, AMBER);
    }
    if !sim.player.is_alive() {
        shadowed(
            &painter,
            screen.center(),
            Align2::CENTER_CENTER,
            "SHIP LOST",
            34.0,
            RED,
        );
    }
}

/// Paints a key as a large cap, for a film.
pub(crate) fn paint_key(ctx: &egui::Context, key: &str) {
    let layer = egui::LayerId::new(egui::Order::Foreground, egui::Id::unique("film-key"));
    let painter = ctx.layer_painter(layer);
    let center = ctx.content_rect().center() + Vec2::new(0.0, 90.0);
    let cap = Rect::from_center_size(center, Vec2::splat(104.0));
    let edge = Stroke::new(3.0, CYAN);
    let ground = Color32::from_black_alpha(225);
    painter.rect(
        cap,
        CornerRadius::same(18),
        ground,
        edge,
        egui::StrokeKind::Inside,
    );
    let font = FontId::proportional(60.0);
    painter.text(center, Align2::CENTER_CENTER, key, font, TEXT);
}

fn ship_panel(painter: &egui::Painter, corner: Pos2, sim: &Sim) {
    let nova = sim.player.nova_charge();
    bar(
        painter,
        corner + Vec2::new(0.0, -8.0),
        sim.player.hull / 100.0,
        if sim.player.hull < 35.0 { RED } else { CYAN },
        "HULL",
    );
    bar(
        painter,
        corner + Vec2::new(0.0, -26.0),
        nova,
        if nova >= 1.0 { AMBER } else { FAINT },
        "NOVA",
    );
    let score = grouped(sim.score);
    shadowed(
        painter,
        corner + Vec2::new(0.0, -40.0),
        Align2::LEFT_BOTTOM,
        &score,
        30.0,
        TEXT,
    );
    shadowed(
        painter,
        corner + Vec2::new(1.0, -74.0),
        Align2::LEFT_BOTTOM,
        "SCORE",
        10.5,
        FAINT,
    );
}

fn level_panel(painter: &egui::Painter, corner: Pos2, sim: &Sim) {
    let level = &sim.stage.level;
    let region = level.regions[level.region_at(sim.stage.bodies.ship().at)]
        .name
        .to_uppercase();
    shadowed(
        painter,
        corner,
        Align2::RIGHT_BOTTOM,
        level.name,
        22.0,
        TEXT,
    );
    let mode = if sim.autopilot { "AUTOPILOT" } else { "MANUAL" };
    shadowed(
        painter,
        corner + Vec2::new(0.0, -28.0),
        Align2::RIGHT_BOTTOM,
        &format!("{region}   {mode}"),
        10.5,
        FAINT,
    );
}

/// Paints the keys that there is room for.
fn keys(painter: &egui::Painter, screen: Rect) {
    let width = |text: &str| {
        let font = FontId::proportional(KEYS_SIZE);
        let galley = painter.layout_no_wrap(text.to_owned(), font, FAINT);
        galley.size().x
    };
    let is_narrow_enough = |text: &&str| width(text) <= screen.width() - PANELS;
    if let Some(text) = [KEYS, OVERLAY_KEYS].into_iter().find(is_narrow_enough) {
        let at = screen.center_bottom() + Vec2::new(0.0, -16.0);
        shadowed(painter, at, Align2::CENTER_BOTTOM, text, KEYS_SIZE, FAINT);
    }
}

fn active_faults(painter: &egui::Painter, at: Pos2, sim: &Sim) {
    let on: Vec<&str> = Fault::ALL
        .into_iter()
        .filter(|&fault| sim.faults.is_on(fault))
        .map(Fault::name)
        .collect();
    if !on.is_empty() {
        shadowed(
            painter,
            at,
            Align2::CENTER_BOTTOM,
            &format!("PLANTED: {}", on.join(", ")),
            12.5,
            AMBER,
        );
    }
}

fn bar(painter: &egui::Painter, left: Pos2, share: f32, color: Color32, name: &str) {
    let (width, height) = (150.0, 7.0);
    let whole = Rect::from_min_size(
        left + Vec2::new(40.0, -height / 2.0),
        Vec2::new(width, height),
    );
    painter.rect(
        whole,
        CornerRadius::same(2),
        Color32::from_black_alpha(150),
        Stroke::new(1.0, Color32::from_white_alpha(28)),
        egui::StrokeKind::Outside,
    );
    let full = Rect::from_min_size(whole.min, Vec2::new(width * share.clamp(0.0, 1.0), height));
    painter.rect_filled(full, CornerRadius::same(2), color);
    shadowed(painter, left, Align2::LEFT_CENTER, name, 10.5, FAINT);
}

/// Paints text with a shadow, so that it is readable on any background.
fn shadowed(
    painter: &egui::Painter,
    at: Pos2,
    align: Align2,
    text: &str,
    size: f32,
    color: Color32,
) {
    let font = FontId::proportional(size);
    painter.text(
        at + Vec2::splat(1.0),
        align,
        text,
        font.clone(),
        Color32::from_black_alpha(210),
    );
    painter.text(at, align, text, font, color);
}

/// Formats a number with spaces between the thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{alone, small};

    /// Returns the texts of a HUD over a screen of this width.
    fn texts(sim: &Sim, width: f32, is_covered: bool) -> Vec<String> {
        let ctx = egui::Context::default();
        let input = egui::RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, Vec2::new(width, 600.0))),
            ..Default::default()
        };
        let mut output = ctx.run_pass(input, |ctx| paint(ctx, sim, false, is_covered));
        output.textures_delta.clear();
        let text = |shape: egui::epaint::ClippedShape| match shape.shape {
            egui::Shape::Text(text) => Some(text.galley.text().to_owned()),
            _ => None,
        };
        output.shapes.into_iter().filter_map(text).collect()
    }

    #[test]
    fn the_keys_that_fit_are_shown_and_none_under_the_panes_of_the_overlay() {
        let _alone = alone();
        let sim = small(1, 0);
        let has = |texts: &[String], text: &str| texts.iter().any(|one| one == text);
        for (width, keys) in [
            (1280.0, Some(KEYS)),
            (800.0, Some(OVERLAY_KEYS)),
            (320.0, None),
        ] {
            let open = texts(&sim, width, false);
            for text in [KEYS, OVERLAY_KEYS] {
                assert_eq!(has(&open, text), keys == Some(text), "{width}: {open:?}");
            }
            assert!(has(&open, sim.stage.level.name));
            let covered = texts(&sim, width, true);
            let is_left = |text: &str| ["SCORE", "HULL", "NOVA", "0"].contains(&text);
            assert!(covered.iter().all(|text| is_left(text)), "{covered:?}");
        }
    }

    #[test]
    fn thousands_are_separated() {
        assert_eq!(super::grouped(0), "0");
        assert_eq!(super::grouped(999), "999");
        assert_eq!(super::grouped(1_234_567), "1 234 567");
    }
}
