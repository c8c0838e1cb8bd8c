//! The row cursor of the tree: the row that keys and game pads act on.
//!
//! It stays with its path when rows come and go; where that is gone it stays at its height.

use crate::data::selection::Selection;
use crate::tree::panel::TreePanel;
use crate::tree::rows::Row;

/// The row that keys act on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cursor {
    /// Its place among the rows.
    at: Option<usize>,
    /// What stood there.
    path: String,
    is_favourite: bool,
    /// Whether it moved and is to be scrolled to.
    pub(crate) moved: bool,
    /// How many rows are on screen, for moves by a page.
    pub(crate) page_rows: usize,
}

impl TreePanel {
    /// The row the cursor is at.
    pub(crate) fn cursor_at(&self) -> Option<usize> {
        self.cursor.at.filter(|&at| at < self.rows().len())
    }

    fn cursor_row(&self) -> Option<Row> {
        self.cursor_at().map(|at| self.rows()[at])
    }

    /// The path of the row the cursor is at, of a series or a folder.
    pub(crate) fn cursor_path(&self) -> Option<&str> {
        self.cursor_row().and_then(|row| self.row_path(row))
    }

    /// The paths of all series that the cursor's row stands for: its own, or those in the folder.
    pub(crate) fn cursor_paths(&self) -> Vec<String> {
        match self.cursor_row() {
            Some(Row::Node(node)) if self.tree().node(node).entry.is_none() => {
                self.paths_below(node).map(str::to_owned).collect()
            }
            Some(row) => self.row_path(row).map(str::to_owned).into_iter().collect(),
            None => Vec::new(),
        }
    }

    /// Moves by so many rows, up where negative, and stops at the ends. Headings are passed over.
    /// Without a cursor yet it comes in at the end it would move away from.
    pub(crate) fn move_cursor(&mut self, delta: isize) {
        let last = self.rows().len().saturating_sub(1);
        let target = match self.cursor_at() {
            Some(at) => at.saturating_add_signed(delta).min(last),
            None if delta < 0 => last,
            None => 0,
        };
        self.put_cursor(target, delta < 0);
    }

    /// Moves by so many screens.
    pub(crate) fn page_cursor(&mut self, pages: isize) {
        self.move_cursor(pages.saturating_mul(self.cursor.page_rows.max(2) as isize - 1));
    }

    /// To the first row.
    pub(crate) fn cursor_to_start(&mut self) {
        self.put_cursor(0, false);
    }

    /// To the last row.
    pub(crate) fn cursor_to_end(&mut self) {
        self.put_cursor(self.rows().len().saturating_sub(1), true);
    }

    /// To the first row that can be selected: where one goes from the search box.
    pub(crate) fn cursor_to_first_series(&mut self) {
        let is_series = |row: &Row| match *row {
            Row::Node(node) => self.tree().node(node).entry.is_some(),
            row => !row.is_heading(),
        };
        self.put_cursor(self.rows().iter().position(is_series).unwrap_or(0), false);
    }

    /// Opens the folder at the cursor; goes to the first row in it where it is open already.
    pub(crate) fn open_at_cursor(&mut self) {
        let Some(Row::Node(node)) = self.cursor_row() else {
            return;
        };
        if !self.tree().node(node).has_children() {
            return;
        }
        if self.is_open(node) {
            self.move_cursor(1);
        } else {
            self.fold(node);
        }
    }

    /// Closes the folder at the cursor; goes to the one it is in where there is nothing to close.
    pub(crate) fn close_at_cursor(&mut self) {
        let (Some(at), Some(Row::Node(node))) = (self.cursor_at(), self.cursor_row()) else {
            return;
        };
        if self.tree().node(node).has_children() && self.is_open(node) {
            self.fold(node);
            return;
        }
        let depth = self.tree().node(node).depth;
        let is_above =
            |row: &Row| matches!(*row, Row::Node(above) if self.tree().node(above).depth < depth);
        if let Some(above) = self.rows()[..at].iter().rposition(is_above) {
            self.put_cursor(above, true);
        }
    }

    /// Ticks or unticks what the cursor is at: a series, or all that a folder stands for.
    pub(crate) fn activate_at_cursor(&mut self, selection: &mut Selection) {
        match self.cursor_row() {
            Some(Row::Node(node)) if self.tree().node(node).entry.is_none() => {
                self.select_folder(node, selection)
            }
            Some(row) => {
                if let Some(path) = self.row_path(row) {
                    selection.set(path, !selection.contains(path));
                }
            }
            None => {}
        }
    }

    /// Makes the series at the cursor a favourite, or not any more. Folders are none.
    pub(crate) fn favourite_at_cursor(&mut self) {
        let is_series =
            |row: &Row| !matches!(*row, Row::Node(node) if self.tree().node(node).entry.is_none());
        let row = self.cursor_row().filter(is_series);
        if let Some(path) = row.and_then(|row| self.row_path(row)).map(str::to_owned) {
            self.set_favourite(&path, !self.is_favourite(&path));
        }
    }

    /// Puts the cursor at a row, or where that is a heading, at the next one upwards or downwards.
    pub(crate) fn put_cursor(&mut self, at: usize, up: bool) {
        let rows = self.rows();
        let below = || (at..rows.len()).find(|&at| !rows[at].is_heading());
        let above = || {
            (0..=at.min(rows.len().saturating_sub(1)))
                .rev()
                .find(|&at| rows.get(at).is_some_and(|row| !row.is_heading()))
        };
        let Some(at) = (if up {
            above().or_else(below)
        } else {
            below().or_else(above)
        }) else {
            return;
        };
        self.cursor.at = Some(at);
        self.cursor.moved = true;
        self.has_keyboard = true;
        self.note_cursor();
    }

    /// Puts the cursor at the row that was clicked. The keyboard is not in the tree because of
    /// that: Space still pauses.
    pub(crate) fn click_row(&mut self, at: usize) {
        self.put_cursor(at, false);
        self.has_keyboard = false;
    }

    /// Remembers what the cursor is at.
    fn note_cursor(&mut self) {
        let mut path = std::mem::take(&mut self.cursor.path);
        path.clear();
        path.push_str(self.cursor_path().unwrap_or_default());
        self.cursor.path = path;
        self.cursor.is_favourite = matches!(self.cursor_row(), Some(Row::Favourite(_)));
    }

    /// Finds the cursor's row again after the rows were listed anew.
    pub(crate) fn keep_cursor(&mut self) {
        let Some(at) = self.cursor.at else { return };
        let rows = self.rows();
        let is_it = |&at: &usize| {
            let row = rows[at];
            matches!(row, Row::Favourite(_)) == self.cursor.is_favourite
                && self.row_path(row) == Some(self.cursor.path.as_str())
        };
        // Most changes of the rows move it a little or not at all.
        let near = at.saturating_sub(32).min(rows.len())..rows.len().min(at + 32);
        let found = near
            .clone()
            .find(is_it)
            .or_else(|| (0..near.start).chain(near.end..rows.len()).find(is_it));
        match found {
            Some(found) => self.cursor.at = Some(found),
            None if rows.is_empty() => self.cursor.at = None,
            None => {
                let (moved, has_keyboard) = (self.cursor.moved, self.has_keyboard);
                self.put_cursor(at.min(rows.len() - 1), true);
                (self.cursor.moved, self.has_keyboard) = (moved, has_keyboard);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::data::selection::FRAME_TIME;
    use crate::tree::testing::{Paths, panel_of, row_paths};
    use stats_core::SeriesKind;

    const PATHS: [&str; 5] = ["a/b/c", "a/b/d", "a/e", "f", "g/h"];

    #[test]
    fn moves_stop_at_the_ends() {
        let (mut panel, _) = panel_of(&mut Paths::of(&PATHS));
        assert_eq!(
            row_paths(&panel),
            [
                FRAME_TIME, "a", "a/b", "a/b/c", "a/b/d", "a/e", "f", "g", "g/h"
            ]
        );
        assert_eq!(panel.cursor_path(), None);
        panel.move_cursor(1);
        assert_eq!(panel.cursor_path(), Some(FRAME_TIME));
        panel.move_cursor(3);
        assert_eq!(panel.cursor_path(), Some("a/b/c"));
        panel.move_cursor(-100);
        assert_eq!(panel.cursor_path(), Some(FRAME_TIME));
        panel.move_cursor(isize::MAX);
        assert_eq!(panel.cursor_path(), Some("g/h"));
        panel.move_cursor(isize::MIN);
        panel.cursor.page_rows = 4;
        panel.page_cursor(1);
        assert_eq!(panel.cursor_path(), Some("a/b/c"));
        panel.cursor_to_end();
        panel.page_cursor(-1);
        assert_eq!(panel.cursor_path(), Some("a/e"));
        panel.cursor_to_first_series();
        assert_eq!(panel.cursor_path(), Some(FRAME_TIME));
    }

    #[test]
    fn folders_open_and_close_at_the_cursor() {
        let mut source = Paths::of(&PATHS);
        let (mut panel, selection) = panel_of(&mut source);
        panel.move_cursor(1);
        panel.move_cursor(3);
        panel.close_at_cursor();
        assert_eq!(
            panel.cursor_path(),
            Some("a/b"),
            "from what has nothing in it to its folder"
        );
        panel.close_at_cursor();
        panel.update(&mut source, &selection, 0.0);
        assert_eq!(
            row_paths(&panel),
            [FRAME_TIME, "a", "a/b", "a/e", "f", "g", "g/h"]
        );
        panel.open_at_cursor();
        panel.update(&mut source, &selection, 0.0);
        panel.open_at_cursor();
        assert_eq!(
            panel.cursor_path(),
            Some("a/b/c"),
            "into what is open already"
        );
        panel.open_at_cursor();
        assert_eq!(panel.cursor_path(), Some("a/b/c"));
        panel.cursor_to_end();
        panel.close_at_cursor();
        panel.close_at_cursor();
        panel.close_at_cursor();
        assert_eq!(panel.cursor_path(), Some("g"), "nothing is above the top");
    }

    #[test]
    fn ticks_and_favourites_are_of_what_is_at_the_cursor() {
        let mut source = Paths::of(&PATHS);
        let (mut panel, mut selection) = panel_of(&mut source);
        panel.move_cursor(1);
        panel.move_cursor(2);
        assert_eq!(panel.cursor_paths(), ["a/b/c", "a/b/d"]);
        panel.activate_at_cursor(&mut selection);
        panel.favourite_at_cursor();
        assert!(panel.favourites().is_empty(), "a folder is no favourite");
        panel.move_cursor(1);
        selection.resolve(&mut source);
        panel.update(&mut source, &selection, 0.0);
        panel.activate_at_cursor(&mut selection);
        let selected: Vec<&str> = selection
            .selected()
            .iter()
            .map(|selected| selected.path.as_str())
            .collect();
        assert_eq!(selected, [FRAME_TIME, "a/b/d"]);
        panel.favourite_at_cursor();
        assert_eq!(panel.favourites(), ["a/b/c"]);
        panel.favourite_at_cursor();
        assert!(panel.favourites().is_empty());
    }

    #[test]
    fn far_more_rows_may_go_than_are_left() {
        let paths: Vec<String> = (0..200).map(|number| format!("m{number:03}")).collect();
        let mut source = Paths::of(&PATHS);
        paths
            .iter()
            .for_each(|path| source.add(path, SeriesKind::Counter));
        let (mut panel, selection) = panel_of(&mut source);
        for (typed, is_left) in [("a/b/c", true), ("nothing like that", false)] {
            panel.typed.clear();
            panel.update(&mut source, &selection, 0.0);
            panel.cursor_to_end();
            assert_eq!(panel.cursor_path(), Some("m199"));
            typed.clone_into(&mut panel.typed);
            panel.update(&mut source, &selection, 0.0);
            assert_eq!(
                panel.cursor_path().is_some(),
                is_left,
                "{:?}",
                row_paths(&panel)
            );
        }
    }

    #[test]
    fn the_cursor_stays_with_its_path_or_at_its_height() {
        let mut source = Paths::of(&PATHS);
        let (mut panel, selection) = panel_of(&mut source);
        panel.move_cursor(1);
        panel.move_cursor(6);
        assert_eq!(panel.cursor_path(), Some("f"));
        for number in 0..100 {
            source.add(&format!("e{number}"), SeriesKind::Counter);
        }
        panel.update(&mut source, &selection, 10.0);
        assert_eq!(panel.cursor_path(), Some("f"));
        panel.set_favourites(["f".to_owned(), "nowhere".to_owned(), "f".to_owned()]);
        panel.update(&mut source, &selection, 10.0);
        assert_eq!(row_paths(&panel)[..5], ["", "f", "nowhere", "", FRAME_TIME]);
        assert!(
            panel.cursor_at().unwrap() > 100,
            "not to the favourite of the same path"
        );
        panel.cursor_to_start();
        assert_eq!(
            (panel.cursor_at(), panel.cursor_path()),
            (Some(1), Some("f")),
            "headings are passed over"
        );
        panel.move_cursor(2);
        assert_eq!(panel.cursor_path(), Some(FRAME_TIME));
        panel.move_cursor(-1);
        assert_eq!(panel.cursor_path(), Some("nowhere"));
        panel.typed = "g".to_owned();
        panel.update(&mut source, &selection, 10.0);
        assert_eq!(row_paths(&panel), ["g", "g/h"]);
        assert_eq!(panel.cursor_path(), Some("g/h"));
        panel.typed = "xyz".to_owned();
        panel.update(&mut source, &selection, 10.0);
        panel.move_cursor(1);
        assert_eq!(panel.cursor_path(), None);
    }
}
