//! The look of the panels: colors, fonts and spacing, regardless of the host's own interface.
//!
//! A game may use huge buttons or an unusual font size, which would make a dense panel unreadable.
//! The panels take only the choice between dark and light, and the fonts themselves, from the host.

use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::palette::palette_color;
use egui::{Color32, CornerRadius, FontFamily, FontId, Stroke, Style, TextStyle, Vec2, Visuals};

pub use crate::palette::Palette;

/// The range of the opacity of sheets.
pub const OPACITY: RangeInclusive<f32> = 0.3..=1.0;
/// The default opacity of sheets.
pub const DEFAULT_OPACITY: f32 = 0.96;
/// The minimum opacity of the background of text over a picture of any color.
pub const TEXT_GROUND: f32 = 0.92;
/// The opacity of a row that is no longer found, and is only kept in its place.
pub const DIMMED: f32 = 0.4;
/// The size of text, in points.
const TEXT_SIZE: f32 = 13.0;
/// The size of numbers, in points.
const NUMBER_SIZE: f32 = 12.0;
/// The size of notes, in points.
pub const SMALL_SIZE: f32 = 11.0;
/// The height of a row of the tree, the legend and the table, in points.
pub const ROW_HEIGHT: f32 = 20.0;

/// The colors of one theme.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Theme {
    /// Whether text is light on dark.
    pub dark: bool,
    /// The colors of series.
    pub palette: Palette,
    /// The background of the full overlay, slightly transparent.
    pub sheet: Color32,
    /// The background of the HUD, more transparent than the sheet.
    pub hud: Color32,
    /// The background of graphs and tables.
    pub plot: Color32,
    /// The background of the header and of the headings of tables.
    pub bar: Color32,
    /// Borders and separators.
    pub line: Color32,
    /// Grid lines.
    pub grid: Color32,
    /// Text.
    pub text: Color32,
    /// Less important text.
    pub weak: Color32,
    /// Links, cursors and everything active.
    pub accent: Color32,
    /// Values over budget, and problems.
    pub alert: Color32,
    /// The background of a search match.
    pub highlight: Color32,
    /// The background of the row under the pointer.
    pub hover: Color32,
}

impl Theme {
    /// Returns the dark or the light theme, with the standard palette and the default opacity.
    pub const fn new(dark: bool) -> Self {
        if dark { Self::DARK } else { Self::LIGHT }
    }

    /// Returns a theme with another palette and opacity.
    ///
    /// `opacity` is clamped to [`OPACITY`]; NaN counts as 0.3. At 1, the sheet hides the game; at
    /// [`DEFAULT_OPACITY`], the theme is that of [`new`](Self::new); far below it, text is not
    /// readable over every picture. The HUD is always more transparent than the sheet.
    pub fn with(dark: bool, palette: Palette, opacity: f32) -> Self {
        let theme = Self::new(dark);
        let factor = opacity.max(*OPACITY.start()).min(*OPACITY.end()) / DEFAULT_OPACITY;
        Self {
            palette,
            sheet: covering(theme.sheet, factor),
            hud: covering(theme.hud, factor),
            ..theme
        }
    }

    const DARK: Self = Self {
        dark: true,
        palette: Palette::Standard,
        sheet: Color32::from_rgba_premultiplied(20, 22, 27, 246),
        hud: Color32::from_rgba_premultiplied(14, 15, 18, 218),
        plot: Color32::from_rgb(15, 17, 21),
        bar: Color32::from_rgb(30, 33, 40),
        line: Color32::from_rgb(48, 52, 61),
        grid: Color32::from_rgb(44, 48, 57),
        text: Color32::from_rgb(226, 229, 235),
        weak: Color32::from_rgb(150, 157, 170),
        accent: Color32::from_rgb(96, 165, 250),
        alert: Color32::from_rgb(255, 138, 101),
        highlight: Color32::from_rgb(92, 74, 12),
        hover: Color32::from_rgb(38, 42, 51),
    };

    const LIGHT: Self = Self {
        dark: false,
        palette: Palette::Standard,
        sheet: Color32::from_rgba_premultiplied(238, 240, 243, 248),
        hud: Color32::from_rgba_premultiplied(226, 228, 231, 232),
        plot: Color32::from_rgb(254, 254, 255),
        bar: Color32::from_rgb(226, 229, 235),
        line: Color32::from_rgb(200, 205, 214),
        grid: Color32::from_rgb(226, 229, 234),
        text: Color32::from_rgb(28, 31, 38),
        weak: Color32::from_rgb(88, 95, 108),
        accent: Color32::from_rgb(29, 96, 208),
        alert: Color32::from_rgb(186, 52, 12),
        highlight: Color32::from_rgb(255, 226, 122),
        hover: Color32::from_rgb(216, 221, 230),
    };

    /// Returns the color of a slot of the palette on this theme's background.
    pub fn series(&self, slot: usize) -> Color32 {
        palette_color(self.palette, slot, self.dark)
    }

    /// Returns the color of a text that stands out while `is_strong`, and is weak otherwise.
    pub fn text_if(&self, is_strong: bool) -> Color32 {
        if is_strong { self.text } else { self.weak }
    }

    /// Returns the color of a value that may be over its budget.
    pub fn value(&self, is_over: bool) -> Color32 {
        if is_over { self.alert } else { self.text }
    }

    /// Returns the style of the few widgets that egui draws. Allocates: a [`StyleCache`] keeps it.
    pub fn style(&self) -> Arc<Style> {
        let mut style = Style {
            visuals: self.visuals(),
            ..Style::default()
        };
        let proportional = |size| FontId::new(size, FontFamily::Proportional);
        style.text_styles = [
            (TextStyle::Small, proportional(SMALL_SIZE)),
            (TextStyle::Body, proportional(TEXT_SIZE)),
            (TextStyle::Button, proportional(TEXT_SIZE)),
            (TextStyle::Heading, proportional(15.0)),
            (TextStyle::Monospace, number_font()),
        ]
        .into();
        style.spacing.item_spacing = Vec2::new(6.0, 4.0);
        style.spacing.button_padding = Vec2::new(8.0, 3.0);
        style.spacing.interact_size = Vec2::new(24.0, 22.0);
        style.animation_time = 0.0;
        style.interaction.selectable_labels = false;
        style.interaction.tooltip_delay = 0.25;
        Arc::new(style)
    }

    fn visuals(&self) -> Visuals {
        let mut visuals = if self.dark {
            Visuals::dark()
        } else {
            Visuals::light()
        };
        visuals.override_text_color = None;
        visuals.extreme_bg_color = self.plot;
        visuals.panel_fill = self.sheet;
        visuals.selection.bg_fill = self.accent.gamma_multiply(0.35);
        visuals.selection.stroke = Stroke::new(1.0, self.text);
        let widgets = &mut visuals.widgets;
        for (widget, fill, text) in [
            (&mut widgets.noninteractive, self.sheet, self.text),
            (&mut widgets.inactive, self.bar, self.text),
            (&mut widgets.hovered, self.hover, self.text),
            (&mut widgets.active, self.line, self.text),
            (&mut widgets.open, self.line, self.text),
        ] {
            widget.bg_fill = fill;
            widget.weak_bg_fill = fill;
            widget.bg_stroke = Stroke::new(1.0, self.line);
            widget.fg_stroke = Stroke::new(1.0, text);
            widget.corner_radius = CornerRadius::same(3);
            widget.expansion = 0.0;
        }
        visuals
    }
}

/// The style of a theme, built again only for another theme.
#[derive(Clone, Debug, Default)]
pub struct StyleCache(Option<(Theme, Arc<Style>)>);

impl StyleCache {
    /// Returns [`Theme::style`].
    pub fn get(&mut self, theme: &Theme) -> Arc<Style> {
        match &self.0 {
            Some((of, style)) if of == theme => Arc::clone(style),
            _ => {
                let style = theme.style();
                self.0 = Some((*theme, Arc::clone(&style)));
                style
            }
        }
    }
}

/// Returns the color with its alpha multiplied by `factor`.
fn covering(color: Color32, factor: f32) -> Color32 {
    let alpha = (f32::from(color.a()) * factor).round().min(255.0);
    // The channels are premultiplied and scale with the alpha.
    let scaled =
        |channel: u8| (f32::from(channel) * alpha / f32::from(color.a().max(1))).round() as u8;
    Color32::from_rgba_premultiplied(
        scaled(color.r()),
        scaled(color.g()),
        scaled(color.b()),
        alpha as u8,
    )
}

/// Returns the font of names and headings.
pub fn text_font() -> FontId {
    FontId::proportional(TEXT_SIZE)
}

/// Returns the font of notes.
pub fn small_font() -> FontId {
    FontId::proportional(SMALL_SIZE)
}

/// Returns the font of numbers, whose digits all have the same width.
pub fn number_font() -> FontId {
    FontId::monospace(NUMBER_SIZE)
}

/// Dark or light.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Appearance {
    /// The same as the host's egui. The default.
    #[default]
    Host,
    /// Light text on dark.
    Dark,
    /// Dark text on light.
    Light,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::palette::SLOTS;
    use crate::palette::contrast::ratio;

    #[test]
    fn a_style_is_built_again_only_for_another_theme() {
        let mut cache = StyleCache::default();
        let dark = cache.get(&Theme::new(true));
        assert!(Arc::ptr_eq(&dark, &cache.get(&Theme::new(true))));
        let light = cache.get(&Theme::new(false));
        assert_eq!(light.visuals.extreme_bg_color, Theme::new(false).plot);
        assert!(!Arc::ptr_eq(&dark, &light));
    }

    #[test]
    fn text_is_readable_in_both_themes() {
        for theme in [Theme::new(true), Theme::new(false)] {
            for background in [theme.plot, theme.bar, theme.hover] {
                assert!(ratio(theme.text, background) >= 7.0, "{background:?}");
                assert!(ratio(theme.weak, background) >= 4.5, "{background:?}");
                assert!(ratio(theme.alert, background) >= 3.0, "{background:?}");
            }
            assert!(ratio(theme.text, theme.highlight) >= 4.5);
        }
    }

    #[test]
    fn every_color_stands_out_from_the_plot() {
        for dark in [true, false] {
            let background = Theme::new(dark).plot;
            for (palette, slot) in [Palette::Standard, Palette::ColorVision]
                .into_iter()
                .flat_map(|palette| (0..SLOTS).map(move |slot| (palette, slot)))
            {
                let contrast = ratio(palette_color(palette, slot, dark), background);
                assert!(
                    contrast >= 3.0,
                    "{palette:?} slot {slot} dark {dark}: {contrast:.2}"
                );
            }
        }
    }

    #[test]
    fn opacity_affects_sheets_and_nothing_else() {
        for dark in [true, false] {
            let theme = Theme::new(dark);
            assert_eq!(Theme::with(dark, Palette::Standard, DEFAULT_OPACITY), theme);
            let opaque = Theme::with(dark, Palette::Standard, 1.0);
            assert_eq!((opaque.sheet.a(), opaque.plot), (255, theme.plot));
            let mut before = 0;
            for opacity in [0.3, 0.5, 0.7, 0.9, 1.0] {
                let seen = Theme::with(dark, Palette::ColorVision, opacity);
                assert!(
                    (f32::from(seen.sheet.a()) / 255.0 - opacity).abs() < 0.015,
                    "{opacity}: {:?}",
                    seen.sheet
                );
                assert!(seen.hud.a() < seen.sheet.a() && seen.hud.a() > before);
                before = seen.hud.a();
                // All channels scale together, so the hue does not depend on the alpha.
                let shade = |color: Color32| f32::from(color.r()) / f32::from(color.a());
                assert!((shade(seen.sheet) - shade(theme.sheet)).abs() < 0.01);
                assert_eq!(
                    (seen.palette, seen.text),
                    (Palette::ColorVision, theme.text)
                );
            }
            for odd in [0.0, -1.0, f32::NAN] {
                assert_eq!(
                    Theme::with(dark, Palette::Standard, odd),
                    Theme::with(dark, Palette::Standard, 0.3)
                );
            }
        }
    }

    #[test]
    fn the_hud_is_readable_over_any_picture() {
        for theme in [Theme::new(true), Theme::new(false)] {
            for picture in [Color32::BLACK, Color32::WHITE, Color32::RED, Color32::GREEN] {
                let behind = theme.hud.a();
                let mix = |sheet: u8, below: u8| {
                    sheet.saturating_add((u16::from(below) * u16::from(255 - behind) / 255) as u8)
                };
                let seen = Color32::from_rgb(
                    mix(theme.hud.r(), picture.r()),
                    mix(theme.hud.g(), picture.g()),
                    mix(theme.hud.b(), picture.b()),
                );
                assert!(ratio(theme.text, seen) >= 7.0, "{picture:?}");
                assert!(ratio(theme.weak, seen) >= 3.0, "{picture:?}");
            }
        }
    }
}
