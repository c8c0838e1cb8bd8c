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
/// The question before the game ends.
const QUIT: &str = "QUIT?   Esc once more quits, any other key plays on";

/// Paints the HUD at the lower edge of the screen, and the question whether to quit if it is asked.
/// It takes no input.
pub(crate) fn paint(ctx: &egui::Context, sim: &Sim, asks_to_quit: bool) {
    let _memory = stats_memory::scope!("hud");
    let layer = egui::LayerId::new(egui::Order::Background, egui::Id::unique("game-hud"));
    let painter = ctx.layer_painter(layer);
    let screen = ctx.content_rect();
    let corner = screen.left_bottom() + Vec2::new(22.0, -22.0);
    ship_panel(&painter, corner, sim);
    level_panel(
        &painter,
        screen.right_bottom() + Vec2::new(-22.0, -22.0),
        sim,
    );
    let narrow = screen.width() < 1_100.0;
    if !narrow {
        shadowed(
            &painter,
            screen.center_bottom() + Vec2::new(0.0, -16.0),
            Align2::CENTER_BOTTOM,
            KEYS,
            11.5,
            FAINT,
        );
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
    #[test]
    fn thousands_are_separated() {
        assert_eq!(super::grouped(0), "0");
        assert_eq!(super::grouped(999), "999");
        assert_eq!(super::grouped(1_234_567), "1 234 567");
    }
}
