//! Layouts of texts from recent passes.
//!
//! egui forgets a text that the previous pass did not lay out. A view that retains its shapes lays
//! out texts only a few times a second, and most of them have not changed, or only their digits.

mod digits;

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, FontId, Galley, Id, Painter};

use self::digits::Pattern;
use crate::text_revision::text_revision;

/// The minimum number of passes for which an unused text is kept. The maximum is twice as many.
const KEPT_PASSES: u64 = 32;

/// Galleys by the hashes of their keys. Like egui, assumes that no two keys have the same hash.
#[derive(Clone, Default)]
struct Galleys {
    text_revision: u64,
    /// The first pass whose texts are in `recent`. Texts of earlier passes are in `older`.
    since: u64,
    texts: Aging<Arc<Galley>>,
    /// The texts with digits.
    patterns: Aging<Pattern>,
}

/// Values that are forgotten when they are no longer used.
#[derive(Clone)]
struct Aging<T> {
    recent: HashMap<u64, T>,
    older: HashMap<u64, T>,
}

impl<T> Default for Aging<T> {
    fn default() -> Self {
        Self {
            recent: HashMap::new(),
            older: HashMap::new(),
        }
    }
}

impl<T> Aging<T> {
    fn age(&mut self) {
        std::mem::swap(&mut self.older, &mut self.recent);
        self.recent.clear();
    }

    fn get(&mut self, hash: u64) -> Option<&mut T> {
        if let Some(value) = self.older.remove(&hash) {
            self.recent.insert(hash, value);
        }
        self.recent.get_mut(&hash)
    }
}

impl Galleys {
    /// Forgets old texts, and all texts if the fonts have changed.
    fn age(&mut self, pass: u64, text_revision: u64) {
        if self.text_revision != text_revision {
            *self = Self {
                text_revision,
                since: pass,
                ..Self::default()
            };
        } else if pass.saturating_sub(self.since) >= KEPT_PASSES {
            self.since = pass;
            self.texts.age();
            self.patterns.age();
        }
    }
}

/// Lays out a text, or returns its galley from a recent pass. The key must identify the text and
/// its look, except for the painter's pixels per point.
pub(crate) fn lay_out(
    painter: &Painter,
    key: impl Hash,
    job: &dyn Fn() -> LayoutJob,
) -> Arc<Galley> {
    lay_out_hashed(painter, hash_of(painter, key), job)
}

fn lay_out_hashed(painter: &Painter, hash: u64, job: &dyn Fn() -> LayoutJob) -> Arc<Galley> {
    let kept = with(painter, |galleys| galleys.texts.get(hash).cloned());
    kept.unwrap_or_else(|| {
        let galley = painter.layout_job(job());
        with(painter, |galleys| {
            galleys.texts.recent.insert(hash, Arc::clone(&galley))
        });
        galley
    })
}

/// Lays out a line of any width in one font and color, unless that was done in one of the last
/// passes, perhaps with other digits.
pub(crate) fn lay_out_line(
    painter: &Painter,
    text: &str,
    font: &FontId,
    color: Color32,
) -> Arc<Galley> {
    let job = || line(text, font.clone(), color);
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return lay_out(painter, (text, font, color), &job);
    }
    let hash = hash_of(painter, (digits::Masked(text), font, color));
    let kept = with(painter, |galleys| {
        galleys.patterns.get(hash).and_then(|kept| kept.line(text))
    });
    kept.unwrap_or_else(|| {
        let galley = lay_out(painter, (text, font, color), &job);
        with(painter, |galleys| {
            let pattern = galleys.patterns.recent.entry(hash).or_default();
            pattern.learn(&galley);
        });
        galley
    })
}

pub(crate) fn line(text: &str, font: FontId, color: Color32) -> LayoutJob {
    LayoutJob::single_section(text.to_owned(), TextFormat::simple(font, color))
}

fn hash_of(painter: &Painter, key: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    (key, painter.pixels_per_point().to_bits()).hash(&mut hasher);
    hasher.finish()
}

fn with<R>(painter: &Painter, change: impl FnOnce(&mut Galleys) -> R) -> R {
    let ctx = painter.ctx();
    let (pass, revision) = (ctx.cumulative_pass_nr(), text_revision(ctx));
    let id = Id::NULL.with("stats galleys");
    ctx.data_mut(|data| {
        let galleys: &mut Galleys = data.get_temp_mut_or_default(id);
        galleys.age(pass, revision);
        change(galleys)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::text_font;
    use egui::{Color32, Context, RawInput};

    fn pass(ctx: &Context, texts: &[&str]) -> Vec<Arc<Galley>> {
        let mut galleys = Vec::new();
        let mut output = ctx.run_ui(RawInput::default(), |ui| {
            // The revision changes after a pass that does not ask for it.
            text_revision(ui.ctx());
            let painter = ui.ctx().debug_painter();
            let lay_out = |text: &&str| {
                lay_out(&painter, text, &|| {
                    LayoutJob::simple_singleline(text.to_string(), text_font(), Color32::RED)
                })
            };
            galleys = texts.iter().map(lay_out).collect();
        });
        output.textures_delta.clear();
        galleys
    }

    #[test]
    fn a_text_in_regular_use_is_laid_out_once() {
        let ctx = Context::default();
        pass(&ctx, &[]);
        let first = pass(&ctx, &["name"]);
        for round in 0..20 {
            (0..KEPT_PASSES - 2).for_each(|_| drop(pass(&ctx, &[])));
            let again = pass(&ctx, &["name", &round.to_string()]);
            assert!(Arc::ptr_eq(&first[0], &again[0]), "round {round}");
            assert_eq!(again[1].text(), round.to_string());
        }
        let count = with(&ctx.debug_painter(), |galleys| {
            galleys.texts.recent.len() + galleys.texts.older.len()
        });
        assert!(count <= 4, "{count} texts are kept");
        (0..2 * KEPT_PASSES).for_each(|_| drop(pass(&ctx, &["other"])));
        assert!(!Arc::ptr_eq(&first[0], &pass(&ctx, &["name"])[0]));
    }

    #[test]
    fn a_text_is_laid_out_again_when_the_fonts_change() {
        let ctx = Context::default();
        pass(&ctx, &["name"]);
        let first = pass(&ctx, &["name"]);
        ctx.set_pixels_per_point(2.0);
        pass(&ctx, &["name"]);
        assert!(!Arc::ptr_eq(&first[0], &pass(&ctx, &["name"])[0]));
    }
}
