//! The table that is printed: figures, and the bars they are to keep to.

use std::fmt;

/// What a figure has to keep to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bar {
    /// It is to be so much at most.
    AtMost(f64),
    /// It is to be so much at least.
    AtLeast(f64),
}

impl Bar {
    fn is_kept_by(self, figure: f64) -> bool {
        match self {
            Self::AtMost(most) => figure <= most,
            Self::AtLeast(least) => figure >= least,
        }
    }
}

/// Rows of what was measured, its figure, and the bar for it.
#[derive(Debug, Default)]
pub struct Table {
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Row {
    what: String,
    ns: String,
    figure: f64,
    unit: &'static str,
    bar: Bar,
}

impl Table {
    /// Adds a row. `ns` are the nanoseconds behind the figure, for orientation; `unit` stands
    /// behind figure and bar.
    pub fn row(&mut self, what: &str, ns: &[f64], figure: f64, unit: &'static str, bar: Bar) {
        let ns = ns
            .iter()
            .map(|ns| format!("{ns:.2}"))
            .collect::<Vec<_>>()
            .join(" / ");
        self.rows.push(Row {
            what: what.to_owned(),
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
            "| what | ns | measured | bar | kept |\n|---|---|---|---|---|"
        )?;
        for Row {
            what,
            ns,
            figure,
            unit,
            bar,
        } in &self.rows
        {
            let (sign, limit) = match bar {
                Bar::AtMost(most) => ("≤", most),
                Bar::AtLeast(least) => ("≥", least),
            };
            let kept = if bar.is_kept_by(*figure) {
                "yes"
            } else {
                "**no**"
            };
            writeln!(
                f,
                "| {what} | {ns} | {figure:.2} {unit} | {sign} {limit} {unit} | {kept} |"
            )?;
        }
        Ok(())
    }
}
