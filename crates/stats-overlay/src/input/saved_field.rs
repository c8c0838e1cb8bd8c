//! Reads and writes the fields of settings and panes that serde's own code does not suit: named
//! values, keys and numbers.

use std::fmt;
use std::marker::PhantomData;
use std::ops::RangeInclusive;

use egui::Key;
use serde::de::{Deserializer, Error, Unexpected, Visitor};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};
use stats_analysis::distribution::ValueScale;
use stats_ui::theme::{Appearance, Palette};

use super::mode::{HudSize, Mode, Place};

/// A type whose values have names.
pub(crate) trait Named: Copy + Default + PartialEq + 'static {
    /// Every value and its name.
    const NAMES: &'static [(&'static str, Self)];

    fn name(self) -> &'static str {
        let named = Self::NAMES.iter().find(|(_, value)| *value == self);
        named.map_or("", |(name, _)| name)
    }

    fn from_name(name: &str) -> Option<Self> {
        let named = Self::NAMES.iter().find(|(of, _)| *of == name);
        named.map(|(_, value)| *value)
    }

    /// Returns the value after this one; the first value after the last one, and after one without
    /// a name.
    fn next(self) -> Self {
        let at = Self::NAMES.iter().position(|(_, value)| *value == self);
        let next = Self::NAMES.get(at.map_or(0, |at| at + 1));
        next.or(Self::NAMES.first())
            .map_or_else(Self::default, |(_, value)| *value)
    }

    /// Returns all names, joined with `or`.
    fn choice(quote: &str) -> String {
        let names = Self::NAMES.iter();
        let names: Vec<String> = names
            .map(|(name, _)| format!("{quote}{name}{quote}"))
            .collect();
        names.join(" or ")
    }
}

/// Implements [`Named`] for enums.
macro_rules! named {
    ($($named:ident { $($value:ident $name:literal),* })*) => {
        $(impl Named for $named {
            const NAMES: &'static [(&'static str, Self)] = &[$(($name, Self::$value)),*];
        })*
    };
}

named! {
    Appearance { Host "host", Dark "dark", Light "light" }
    Palette { Standard "standard", ColorVision "color_vision" }
    Mode { Hidden "hidden", Hud "hud", Watch "watch", Full "full" }
    HudSize { Line "line", Small "small", Medium "medium", Large "large" }
    Place {
        Right "right", Left "left", Top "top", Bottom "bottom",
        TopLeft "top_left", TopRight "top_right",
        BottomLeft "bottom_left", BottomRight "bottom_right"
    }
    ValueScale { Auto "auto", Linear "linear", Log "log" }
}

/// Writes a value as its name. For `#[serde(with)]`.
pub(crate) mod name {
    use super::*;

    pub(crate) fn serialize<T: Named, S: Serializer>(
        value: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(value.name())
    }

    pub(crate) fn deserialize<'de, T: Named, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        deserializer.deserialize_str(NameVisitor(PhantomData))
    }

    struct NameVisitor<T>(PhantomData<T>);

    impl<T: Named> Visitor<'_> for NameVisitor<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(&T::choice("\""))
        }

        fn visit_str<E: Error>(self, name: &str) -> Result<T, E> {
            T::from_name(name).ok_or_else(|| E::invalid_value(Unexpected::Str(name), &self))
        }
    }
}

/// Writes an optional value as its name. For `#[serde(with)]`.
pub(crate) mod optional_name {
    use super::*;

    pub(crate) fn serialize<T: Named, S: Serializer>(
        value: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.map(T::name).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, T: Named, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        /// A value that is read by its name.
        #[derive(Deserialize)]
        struct Value<T: Named>(#[serde(with = "name")] T);
        let value = Option::<Value<T>>::deserialize(deserializer)?;
        Ok(value.map(|Value(value)| value))
    }
}

/// Writes an optional key as its name in egui. For `#[serde(with)]`.
pub(super) mod key {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(
        key: &Option<Key>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        key.map(Key::name).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Key>, D::Error> {
        let name = Option::<String>::deserialize(deserializer)?;
        let key = |name: String| {
            let expected = "the name of a key, such as \"F3\"";
            Key::from_name(&name)
                .ok_or_else(|| D::Error::invalid_value(Unexpected::Str(&name), &expected))
        };
        name.map(key).transpose()
    }
}

/// Writes an `f32` with few digits. For `#[serde(with)]`.
pub(crate) mod single {
    use super::*;

    /// Writes the shortest text of the number: 0.3, not 0.30000001192092896.
    pub(crate) fn serialize<S: Serializer>(value: &f32, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_f64(value.to_string().parse().unwrap_or(f64::from(*value)))
    }

    /// Reads any number. A number beyond the range of `f32` becomes infinite.
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f32, D::Error> {
        f64::deserialize(from).map(|number| number as f32)
    }
}

/// Reads any number as the nearest whole number, at least 0. For `#[serde(deserialize_with)]`.
pub(crate) fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    f64::deserialize(deserializer).map(|number| number.round() as usize)
}

/// Returns the nearest number within a range; for NaN, the lowest one.
pub(crate) fn within<N: PartialOrd + Copy>(range: RangeInclusive<N>, value: N) -> N {
    if value > *range.end() {
        *range.end()
    } else if value >= *range.start() {
        value
    } else {
        *range.start()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_follow_each_other_and_the_first_one_follows_a_value_without_a_name() {
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        enum Light {
            #[default]
            Red,
            Green,
            Broken,
        }
        impl Named for Light {
            const NAMES: &'static [(&'static str, Self)] =
                &[("red", Self::Red), ("green", Self::Green)];
        }
        let next = [Light::Red, Light::Green, Light::Broken].map(Named::next);
        assert_eq!(next, [Light::Green, Light::Red, Light::Red]);
    }
}
