//! The keys in tooltips. They are written with the standard keys, and shown with those that the user
//! bound.

use std::borrow::Cow;
use std::sync::Arc;

use egui::{Context, Id, Response};
use stats_ui::{accessibility, tooltip};

use crate::input::action::Action;
use crate::input::bindings::Bindings;
use crate::input::key_bindings::standard;
use crate::input::press::Press;

fn id() -> Id {
    Id::NULL.with("stats overlay bindings")
}

/// Makes these the bindings of tooltips drawn in the context.
pub(crate) fn set_bindings(ctx: &Context, bindings: &Bindings) {
    if is_current(ctx, bindings) {
        return;
    }
    let bindings = Arc::new(bindings.clone());
    ctx.data_mut(|data| data.insert_temp(id(), bindings));
}

fn is_current(ctx: &Context, bindings: &Bindings) -> bool {
    ctx.data(|data| {
        let current: Option<Arc<Bindings>> = data.get_temp(id());
        current.map_or(bindings.is_standard(), |current| *current == *bindings)
    })
}

fn changed_bindings(ctx: &Context) -> Option<Arc<Bindings>> {
    let bindings: Option<Arc<Bindings>> = ctx.data(|data| data.get_temp(id()));
    bindings.filter(|bindings| !bindings.is_standard())
}

/// Returns the first key of an action as text; empty if it has none.
pub(crate) fn key_text(ctx: &Context, action: Action) -> String {
    match changed_bindings(ctx) {
        Some(bindings) => bindings.key_text(action),
        None => Bindings::standard().key_text(action),
    }
}

/// Returns a tooltip with the keys that the user bound, in place of the standard ones in
/// parentheses. A key in parentheses without a key of its own is left out.
pub(crate) fn with_keys<'a>(ctx: &Context, text: &'a str) -> Cow<'a, str> {
    match changed_bindings(ctx) {
        Some(bindings) => Cow::Owned(translated(text, &bindings)),
        None => Cow::Borrowed(text),
    }
}

/// Shows a tooltip [with the keys](with_keys) that the user bound while the pointer is on a widget, and
/// describes the widget with it to a screen reader. Otherwise nothing is built.
pub(crate) fn hint_with_keys(response: &Response, text: &str) {
    if response.hovered() || accessibility::is_on(&response.ctx) {
        tooltip::hint(response, &with_keys(&response.ctx, text));
    }
}

fn translated(text: &str, bindings: &Bindings) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('(') {
        let Some(length) = rest[at..].find(')') else {
            break;
        };
        let (before, after) = (&rest[..at], &rest[at + length + 1..]);
        out.push_str(before);
        match action_of(&rest[at + 1..at + length]) {
            Some(action) => {
                let key = bindings.key_text(action);
                if key.is_empty() {
                    out.truncate(out.trim_end().len());
                } else {
                    out.push_str(&format!("({key})"));
                }
            }
            None => out.push_str(&rest[at..=at + length]),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Returns the action of a standard key, as it is written in tooltips.
fn action_of(text: &str) -> Option<Action> {
    let press: Press = text.parse().ok()?;
    let found = standard().find(|(of, _)| *of == press);
    found.map(|(_, action)| action)
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::Key;

    #[test]
    fn a_tooltip_has_the_keys_that_the_user_bound() {
        let ctx = Context::default();
        let text = "Linear (or not) values (L). More (Shift+L)";
        assert_eq!(with_keys(&ctx, text), text);
        let mut bindings = Bindings::default();
        bindings
            .replace(Press::key(Key::F7), Action::ToggleLog)
            .expect("it is free");
        set_bindings(&ctx, &bindings);
        assert_eq!(
            with_keys(&ctx, text),
            "Linear (or not) values (F7). More (Shift+L)"
        );
        bindings.remove_presses(Action::ToggleLog);
        set_bindings(&ctx, &bindings);
        assert_eq!(
            with_keys(&ctx, text),
            "Linear (or not) values. More (Shift+L)"
        );
        set_bindings(&ctx, &Bindings::default());
        assert_eq!(with_keys(&ctx, text), text);
    }

    #[test]
    fn parentheses_of_any_kind_are_kept() {
        let mut bindings = Bindings::default();
        bindings.remove_presses(Action::ToggleLog);
        for text in ["", "(", ")", "a (", "()", "(()", "(ö) (", "a (ü"] {
            assert_eq!(translated(text, &bindings), text);
        }
    }
}
