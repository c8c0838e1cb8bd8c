//! Telling frames apart: one egui frame may draw the overlay several times, in several passes and
//! viewports.

use egui::{Context, ViewportId};

/// Counts each frame of an egui context once.
///
/// - A pass that egui repeats within a frame (`request_discard`) is the same frame.
/// - Between `begin_pass` and `end_pass` by hand every pass is a frame: egui's own count of frames
///   stands still there.
/// - Of several viewports one gives the beat: the root, or the first that shows the overlay, for as
///   long as it lives and goes on showing it. A viewport that drew a whole frame without the
///   overlay is relieved by the next one that shows it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FrameClock {
    seen: Option<Seen>,
}

#[derive(Clone, Copy, Debug)]
struct Seen {
    viewport: ViewportId,
    frame: u64,
    pass: u64,
}

impl FrameClock {
    /// Whether this is the first call in a new frame.
    pub(crate) fn is_new_frame(&mut self, ctx: &Context) -> bool {
        let viewport = ctx.viewport_id();
        let now = Seen {
            viewport,
            frame: ctx.cumulative_frame_nr(),
            pass: ctx.cumulative_pass_nr(),
        };
        let is_new = match self.seen {
            None => true,
            Some(seen) if seen.viewport == viewport => {
                let repeated = ctx.current_pass_index() > 0;
                now.frame != seen.frame || (now.pass != seen.pass && !repeated)
            }
            Some(seen) => takes_over(ctx, viewport, seen),
        };
        if is_new {
            self.seen = Some(now);
        }
        is_new
    }
}

/// Whether `viewport` gives the beat from now on instead of the one that gave it so far.
fn takes_over(ctx: &Context, viewport: ViewportId, beat: Seen) -> bool {
    viewport == ViewportId::ROOT
        || !ctx.input(|input| input.raw.viewports.contains_key(&beat.viewport))
        || passed_over(ctx, beat)
}

/// Whether the viewport of `beat` drew a whole frame since then without showing the overlay, or was
/// made anew.
fn passed_over(ctx: &Context, beat: Seen) -> bool {
    let passes = ctx.cumulative_pass_nr_for(beat.viewport);
    if passes <= beat.pass {
        // It is still in that pass, or egui forgot it and counts from zero.
        return passes < beat.pass;
    }
    // It has passes, so egui knows it: of an unknown one the frames must not be asked for.
    let frames = ctx.cumulative_frame_nr_for(beat.viewport);
    if frames != beat.frame {
        return frames > beat.frame + 1;
    }
    // Either a pass that is repeated, of which a frame has only so many, or passes by hand.
    passes > beat.pass + ctx.options(|options| options.max_passes.get()) as u64
}
