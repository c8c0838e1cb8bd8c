//! Counts the allocations of a thread, to verify what the overlay allocates.

use egui::{Context, RawInput, Rect, Vec2};
use stats_testing::allocations;

use crate::host::Host;

#[global_allocator]
static ALLOCATOR: stats_testing::Counting = stats_testing::Counting;

/// Returns the fewest allocations of the overlay in a frame, after it has settled. Each of the 400
/// frames of 16 ms begins with `end_frame`.
pub(crate) fn fewest_in_a_frame(
    host: &mut Host,
    size: Vec2,
    mut end_frame: impl FnMut(&mut Host),
) -> u64 {
    let ctx = Context::default();
    let mut fewest = u64::MAX;
    for step in 0..400 {
        end_frame(host);
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Default::default(), size)),
            time: Some(f64::from(step) * 0.016),
            ..RawInput::default()
        };
        let (overlay, recorder) = (&mut host.overlay, &mut host.recorder);
        let mut output = ctx.run_ui(input, |ui| {
            let count = allocations(|| overlay.show_with(ui.ctx(), recorder));
            fewest = if step < 100 {
                fewest
            } else {
                fewest.min(count)
            };
        });
        output.textures_delta.clear();
    }
    fewest
}
