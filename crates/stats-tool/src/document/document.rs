//! The content of a report, independent of its format: text, Markdown or HTML.

/// A report.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Document {
    pub(crate) title: String,
    pub(crate) sections: Vec<Section>,
}

/// One part of a report.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Section {
    pub(crate) title: String,
    pub(crate) blocks: Vec<Block>,
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
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Vec<String>>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Column {
    pub(crate) title: String,
    /// Whether its cells are numbers, which are right-aligned.
    pub(crate) is_number: bool,
}

impl Section {
    pub(crate) fn new(title: &str) -> Self {
        Self {
            title: title.to_owned(),
            blocks: Vec::new(),
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
        let column = |(at, title): (usize, &&str)| Column {
            title: (*title).to_owned(),
            is_number: at >= texts,
        };
        Self {
            columns: titles.iter().enumerate().map(column).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }
}
