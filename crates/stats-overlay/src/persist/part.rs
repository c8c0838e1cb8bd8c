//! Values as parts of a JSON document: each knows how to read and write itself, and what it does
//! not understand is handed back.

use std::ops::RangeInclusive;

use egui::Key;
use serde_json::{Map, Value};

/// What was read and not understood, to be written back.
pub(crate) type Kept = Map<String, Value>;

/// One value of the document.
pub(crate) trait Part {
    /// Takes over what it understands of `value`; the rest is returned, to be kept.
    fn read(&mut self, value: Value, walk: &mut Walk) -> Option<Value>;
    /// The value as it is to be written.
    fn write(&mut self) -> Value;
    /// Whether it is a list, of which a rest can be kept beside it.
    fn is_list(&self) -> bool {
        false
    }
}

/// An object with fields of its own.
pub(crate) trait Fields: Clone + Default {
    /// Calls `each` with the name and the value of every field.
    fn fields(&mut self, each: &mut dyn FnMut(&'static str, &mut dyn Part));
    /// What was not understood of it.
    fn kept(&mut self) -> &mut Kept;
}

/// One step into the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Field(&'static str),
    Item(usize),
}

/// A value of another type than there can be.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    pub(crate) at: Vec<Step>,
    pub(crate) expected: String,
}

/// Where in the document the reader is, and the first wrong value that it came by.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    at: Vec<Step>,
    pub(crate) wrong: Option<Wrong>,
}

impl Walk {
    fn expected(&mut self, expected: impl Into<String>) {
        if self.wrong.is_none() {
            self.wrong = Some(Wrong {
                at: self.at.clone(),
                expected: expected.into(),
            });
        }
    }

    fn within<R>(&mut self, step: Step, read: impl FnOnce(&mut Self) -> R) -> R {
        self.at.push(step);
        let result = read(self);
        self.at.pop();
        result
    }
}

impl<T: Fields> Part for T {
    fn read(&mut self, value: Value, walk: &mut Walk) -> Option<Value> {
        let Value::Object(mut left) = value else {
            walk.expected("an object");
            return Some(value);
        };
        self.fields(&mut |name, part| {
            let Some(value) = left.remove(name) else {
                return;
            };
            let Some(rest) = walk.within(Step::Field(name), |walk| part.read(value, walk)) else {
                return;
            };
            if part.is_list() {
                keep_beside(&mut left, name, rest);
            } else {
                left.insert(name.to_owned(), rest);
            }
        });
        *self.kept() = left;
        None
    }

    fn write(&mut self) -> Value {
        let mut written = self.kept().clone();
        let mut defaults = Vec::new();
        Self::default().fields(&mut |_, part| defaults.push(part.write()));
        let mut defaults = defaults.into_iter();
        self.fields(&mut |name, part| {
            let value = part.write();
            // A name that was not understood stays for as long as the default that took its place
            // does.
            if defaults.next().as_ref() != Some(&value) || !written.contains_key(name) {
                written.insert(name.to_owned(), value);
            }
        });
        Value::Object(written)
    }
}

fn keep_beside(left: &mut Kept, name: &str, rest: Value) {
    let beside = left
        .entry(format!("{name}_kept"))
        .or_insert_with(|| Value::Array(Vec::new()));
    if !beside.is_array() {
        *beside = Value::Array(vec![beside.take()]);
    }
    if let Value::Array(items) = beside {
        match rest {
            Value::Array(rest) => items.extend(rest),
            other => items.push(other),
        }
    }
}

impl Part for String {
    fn read(&mut self, value: Value, walk: &mut Walk) -> Option<Value> {
        let Value::String(text) = value else {
            walk.expected("text in quotes");
            return Some(value);
        };
        *self = text;
        None
    }

    fn write(&mut self) -> Value {
        Value::String(self.clone())
    }
}

impl Part for bool {
    fn read(&mut self, value: Value, walk: &mut Walk) -> Option<Value> {
        let Value::Bool(on) = value else {
            walk.expected("true or false");
            return Some(value);
        };
        *self = on;
        None
    }

    fn write(&mut self) -> Value {
        Value::Bool(*self)
    }
}

impl<T: Part + Default> Part for Option<T> {
    fn read(&mut self, value: Value, walk: &mut Walk) -> Option<Value> {
        *self = None;
        if value.is_null() {
            return None;
        }
        let mut part = T::default();
        let rest = part.read(value, walk);
        *self = rest.is_none().then_some(part);
        rest
    }

    fn write(&mut self) -> Value {
        self.as_mut().map_or(Value::Null, Part::write)
    }
}

/// A list of so many items at most.
pub(crate) struct List<'a, T>(pub(crate) &'a mut Vec<T>, pub(crate) usize);

impl<T: Part + Default> Part for List<'_, T> {
    fn read(&mut self, value: Value, walk: &mut Walk) -> Option<Value> {
        let Value::Array(items) = value else {
            walk.expected("a list");
            return Some(value);
        };
        self.0.clear();
        let mut rest = Vec::new();
        for (at, item) in items.into_iter().enumerate() {
            if self.0.len() == self.1 {
                rest.push(item);
                continue;
            }
            let mut part = T::default();
            match walk.within(Step::Item(at), |walk| part.read(item, walk)) {
                Some(item) => rest.push(item),
                None => self.0.push(part),
            }
        }
        (!rest.is_empty()).then_some(Value::Array(rest))
    }

    fn write(&mut self) -> Value {
        Value::Array(self.0.iter_mut().map(Part::write).collect())
    }

    fn is_list(&self) -> bool {
        true
    }
}

/// A number within its range; one beyond it becomes the nearest end.
pub(crate) struct Bounded<'a, T>(pub(crate) &'a mut T, pub(crate) RangeInclusive<T>);

/// A type of numbers.
pub(crate) trait Real: Copy + PartialOrd + std::fmt::Display {
    /// The nearest of the type.
    fn from_f64(value: f64) -> Self;
    fn to_json(self) -> Value;
}

impl Real for f64 {
    fn from_f64(value: f64) -> Self {
        value
    }

    fn to_json(self) -> Value {
        self.into()
    }
}

impl Real for f32 {
    fn from_f64(value: f64) -> Self {
        value as Self
    }

    fn to_json(self) -> Value {
        // By way of its shortest text, or 0.3 would be written as 0.30000001192092896.
        self.to_string()
            .parse::<f64>()
            .map_or(Value::Null, Value::from)
    }
}

impl Real for usize {
    fn from_f64(value: f64) -> Self {
        value.round() as Self
    }

    fn to_json(self) -> Value {
        self.into()
    }
}

impl<T: Real> Bounded<'_, T> {
    fn nearest(&self, value: T) -> T {
        let (least, most) = (*self.1.start(), *self.1.end());
        if value > most {
            most
        } else if value >= least {
            value
        } else {
            least
        }
    }
}

impl<T: Real> Part for Bounded<'_, T> {
    fn read(&mut self, value: Value, walk: &mut Walk) -> Option<Value> {
        let Some(number) = value.as_f64() else {
            walk.expected(format!(
                "a number from {} to {}",
                self.1.start(),
                self.1.end()
            ));
            return Some(value);
        };
        *self.0 = self.nearest(T::from_f64(number));
        None
    }

    fn write(&mut self) -> Value {
        // Within the range here too, NaN at its beginning: what is written can always be read.
        self.nearest(*self.0).to_json()
    }
}

/// A number within its range, or none.
pub(crate) struct Maybe<'a>(
    pub(crate) &'a mut Option<f64>,
    pub(crate) RangeInclusive<f64>,
);

impl Part for Maybe<'_> {
    fn read(&mut self, value: Value, walk: &mut Walk) -> Option<Value> {
        if value.is_null() {
            *self.0 = None;
            return None;
        }
        let mut number = *self.1.start();
        let rest = Bounded(&mut number, self.1.clone()).read(value, walk);
        if rest.is_none() {
            *self.0 = Some(number);
        }
        rest
    }

    fn write(&mut self) -> Value {
        self.0.map_or(Value::Null, |mut number| {
            Bounded(&mut number, self.1.clone()).write()
        })
    }
}

/// One of several values that have names. A name that is none of them is kept.
pub(crate) struct Named<'a, T: 'static>(
    pub(crate) &'a mut T,
    pub(crate) &'static [(&'static str, T)],
);

impl<T: Copy + PartialEq> Part for Named<'_, T> {
    fn read(&mut self, value: Value, walk: &mut Walk) -> Option<Value> {
        let Some(name) = value.as_str() else {
            let names: Vec<String> = self
                .1
                .iter()
                .map(|(name, _)| format!("\"{name}\""))
                .collect();
            walk.expected(names.join(" or "));
            return Some(value);
        };
        let Some((_, named)) = self.1.iter().find(|(of, _)| *of == name) else {
            return Some(value);
        };
        *self.0 = *named;
        None
    }

    fn write(&mut self) -> Value {
        let name = self.1.iter().find(|(_, of)| of == self.0);
        name.map_or(Value::Null, |(name, _)| Value::from(*name))
    }
}

/// A key by the name that egui has for it, or none. A name that is none is kept.
pub(crate) struct KeyName<'a>(pub(crate) &'a mut Option<Key>);

impl Part for KeyName<'_> {
    fn read(&mut self, value: Value, walk: &mut Walk) -> Option<Value> {
        match &value {
            Value::Null => *self.0 = None,
            Value::String(name) => match Key::from_name(name) {
                Some(key) => *self.0 = Some(key),
                None => return Some(value),
            },
            _ => {
                walk.expected("the name of a key, such as \"F3\", or null for none");
                return Some(value);
            }
        }
        None
    }

    fn write(&mut self) -> Value {
        self.0.map_or(Value::Null, |key| Value::from(key.name()))
    }
}
