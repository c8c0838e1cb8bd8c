//! Tables that can be sorted, and the sections of documents.

use super::markup::{Markup, element, joined};
use crate::document::{Bar, Block, Section, Table, Tone};

/// One cell of a table that can be sorted.
pub(crate) struct Cell {
    content: Markup,
    /// The sort key; `None` for a text, which is its own sort key.
    value: Option<f64>,
    /// Whether the content takes the width of a phone.
    is_long: bool,
}

impl Cell {
    /// Returns a cell with text.
    pub(crate) fn text(text: impl Into<Markup>) -> Self {
        Self {
            content: text.into(),
            value: None,
            is_long: false,
        }
    }

    /// Returns a cell with a text or a graph that takes the width of a phone.
    pub(crate) fn long(content: impl Into<Markup>) -> Self {
        Self {
            is_long: true,
            ..Self::text(content)
        }
    }

    /// Returns a cell with a number, and the text that shows it.
    pub(crate) fn number(value: f64, text: impl Into<Markup>) -> Self {
        Self {
            content: text.into(),
            value: Some(value),
            is_long: false,
        }
    }
}

/// The number of rows of a table that are printed, as the style of the page says.
pub(super) const PRINTED_SORTABLE: usize = 12;
pub(super) const PRINTED_PLAIN: usize = 24;

/// Returns a sentence about the rows that are not printed, which only paper shows.
fn printed(rows: usize, printed: usize) -> Markup {
    if rows <= printed {
        return Markup::default();
    }
    let text = format!("Printed: the first {printed} of {rows} rows.");
    element("p", &[("class", "printed")], text)
}

/// Returns a table whose first column names the rows. The script of the page makes its rows
/// searchable and sortable by each column.
pub(crate) fn sortable(name: &str, titles: &[&str], rows: Vec<Vec<Cell>>) -> Markup {
    sortable_of((name, "sortable"), titles, rows)
}

/// Returns the same for rows with long cells. On a phone, the cells of a row are below each other, so
/// that none makes a row high that is off the screen.
pub(crate) fn stacked(name: &str, titles: &[&str], rows: Vec<Vec<Cell>>) -> Markup {
    sortable_of((name, "sortable stacked"), titles, rows)
}

fn sortable_of((name, class): (&str, &str), titles: &[&str], rows: Vec<Vec<Cell>>) -> Markup {
    let first = rows.first().map(Vec::as_slice).unwrap_or_default();
    let is_number: Vec<bool> = first.iter().map(|cell| cell.value.is_some()).collect();
    let is_stacked = class != "sortable";
    let rows = rows.into_iter().map(|cells| {
        let cells = cells.into_iter().zip(titles).enumerate();
        let cells = cells.map(|(at, (cell, title))| {
            let value = cell.value.map(|value| value.to_string());
            let mut attributes = Vec::new();
            if let Some(value) = &value {
                attributes.push(("data-value", value.as_str()));
                attributes.push(("class", "number"));
            }
            if cell.is_long {
                attributes.push(("class", "long"));
            }
            if is_stacked {
                attributes.push(("data-title", title));
            }
            element(cell_name(at), &attributes, cell.content)
        });
        element("tr", &[], joined(cells))
    });
    let head = titles.iter().enumerate().map(|(at, title)| {
        let class = [("class", "number")];
        let attributes = if is_number.get(at) == Some(&true) {
            &class[..]
        } else {
            &[]
        };
        element("th", attributes, *title)
    });
    let printed = printed(rows.len(), PRINTED_SORTABLE);
    joined([table(name, class, joined(head), joined(rows)), printed])
}

/// Returns the content of a section.
pub(crate) fn blocks(section: &Section) -> Markup {
    let blocks = section.blocks.iter().map(|block| match block {
        Block::Text(sentence) => element("p", &[], sentence.as_str()),
        Block::Warning(sentence) => element("p", &[("class", "warning")], sentence.as_str()),
        Block::Table(table) => {
            let (first, others) = table.parts();
            let mut content = Markup::default();
            let (first_bars, other_bars) = match table.bars.len() {
                0 => (&[][..], &[][..]),
                _ => table.bars.split_at(table.shown()),
            };
            if !first.is_empty() {
                content.push(plain(&section.title, table, (first, first_bars)));
            }
            if let Some((_, about)) = &table.short {
                let mut details = element("summary", &[], about.as_str());
                details.push(plain(&section.title, table, (others, other_bars)));
                content.push(element("details", &[], details));
            }
            content
        }
    });
    joined(blocks)
}

fn plain(name: &str, plain: &Table, (rows, bars): (&[Vec<String>], &[Bar])) -> Markup {
    let class = |at: usize| -> &[(&str, &str)] {
        let is_number = plain.columns.get(at).is_some_and(|column| column.is_number);
        if is_number {
            &[("class", "number")]
        } else {
            &[]
        }
    };
    let rows = rows.iter().enumerate().map(|(at, row)| {
        let cells = row.iter().enumerate();
        let cells = cells.map(|(at, cell)| element(cell_name(at), class(at), cell.as_str()));
        let mut cells: Vec<Markup> = cells.collect();
        if let Some(bar) = bars.get(at) {
            cells.insert(1, element("td", &[], drawn(bar)));
        }
        element("tr", &[], joined(cells))
    });
    let titles = plain.columns.iter().map(|column| column.title.as_str());
    let head = if titles.clone().all(str::is_empty) {
        Markup::default()
    } else {
        let titles = titles.enumerate();
        let titles = titles.map(|(at, title)| element("th", class(at), title));
        let mut titles: Vec<Markup> = titles.collect();
        if !bars.is_empty() {
            titles.insert(1, element("th", &[], ""));
        }
        joined(titles)
    };
    let printed = printed(rows.len(), PRINTED_PLAIN);
    joined([table(name, "plain", head, joined(rows)), printed])
}

/// The width of a bar, in its units.
const BAR: f64 = 1000.0;

fn drawn(bar: &Bar) -> Markup {
    let place = |part: f64| BAR * part.clamp(0.0, 1.0);
    let (begin, end) = (place(bar.from.min(bar.to)), place(bar.from.max(bar.to)));
    let class = match bar.tone {
        Tone::Good => "share",
        Tone::Bad => "bad",
        Tone::Unsure => "unsure",
    };
    let path = format!("M{begin:.1} 1H{:.1}V9H{begin:.1}z", end.max(begin + 1.0));
    let mut paths = element("path", &[("class", class), ("d", &path)], "");
    if let Some(line) = bar.line {
        let path = format!("M{:.1} 0V10", place(line));
        paths.push(element("path", &[("class", "limit"), ("d", &path)], ""));
    }
    if bar.from.max(bar.to) > 1.0 {
        for x in [BAR - 60.0, BAR - 30.0] {
            let path = format!("M{x:.0} 10l20 -10");
            paths.push(element("path", &[("class", "break"), ("d", &path)], ""));
        }
    }
    let svg = [
        ("class", "bar"),
        ("viewBox", "0 0 1000 10"),
        ("preserveAspectRatio", "none"),
        ("aria-hidden", "true"),
    ];
    element("svg", &svg, paths)
}

/// Returns a table in a box that scrolls if the table is wider than the page.
fn table(name: &str, class: &str, head: Markup, rows: Markup) -> Markup {
    let mut content = Markup::default();
    if !head.is_empty() {
        content.push(element("thead", &[], element("tr", &[], head)));
    }
    content.push(element("tbody", &[], rows));
    let table = element("table", &[("class", class)], content);
    let scroller = [
        ("class", "scroll"),
        ("tabindex", "0"),
        ("role", "region"),
        ("aria-label", name),
    ];
    element("div", &scroller, table)
}

fn cell_name(at: usize) -> &'static str {
    if at == 0 { "th" } else { "td" }
}
