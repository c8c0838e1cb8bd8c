//! Detects whether texts that were laid out in an earlier pass can be painted again.
//!
//! Laying out a text costs about a microsecond and a few allocations, and painting it again costs
//! neither. A view therefore keeps its texts until their contents or the revision number change.
//!
//! egui does not report when it clears its glyphs or enlarges their texture. A probe string, laid
//! out in every pass, shows it.

use std::sync::Arc;

use egui::{Color32, Context, FontFamily, Galley, Id};

use crate::theme::number_font;

/// A text whose galley reveals whether the galleys of earlier passes are still valid.
#[derive(Clone, Default)]
struct Probe {
    pass: Option<u64>,
    galley: Option<Arc<Galley>>,
    /// The size of the glyph texture, in pixels.
    texture: [usize; 2],
    revision: u64,
}

impl Probe {
    fn id() -> Id {
        Id::NULL.with("stats text revision")
    }
}

/// Returns a number that changes when texts have to be laid out again: with the fonts, with the
/// number of pixels per point, and when egui clears its glyphs to make room for others. A galley
/// from before such a change shows the wrong glyphs. It also changes with the size of the glyph
/// texture, on which the triangles of a text depend.
///
/// egui does not report such changes, but it then drops all galleys of its own. So this function
/// lays out one text in every pass: as long as egui returns the galley of the previous pass, all
/// galleys are valid.
pub fn text_revision(ctx: &Context) -> u64 {
    let (id, pass) = (Probe::id(), ctx.cumulative_pass_nr());
    let mut probe: Probe = ctx.data(|data| data.get_temp(id)).unwrap_or_default();
    if probe.pass == Some(pass) {
        return probe.revision;
    }
    let (galley, texture) = ctx.fonts_mut(|fonts| {
        let text = "0".to_owned();
        let galley = fonts.layout_no_wrap(text, number_font(), Color32::PLACEHOLDER);
        (galley, fonts.font_image_size())
    });
    let is_kept = probe
        .galley
        .as_ref()
        .is_some_and(|kept| Arc::ptr_eq(kept, &galley) && probe.texture == texture);
    probe = Probe {
        pass: Some(pass),
        galley: Some(galley),
        texture,
        revision: probe.revision + u64::from(!is_kept),
    };
    let revision = probe.revision;
    ctx.data_mut(|data| data.insert_temp(id, probe));
    revision
}

/// Returns whether numbers can be laid out in this pass.
///
/// If the host binds no font to the monospace family, egui 0.36 would panic, and egui 0.37 would draw boxes
/// in place of the digits. In that case, binds the proportional fonts of the host to the family from the
/// next pass on, and requests that this pass is repeated.
#[must_use]
pub fn has_number_font(ctx: &Context) -> bool {
    let definitions = ctx.fonts(|fonts| {
        let families = &fonts.definitions().families;
        let numbers = families.get(&FontFamily::Monospace);
        let lacks_font = numbers.is_none_or(Vec::is_empty);
        lacks_font.then(|| fonts.definitions().clone())
    });
    let Some(mut definitions) = definitions else {
        return true;
    };
    let texts = definitions.families.get(&FontFamily::Proportional).cloned();
    let Some(texts) = texts.filter(|texts| !texts.is_empty()) else {
        // There is no font at all.
        return true;
    };
    definitions.families.insert(FontFamily::Monospace, texts);
    ctx.set_fonts(definitions);
    ctx.request_discard("numbers get a font");
    // A host that cannot repeat a pass draws another frame.
    ctx.request_repaint();
    false
}

/// Repeats the pass if the glyph texture has grown since [`text_revision`] was called in it,
/// because triangles of texts painted before it grew show the wrong glyphs. Call it at the end of a
/// pass. A host that cannot repeat a pass shows the wrong glyphs for one frame.
pub fn repeat_if_outdated(ctx: &Context) {
    let probe: Option<Probe> = ctx.data(|data| data.get_temp(Probe::id()));
    let texture = ctx.fonts(|fonts| fonts.font_image_size());
    let is_outdated =
        |probe: Probe| probe.pass == Some(ctx.cumulative_pass_nr()) && probe.texture != texture;
    if probe.is_some_and(is_outdated) {
        ctx.request_discard("new glyphs have moved the others");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::RawInput;

    fn revision(ctx: &Context) -> u64 {
        let mut found = 0;
        let mut output = ctx.run_ui(RawInput::default(), |ui| {
            found = text_revision(ui.ctx());
            assert_eq!(text_revision(ui.ctx()), found, "once per pass");
        });
        output.textures_delta.clear();
        found
    }

    #[test]
    fn a_pass_that_enlarges_the_glyph_texture_is_repeated() {
        let ctx = Context::default();
        let before = revision(&ctx);
        let mut passes = 0;
        let mut output = ctx.run_ui(RawInput::default(), |ui| {
            passes += 1;
            text_revision(ui.ctx());
            for size in 20..60 {
                let font = egui::FontId::proportional(size as f32);
                let text = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".to_owned();
                let _ = ui.painter().layout_no_wrap(text, font, Color32::RED);
            }
            repeat_if_outdated(ui.ctx());
        });
        output.textures_delta.clear();
        assert_eq!((passes, revision(&ctx)), (2, before + 1));
        assert_eq!(revision(&ctx), before + 1, "not again");
    }

    #[test]
    fn numbers_have_the_proportional_font_of_a_host_without_a_monospace_font() {
        let ctx = Context::default();
        let mut fonts = egui::FontDefinitions::default();
        fonts.families.remove(&FontFamily::Monospace);
        ctx.set_fonts(fonts);
        let mut had_font = Vec::new();
        let mut output = ctx.run_ui(RawInput::default(), |ui| {
            had_font.push(has_number_font(ui.ctx()));
        });
        output.textures_delta.clear();
        assert_eq!(had_font, [false, true], "the first pass is repeated");
        assert!(ctx.fonts_mut(|fonts| fonts.has_glyph(&number_font(), '0')));
        let first = revision(&ctx);
        assert_eq!([revision(&ctx), revision(&ctx)], [first; 2]);
    }

    #[test]
    fn the_revision_changes_only_with_the_fonts() {
        let ctx = Context::default();
        let first = revision(&ctx);
        assert_eq!([revision(&ctx), revision(&ctx)], [first; 2]);
        // The change takes effect in the second pass.
        ctx.set_pixels_per_point(2.0);
        let changed = [revision(&ctx), revision(&ctx)];
        assert_eq!(changed[1], first + 1, "{changed:?}");
        assert_eq!(revision(&ctx), first + 1);
    }
}
