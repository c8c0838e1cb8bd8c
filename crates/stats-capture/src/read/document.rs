//! Parses the documents of a capture's metadata.
//!
//! Other programs write fields as null, and whole numbers as floats; both are accepted. An error
//! names the field by its path.

use std::ops::Range;

use serde::de::DeserializeOwned;
use serde_json::{Number, Value};

/// The largest float that is a whole number together with all floats below it.
const MAX_WHOLE: f64 = 9_007_199_254_740_992.0;

/// Parses the document of a key. The error begins with the path of the wrong field.
pub(super) fn parse<T: DeserializeOwned>(key: &str, text: &str) -> Result<T, String> {
    let mut document: Value =
        serde_json::from_str(text).map_err(|error| format!("{key}: {error}"))?;
    simplify(&mut document);
    T::deserialize(&document).map_err(|error| {
        let path = path_of_error::<T>(&mut document, &error.to_string());
        format!("{key}{path}: {error}")
    })
}

/// Removes all fields that are null, and turns whole floats into integers. The depth of a parsed
/// value is bounded.
fn simplify(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|_, value| !value.is_null());
            fields.values_mut().for_each(simplify);
        }
        Value::Array(values) => values.iter_mut().for_each(simplify),
        Value::Number(number) => {
            let float = number.as_f64().filter(|_| number.is_f64());
            let is_whole = |float: &f64| float.fract() == 0.0 && float.abs() <= MAX_WHOLE;
            if let Some(float) = float.filter(is_whole) {
                *value = Value::Number(Number::from(float as i64));
            }
        }
        _ => {}
    }
}

/// Returns the path of the field that causes an error, such as `.labels.level` or `[3].unit`. All
/// fields are optional, so the error remains if everything else is removed.
fn path_of_error<T: DeserializeOwned>(document: &mut Value, error: &str) -> String {
    let mut path: Vec<Step> = Vec::new();
    while let Some(step) = reduce_to_wrong_child::<T>(document, &path, error) {
        path.push(step);
    }
    path.iter().map(Step::text).collect()
}

/// A step from a value to a part of it.
#[derive(Clone, Debug)]
enum Step {
    Field(String),
    Item(usize),
}

impl Step {
    fn text(&self) -> String {
        match self {
            Self::Field(name) => format!(".{name}"),
            Self::Item(at) => format!("[{at}]"),
        }
    }
}

/// Removes all parts of the value at `path` but the one that causes an error, and returns the step to
/// it; `None` if no part does. The values on the path have one part each.
fn reduce_to_wrong_child<T: DeserializeOwned>(
    document: &mut Value,
    path: &[Step],
    error: &str,
) -> Option<Step> {
    let parts = Parts::of(at(document, path)?)?;
    let mut fails_with = |parts: Value| {
        if let Some(value) = at(document, path) {
            *value = parts;
        }
        T::deserialize(&*document).is_err_and(|other| other.to_string() == error)
    };
    // The first part that causes the error is at the end of the shortest beginning that has it.
    let (mut without, mut with) = (0, parts.len());
    let is_of_a_part = with > 0 && !fails_with(parts.some(0..0));
    while is_of_a_part && with - without > 1 {
        let middle = without + (with - without) / 2;
        if fails_with(parts.some(0..middle)) {
            with = middle;
        } else {
            without = middle;
        }
    }
    (is_of_a_part && fails_with(parts.some(without..with))).then(|| parts.step(without))
}

/// The parts of a value.
enum Parts {
    Fields(Vec<(String, Value)>),
    Items(Vec<Value>),
}

impl Parts {
    /// Takes the parts out of a value; `None` if it has none by its type.
    fn of(value: &mut Value) -> Option<Self> {
        match value {
            Value::Object(fields) => {
                Some(Self::Fields(std::mem::take(fields).into_iter().collect()))
            }
            Value::Array(items) => Some(Self::Items(std::mem::take(items))),
            _ => None,
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Fields(fields) => fields.len(),
            Self::Items(items) => items.len(),
        }
    }

    /// Returns a value with some of the parts.
    fn some(&self, range: Range<usize>) -> Value {
        match self {
            Self::Fields(fields) => Value::Object(fields[range].iter().cloned().collect()),
            Self::Items(items) => Value::Array(items[range].to_vec()),
        }
    }

    fn step(&self, at: usize) -> Step {
        match self {
            Self::Fields(fields) => Step::Field(fields[at].0.clone()),
            Self::Items(_) => Step::Item(at),
        }
    }
}

/// Returns the value at a path on which each value has one part.
fn at<'a>(document: &'a mut Value, path: &[Step]) -> Option<&'a mut Value> {
    path.iter().try_fold(document, |value, _| match value {
        Value::Object(fields) => fields.values_mut().next(),
        Value::Array(items) => items.first_mut(),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::parse;
    use crate::metadata::{MarkRecord, Run, SeriesRecord};

    #[test]
    fn an_error_begins_with_the_path_of_the_field() {
        let run = |text: &str| parse::<Run>("stats.run", text).unwrap_err();
        for (text, path) in [
            (
                r#"{"format":1,"labels":{"a":"b","level":[1]}}"#,
                ".labels.level: ",
            ),
            (r#"{"format":1,"machine":{"cores":-1}}"#, ".machine.cores: "),
            (r#"{"format":"one"}"#, ".format: "),
            (r#"{"format":1,"command":["a",{}]}"#, ".command[1]: "),
            (r#"{"refresh_hz":"60","format":1}"#, ".refresh_hz: "),
            ("[", ": "),
        ] {
            let error = run(text);
            assert!(error.starts_with(&format!("stats.run{path}")), "{error}");
        }
        let series = r#"[{"path":"a"},{"path":"b","unit":1}]"#;
        let error = parse::<Vec<SeriesRecord>>("stats.series", series).unwrap_err();
        assert!(error.starts_with("stats.series[1].unit: "), "{error}");
        let marks = r#"[{"name":"a","begin":1.5}]"#;
        let error = parse::<Vec<MarkRecord>>("stats.marks", marks).unwrap_err();
        assert!(error.starts_with("stats.marks[0].begin: "), "{error}");
    }

    #[test]
    fn the_wrong_one_of_many_entries_is_named() {
        for wrong in [0, 1, 9_999, 19_999] {
            let entries: Vec<String> = (0..20_000)
                .map(|at| match at == wrong {
                    true => r#"{"path":"a","unit":"ms","scale":"1"}"#.to_owned(),
                    false => format!(r#"{{"path":"series/{at}","unit":"ms","scale":1}}"#),
                })
                .collect();
            let text = format!("[{}]", entries.join(","));
            let error = parse::<Vec<SeriesRecord>>("stats.series", &text).unwrap_err();
            let expected = format!("stats.series[{wrong}].scale: ");
            assert!(error.starts_with(&expected), "{error}");
        }
        // An error of the whole has no path.
        let error = parse::<Vec<SeriesRecord>>("stats.series", "{\"a\":1}").unwrap_err();
        assert!(error.starts_with("stats.series: "), "{error}");
    }

    #[test]
    fn texts_and_whole_numbers_may_have_another_type() {
        let text = r#"{"format":1.0,"seed":7.0,"build":12,"command":"game --fast","cost":null,
            "machine":{"cores":8.0,"memory_bytes":17179869184.0,"cpu":null},
            "labels":{"level":3,"ratio":0.5,"vsync":true,"none":null,"text":"a"}}"#;
        let run: Run = parse("stats.run", text).unwrap();
        assert_eq!((run.format, run.seed), (1, Some(7)));
        assert_eq!(run.build.as_deref(), Some("12"));
        assert_eq!(run.command, ["game --fast"]);
        assert_eq!(
            (run.machine.cores, run.machine.memory_bytes),
            (Some(8), Some(1 << 34))
        );
        let labels: Vec<_> = run
            .labels
            .iter()
            .map(|(a, b)| (a.as_str(), b.as_str()))
            .collect();
        assert_eq!(
            labels,
            [
                ("level", "3"),
                ("ratio", "0.5"),
                ("text", "a"),
                ("vsync", "true")
            ]
        );
    }
}
