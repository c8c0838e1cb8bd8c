//! Which press performs which action: the standard bindings, with what the user changed.

use std::collections::HashMap;
use std::fmt;
use std::mem::discriminant;
use std::sync::OnceLock;

use egui::Key;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use stats_analysis::sort::sort_by;

use crate::input::action::Action;
use crate::input::key_bindings::standard;
use crate::input::press::Press;

/// The press that pastes, which egui reports as a paste and not as a key.
const PASTE: Press = Press::command(Key::V);

/// The presses of each [`Action`]: keys of the full overlay, buttons of game pads, and the tap with
/// three fingers. The default is the standard bindings.
///
/// A press that has several actions performs none of them, and [`conflicts`](Self::conflicts) lists
/// it. [`bind`](Self::bind) refuses to make such a press. It can come from a file that was written
/// by hand, or from a standard binding that is new.
///
/// ```
/// use egui::Key;
/// use stats_overlay::{Action, Bindings, Press};
///
/// let mut bindings = Bindings::default();
/// let error = bindings.bind(Press::key(Key::K), Action::Hide).unwrap_err();
/// assert_eq!(error.to_string(), "K is bound to “previous pane”; unbind it first, or choose another");
/// bindings.unbind(Press::key(Key::K));
/// bindings.bind(Press::key(Key::K), Action::Hide)?;
/// assert_eq!(bindings.action(Press::key(Key::K)), Some(Action::Hide));
/// # Ok::<(), stats_overlay::BindError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Bindings {
    /// The actions whose presses are not the standard ones, in the order of [`Action::all`].
    own: Vec<(Action, Vec<Press>)>,
    /// All bindings, in the order of the help.
    all: Vec<(Press, Action)>,
}

impl Bindings {
    /// Returns the standard bindings.
    pub(crate) fn standard() -> &'static Self {
        static STANDARD: OnceLock<Bindings> = OnceLock::new();
        STANDARD.get_or_init(|| Self::of(Vec::new()))
    }

    fn of(own: Vec<(Action, Vec<Press>)>) -> Self {
        let mut all = Vec::new();
        let own_of = |action| own.iter().find(|(of, _)| *of == action);
        let mut add = |press, action| {
            if !all.contains(&(press, action)) {
                all.push((press, action));
            }
        };
        for (press, action) in standard() {
            match own_of(action) {
                Some((_, presses)) => presses.iter().for_each(|&press| add(press, action)),
                None => add(press, action),
            }
        }
        for (action, presses) in &own {
            presses.iter().for_each(|&press| add(press, *action));
        }
        Self { own, all }
    }

    /// Returns whether all bindings are the standard ones.
    #[must_use]
    pub fn is_standard(&self) -> bool {
        self.own.is_empty()
    }

    /// Returns every press with its action, in the order of the help.
    pub fn iter(&self) -> impl Iterator<Item = (Press, Action)> + '_ {
        self.all.iter().copied()
    }

    /// Returns the presses of an action.
    pub fn presses(&self, action: Action) -> impl Iterator<Item = Press> + '_ {
        let of_action = self.iter().filter(move |(_, of)| *of == action);
        of_action.map(|(press, _)| press)
    }

    /// Returns the action of a press. `None` if it has none, or several.
    #[must_use]
    pub fn action(&self, press: Press) -> Option<Action> {
        let mut actions = self.iter().filter(|(of, _)| *of == press);
        let (_, action) = actions.next()?;
        actions.next().is_none().then_some(action)
    }

    /// Adds a press to those of an action.
    ///
    /// # Errors
    ///
    /// Returns an error, and changes nothing, if the press has another action, or is Ctrl+V, which
    /// shows a pasted view.
    pub fn bind(&mut self, press: Press, action: Action) -> Result<(), BindError> {
        let taken = self.iter().find(|&(of, by)| of == press && by != action);
        if let Some((press, by)) = taken {
            return Err(BindError::Taken { press, by });
        }
        if press == PASTE {
            return Err(BindError::Pastes);
        }
        let mut presses: Vec<Press> = self.presses(action).collect();
        if !presses.contains(&press) {
            presses.push(press);
            self.set(action, presses);
        }
        Ok(())
    }

    /// Removes a press from all actions.
    pub fn unbind(&mut self, press: Press) {
        let actions: Vec<Action> = (self.iter().filter(|(of, _)| *of == press))
            .map(|(_, action)| action)
            .collect();
        for action in actions {
            let rest = self.presses(action).filter(|&of| of != press).collect();
            self.set(action, rest);
        }
    }

    /// Gives an action its standard presses again. They may conflict with those of other actions.
    pub fn reset(&mut self, action: Action) {
        self.set(action, standard_of(action));
    }

    /// Returns the presses with several actions, which perform none of them.
    #[must_use]
    pub fn conflicts(&self) -> Vec<BindConflict> {
        let mut conflicts: Vec<BindConflict> = Vec::new();
        for (press, action) in self.iter() {
            let mut actions = vec![action];
            let others = self.iter().filter(|&(of, by)| of == press && by != action);
            actions.extend(others.map(|(_, by)| by));
            if actions.len() > 1 && conflicts.iter().all(|of| of.press != press) {
                conflicts.push(BindConflict {
                    press,
                    actions,
                    toggles: false,
                });
            }
        }
        conflicts
    }

    /// Returns the conflicts, with those of the key that shows and hides the overlay.
    pub(crate) fn conflicts_with(&self, toggle: Option<Key>) -> Vec<BindConflict> {
        let mut conflicts = self.conflicts();
        let Some(press) = toggle.map(Press::key) else {
            return conflicts;
        };
        let actions = self.iter().filter(|&(of, _)| of == press);
        let actions: Vec<Action> = (actions.map(|(_, action)| action))
            .filter(|action| *action != Action::CycleMode)
            .collect();
        if !actions.is_empty() {
            conflicts.retain(|of| of.press != press);
            conflicts.push(BindConflict {
                press,
                actions,
                toggles: true,
            });
        }
        conflicts
    }

    /// Returns whether an action has its standard presses.
    pub(crate) fn has_standard(&self, action: Action) -> bool {
        self.own.iter().all(|(of, _)| *of != action)
    }

    /// Returns the first key of an action as text for menus; empty if it has none.
    pub(crate) fn key_text(&self, action: Action) -> String {
        let key = self.presses(action).find(|press| press.is_key());
        key.map_or(String::new(), Press::text)
    }

    /// Makes `press` the only one of its sort that an action has: its only key, its only button of a
    /// pad, or its tap.
    ///
    /// # Errors
    ///
    /// Returns an error, and changes nothing, like [`bind`](Self::bind).
    pub(crate) fn replace(&mut self, press: Press, action: Action) -> Result<(), BindError> {
        let mut changed = self.clone();
        let others = |of: &Press| discriminant(of) != discriminant(&press);
        changed.set(action, self.presses(action).filter(others).collect());
        changed.bind(press, action)?;
        *self = changed;
        Ok(())
    }

    pub(crate) fn remove_presses(&mut self, action: Action) {
        self.set(action, Vec::new());
    }

    fn set(&mut self, action: Action, presses: Vec<Press>) {
        let mut own = std::mem::take(&mut self.own);
        own.retain(|(of, _)| *of != action);
        own.push((action, presses));
        *self = Self::of(normal(own));
    }
}

fn standard_of(action: Action) -> Vec<Press> {
    let of_action = standard().filter(|(_, of)| *of == action);
    of_action.map(|(press, _)| press).collect()
}

/// Sorts the actions, and leaves out those that have their standard presses.
fn normal(mut own: Vec<(Action, Vec<Press>)>) -> Vec<(Action, Vec<Press>)> {
    own.retain(|(action, presses)| *presses != standard_of(*action));
    let place = |action: Action| Action::all().position(|of| of == action);
    sort_by(&mut own, |a, b| place(a.0).cmp(&place(b.0)));
    own
}

impl Default for Bindings {
    fn default() -> Self {
        Self::standard().clone()
    }
}

impl PartialEq for Bindings {
    fn eq(&self, other: &Self) -> bool {
        self.own == other.own
    }
}

/// Written as the presses of each action that has not its standard ones, by the name of the action.
impl Serialize for Bindings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.own.iter().map(|(action, of)| (action.name(), of)))
    }
}

impl<'de> Deserialize<'de> for Bindings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // An error that is noticed while the map is read has the place of its cause.
        let read = HashMap::<NamedAction, Presses>::deserialize(deserializer)?;
        let own = read.into_iter();
        Ok(Self::of(normal(
            own.map(|(named, of)| (named.0, of.0)).collect(),
        )))
    }
}

/// An action, read by its name.
#[derive(PartialEq, Eq, Hash)]
struct NamedAction(Action);

impl<'de> Deserialize<'de> for NamedAction {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let action = Action::from_name(&name).ok_or_else(|| {
            let name: String = name.chars().take(40).collect();
            serde::de::Error::custom(format_args!(
                "there is no action {name:?}; docs/overlay.md lists them, such as \"TogglePause\""
            ))
        })?;
        Ok(Self(action))
    }
}

/// The presses of an action, without the one that pastes.
struct Presses(Vec<Press>);

impl<'de> Deserialize<'de> for Presses {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let presses = Vec::deserialize(deserializer)?;
        match presses.contains(&PASTE) {
            true => Err(serde::de::Error::custom(BindError::Pastes)),
            false => Ok(Self(presses)),
        }
    }
}

/// The error of [`Bindings::bind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BindError {
    /// The press has another action.
    Taken {
        /// The press.
        press: Press,
        /// Its action.
        by: Action,
    },
    /// Ctrl+V always shows a pasted view.
    Pastes,
}

impl fmt::Display for BindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Taken { press, by } => write!(
                f,
                "{} is bound to “{}”; unbind it first, or choose another",
                press.text(),
                by.describe()
            ),
            Self::Pastes => f.write_str("Ctrl+V shows a pasted view, and cannot be bound"),
        }
    }
}

impl std::error::Error for BindError {}

/// A press that several actions claim.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BindConflict {
    /// The press.
    pub press: Press,
    /// The actions that it does not perform.
    pub actions: Vec<Action>,
    /// Whether the press shows and hides the overlay, and does nothing else.
    pub toggles: bool,
}

impl fmt::Display for BindConflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let actions = self.actions.iter();
        let actions: Vec<String> = actions
            .map(|action| format!("“{}”", action.describe()))
            .collect();
        let (press, actions) = (self.press.text(), actions.join(" and "));
        if self.toggles {
            write!(
                f,
                "{press} shows and hides the overlay, so it does not perform {actions}: bind another key"
            )
        } else {
            write!(
                f,
                "{press} performs nothing, because {actions} claim it: bind other keys"
            )
        }
    }
}

#[cfg(test)]
mod tests;
