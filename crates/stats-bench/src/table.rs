//! The table that a bench prints: results, and the bars that they have to meet.

use std::fmt;

/// The limit that a result has to meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bar {
    /// The result may be at most this.
    AtMost(f64),
    /// The result must be at least this.
    AtLeast(f64),
}

impl Bar {
    fn is_kept_by(self, figure: f64) -> bool {
        match self {
            Self::AtMost(max) => figure <= max,
            Self::AtLeast(min) => figure >= min,
        }
    }
}

/// Rows of results, each with its bar. Displays as a Markdown table.
#[derive(Debug, Default)]
pub struct Table {
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Row {
    name: String,
    ns: String,
    figure: f64,
    unit: &'static str,
    bar: Bar,
}

impl Table {
    /// Adds the row of a measurement: `figure` is its result in `unit`, and `ns` are the times in
    /// nanoseconds that it was computed from.
    pub fn row(&mut self, name: &str, ns: &[f64], figure: f64, unit: &'static str, bar: Bar) {
        let ns = ns
            .iter()
            .map(|ns| format!("{ns:.2}"))
            .collect::<Vec<_>>()
            .join(" / ");
        self.rows.push(Row {
            name: name.to_owned(),
            ns,
            figure,
            unit,
            bar,
        });
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "| measurement | ns | result | bar | kept |\n|---|---|---|---|---|"
        )?;
        for Row {
            name,
            ns,
            figure,
            unit,
            bar,
        } in &self.rows
        {
            let (sign, limit) = match bar {
                Bar::AtMost(max) => ("≤", max),
                Bar::AtLeast(min) => ("≥", min),
            };
            let kept = if bar.is_kept_by(*figure) {
                "yes"
            } else {
                "**no**"
            };
            writeln!(
                f,
                "| {name} | {ns} | {figure:.2} {unit} | {sign} {limit} {unit} | {kept} |"
            )?;
        }
        Ok(())
    }
}
