//! A report as plain text.

use super::document::{Block, Document, Table, TableColumn};

/// The maximum width of a column, in characters. A longer cell makes only its own row longer.
const MAX_WIDTH: usize = 120;

/// Returns a report as plain text, with a newline at the end.
pub(crate) fn text(document: &Document) -> String {
    let mut text = format!("{}\n", one_line(&document.title));
    for section in document
        .sections
        .iter()
        .filter(|one| !one.blocks.is_empty())
    {
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
    let (first, _) = table.parts();
    let rows: Vec<Vec<String>> = std::iter::once(titles.collect())
        .chain(first.iter().cloned())
        .map(|row: Vec<String>| row.iter().map(|cell| one_line(cell)).collect())
        .collect();
    let width = |at: usize| {
        let cells = rows.iter().filter_map(|row| row.get(at));
        let widths = cells.map(|cell| cell.chars().count());
        widths
            .filter(|width| *width <= MAX_WIDTH)
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..table.columns.len()).map(width).collect();
    let has_titles = table.columns.iter().any(|column| !column.title.is_empty());
    let has_titles = has_titles && !first.is_empty();
    let mut text = String::new();
    for row in rows.iter().skip(usize::from(!has_titles)) {
        text += row_text(row, &table.columns, &widths).trim_end();
        text.push('\n');
    }
    if let Some((_, about)) = &table.short {
        text += &format!("{}\n", one_line(about));
    }
    text
}

fn row_text(row: &[String], columns: &[TableColumn], widths: &[usize]) -> String {
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

/// Returns whether a character is a control character, is not allowed in XML, or is invisible:
/// Unicode's default-ignorable characters, such as a space without width, a soft hyphen or a mark
/// of writing direction, and separators of lines. Two names that differ only in such characters
/// would look the same.
pub(crate) fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{fffe}'
                | '\u{ffff}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use super::super::document::{Section, Table};
    use super::*;

    /// The text of a table with one column of names and one of numbers.
    fn table_of(names: &[&str]) -> String {
        let mut section = Section::titled("Times");
        let mut table = Table::of_numbers(&["what", "ms"]);
        names
            .iter()
            .for_each(|name| table.row([(*name).to_owned(), "1".to_owned()]));
        section.table(table);
        text(&Document {
            title: "run".into(),
            sections: vec![section],
        })
    }

    #[test]
    fn a_long_name_makes_only_its_own_row_longer() {
        let long = "x".repeat(20_000);
        let text = table_of(&["a", &long, "b"]);
        let lines: Vec<&str> = text.lines().skip(3).collect();
        assert_eq!(
            lines,
            [
                "  what  ms",
                "  a      1",
                &format!("  {long}   1"),
                "  b      1"
            ]
        );
        // Up to the maximum, rows are aligned.
        let wide = "x".repeat(MAX_WIDTH);
        for line in table_of(&["a", &wide]).lines().skip(3) {
            assert_eq!(line.chars().count(), MAX_WIDTH + 6);
        }
    }

    #[test]
    fn characters_without_a_picture_are_shown() {
        for invisible in "\u{200b}\u{200c}\u{200d}\u{2060}\u{feff}\u{ad}\u{202e}\u{2066}\u{61c}\u{3164}\u{fe0f}\u{e0041}\n\u{7f}".chars() {
            let name = format!("a{invisible}b");
            let text = table_of(&[&name]);
            assert!(text.contains("a\u{fffd}b"), "{invisible:?}: {text}");
        }
        for visible in "é\u{301}\u{a0}\u{2010}🦀ש한\u{fffd}".chars() {
            assert!(!is_invisible(visible), "{visible:?}");
        }
    }

    #[test]
    fn columns_are_aligned_and_control_characters_are_replaced() {
        let mut section = Section::titled("Times");
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
