//! Reads texts that other programs write as another type of JSON.
//!
//! A number or a boolean is accepted as a text, and one string as a list of one.

use std::collections::BTreeMap;

use serde::de::{Deserialize, Deserializer, Error, Unexpected};
use serde_json::Value;

/// Reads a text, a number or a boolean; `None` for null.
pub(super) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    of_value(Value::deserialize(deserializer)?)
}

/// Reads a map of texts. Leaves out those that are null.
pub(super) fn texts<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, String>, D::Error> {
    let map = BTreeMap::<String, Value>::deserialize(deserializer)?;
    let mut texts = BTreeMap::new();
    for (name, value) in map {
        if let Some(text) = of_value(value)? {
            texts.insert(name, text);
        }
    }
    Ok(texts)
}

/// Reads a list of texts, or one text.
pub(super) fn list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::Array(values) => {
            let texts = values.into_iter().map(of_value::<D::Error>);
            texts.filter_map(Result::transpose).collect()
        }
        value => Ok(of_value(value)?.into_iter().collect()),
    }
}

fn of_value<E: Error>(value: Value) -> Result<Option<String>, E> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text)),
        Value::Number(number) => Ok(Some(number.to_string())),
        Value::Bool(is) => Ok(Some(is.to_string())),
        Value::Array(_) => Err(E::invalid_type(Unexpected::Seq, &"a text")),
        Value::Object(_) => Err(E::invalid_type(Unexpected::Map, &"a text")),
    }
}
