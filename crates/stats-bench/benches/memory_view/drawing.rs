//! The time that the panel takes after a snapshot is read: the first rows, a comparison, and a
//! frame.

use egui::epaint::ClippedShape;
use egui::{Context, Event, Key, Modifiers, Pos2, RawInput, Rect, Shape, pos2, vec2};
use stats_memory_panel::{MemoryPanel, MemorySnapshot};

/// A program that draws a panel without a window.
pub(crate) struct Program {
    ctx: Context,
    panel: MemoryPanel,
}

impl Program {
    pub(crate) fn new(snapshots: &[&MemorySnapshot]) -> Self {
        let mut panel = MemoryPanel::new();
        for &snapshot in snapshots {
            // A clone shares its contents.
            panel.add("bench", snapshot.clone());
        }
        panel.compare_newest();
        Self {
            ctx: Context::default(),
            panel,
        }
    }

    /// Draws frames until there are rows, which a thread of the panel builds.
    pub(crate) fn settle(mut self) -> Self {
        while !self.has_rows() {
            std::thread::yield_now();
        }
        self
    }

    /// Draws two frames that move the cursor to the last row and back to the first.
    pub(crate) fn walk(&mut self) {
        for key in [Key::End, Key::Home] {
            std::hint::black_box(self.frame(&[key]));
        }
    }

    /// Draws a frame. Returns whether it has rows.
    fn has_rows(&mut self) -> bool {
        let shapes = self.frame(&[]);
        shapes.iter().any(|clipped| is_row(&clipped.shape))
    }

    fn frame(&mut self, keys: &[Key]) -> Vec<ClippedShape> {
        let size = vec2(1000.0, 700.0);
        let pressed = keys.iter().map(|&key| Event::Key {
            key,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: Modifiers::NONE,
        });
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, size)),
            // Over the rows, so that the panel gets the keys.
            events: [Event::PointerMoved(pos2(500.0, 400.0))]
                .into_iter()
                .chain(pressed)
                .collect(),
            ..RawInput::default()
        };
        let mut output = self.ctx.run_ui(input, |ui| self.panel.ui(ui));
        output.textures_delta.clear();
        std::mem::take(&mut output.shapes)
    }
}

/// Returns whether a shape is the kind of a top-level row: all dumps of this bench have threads.
fn is_row(shape: &Shape) -> bool {
    match shape {
        Shape::Text(text) => text.galley.text() == "thread",
        Shape::Vec(shapes) => shapes.iter().any(is_row),
        _ => false,
    }
}
