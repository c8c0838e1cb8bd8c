//! Recognizes a new frame, even if a frame of egui draws the overlay several times, in several
//! passes and viewports.

use egui::{Context, ViewportId};

/// Counts each frame of an egui context once.
///
/// - A pass that egui repeats within a frame (`request_discard`) belongs to the same frame.
/// - If the host calls `begin_pass` and `end_pass` itself, every pass is a frame, since egui does
///   not count frames then.
/// - If there are several viewports, one of them sets the pace: the root viewport, or the first one
///   that shows the overlay. It sets the pace as long as it exists and shows the overlay. If it
///   draws a whole frame without the overlay, the next viewport that shows the overlay takes over.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FrameClock {
    seen: Option<Pass>,
}

#[derive(Clone, Copy, Debug)]
struct Pass {
    viewport: ViewportId,
    frame: u64,
    pass: u64,
}

impl FrameClock {
    /// Returns whether this is the first call in a new frame.
    pub(crate) fn is_new_frame(&mut self, ctx: &Context) -> bool {
        let viewport = ctx.viewport_id();
        let now = Pass {
            viewport,
            frame: ctx.cumulative_frame_nr_for(viewport),
            pass: ctx.cumulative_pass_nr_for(viewport),
        };
        let is_new = match self.seen {
            None => true,
            Some(seen) if seen.viewport == viewport => {
                let is_repeated = || ctx.current_pass_index() > 0;
                now.frame != seen.frame || (now.pass != seen.pass && !is_repeated())
            }
            Some(seen) => takes_over(ctx, viewport, seen),
        };
        if is_new {
            self.seen = Some(now);
        }
        is_new
    }
}

/// Returns whether `viewport` sets the pace from now on, instead of the viewport of the pass
/// `leader`.
fn takes_over(ctx: &Context, viewport: ViewportId, leader: Pass) -> bool {
    viewport == ViewportId::ROOT
        || !ctx.input(|input| input.raw.viewports.contains_key(&leader.viewport))
        || passed_over(ctx, leader)
}

/// Returns whether the viewport of `leader` has drawn a whole frame since then without showing the
/// overlay, or was recreated.
fn passed_over(ctx: &Context, leader: Pass) -> bool {
    let passes = ctx.cumulative_pass_nr_for(leader.viewport);
    if passes <= leader.pass {
        // The viewport is still in that pass, or it was recreated and egui counts from zero.
        return passes < leader.pass;
    }
    // The viewport has passes, so egui knows it. Asking for the frames of an unknown viewport is
    // not allowed.
    let frames = ctx.cumulative_frame_nr_for(leader.viewport);
    if frames != leader.frame {
        return frames > leader.frame + 1;
    }
    // These are either passes of one frame, whose number egui limits, or passes that the host
    // begins itself.
    passes > leader.pass + ctx.options(|options| options.max_passes.get()) as u64
}
