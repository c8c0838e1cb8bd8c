//! A report as plain text.

use super::document::{Block, Column, Document, Table};

/// Returns a report as plain text, with a newline at the end.
pub(crate) fn text(document: &Document) -> String {
    let mut text = format!("{}\n", one_line(&document.title));
    for section in &document.sections {
        text += &format!("\n{}\n", section.title.to_uppercase());
        for block in &section.blocks {
            match block {
                Block::Text(sentence) => text += &format!("{}\n", one_line(sentence)),
                Block::Warning(sentence) => text += &format!("! {}\n", one_line(sentence)),
                Block::Table(table) => text += &table_text(table),
            }
        }
    }
    text
}

fn table_text(table: &Table) -> String {
    let titles = table.columns.iter().map(|column| column.title.clone());
    let rows: Vec<Vec<String>> = std::iter::once(titles.collect())
        .chain(table.rows.iter().cloned())
        .map(|row: Vec<String>| row.iter().map(|cell| one_line(cell)).collect())
        .collect();
    let width = |at: usize| {
        let cells = rows.iter().filter_map(|row| row.get(at));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..table.columns.len()).map(width).collect();
    let has_titles = table.columns.iter().any(|column| !column.title.is_empty());
    let mut text = String::new();
    for row in rows.iter().skip(usize::from(!has_titles)) {
        text += row_text(row, &table.columns, &widths).trim_end();
        text.push('\n');
    }
    text
}

fn row_text(row: &[String], columns: &[Column], widths: &[usize]) -> String {
    let mut text = String::new();
    for ((cell, column), width) in row.iter().zip(columns).zip(widths) {
        text += &if column.is_number {
            format!("  {cell:>width$}")
        } else {
            format!("  {cell:<width$}")
        };
    }
    text
}

/// Replaces line breaks and other invisible characters, which would break the layout and could
/// control a terminal. Names come from files, so they are not trusted.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if is_invisible(c) { '\u{fffd}' } else { c })
        .collect()
}

/// Returns whether a character is a control character, is not allowed in XML, or changes how others
/// are shown.
pub(crate) fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}'
        )
}

#[cfg(test)]
mod tests {
    use super::super::document::{Section, Table};
    use super::*;

    #[test]
    fn columns_are_aligned_and_control_characters_are_replaced() {
        let mut section = Section::new("Times");
        section.warning("slow");
        let mut table = Table::of_numbers(&["what", "ms"]);
        table.row(["a\u{1b}[2J".to_owned(), "1.5".to_owned()]);
        table.row(["bcdefg".to_owned(), "123.5".to_owned()]);
        section.table(table);
        let document = Document {
            title: "run".into(),
            sections: vec![section],
        };
        let expected =
            "run\n\nTIMES\n! slow\n  what       ms\n  a\u{fffd}[2J     1.5\n  bcdefg  123.5\n";
        assert_eq!(text(&document), expected);
    }
}
