//! The content of a report, independent of its format: text, Markdown or HTML.

use stats_analysis::format::count_text;

use super::verdict::Tone;

/// A report.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Document {
    pub(crate) title: String,
    pub(crate) sections: Vec<Section>,
}

/// One part of a report. A part without blocks is shown only by a page that has graphs for it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Section {
    pub(crate) id: SectionId,
    pub(crate) title: String,
    pub(crate) blocks: Vec<Block>,
}

/// The subject of a section, which is its title. A page adds graphs to the sections of some subjects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SectionId(&'static str);

impl SectionId {
    pub(crate) const IDENTITY: Self = Self("Identity");
    pub(crate) const DATA_QUALITY: Self = Self("Data quality");
    pub(crate) const JUDGED: Self = Self("Judged metrics");
    pub(crate) const BUDGETS: Self = Self("Budgets");
    pub(crate) const FRAMES: Self = Self("Frames");
    pub(crate) const DISTRIBUTION: Self = Self("Distribution");
    pub(crate) const HITCHES: Self = Self("Hitches");
    pub(crate) const MOMENTS: Self = Self("Moments");
    pub(crate) const PICTURES: Self = Self("Pictures");
    pub(crate) const LASTING: Self = Self("Leaks and stalls");
    pub(crate) const SELF_TIME: Self = Self("Self time");
    pub(crate) const DIFFERENCE: Self = Self("Difference by self time");
    pub(crate) const OTHERS: Self = Self("Other metrics");
    pub(crate) const TEAMS: Self = Self("Teams");
    pub(crate) const SPANS: Self = Self("Spans");
    pub(crate) const MEMORY: Self = Self("Memory");
    pub(crate) const SERIES: Self = Self("Series");
    pub(crate) const HISTOGRAMS: Self = Self("Histograms");
    pub(crate) const HISTORY: Self = Self("History");
    pub(crate) const RUNS: Self = Self("Runs");
    pub(crate) const NOTES: Self = Self("Notes");
    pub(crate) const DEFINITIONS: Self = Self("Definitions");
}

/// A piece of a section.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Block {
    /// A sentence.
    Text(String),
    /// A sentence that the reader should not miss.
    Warning(String),
    /// A table.
    Table(Table),
}

/// A table whose first column names the rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Table {
    pub(crate) columns: Vec<TableColumn>,
    pub(crate) rows: Vec<Vec<String>>,
    /// The number of rows to show at first, and a sentence about the others. Plain text shows the
    /// sentence in their place, a page shows them after a click on it, and Markdown lists all rows.
    pub(crate) short: Option<(usize, String)>,
    /// The bars of the rows, which a page shows after their names; empty for none.
    pub(crate) bars: Vec<Bar>,
}

/// A bar in a row of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Bar {
    /// The ends, from 0 to 1. A page breaks a bar that reaches beyond.
    pub(crate) from: f64,
    pub(crate) to: f64,
    /// The place of a line across the bar, such as a limit.
    pub(crate) line: Option<f64>,
    /// What its value says, which determines its color.
    pub(crate) tone: Tone,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TableColumn {
    pub(crate) title: String,
    /// Whether its cells are numbers, which are right-aligned.
    pub(crate) is_number: bool,
}

impl Section {
    /// Creates an empty section.
    pub(crate) fn new(id: SectionId) -> Self {
        Self {
            id,
            ..Self::titled(id.0)
        }
    }

    /// Creates an empty section without graphs.
    pub(crate) fn titled(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            ..Self::default()
        }
    }

    pub(crate) fn text(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Text(text.into()));
    }

    pub(crate) fn warning(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Warning(text.into()));
    }

    /// Adds a table, unless it has no rows.
    pub(crate) fn table(&mut self, table: Table) {
        if !table.rows.is_empty() {
            self.blocks.push(Block::Table(table));
        }
    }
}

impl Table {
    /// Creates an empty table of numbers, except for the first column, which has text.
    pub(crate) fn of_numbers(titles: &[&str]) -> Self {
        Self::new(titles, 1)
    }

    /// Creates an empty table of numbers, except for the first two columns, which have text: a name
    /// and its verdict, which a narrow page shows without scrolling.
    pub(crate) fn of_verdicts(titles: &[&str]) -> Self {
        Self::new(titles, 2)
    }

    /// Creates an empty table of text.
    pub(crate) fn of_texts(titles: &[&str]) -> Self {
        Self::new(titles, titles.len())
    }

    fn new(titles: &[&str], texts: usize) -> Self {
        let column = |(at, title): (usize, &&str)| TableColumn {
            title: (*title).to_owned(),
            is_number: at >= texts,
        };
        Self {
            columns: titles.iter().enumerate().map(column).collect(),
            ..Self::default()
        }
    }

    /// Returns the table with at most `count` rows to show at first. The sentence about the others
    /// has their number, a noun with a verb for one or many rows, and `more`.
    pub(crate) fn short(mut self, count: usize, nouns: [&str; 2], more: &str) -> Self {
        let others = self.rows.len().saturating_sub(count);
        let other = if count > 0 { "other " } else { "" };
        let [one, many] = nouns.map(|noun| format!("{other}{noun} {more}"));
        let about = count_text(others as u64, &one, &many);
        self.short = (others > 0).then_some((count, about));
        self
    }

    /// Returns the rows to show at first, and the others.
    pub(crate) fn parts(&self) -> (&[Vec<String>], &[Vec<String>]) {
        self.rows.split_at(self.shown())
    }

    /// Returns the number of rows to show at first.
    pub(crate) fn shown(&self) -> usize {
        let short = self.short.as_ref();
        short.map_or(self.rows.len(), |(count, _)| *count)
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }
}

/// Returns a sentence with a capital letter, and with a period if it has no end.
pub(crate) fn capitalized(sentence: &str) -> String {
    let mut letters = sentence.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    let end = if sentence.ends_with(['?', '.']) {
        ""
    } else {
        "."
    };
    first.unwrap_or_default() + letters.as_str() + end
}
