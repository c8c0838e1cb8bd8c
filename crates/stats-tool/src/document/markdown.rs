//! A report as Markdown, in the dialect of GitHub and GitLab.

use super::document::{Block, Document, Table};
use super::text::is_invisible;

/// Returns a report as Markdown, with a newline at the end.
pub(crate) fn markdown(document: &Document) -> String {
    let mut text = format!("# {}\n", escaped(&document.title));
    for section in document
        .sections
        .iter()
        .filter(|one| !one.blocks.is_empty())
    {
        text += &format!("\n## {}\n", escaped(&section.title));
        for block in &section.blocks {
            text.push('\n');
            match block {
                Block::Text(sentence) => text += &format!("{}\n", escaped(sentence)),
                Block::Warning(sentence) => text += &format!("**Note:** {}\n", escaped(sentence)),
                Block::Table(table) => text += &table_markdown(table),
            }
        }
    }
    text
}

fn table_markdown(table: &Table) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let titles = table.columns.iter().map(|column| escaped(&column.title));
    let rules = table.columns.iter().map(|column| {
        let rule = if column.is_number { "---:" } else { "---" };
        rule.to_owned()
    });
    let mut text = line(titles.collect()) + &line(rules.collect());
    for row in &table.rows {
        text += &line(row.iter().map(|cell| escaped(cell)).collect());
    }
    text
}

/// Escapes the characters that have a meaning in Markdown, and replaces invisible ones.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if is_invisible(character) {
            escaped.push('\u{fffd}');
            continue;
        }
        if "\\`*_[]<>|#~&".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::super::document::{Section, Table};
    use super::*;

    #[test]
    fn names_cannot_break_a_table() {
        let mut section = Section::titled("Times");
        let mut table = Table::of_numbers(&["what", "ms"]);
        table.row(["a|b\n<i>".to_owned(), "1".to_owned()]);
        section.table(table);
        let document = Document {
            title: "run".into(),
            sections: vec![section],
        };
        assert_eq!(
            markdown(&document),
            "# run\n\n## Times\n\n| what | ms |\n| --- | ---: |\n| a\\|b\u{fffd}\\<i\\> | 1 |\n"
        );
    }
}
