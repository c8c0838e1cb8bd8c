//! Parses the documents of a capture's metadata.
//!
//! Other programs write fields as null, and whole numbers as floats; both are accepted. An error
//! names the field by its path.

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
/// fields are optional, so the error disappears or changes without the wrong one.
fn path_of_error<T: DeserializeOwned>(document: &mut Value, error: &str) -> String {
    let mut path: Vec<Step> = Vec::new();
    while let Some(step) = wrong_child::<T>(document, &path, error) {
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

    fn of<'a>(&self, value: &'a mut Value) -> Option<&'a mut Value> {
        match self {
            Self::Field(name) => value.get_mut(name),
            Self::Item(at) => value.get_mut(at),
        }
    }
}

/// Returns the first part of the value at `path` without which the document has not this error.
fn wrong_child<T: DeserializeOwned>(
    document: &mut Value,
    path: &[Step],
    error: &str,
) -> Option<Step> {
    let steps: Vec<Step> = match at(document, path)? {
        Value::Object(fields) => fields.keys().cloned().map(Step::Field).collect(),
        Value::Array(items) => (0..items.len()).map(Step::Item).collect(),
        _ => return None,
    };
    let mut wrong = None;
    for step in steps {
        let part = std::mem::take(step.of(at(document, path)?)?);
        let mut without = document.clone();
        remove(at(&mut without, path)?, &step);
        let is_wrong = T::deserialize(&without)
            .err()
            .is_none_or(|other| other.to_string() != error);
        *step.of(at(document, path)?)? = part;
        if is_wrong {
            wrong = Some(step);
            break;
        }
    }
    wrong
}

fn at<'a>(document: &'a mut Value, path: &[Step]) -> Option<&'a mut Value> {
    path.iter().try_fold(document, |value, step| step.of(value))
}

fn remove(value: &mut Value, step: &Step) {
    match (value, step) {
        (Value::Object(fields), Step::Field(name)) => _ = fields.remove(name),
        (Value::Array(items), Step::Item(at)) => _ = items.remove(*at),
        _ => {}
    }
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
