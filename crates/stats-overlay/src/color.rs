//! Colours of series: derived from the path, so a counter ticked alone has the same colour in every run and on every
//! machine. Of two whose paths ask for the same one, the one ticked later moves on to another.
//!
//! A palette of [`SLOTS`] colours spread over hue *and* lightness, in OKLCH: people who do not tell all hues apart still
//! see the steps of lightness. A path hashes to a slot; where that is taken, the next free one is found.
//! OKLab after Björn Ottosson, "A perceptual color space for image processing" (2020).

use egui::Color32;

/// How many colours there are before two series must share one.
pub(crate) const SLOTS: usize = 16;

/// The lightness of each slot, found by a search for the largest least distance between any two colours as seen with
/// normal vision, protanopia, deuteranopia and tritanopia.
const DARK: [f64; SLOTS] = [0.80, 0.64, 0.76, 0.84, 0.88, 0.68, 0.72, 0.92, 0.88, 0.76, 0.84, 0.64, 0.72, 0.92, 0.64, 0.64];
const LIGHT: [f64; SLOTS] = [0.54, 0.34, 0.54, 0.42, 0.46, 0.61, 0.50, 0.34, 0.54, 0.42, 0.46, 0.38, 0.54, 0.38, 0.58, 0.46];

/// The slot that a path would like to have: FNV-1a of its bytes.
pub(crate) fn preferred_slot(path: &str) -> usize {
    let hash =
        path.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    // The high bits of FNV are the better mixed ones.
    (hash >> 40) as usize % SLOTS
}

/// The slot for a path beside those already `taken`: the preferred one, or the next in steps of 5 that is used the least.
pub(crate) fn free_slot(path: &str, taken: impl Iterator<Item = usize>) -> usize {
    let mut uses = [0_usize; SLOTS];
    for slot in taken {
        uses[slot % SLOTS] += 1;
    }
    let preferred = preferred_slot(path);
    // 5 and 16 share no divisor: the steps visit every slot, neighbours in hue last.
    (0..SLOTS).map(|step| (preferred + 5 * step) % SLOTS).min_by_key(|&slot| uses[slot]).unwrap_or(preferred)
}

/// The colour of a slot on a dark or a light background.
pub(crate) fn series_color(slot: usize, dark: bool) -> Color32 {
    let slot = slot % SLOTS;
    let (lightness, first_hue) = if dark { (DARK[slot], 0.0) } else { (LIGHT[slot], 20.0) };
    let hue = slot as f64 * (360.0 / SLOTS as f64) + first_hue;
    oklch(lightness, 0.15, hue.to_radians())
}

/// The sRGB colour of OKLCH coordinates, with as much of the chroma as the gamut has room for.
fn oklch(lightness: f64, chroma: f64, hue: f64) -> Color32 {
    let mut chroma = chroma;
    loop {
        let linear = linear_srgb(lightness, chroma * hue.cos(), chroma * hue.sin());
        let inside = linear.iter().all(|channel| (-0.0005..=1.0005).contains(channel));
        if inside || chroma <= 0.0 {
            let [r, g, b] = linear.map(|channel| (encode(channel.clamp(0.0, 1.0)) * 255.0).round() as u8);
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
    if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

/// Relative luminance and contrast as WCAG 2 defines them.
#[cfg(test)]
pub(crate) mod contrast {
    use egui::Color32;

    pub(crate) fn linear(color: Color32) -> [f64; 3] {
        [color.r(), color.g(), color.b()].map(|channel| {
            let channel = f64::from(channel) / 255.0;
            if channel <= 0.040_45 { channel / 12.92 } else { ((channel + 0.055) / 1.055).powf(2.4) }
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
    use crate::theme::Theme;

    #[test]
    fn every_colour_stands_out_from_the_plot() {
        for dark in [true, false] {
            let background = Theme::new(dark).plot;
            for slot in 0..SLOTS {
                let ratio = contrast::ratio(series_color(slot, dark), background);
                assert!(ratio >= 3.0, "slot {slot} dark {dark}: {ratio:.2}");
            }
        }
    }

    /// Machado, Oliveira, Fernandes (2009), severity 1.0, on linear RGB.
    const DEFICIENCIES: [[[f64; 3]; 3]; 3] = [
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
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
        a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    }

    #[test]
    fn colours_differ_for_people_who_see_fewer_hues() {
        for dark in [true, false] {
            for (index, matrix) in DEFICIENCIES.iter().enumerate() {
                let seen: Vec<[f64; 3]> = (0..SLOTS)
                    .map(|slot| {
                        let rgb = contrast::linear(series_color(slot, dark));
                        oklab(matrix.map(|row| row.iter().zip(rgb).map(|(m, c)| m * c).sum()))
                    })
                    .collect();
                for a in 0..SLOTS {
                    for b in 0..a {
                        let distance = distance(seen[a], seen[b]);
                        assert!(distance > 0.035, "dark {dark}, deficiency {index}: {a} and {b} are {distance:.3} apart");
                    }
                }
            }
        }
    }

    #[test]
    fn a_path_always_has_the_same_colour() {
        assert_eq!(preferred_slot("renderer/draw-calls"), preferred_slot("renderer/draw-calls"));
        let mut seen = [false; SLOTS];
        for number in 0..200 {
            seen[preferred_slot(&format!("enemy/{number}/count"))] = true;
        }
        assert!(seen.iter().all(|&slot| slot), "the hash leaves slots unused: {seen:?}");
    }

    #[test]
    fn series_shown_together_differ_until_the_palette_is_used_up() {
        let mut taken = Vec::new();
        for _ in 0..SLOTS {
            taken.push(free_slot("same", taken.iter().copied()));
        }
        let mut sorted = taken.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..SLOTS).collect::<Vec<_>>());
        assert_eq!(taken[0], preferred_slot("same"));
        assert!(free_slot("one more", taken.into_iter()) < SLOTS);
    }
}
