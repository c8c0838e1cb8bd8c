//! What a user presses: a key, a button of a game pad, or the screen with three fingers.

use std::fmt;
use std::str::FromStr;

use egui::{Key, Modifiers};
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What a user presses to perform an [`Action`](crate::Action).
///
/// A press is written, shown and saved as text: `Shift+R`, `Ctrl+F`, `Pad South`, `Three fingers`.
/// Keys have egui's names, such as `Space` or `Up`.
///
/// ```
/// use stats_overlay::{PadButton, Press};
///
/// assert_eq!("Shift+R".parse(), Ok(Press::shift(egui::Key::R)));
/// assert_eq!(Press::Pad(PadButton::South).to_string(), "Pad South");
/// assert!("Shfit+R".parse::<Press>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Press {
    /// A key with these modifiers and no others.
    Key {
        /// The key that the keyboard layout types, as egui names it.
        key: Key,
        /// Whether Shift is held.
        shift: bool,
        /// Whether Ctrl is held, or ⌘ on a Mac.
        command: bool,
    },
    /// A button of a game pad.
    Pad(PadButton),
    /// A tap on the screen with three fingers.
    ThreeFingers,
}

/// The text of [`Press::ThreeFingers`].
const THREE_FINGERS: &str = "Three fingers";
const CTRL: &str = "Ctrl+";
const SHIFT: &str = "Shift+";
const PAD: &str = "Pad ";

impl Press {
    /// Returns a key without modifiers.
    #[must_use]
    pub const fn key(key: Key) -> Self {
        Self::with(key, false, false)
    }

    /// Returns a key with Shift.
    #[must_use]
    pub const fn shift(key: Key) -> Self {
        Self::with(key, true, false)
    }

    /// Returns a key with Ctrl, or with ⌘ on a Mac.
    #[must_use]
    pub const fn command(key: Key) -> Self {
        Self::with(key, false, true)
    }

    const fn with(key: Key, shift: bool, command: bool) -> Self {
        Self::Key {
            key,
            shift,
            command,
        }
    }

    /// Returns the press of a key that egui reports. `None` with Alt, which no action uses.
    pub(crate) fn of(key: Key, modifiers: Modifiers) -> Option<Self> {
        (!modifiers.alt).then_some(Self::with(key, modifiers.shift, modifiers.command))
    }

    /// Returns whether a key is pressed.
    pub(crate) fn is_key(self) -> bool {
        matches!(self, Self::Key { .. })
    }

    /// Returns the press as short text, such as `Shift+←`. Only egui's monospaced font has arrows.
    pub(crate) fn label(self) -> String {
        let arrow = match self {
            Self::Key { key, .. } => match key {
                Key::ArrowUp => "↑",
                Key::ArrowDown => "↓",
                Key::ArrowLeft => "←",
                Key::ArrowRight => "→",
                _ => return self.text(),
            },
            _ => return self.text(),
        };
        format!("{}{arrow}", self.modifiers())
    }

    /// Returns the press as short text for menus, tooltips and messages, such as `Shift+Left`.
    pub(crate) fn text(self) -> String {
        let key = match self {
            Self::Key {
                key: Key::Escape, ..
            } => "Esc",
            Self::Key { key, .. } if !is_arrow(key) => key.symbol_or_name(),
            _ => return self.to_string(),
        };
        format!("{}{key}", self.modifiers())
    }

    const fn modifiers(self) -> &'static str {
        match self {
            Self::Key { shift, command, .. } => match (command, shift) {
                (true, true) => "Ctrl+Shift+",
                (true, false) => CTRL,
                (false, true) => SHIFT,
                (false, false) => "",
            },
            _ => "",
        }
    }
}

const fn is_arrow(key: Key) -> bool {
    matches!(
        key,
        Key::ArrowUp | Key::ArrowDown | Key::ArrowLeft | Key::ArrowRight
    )
}

impl fmt::Display for Press {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key { key, .. } => write!(f, "{}{}", self.modifiers(), key.name()),
            Self::Pad(button) => write!(f, "{PAD}{}", button.name()),
            Self::ThreeFingers => f.write_str(THREE_FINGERS),
        }
    }
}

impl FromStr for Press {
    type Err = PressError;

    fn from_str(text: &str) -> Result<Self, PressError> {
        let error = || PressError(text.to_owned());
        if text == THREE_FINGERS {
            return Ok(Self::ThreeFingers);
        }
        if let Some(name) = text.strip_prefix(PAD) {
            return PadButton::from_name(name).map(Self::Pad).ok_or_else(error);
        }
        let (mut shift, mut command, mut name) = (false, false, text);
        loop {
            if let Some(rest) = name.strip_prefix(CTRL).filter(|_| !command) {
                (command, name) = (true, rest);
            } else if let Some(rest) = name.strip_prefix(SHIFT).filter(|_| !shift) {
                (shift, name) = (true, rest);
            } else {
                break;
            }
        }
        let key = Key::from_name(name).ok_or_else(error)?;
        Ok(Self::with(key, shift, command))
    }
}

impl Serialize for Press {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Press {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(PressVisitor)
    }
}

/// Reads the text of a press. An error of it has the place of the text.
struct PressVisitor;

impl Visitor<'_> for PressVisitor {
    type Value = Press;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Press, E> {
        text.parse().map_err(E::custom)
    }
}

/// The error of a text that names no [`Press`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PressError(String);

impl fmt::Display for PressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text: String = self.0.chars().take(40).collect();
        write!(
            f,
            "{text:?} names no key, button or tap; write, for example, \"Shift+R\", \"Pad South\" \
             or \"{THREE_FINGERS}\""
        )
    }
}

impl std::error::Error for PressError {}

/// Defines [`PadButton`] with the names of its values.
macro_rules! pad_buttons {
    ($($(#[$doc:meta])* $Name:ident)*) => {
        /// A button of a game pad, by its place. The names are those of the crate gilrs.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum PadButton {
            $($(#[$doc])* $Name,)*
        }

        impl PadButton {
            /// All buttons.
            pub const ALL: &'static [Self] = &[$(Self::$Name),*];

            /// Returns the name of the value.
            pub(crate) const fn name(self) -> &'static str {
                match self {
                    $(Self::$Name => stringify!($Name),)*
                }
            }
        }
    };
}

pad_buttons! {
    /// The lower one of the four buttons on the right: A, or a cross.
    South
    /// The right one: B, or a circle.
    East
    /// The upper one: Y, or a triangle.
    North
    /// The left one: X, or a square.
    West
    /// The upper shoulder button on the left.
    LeftTrigger
    /// The lower shoulder button on the left.
    LeftTrigger2
    /// The upper shoulder button on the right.
    RightTrigger
    /// The lower shoulder button on the right.
    RightTrigger2
    /// The small button on the left: select, share, view or minus.
    Select
    /// The small button on the right: start, options, menu or plus.
    Start
    /// The button with the maker's sign.
    Mode
    /// A press on the left stick.
    LeftThumb
    /// A press on the right stick.
    RightThumb
    /// Up on the directional pad.
    DPadUp
    /// Down on the directional pad.
    DPadDown
    /// Left on the directional pad.
    DPadLeft
    /// Right on the directional pad.
    DPadRight
}

impl PadButton {
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        let named = Self::ALL.iter().find(|of| of.name() == name);
        named.copied()
    }

    /// Returns whether the button is one of the directional pad, whose presses repeat while it is
    /// held.
    #[cfg(feature = "gilrs")]
    pub(crate) const fn is_direction(self) -> bool {
        matches!(
            self,
            Self::DPadUp | Self::DPadDown | Self::DPadLeft | Self::DPadRight
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_press_is_read_from_its_text() {
        for &key in Key::ALL {
            for (shift, command) in [(false, false), (false, true), (true, false), (true, true)] {
                let press = Press::Key {
                    key,
                    shift,
                    command,
                };
                assert_eq!(press.to_string().parse(), Ok(press));
            }
        }
        let pads = PadButton::ALL.iter().map(|&button| Press::Pad(button));
        for press in pads.chain([Press::ThreeFingers]) {
            assert_eq!(press.to_string().parse(), Ok(press));
        }
        assert_eq!("Ctrl++".parse(), Ok(Press::command(Key::Plus)));
        assert_eq!("Shift+Ctrl+Q".parse(), "Ctrl+Shift+Q".parse::<Press>());
    }

    #[test]
    fn a_text_that_names_nothing_is_an_error_with_examples() {
        for text in [
            "",
            "Shift+",
            "Shift+Shift+R",
            "Pad Middle",
            "Alt+R",
            "three fingers",
        ] {
            let error = text.parse::<Press>().unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("{text:?} names no key")) && error.contains("Pad South"),
                "{error}"
            );
        }
    }

    #[test]
    fn labels_have_signs_and_texts_have_names() {
        let press = Press::shift(Key::ArrowLeft);
        assert_eq!(
            (press.label().as_str(), press.to_string().as_str()),
            ("Shift+←", "Shift+Left")
        );
        assert_eq!(press.text(), "Shift+Left");
        assert_eq!(Press::key(Key::Escape).label(), "Esc");
        assert_eq!(Press::command(Key::OpenBracket).text(), "Ctrl+[");
    }
}
