//! Colors of series.
//!
//! The color of a series is derived from its path: a series selected alone has the same color in
//! every run and on every machine. If two paths have the same preferred color, the one selected
//! later takes another one. The color of the frame time is reserved: no other series gets it.
//!
//! The standard palette has [`SLOTS`] colors that differ in hue *and* in lightness, in OKLCH:
//! people who cannot distinguish all hues still see the steps of lightness. A path hashes to a
//! slot; if the slot is taken, a free one is used. OKLab and OKLCH are defined in Björn Ottosson,
//! "A perceptual color space for image processing" (2020).
//!
//! The other palette has the eight hues of Masataka Okabe and Kei Ito, "Color Universal Design"
//! (2008), twice: series shown together get eight hues first, then the same hues at another
//! lightness.

use std::sync::LazyLock;

use egui::Color32;

/// A set of colors for series.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Palette {
    /// Sixteen colors with different hue and lightness. The default.
    #[default]
    Standard,
    /// Eight hues that people with any color-vision deficiency can distinguish, at two lightnesses.
    ColorVision,
}

/// The number of colors. One is reserved for the frame time; the other series share the rest.
pub const SLOTS: usize = 16;

/// The lightness of each slot. A search maximized the smallest distance between any two colors as
/// seen with normal vision, protanopia, deuteranopia and tritanopia.
const DARK: [f64; SLOTS] = [
    0.80, 0.64, 0.76, 0.84, 0.88, 0.68, 0.72, 0.92, 0.88, 0.76, 0.84, 0.64, 0.72, 0.92, 0.64, 0.64,
];
const LIGHT: [f64; SLOTS] = [
    0.54, 0.34, 0.54, 0.42, 0.46, 0.61, 0.50, 0.34, 0.54, 0.42, 0.46, 0.38, 0.54, 0.38, 0.58, 0.46,
];

/// The number of hues in the palette for color-vision deficiencies. A slot and the slot this many
/// later share their hue.
const HUES: usize = 8;

/// Black (gray here), orange, sky blue, bluish green, yellow, blue, vermilion and reddish purple.
///
/// Hue and chroma are Okabe and Ito's. The lightness is the nearest to theirs that gives each color
/// a contrast of 3 against the plot, and any two a distance of 0.08 in OKLab as seen with normal
/// vision, protanopia, deuteranopia and tritanopia. Among all sixteen, with the second lightness,
/// any two are 0.05 apart.
const ON_DARK: [[u8; 3]; SLOTS] = [
    [232, 232, 232],
    [230, 159, 0],
    [86, 180, 233],
    [16, 154, 113],
    [230, 217, 51],
    [6, 110, 172],
    [213, 94, 0],
    [204, 121, 167],
    [99, 99, 99],
    [132, 90, 6],
    [153, 215, 253],
    [97, 219, 173],
    [210, 198, 0],
    [59, 150, 217],
    [253, 175, 136],
    [165, 85, 131],
];
const ON_LIGHT: [[u8; 3]; SLOTS] = [
    [34, 34, 34],
    [158, 108, 6],
    [56, 153, 205],
    [20, 140, 103],
    [156, 147, 4],
    [6, 99, 154],
    [150, 65, 2],
    [194, 112, 158],
    [96, 96, 96],
    [86, 57, 0],
    [8, 78, 110],
    [1, 73, 51],
    [51, 47, 2],
    [0, 24, 43],
    [41, 12, 0],
    [114, 39, 85],
];

/// The path of the frame time, and its slot, which no other series gets.
const FRAME_TIME: &str = "frame time";
const FRAME_TIME_SLOT: usize = 15;
/// The distance between the slots that a path tries. It has no common divisor with [`SLOTS`], so
/// the steps visit every slot.
const STEP: usize = 5;

/// Returns the preferred slot of a path: FNV-1a of its bytes, modulo [`SLOTS`]. The slot of the frame
/// time is reserved; a path with this hash prefers another one.
pub fn preferred_slot(path: &str) -> usize {
    if path == FRAME_TIME {
        return FRAME_TIME_SLOT;
    }
    // The high bits of FNV are better mixed.
    match (fnv1a(path) >> 40) as usize % SLOTS {
        FRAME_TIME_SLOT => (FRAME_TIME_SLOT + STEP) % SLOTS,
        slot => slot,
    }
}

/// Returns the FNV-1a hash of a text, which is the same in every run and on every machine.
pub fn fnv1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Returns a slot for a path in a view whose other series have the slots `here`, beside views whose
/// series have the slots `elsewhere`: the preferred one, or the next in steps of 5 that is better.
/// The frame time always has its own slot, and no other path gets it.
///
/// The best slot has the fewest uses here, then the fewest similar colors here, then the fewest uses
/// elsewhere. In the standard palette, neighbors are similar; in the other one, slots of one hue.
pub fn free_slot(
    palette: Palette,
    path: &str,
    here: impl Iterator<Item = usize>,
    elsewhere: impl Iterator<Item = usize>,
) -> usize {
    let (here, elsewhere) = (uses(here), uses(elsewhere));
    let similar = |slot: usize| match palette {
        Palette::Standard => here[(slot + 1) % SLOTS] + here[(slot + SLOTS - 1) % SLOTS],
        Palette::ColorVision => here[(slot + HUES) % SLOTS],
    };
    let preferred = preferred_slot(path);
    if path == FRAME_TIME {
        return preferred;
    }
    let slots = (0..SLOTS).map(|step| (preferred + STEP * step) % SLOTS);
    slots
        .filter(|&slot| slot != FRAME_TIME_SLOT)
        .min_by_key(|&slot| (here[slot], similar(slot), elsewhere[slot]))
        .unwrap_or(preferred)
}

/// Returns whether a path may have a slot: the frame time has its own, and no other path has that.
pub fn may_have(path: &str, slot: usize) -> bool {
    (path == FRAME_TIME) == (slot == FRAME_TIME_SLOT)
}

fn uses(slots: impl Iterator<Item = usize>) -> [usize; SLOTS] {
    let mut uses = [0; SLOTS];
    for slot in slots {
        uses[slot % SLOTS] += 1;
    }
    uses
}

/// Returns the color of a slot of a palette, for a dark or a light background.
pub fn palette_color(palette: Palette, slot: usize, dark: bool) -> Color32 {
    match palette {
        Palette::Standard => series_color(slot, dark),
        Palette::ColorVision => {
            let [r, g, b] = if dark {
                ON_DARK[slot % SLOTS]
            } else {
                ON_LIGHT[slot % SLOTS]
            };
            Color32::from_rgb(r, g, b)
        }
    }
}

/// Returns the color of a slot of the standard palette, for a dark or a light background.
fn series_color(slot: usize, dark: bool) -> Color32 {
    // Views ask for the colors of all series in every frame.
    static COLORS: LazyLock<[[Color32; SLOTS]; 2]> = LazyLock::new(|| {
        [false, true].map(|dark| std::array::from_fn(|slot| slot_color(slot, dark)))
    });
    COLORS[usize::from(dark)][slot % SLOTS]
}

fn slot_color(slot: usize, dark: bool) -> Color32 {
    let (lightness, first_hue) = if dark {
        (DARK[slot], 0.0)
    } else {
        (LIGHT[slot], 20.0)
    };
    let hue = slot as f64 * (360.0 / SLOTS as f64) + first_hue;
    oklch(lightness, 0.15, hue.to_radians())
}

/// Returns the sRGB color of OKLCH coordinates, with as much of the chroma as the gamut allows.
fn oklch(lightness: f64, chroma: f64, hue: f64) -> Color32 {
    let mut chroma = chroma;
    loop {
        let linear = linear_srgb(lightness, chroma * hue.cos(), chroma * hue.sin());
        let inside = linear
            .iter()
            .all(|channel| (-0.0005..=1.0005).contains(channel));
        if inside || chroma <= 0.0 {
            let [r, g, b] =
                linear.map(|channel| (encode(channel.clamp(0.0, 1.0)) * 255.0).round() as u8);
            return Color32::from_rgb(r, g, b);
        }
        chroma -= 0.005;
    }
}

fn linear_srgb(lightness: f64, a: f64, b: f64) -> [f64; 3] {
    let l = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
    let m = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
    let s = (lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b).powi(3);
    [
        4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
        -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
        -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701_0 * s,
    ]
}

fn encode(linear: f64) -> f64 {
    if linear <= 0.003_130_8 {
        12.92 * linear
    } else {
        1.055 * linear.powf(1.0 / 2.4) - 0.055
    }
}

/// Relative luminance and contrast as WCAG 2 defines them.
#[cfg(test)]
pub(crate) mod contrast {
    use egui::Color32;

    pub(super) fn linear(color: Color32) -> [f64; 3] {
        [color.r(), color.g(), color.b()].map(|channel| {
            let channel = f64::from(channel) / 255.0;
            if channel <= 0.040_45 {
                channel / 12.92
            } else {
                ((channel + 0.055) / 1.055).powf(2.4)
            }
        })
    }

    pub(crate) fn ratio(a: Color32, b: Color32) -> f64 {
        let luminance = |color| {
            let [r, g, b] = linear(color);
            0.2126 * r + 0.7152 * g + 0.0722 * b
        };
        let (a, b): (f64, f64) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protanopia, deuteranopia and tritanopia of severity 1.0, on linear RGB, from Machado,
    /// Oliveira and Fernandes (2009).
    const DEFICIENCIES: [[[f64; 3]; 3]; 3] = [
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ],
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ],
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ],
    ];

    fn oklab(linear: [f64; 3]) -> [f64; 3] {
        let [r, g, b] = linear.map(|channel| channel.clamp(0.0, 1.0));
        let l = (0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b).cbrt();
        let m = (0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b).cbrt();
        let s = (0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b).cbrt();
        [
            0.210_454_255_3 * l + 0.793_617_785_0 * m - 0.004_072_046_8 * s,
            1.977_998_495_1 * l - 2.428_592_205_0 * m + 0.450_593_709_9 * s,
            0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766_0 * s,
        ]
    }

    fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
        a.iter()
            .zip(b)
            .map(|(a, b)| (a - b).powi(2))
            .sum::<f64>()
            .sqrt()
    }

    /// Returns the smallest distance between any two of the first `count` colors, as seen with
    /// normal vision or any deficiency.
    fn least_distance(palette: Palette, count: usize, dark: bool) -> f64 {
        const NORMAL: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mut least = f64::INFINITY;
        for matrix in DEFICIENCIES.into_iter().chain([NORMAL]) {
            let seen: Vec<[f64; 3]> = (0..count)
                .map(|slot| {
                    let rgb = contrast::linear(palette_color(palette, slot, dark));
                    oklab(matrix.map(|row| row.iter().zip(rgb).map(|(m, c)| m * c).sum()))
                })
                .collect();
            for (at, a) in seen.iter().enumerate() {
                least = seen[..at]
                    .iter()
                    .map(|b| distance(*a, *b))
                    .fold(least, f64::min);
            }
        }
        least
    }

    #[test]
    fn colors_differ_with_any_color_vision_deficiency() {
        for (dark, standard) in [(true, 0.045), (false, 0.039)] {
            for (palette, count, expected) in [
                (Palette::Standard, SLOTS, standard),
                (Palette::ColorVision, HUES, 0.08),
                (Palette::ColorVision, SLOTS, 0.05),
            ] {
                let least = least_distance(palette, count, dark);
                assert!(
                    least > expected,
                    "{palette:?}, dark {dark}: two of {count} are {least:.4} apart"
                );
            }
            assert!(
                least_distance(Palette::ColorVision, HUES, dark)
                    > 1.5 * least_distance(Palette::Standard, HUES, dark)
            );
        }
    }

    fn free(palette: Palette, path: &str, here: &[usize]) -> usize {
        free_slot(palette, path, here.iter().copied(), std::iter::empty())
    }

    fn assert_all_but_the_reserved(mut slots: Vec<usize>) {
        slots.push(preferred_slot(FRAME_TIME));
        slots.sort_unstable();
        assert_eq!(slots, (0..SLOTS).collect::<Vec<_>>());
    }

    #[test]
    fn all_hues_are_used_before_a_second_lightness() {
        for first in 0..50 {
            let mut taken = vec![preferred_slot(&format!("first/{first}"))];
            while taken.len() < SLOTS - 1 {
                let path = format!("{first}/{}", taken.len());
                let slot = free(Palette::ColorVision, &path, &taken);
                taken.push(slot);
            }
            let mut hues: Vec<usize> = taken[..HUES].iter().map(|slot| slot % HUES).collect();
            hues.sort_unstable();
            assert_eq!(hues, (0..HUES).collect::<Vec<_>>());
            assert_all_but_the_reserved(taken);
        }
    }

    #[test]
    fn a_path_always_has_the_same_color() {
        assert_eq!(
            preferred_slot("renderer/draw-calls"),
            preferred_slot("renderer/draw-calls")
        );
        let mut seen = [false; SLOTS];
        for number in 0..200 {
            seen[preferred_slot(&format!("enemy/{number}/count"))] = true;
        }
        assert!(!seen[preferred_slot(FRAME_TIME)], "it is reserved");
        seen[preferred_slot(FRAME_TIME)] = true;
        assert!(
            seen.iter().all(|&slot| slot),
            "the hash leaves slots unused: {seen:?}"
        );
    }

    #[test]
    fn series_shown_together_differ_until_the_palette_is_used_up() {
        let mut taken = Vec::new();
        for _ in 0..SLOTS - 1 {
            taken.push(free(Palette::Standard, "same", &taken));
        }
        assert_all_but_the_reserved(taken.clone());
        assert_eq!(taken[0], preferred_slot("same"));
        assert!(free(Palette::Standard, "one more", &taken) < SLOTS);
    }
}
