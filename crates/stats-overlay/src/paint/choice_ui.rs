//! The buttons of the bars, for one of several alternatives, with a name or an icon, and the buttons of
//! the header.
//!
//! Every pane has a dozen of them. `egui::Button` lays out its text in every pass; these buttons
//! keep their shapes in egui's memory, by id.

use egui::style::WidgetVisuals;
use egui::{
    Align2, Color32, CornerRadius, Painter, Pos2, Response, Sense, Stroke, StrokeKind, Ui, Vec2,
    pos2, vec2,
};

use crate::input::key_hint::{hint_with_keys, with_keys};
use stats_ui::accessibility;
use stats_ui::palette::fnv1a;
use stats_ui::retained::Retained;
use stats_ui::shapes;
use stats_ui::text_revision::text_revision;
use stats_ui::theme::{Theme, text_font};
use stats_ui::tooltip;

/// An icon: lines through points of a square, whose corners are (0, 0) and (1, 1).
pub(crate) type Icon = &'static [&'static [(f32, f32)]];

/// Draws the button of one alternative, underlined if that is chosen. `help` is its tooltip, with the
/// standard keys in parentheses.
pub(crate) fn choice(
    ui: &mut Ui,
    theme: &Theme,
    (name, help): (&str, &str),
    chosen: bool,
) -> Response {
    let response = button_ui(ui, name, None, &|ui, response| {
        chosen_look(ui, theme, response, chosen)
    });
    accessibility::describe_toggle(ui.ctx(), response.id, chosen, || name.to_owned());
    hint_with_keys(&response, help);
    response
}

/// Returns the width of a choice, which depends on the host's font.
pub(crate) fn width_of(ui: &Ui, name: &str) -> f32 {
    let galley = shapes::laid_out(ui.painter(), name, text_font(), Color32::PLACEHOLDER);
    galley.size().x + 2.0 * ui.spacing().button_padding.x
}

/// Draws the values of a choice, each with its name and an explanation.
pub(crate) fn choices<T: Copy + PartialEq>(
    ui: &mut Ui,
    theme: &Theme,
    chosen: &mut T,
    values: &[(T, &str, &str)],
) {
    for &(value, name, help) in values {
        if choice(ui, theme, (name, help), *chosen == value).clicked() {
            *chosen = value;
        }
    }
}

/// Draws a choice between on and off.
pub(crate) fn toggle(ui: &mut Ui, theme: &Theme, names: (&str, &str), is_on: &mut bool) {
    *is_on ^= choice(ui, theme, names, *is_on).clicked();
}

/// Draws the icon of one alternative, underlined if that is chosen. Its tooltip has the name and
/// `help`.
pub(crate) fn icon_choice(
    ui: &mut Ui,
    theme: &Theme,
    (name, help): (&str, &str),
    icon: Icon,
    chosen: bool,
) -> Response {
    let response = button_ui(ui, name, Some(icon), &|ui, response| {
        chosen_look(ui, theme, response, chosen)
    });
    accessibility::describe_toggle(ui.ctx(), response.id, chosen, || name.to_owned());
    if response.hovered() {
        let help = with_keys(ui.ctx(), help);
        tooltip::hint(&response, &format!("{name}: {help}"));
    }
    response
}

/// Draws the button of a menu, which is an icon.
pub(crate) fn icon_button(ui: &mut Ui, theme: &Theme, name: &str, icon: Icon) -> Response {
    let response = button_ui(ui, name, Some(icon), &|ui, response| {
        chosen_look(ui, theme, response, false)
    });
    tooltip::hint(&response, name);
    response
}

fn chosen_look(ui: &Ui, theme: &Theme, response: &Response, chosen: bool) -> Look {
    let visuals = ui.style().interact_selectable(response, chosen);
    Look {
        color: if chosen { theme.text } else { theme.weak },
        ground: (response.hovered() || response.has_focus()).then(|| Ground::of(&visuals)),
        underline: chosen.then_some(theme.accent),
    }
}

/// Draws a button with a frame. `on` is its state, if it is a toggle. `help` is its tooltip.
pub(crate) fn button(ui: &mut Ui, (name, help): (&str, &str), on: Option<bool>) -> Response {
    let response = button_ui(ui, name, None, &|ui, response| {
        let visuals = ui.style().interact_selectable(response, on == Some(true));
        Look {
            color: visuals.text_color(),
            ground: Some(Ground::of(&visuals)),
            underline: None,
        }
    });
    if let Some(on) = on {
        accessibility::describe_toggle(ui.ctx(), response.id, on, || name.to_owned());
    }
    hint_with_keys(&response, help);
    response
}

/// The width and the height of an icon, in points.
const ICON: f32 = 11.0;

fn paint_icon(painter: &Painter, center: Pos2, icon: Icon, color: Color32) {
    let corner = center - Vec2::splat(ICON / 2.0);
    for line in icon {
        let points = line.iter().map(|&(x, y)| corner + ICON * vec2(x, y));
        painter.line(points.collect(), Stroke::new(1.4, color));
    }
}

/// The look of a button, apart from its name.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Look {
    color: Color32,
    ground: Option<Ground>,
    underline: Option<Color32>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Ground {
    radius: CornerRadius,
    fill: Color32,
    edge: Stroke,
}

impl Ground {
    fn of(visuals: &WidgetVisuals) -> Self {
        Self {
            radius: visuals.corner_radius,
            fill: visuals.weak_bg_fill,
            edge: visuals.bg_stroke,
        }
    }
}

/// The size and the shapes of a button, until its name or look changes.
#[derive(Clone, Debug, Default)]
struct CachedButton {
    /// A hash of the name, and the text revision in which the name was laid out.
    of: Option<(u64, u64)>,
    /// The size of the name.
    size: Vec2,
    shapes: Retained<(u64, Vec2, Look)>,
}

/// Draws a button with its name, or with an icon instead.
fn button_ui(
    ui: &mut Ui,
    name: &str,
    icon: Option<Icon>,
    look: &dyn Fn(&Ui, &Response) -> Look,
) -> Response {
    let id = ui.next_auto_id();
    let mut cached: CachedButton =
        ui.data_mut(|data| std::mem::take(data.get_temp_mut_or_default(id)));
    let of = (fnv1a(name), text_revision(ui.ctx()));
    if cached.of != Some(of) {
        let size = || {
            let (text, color) = (name.to_owned(), Color32::PLACEHOLDER);
            ui.painter().layout_no_wrap(text, text_font(), color).size()
        };
        cached.size = icon.map_or_else(size, |_| Vec2::splat(ICON));
        cached.of = Some(of);
    }
    let size = cached.size + 2.0 * ui.spacing().button_padding;
    let min_height = ui.spacing().interact_size.y;
    let (rect, response) =
        ui.allocate_exact_size(Vec2::new(size.x, size.y.max(min_height)), Sense::click());
    accessibility::describe_button(ui.ctx(), response.id, || name.to_owned());
    if ui.is_rect_visible(rect) {
        let look = look(ui, &response);
        let key = (of.0, rect.size(), look);
        cached
            .shapes
            .paint_at(ui.painter(), rect.min, key, |painter| {
                if let Some(ground) = look.ground {
                    let inside = StrokeKind::Inside;
                    painter.rect(rect, ground.radius, ground.fill, ground.edge, inside);
                }
                let center = rect.center();
                match icon {
                    Some(icon) => paint_icon(painter, center, icon, look.color),
                    None => {
                        let middle = Align2::CENTER_CENTER;
                        painter.text(center, middle, name, text_font(), look.color);
                    }
                }
                if let Some(color) = look.underline {
                    let y = rect.bottom() + 1.0;
                    let line = [pos2(rect.left() + 4.0, y), pos2(rect.right() - 4.0, y)];
                    painter.line_segment(line, Stroke::new(2.0, color));
                }
            });
    }
    ui.data_mut(|data| *data.get_temp_mut_or_default(id) = cached);
    response
}
