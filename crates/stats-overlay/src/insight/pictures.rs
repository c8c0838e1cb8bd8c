//! The pictures of hitches that the host hands over.
//!
//! One picture is wanted at a time: that of the first frame noticed since the last one came, or since
//! that was given up. A program that lists the hitches itself hands over the pictures that it has.

use std::collections::VecDeque;

use egui::{Color32, ColorImage, Context, TextureHandle, TextureOptions};

/// The number of pictures that are kept.
const MAX_PICTURES: usize = 16;

/// The largest width and height of a picture that is kept, in pixels.
const MAX_PIXELS: usize = 320;

/// A picture may come, or show a frame, this many frames after the hitch.
const PATIENCE: u64 = 64;

/// The pictures of the newest hitches, and the one that is wanted.
#[derive(Default)]
pub(crate) struct HitchPictures {
    /// The frame of the hitch whose picture is wanted.
    wanted: Option<u64>,
    /// The pictures that are not loaded yet, oldest first: one unless the program lists the hitches.
    given: VecDeque<Given>,
    /// Oldest first.
    kept: VecDeque<HitchPicture>,
}

struct Given {
    hitch: u64,
    shows: u64,
    image: ColorImage,
}

/// The picture of a hitch.
pub(crate) struct HitchPicture {
    /// The frame of the hitch.
    hitch: u64,
    /// The frame that the picture shows, at the hitch or after it.
    shows: u64,
    pub(crate) texture: TextureHandle,
}

impl HitchPictures {
    /// Wants the picture of a frame that was noticed, unless another one is on its way.
    pub(super) fn want(&mut self, frame: u64) {
        self.give_up(frame);
        self.wanted = self.wanted.or(Some(frame));
    }

    /// Wants no picture anymore that did not come until a frame.
    pub(super) fn give_up(&mut self, frame: u64) {
        self.wanted = self.wanted.filter(|wanted| frame <= wanted + PATIENCE);
    }

    /// Returns the frame whose picture is wanted.
    pub(crate) fn wanted(&self) -> Option<u64> {
        self.wanted
    }

    /// Takes a picture that shows a frame: red, green, blue and alpha of each pixel. Returns whether
    /// it is wanted.
    pub(super) fn give(&mut self, shows: u64, size: (u32, u32), rgba: &[u8]) -> bool {
        let is_of = |hitch: &u64| (*hitch..=hitch.saturating_add(PATIENCE)).contains(&shows);
        let Some(hitch) = self.wanted.filter(is_of) else {
            return false;
        };
        let is_taken = self.give_of(hitch, shows, size, rgba);
        if is_taken {
            self.wanted = None;
        }
        is_taken
    }

    /// Takes a picture of a hitch. Returns whether its pixels fit its size.
    pub(super) fn give_of(
        &mut self,
        hitch: u64,
        shows: u64,
        size: (u32, u32),
        rgba: &[u8],
    ) -> bool {
        let Some(image) = small(size, rgba) else {
            return false;
        };
        if self.given.len() == MAX_PICTURES {
            self.given.pop_front();
        }
        self.given.push_back(Given {
            hitch,
            shows,
            image,
        });
        true
    }

    /// Loads the oldest picture that is not loaded yet. Returns whether there was one.
    pub(super) fn load(&mut self, ctx: &Context) -> bool {
        let Some(given) = self.given.pop_front() else {
            return false;
        };
        self.kept.retain(|picture| picture.hitch != given.hitch);
        if self.kept.len() == MAX_PICTURES {
            self.kept.pop_front();
        }
        let name = "stats-overlay/hitch";
        self.kept.push_back(HitchPicture {
            hitch: given.hitch,
            shows: given.shows,
            texture: ctx.load_texture(name, given.image, TextureOptions::LINEAR),
        });
        true
    }

    /// Returns the picture of the hitch in a frame.
    pub(crate) fn of(&self, hitch: u64) -> Option<&HitchPicture> {
        self.kept.iter().find(|picture| picture.hitch == hitch)
    }
}

impl HitchPicture {
    /// Returns what the picture shows, in words.
    pub(crate) fn caption(&self) -> String {
        match self.shows - self.hitch {
            0 => "The screen in this frame".to_owned(),
            1 => "The screen 1 frame later".to_owned(),
            frames => format!("The screen {frames} frames later"),
        }
    }
}

/// Returns the pixels as an opaque image with at most [`MAX_PIXELS`] on a side; `None` if there are
/// none, or if their number is wrong.
fn small((width, height): (u32, u32), rgba: &[u8]) -> Option<ColorImage> {
    let (width, height) = (width as usize, height as usize);
    let (pixels, rest) = rgba.as_chunks::<4>();
    if pixels.is_empty() || !rest.is_empty() || width.checked_mul(height)? != pixels.len() {
        return None;
    }
    let longer = width.max(height).max(MAX_PIXELS);
    let scaled = |side: usize| (side * MAX_PIXELS / longer).max(1);
    // Two columns and two rows stand for those of a pixel: enough for a small picture, and the same
    // time whatever the size.
    let taps = |side: usize| {
        let small = scaled(side);
        let tap = move |at: usize| (at * side / (2 * small)).min(side - 1);
        (0..small).map(move |at| [tap(2 * at), tap(2 * at + 1)])
    };
    let (columns, size): (Vec<_>, _) = (taps(width).collect(), [scaled(width), scaled(height)]);
    let mut image = Vec::with_capacity(size[0] * size[1]);
    for rows in taps(height) {
        let [upper, lower] = rows.map(|row| &pixels[row * width..][..width]);
        image.extend(columns.iter().map(|[left, right]| {
            let four = [upper[*left], upper[*right], lower[*left], lower[*right]];
            let mean = |channel: usize| {
                let sum: u16 = four.iter().map(|pixel| u16::from(pixel[channel])).sum();
                (sum / 4) as u8
            };
            Color32::from_rgb(mean(0), mean(1), mean(2))
        }));
    }
    Some(ColorImage::new(size, image))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PIXEL: [u8; 4] = [10, 20, 30, 0];

    fn filled(size: (u32, u32)) -> Vec<u8> {
        PIXEL.repeat((size.0 * size.1) as usize)
    }

    fn give(pictures: &mut HitchPictures, ctx: &Context, shows: u64) -> bool {
        pictures.give(shows, (2, 2), &filled((2, 2))) && pictures.load(ctx)
    }

    #[test]
    fn a_picture_belongs_to_the_hitch_that_is_wanted_and_says_which_frame_it_shows() {
        let ctx = Context::default();
        let mut pictures = HitchPictures::default();
        assert!(!give(&mut pictures, &ctx, 7), "none is wanted");
        pictures.want(100);
        pictures.want(103);
        assert_eq!(pictures.wanted(), Some(100), "one at a time");
        assert!(!give(&mut pictures, &ctx, 99), "it was before the hitch");
        assert!(!give(&mut pictures, &ctx, 165), "it was long after");
        assert!(give(&mut pictures, &ctx, 100));
        assert_eq!(pictures.wanted(), None);
        let caption = |hitch| pictures.of(hitch).map(HitchPicture::caption);
        assert_eq!(caption(100).as_deref(), Some("The screen in this frame"));
        assert_eq!(caption(103), None);
        for (hitch, shows, text) in [
            (200, 201, "The screen 1 frame later"),
            (300, 364, "The screen 64 frames later"),
        ] {
            pictures.want(hitch);
            assert!(give(&mut pictures, &ctx, shows));
            let caption = pictures.of(hitch).map(HitchPicture::caption);
            assert_eq!(caption.as_deref(), Some(text));
        }
    }

    #[test]
    fn a_picture_that_does_not_come_is_given_up() {
        let mut pictures = HitchPictures::default();
        pictures.want(10);
        pictures.give_up(74);
        assert_eq!(pictures.wanted(), Some(10));
        pictures.give_up(75);
        assert_eq!(pictures.wanted(), None);
        pictures.want(80);
        pictures.want(145);
        assert_eq!(pictures.wanted(), Some(145));
    }

    #[test]
    fn the_newest_pictures_are_kept_and_the_memory_of_the_others_is_freed() {
        let ctx = Context::default();
        let mut pictures = HitchPictures::default();
        let before = ctx.tex_manager().read().num_allocated();
        for hitch in 0..100_u64 {
            pictures.want(hitch);
            assert!(give(&mut pictures, &ctx, hitch));
        }
        let has = |hitch: &u64| pictures.of(*hitch).is_some();
        let kept: Vec<u64> = (0..100).filter(has).collect();
        assert_eq!(kept, (84..100).collect::<Vec<_>>());
        let loaded = ctx.tex_manager().read().num_allocated() - before;
        assert_eq!(loaded, MAX_PICTURES);
        drop(pictures);
        assert_eq!(ctx.tex_manager().read().num_allocated(), before);
    }

    #[test]
    fn pictures_of_hitches_that_the_program_lists_are_loaded_one_in_a_pass() {
        let ctx = Context::default();
        let mut pictures = HitchPictures::default();
        for hitch in 0..20 {
            assert!(pictures.give_of(hitch, hitch, (2, 2), &filled((2, 2))));
        }
        let loaded = (0..30).filter(|_| pictures.load(&ctx)).count();
        assert_eq!(loaded, MAX_PICTURES);
        let has = |hitch: &u64| pictures.of(*hitch).is_some();
        assert_eq!(
            (0..20).filter(has).collect::<Vec<_>>(),
            (4..20).collect::<Vec<_>>()
        );
        // A second picture of a hitch replaces the first.
        assert!(pictures.give_of(10, 10, (2, 2), &filled((2, 2))));
        assert!(pictures.load(&ctx));
        assert_eq!(pictures.kept.len(), MAX_PICTURES);
        assert_eq!(pictures.wanted(), None);
    }

    #[test]
    fn a_picture_of_any_size_becomes_small_and_opaque_and_keeps_its_colors() {
        let sizes = [
            ((1, 1), [1, 1]),
            ((320, 200), [320, 200]),
            ((321, 2), [320, 1]),
            ((1280, 800), [320, 200]),
            ((3, 1000), [1, 320]),
        ];
        for (size, expected) in sizes {
            let image = small(size, &filled(size)).expect("it has pixels");
            assert_eq!(image.size, expected, "{size:?}");
            let color = Color32::from_rgb(10, 20, 30);
            assert!(image.pixels.iter().all(|pixel| *pixel == color));
        }
        // Every pixel of a small picture is itself.
        let rgba: Vec<u8> = (0..6 * 4).collect();
        let image = small((3, 2), &rgba).expect("it has pixels");
        let pixels: Vec<u8> = image.pixels.iter().map(Color32::r).collect();
        assert_eq!(pixels, [0, 4, 8, 12, 16, 20]);
    }

    #[test]
    fn pixels_that_do_not_fit_the_size_are_refused() {
        let big = u32::MAX;
        for (size, bytes) in [
            ((0, 0), 0),
            ((0, 4), 16),
            ((2, 2), 15),
            ((2, 2), 17),
            ((2, 2), 20),
            ((big, big), 4),
        ] {
            assert!(small(size, &vec![0; bytes]).is_none(), "{size:?} {bytes}");
        }
    }
}
