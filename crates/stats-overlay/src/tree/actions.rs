//! What keys and clicks do to the rows of the tree.

use crate::data::selection::{MAX_SELECTED, Selection};
use crate::tree::panel::TreePanel;
use crate::tree::rows::Row;
use stats_ui::theme::ROW_HEIGHT;
use stats_ui::tree::RowAction;

impl TreePanel {
    pub(crate) fn perform(&mut self, action: RowAction, selection: &mut Selection) {
        self.cursor.is_in_list = true;
        match action {
            RowAction::Open => self.open_at_cursor(),
            RowAction::Close => self.close_at_cursor(),
            RowAction::Activate => self.activate_at_cursor(selection),
            _ => {
                use RowAction::{End, PageUp, Up};
                let target = self.cursor.list.target(action, self.rows.len(), ROW_HEIGHT);
                // Headings are skipped.
                let is_up = matches!(action, Up | PageUp | End);
                target.into_iter().for_each(|at| self.put_cursor(at, is_up));
            }
        }
    }

    /// Returns the index of the cursor's row.
    pub(super) fn cursor_at(&self) -> Option<usize> {
        self.cursor.at(&self.rows)
    }

    fn cursor_row(&self) -> Option<Row> {
        self.rows.get(self.cursor_at()?)
    }

    /// Returns the path of the series or the folder in the cursor's row.
    pub(super) fn cursor_path(&self) -> Option<&str> {
        self.cursor_row().and_then(|row| self.row_path(row))
    }

    /// Returns the paths of all series in the cursor's row: its own, or those in the folder.
    ///
    /// Returns at most [`MAX_SELECTED`] paths of a folder.
    pub(crate) fn cursor_paths(&mut self) -> Vec<String> {
        match self.cursor_row() {
            Some(Row::Node(node)) if self.tree().node(node).entry().is_none() => {
                self.paths_below(node)
            }
            Some(row) => self.row_path(row).map(str::to_owned).into_iter().collect(),
            None => Vec::new(),
        }
    }

    /// Opens the cursor's folder, or moves to its first row if the folder is already open.
    fn open_at_cursor(&mut self) {
        let Some(Row::Node(node)) = self.cursor_row() else {
            return;
        };
        if !self.tree().node(node).has_children() {
            return;
        }
        if self.is_open(node) {
            self.put_cursor(self.cursor_at().map_or(0, |at| at + 1), false);
        } else {
            self.fold(node);
        }
    }

    /// Closes the cursor's folder, or moves to the folder around it if there is nothing to close.
    fn close_at_cursor(&mut self) {
        let (Some(at), Some(Row::Node(node))) = (self.cursor_at(), self.cursor_row()) else {
            return;
        };
        if self.tree().node(node).has_children() && self.is_open(node) {
            self.fold(node);
            return;
        }
        let depth = self.tree().node(node).depth();
        let is_above = |row: Option<Row>| matches!(row, Some(Row::Node(above)) if self.tree().node(above).depth() < depth);
        if let Some(above) = (0..at).rev().find(|&at| is_above(self.rows.get(at))) {
            self.put_cursor(above, true);
        }
    }

    /// Selects or deselects the cursor's series, or everything in its folder.
    fn activate_at_cursor(&mut self, selection: &mut Selection) {
        match self.cursor_row() {
            Some(Row::Node(node)) if self.tree().node(node).entry().is_none() => {
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

    /// Adds the cursor's series to the favorites, or removes it. Does nothing for a folder.
    pub(crate) fn toggle_favorite_at_cursor(&mut self) {
        let is_series = |row: &Row| !matches!(*row, Row::Node(node) if self.tree().node(node).entry().is_none());
        let row = self.cursor_row().filter(is_series);
        if let Some(path) = row.and_then(|row| self.row_path(row)).map(str::to_owned) {
            self.set_favorite(&path, !self.favorites.contains(&path));
        }
    }

    /// Puts the cursor at a row. If the row is a heading, puts it at the next row up or down.
    fn put_cursor(&mut self, at: usize, up: bool) {
        self.with_cursor(|cursor, listed| cursor.put(listed, at, up));
    }

    /// Puts the cursor at the row that was clicked.
    pub(super) fn click_row(&mut self, at: usize) {
        self.cursor.is_in_list = true;
        self.put_cursor(at, false);
    }

    /// Selects all series in a folder, or deselects them if all are selected.
    pub(super) fn select_folder(&mut self, node: u32, selection: &mut Selection) {
        let state = self.folder_selected(node);
        // If only some are selected and no more fit, a click can only deselect.
        let full = state.is_none() && selection.selected().len() >= MAX_SELECTED;
        if state != Some(true) && !full {
            for path in self.paths_below(node) {
                selection.set(&path, true);
            }
        } else {
            let selected: Vec<String> = selection.paths().map(str::to_owned).collect();
            for path in selected.iter().filter(|path| self.covers(node, path)) {
                selection.set(path, false);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::data::selection::{FRAME_TIME, Selection};
    use crate::testing::Paths;
    use crate::tree::panel::TreePanel;
    use crate::tree::testing::{panel_of, row_paths, update};
    use stats_core::SeriesKind;
    use stats_ui::tree::RowAction;

    /// Moves the cursor by rows, up if `rows` is negative.
    fn steps(panel: &mut TreePanel, rows: i32) {
        let action = if rows < 0 {
            RowAction::Up
        } else {
            RowAction::Down
        };
        (0..rows.abs()).for_each(|_| panel.perform(action, &mut Selection::new()));
    }

    /// Returns a source of five series and the frame time, which is first in the tree.
    fn listed() -> Paths {
        let mut source = Paths::of(&["a/b/c", "a/b/d", "a/e", "f", "g/h"]);
        source.add(FRAME_TIME, SeriesKind::FrameTime);
        source
    }

    #[test]
    fn moves_stop_at_both_ends() {
        let (mut panel, mut selection) = panel_of(&mut listed());
        assert_eq!(
            row_paths(&panel),
            [
                FRAME_TIME, "a", "a/b", "a/b/c", "a/b/d", "a/e", "f", "g", "g/h"
            ]
        );
        assert_eq!(panel.cursor_path(), None);
        steps(&mut panel, 1);
        assert_eq!(panel.cursor_path(), Some(FRAME_TIME));
        steps(&mut panel, 3);
        assert_eq!(panel.cursor_path(), Some("a/b/c"));
        steps(&mut panel, -100);
        assert_eq!(panel.cursor_path(), Some(FRAME_TIME));
        panel.perform(RowAction::End, &mut selection);
        assert_eq!(panel.cursor_path(), Some("g/h"));
        panel.perform(RowAction::Start, &mut selection);
        assert_eq!(panel.cursor_path(), Some(FRAME_TIME));
        panel.put_cursor_at_first_series();
        assert_eq!(panel.cursor_path(), Some(FRAME_TIME));
    }

    #[test]
    fn folders_open_and_close_at_the_cursor() {
        let mut source = listed();
        let (mut panel, mut selection) = panel_of(&mut source);
        steps(&mut panel, 1);
        steps(&mut panel, 3);
        panel.close_at_cursor();
        assert_eq!(
            panel.cursor_path(),
            Some("a/b"),
            "from a series to its folder"
        );
        panel.close_at_cursor();
        update(&mut panel, &mut source, &selection);
        assert_eq!(
            row_paths(&panel),
            [FRAME_TIME, "a", "a/b", "a/e", "f", "g", "g/h"]
        );
        panel.open_at_cursor();
        update(&mut panel, &mut source, &selection);
        panel.open_at_cursor();
        assert_eq!(
            panel.cursor_path(),
            Some("a/b/c"),
            "into a folder that is open already"
        );
        panel.open_at_cursor();
        assert_eq!(panel.cursor_path(), Some("a/b/c"));
        panel.perform(RowAction::End, &mut selection);
        panel.close_at_cursor();
        panel.close_at_cursor();
        panel.close_at_cursor();
        assert_eq!(
            panel.cursor_path(),
            Some("g"),
            "there is nothing above the top"
        );
    }

    #[test]
    fn selecting_and_adding_to_favorites_act_on_the_cursors_row() {
        let mut source = listed();
        let (mut panel, mut selection) = panel_of(&mut source);
        steps(&mut panel, 1);
        steps(&mut panel, 2);
        assert_eq!(panel.cursor_paths(), ["a/b/c", "a/b/d"]);
        panel.activate_at_cursor(&mut selection);
        panel.toggle_favorite_at_cursor();
        assert!(
            panel.favorites.paths().is_empty(),
            "a folder cannot be a favorite"
        );
        steps(&mut panel, 1);
        selection.resolve(&mut source, &Default::default());
        update(&mut panel, &mut source, &selection);
        panel.activate_at_cursor(&mut selection);
        assert!(selection.paths().eq([FRAME_TIME, "a/b/d"]));
        panel.toggle_favorite_at_cursor();
        assert_eq!(panel.favorites.paths(), ["a/b/c"]);
        panel.toggle_favorite_at_cursor();
        assert!(panel.favorites.paths().is_empty());
    }

    #[test]
    fn the_cursor_stays_valid_when_most_rows_disappear() {
        let paths: Vec<String> = (0..200).map(|number| format!("m{number:03}")).collect();
        let mut source = listed();
        paths
            .iter()
            .for_each(|path| _ = source.add(path, SeriesKind::Counter));
        let (mut panel, mut selection) = panel_of(&mut source);
        for (typed, is_left) in [("a/b/c", true), ("nothing like that", false)] {
            panel.search_box.text.clear();
            update(&mut panel, &mut source, &selection);
            panel.perform(RowAction::End, &mut selection);
            assert_eq!(panel.cursor_path(), Some("m199"));
            typed.clone_into(&mut panel.search_box.text);
            update(&mut panel, &mut source, &selection);
            assert_eq!(
                panel.cursor_path().is_some(),
                is_left,
                "{:?}",
                row_paths(&panel)
            );
        }
    }

    #[test]
    fn the_cursor_stays_on_its_path_or_else_at_its_index() {
        let mut source = listed();
        let (mut panel, mut selection) = panel_of(&mut source);
        steps(&mut panel, 1);
        steps(&mut panel, 6);
        assert_eq!(panel.cursor_path(), Some("f"));
        for number in 0..100 {
            source.add(&format!("e{number}"), SeriesKind::Counter);
        }
        update(&mut panel, &mut source, &selection);
        assert_eq!(panel.cursor_path(), Some("f"));
        panel.set_favorites(["f".to_owned(), "nowhere".to_owned(), "f".to_owned()]);
        update(&mut panel, &mut source, &selection);
        assert_eq!(row_paths(&panel)[..5], ["", "f", "nowhere", "", FRAME_TIME]);
        assert!(
            panel.cursor_at().unwrap() > 100,
            "not to the favorite with the same path"
        );
        panel.perform(RowAction::Start, &mut selection);
        assert_eq!(
            (panel.cursor_at(), panel.cursor_path()),
            (Some(1), Some("f")),
            "headings are skipped"
        );
        steps(&mut panel, 2);
        assert_eq!(panel.cursor_path(), Some(FRAME_TIME));
        steps(&mut panel, -1);
        assert_eq!(panel.cursor_path(), Some("nowhere"));
        panel.search_box.text = "g".to_owned();
        update(&mut panel, &mut source, &selection);
        assert_eq!(row_paths(&panel), ["g", "g/h"]);
        assert_eq!(panel.cursor_path(), Some("g/h"));
        panel.search_box.text = "xyz".to_owned();
        update(&mut panel, &mut source, &selection);
        steps(&mut panel, 1);
        assert_eq!(panel.cursor_path(), None);
    }
}
