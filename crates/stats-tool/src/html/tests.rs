//! Text has enough contrast on every background, in both themes and on paper.

use std::collections::HashMap;

const STYLE: &str = include_str!("style.css");

/// The minimum contrast of text, by level AA of the Web Content Accessibility Guidelines.
const MIN_CONTRAST: f64 = 4.5;

/// Each text color with its backgrounds.
const PAIRS: [(&str, &[&str]); 7] = [
    (
        "text",
        &[
            "ground",
            "panel",
            "bad-ground",
            "good-ground",
            "unsure-ground",
        ],
    ),
    ("muted", &["ground"]),
    ("link", &["ground"]),
    ("bad", &["ground", "bad-ground"]),
    ("good", &["ground", "good-ground"]),
    ("unsure", &["ground", "unsure-ground"]),
    ("after", &["ground"]),
];

#[test]
fn the_style_prints_as_many_rows_as_the_page_says() {
    use super::table::{PRINTED_PLAIN, PRINTED_SORTABLE};
    for (class, rows) in [("sortable", PRINTED_SORTABLE), ("plain", PRINTED_PLAIN)] {
        let rule = format!(".{class} tbody tr:nth-child(n + {})", rows + 1);
        assert!(STYLE.contains(&rule), "{rule}");
    }
}

#[test]
fn text_has_enough_contrast_in_each_theme() {
    let themes: Vec<HashMap<&str, f64>> = (STYLE.split(":root {").skip(1))
        .map(|theme| colors(theme.split('}').next().unwrap_or_default()))
        .collect();
    assert_eq!(themes.len(), 3);
    for theme in themes {
        for (text, grounds) in PAIRS {
            for ground in grounds {
                let (a, b) = (theme[text], theme[ground]);
                let contrast = (a.max(b) + 0.05) / (a.min(b) + 0.05);
                assert!(
                    contrast >= MIN_CONTRAST,
                    "{text} on {ground}: {contrast:.2}"
                );
            }
        }
    }
}

/// Returns the relative luminance of each color.
fn colors(theme: &str) -> HashMap<&str, f64> {
    let declarations = theme.split(';');
    let colors = declarations.filter_map(|declaration| {
        let (name, value) = declaration.trim().strip_prefix("--")?.split_once(": #")?;
        Some((name, luminance(value)))
    });
    colors.collect()
}

fn luminance(color: &str) -> f64 {
    let channel = |at: usize| {
        let byte = u8::from_str_radix(&color[2 * at..2 * at + 2], 16).expect("a color");
        let share = f64::from(byte) / 255.0;
        if share <= 0.04045 {
            share / 12.92
        } else {
            ((share + 0.055) / 1.055).powf(2.4)
        }
    };
    0.2126 * channel(0) + 0.7152 * channel(1) + 0.0722 * channel(2)
}
