//! The fields of JSON never change, because other programs read them.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::stats;

/// The fields of each verb for the sample of the game.
const FIELDS: &str = include_str!("json_fields.txt");

#[test]
fn the_fields_of_json_never_change() {
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/samples");
    let mut fields = String::new();
    for line in [
        "report game.parquet",
        "explain game.parquet",
        "explain game.parquet --frame 200",
        "gate game.parquet --baseline game.parquet",
        "compare --before game.parquet --after game.parquet",
        "trend game.parquet",
    ] {
        let output = stats(samples.as_ref(), &format!("{line} --format json"));
        let object = output.json();
        let mut all = BTreeSet::new();
        collect(&object, "", &mut all);
        fields += &format!("{line}\n");
        all.iter()
            .for_each(|field| fields += &format!("  {field}\n"));
    }
    assert_eq!(fields, FIELDS, "{fields}");
}

fn collect(value: &Value, path: &str, all: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let path = format!("{path}.{name}");
                collect(value, &path, all);
                all.insert(path);
            }
        }
        Value::Array(values) => {
            for value in values {
                collect(value, &format!("{path}[]"), all);
            }
        }
        _ => {}
    }
}
