//! Writes an answer as text, JSON or CSV.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::document::{Document, Section, Table, TableColumn, json_text, text};

/// The rows that an engine returns.
#[derive(Debug, Deserialize)]
pub(super) struct Answer {
    columns: Vec<String>,
    rows: Vec<Vec<Value>>,
}

impl Answer {
    /// Returns the answer as a table for readers, with six digits of each number.
    pub(super) fn text(&self, title: &str) -> String {
        let is_number = |at: usize| {
            let mut cells = self.rows.iter().filter_map(|row| row.get(at));
            cells.all(|cell| cell.is_number() || cell.is_null())
        };
        let columns = self
            .columns
            .iter()
            .enumerate()
            .map(|(at, title)| TableColumn {
                title: title.clone(),
                is_number: is_number(at),
            });
        let rows = self.rows.iter().map(|row| row.iter().map(short).collect());
        let mut section = Section::titled("Answer");
        section.table(Table {
            columns: columns.collect(),
            rows: rows.collect(),
            ..Table::default()
        });
        if self.rows.is_empty() {
            section.text("No rows.");
        }
        text(&Document {
            title: title.to_owned(),
            sections: vec![section],
        })
    }

    /// Returns the answer as one JSON object, with all digits.
    pub(super) fn json(&self) -> String {
        let object = json!({ "format": 1, "columns": self.columns, "rows": self.rows });
        json_text(&object)
    }

    /// Returns the answer as CSV, with all digits. A null is empty.
    pub(super) fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        // Writing to memory cannot fail, and all rows have the same length.
        let _ = writer.write_record(&self.columns);
        for row in &self.rows {
            let _ = writer.write_record(row.iter().map(|cell| match cell {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                other => other.to_string(),
            }));
        }
        String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
    }
}

fn short(cell: &Value) -> String {
    match cell {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => {
            let number = number.as_f64().unwrap_or(f64::NAN);
            if number != 0.0 && !(1e-4..1e15).contains(&number.abs()) {
                return format!("{number:.5e}");
            }
            let digits = 5 - number.abs().max(1.0).log10().floor() as i32;
            format!("{number:.*}", digits.clamp(0, 5) as usize)
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::Answer;

    #[test]
    fn text_is_short_and_data_is_exact() {
        let json = r#"{"columns":["a","b, c"],"rows":[["x",0.1],[null,123456.789],["\"",null]]}"#;
        let answer: Answer = serde_json::from_str(json).unwrap();
        assert_eq!(
            answer.text("all?"),
            "all?\n\nANSWER\n  a     b, c\n  x  0.10000\n      123457\n  \"\n"
        );
        assert_eq!(answer.csv(), "a,\"b, c\"\nx,0.1\n,123456.789\n\"\"\"\",\n");
        let json: serde_json::Value = serde_json::from_str(&answer.json()).unwrap();
        assert_eq!(json["rows"][1][1], 123456.789);
    }

    #[test]
    fn numbers_are_short_and_only_zero_is_zero() {
        for (number, expected) in [
            (0.0, "0.00000"),
            (-2.5, "-2.50000"),
            (1e-4, "0.00010"),
            (-1.25e-9, "-1.25000e-9"),
            (1e300, "1.00000e300"),
        ] {
            assert_eq!(super::short(&serde_json::json!(number)), expected);
        }
    }
}
