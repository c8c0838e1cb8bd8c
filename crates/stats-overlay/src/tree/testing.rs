//! Panels for tests of the tree.

use crate::data::allowance::Allowance;
use crate::data::selection::Selection;
use crate::testing::Paths;
use crate::tree::panel::TreePanel;
use crate::tree::search::TreeTiming;

/// Returns a panel that shows these paths, with only the frame time selected.
pub(super) fn panel_of(source: &mut Paths) -> (TreePanel, Selection) {
    let (mut panel, mut selection) = (TreePanel::default(), Selection::new());
    selection.resolve(source, &Default::default());
    update(&mut panel, source, &selection);
    (panel, selection)
}

/// Updates a panel that is not paused, until everything is up to date.
pub(super) fn update(panel: &mut TreePanel, source: &mut Paths, selection: &Selection) {
    update_within(panel, source, selection, usize::MAX);
}

/// Updates a panel that is not paused, with this many units of work.
fn update_within(panel: &mut TreePanel, source: &mut Paths, selection: &Selection, units: usize) {
    let timing = TreeTiming {
        now_secs: 0.0,
        refresh_secs: 0.1,
        is_paused: false,
    };
    let mut allowance = Allowance::of_units(units);
    panel.update(source, None, selection, timing, &mut allowance);
}

/// Returns the paths of all rows, in order; headings are empty.
pub(super) fn row_paths(panel: &TreePanel) -> Vec<&str> {
    let path = |row| panel.row_path(row).unwrap_or_default();
    panel.rows.iter().map(path).collect()
}

mod tests {
    use super::{panel_of, row_paths, update, update_within};
    use crate::baseline::moved::Change;
    use crate::data::allowance::Allowance;
    use crate::data::recent::Recent;
    use crate::data::selection::Selection;
    use crate::search::together::Together;
    use crate::testing::Paths;
    use crate::tree::panel::TreePanel;
    use crate::tree::rows::Row;
    use stats_core::{SeriesId, SeriesKind, Unit};
    use stats_testing::Random;

    /// Returns everything that a panel shows.
    fn picture(panel: &mut TreePanel) -> Vec<String> {
        let rows: Vec<Row> = panel.rows.iter().collect();
        let mut line = |row: Row| {
            let in_it = match row {
                Row::Node(node) => panel.paths_below(node),
                _ => Vec::new(),
            };
            let path = panel.row_path(row).unwrap_or_default();
            let Row::Node(node) = row else {
                return format!("{} {path}", if row.is_heading() { "heading" } else { "" });
            };
            let (of, listing) = (panel.tree().node(node), panel.listing());
            let unit = of
                .entry()
                .map(|entry| (listing.entry(entry).unit, listing.entry(entry).kind));
            let selected = panel.folder_selected(node);
            format!(
                "{} {path} {} {} {unit:?} {selected:?} {in_it:?}",
                of.depth(),
                panel.tree().label(listing, node),
                of.series_below()
            )
        };
        rows.into_iter().map(&mut line).collect()
    }

    fn assert_same(panel: &mut TreePanel, whole: &mut TreePanel, when: &str) {
        let (panel, whole) = (picture(panel), picture(whole));
        for (row, wanted) in panel.iter().zip(&whole) {
            assert_eq!(row, wanted, "{when}");
        }
        assert_eq!(panel.len(), whole.len(), "{when}");
    }

    #[test]
    fn reading_changes_one_by_one_gives_the_same_rows_as_reading_everything() {
        let mut random = Random::new(21);
        for round in 0..60 {
            let mut source = Paths::of(&["a", "b/a"]);
            let (mut panel, mut selection) = panel_of(&mut source);
            panel.search_box.text =
                ["", "", "a", "re -b", "unit:ms"][random.below(5) as usize].to_owned();
            for step in 0..30 {
                for _ in 0..random.below(if step == 20 { 150 } else { 5 }) {
                    let kind = [SeriesKind::Counter, SeriesKind::Counter, SeriesKind::Timer]
                        [random.below(3) as usize];
                    let path = random.path() + ["", "/calls", "/x"][random.below(3) as usize];
                    if stats_core::Source::find(&source, &path).is_none() {
                        source.add(&path, kind);
                    }
                }
                if random.below(3) == 0 {
                    source.set_unit(
                        random.below(source.len() as u64) as usize,
                        Unit::Milliseconds,
                    );
                }
                if random.below(4) == 0 {
                    selection.set(&random.path(), true);
                    selection.resolve(&mut source, &Default::default());
                }
                update(&mut panel, &mut source, &selection);
                let mut whole = TreePanel::default();
                whole.search_box.text.clone_from(&panel.search_box.text);
                update(&mut whole, &mut source, &selection);
                assert_same(
                    &mut panel,
                    &mut whole,
                    &format!("round {round}, step {step}"),
                );
            }
        }
    }

    /// The actions of a user that determine the rows.
    #[derive(Default)]
    struct UserActions {
        /// Folders opened or closed in the tree, in order.
        folds: Vec<(String, bool)>,
        typed: String,
        /// Folders closed among the results of `typed`.
        closed: Vec<(String, bool)>,
    }

    impl UserActions {
        /// Returns a new panel after the same actions. The work of each action is completed before
        /// the next.
        fn at_once(&self, source: &mut Paths, selection: &Selection) -> TreePanel {
            let mut panel = TreePanel::default();
            update(&mut panel, source, selection);
            for (path, open) in &self.folds {
                set_open(&mut panel, path, *open);
            }
            update(&mut panel, source, selection);
            panel.search_box.text.clone_from(&self.typed);
            update(&mut panel, source, selection);
            for (path, open) in &self.closed {
                set_open(&mut panel, path, *open);
            }
            update(&mut panel, source, selection);
            panel
        }

        /// Types or deletes a letter, or opens or closes a visible folder.
        fn act_randomly(&mut self, panel: &mut TreePanel, random: &mut Random) {
            match random.below(4) {
                0 => _ = self.typed.pop(),
                1 => {
                    let more = ["a", "e", "b", "r", "/", " -x", " ", "unit:count", "1"];
                    self.typed.push_str(more[random.below(9) as usize]);
                }
                _ => {
                    let rows: Vec<Row> = panel.rows.iter().collect();
                    let at = random.below(rows.len().max(1) as u64) as usize;
                    // While a search runs, the rows are those of the previous one.
                    let is_settled = panel.search.text() == self.typed;
                    if let Some(Row::Node(node)) = rows.get(at).copied()
                        && is_settled
                        && panel.tree().node(node).has_children()
                    {
                        let fold = (panel.outline.path(node).to_owned(), !panel.is_open(node));
                        panel.fold(node);
                        match panel.is_searching() {
                            true => self.closed.push(fold),
                            false => self.folds.push(fold),
                        }
                    }
                    return;
                }
            }
            self.closed.clear();
            panel.search_box.text.clone_from(&self.typed);
        }
    }

    fn set_open(panel: &mut TreePanel, path: &str, open: bool) {
        let node = panel.tree().find(panel.listing(), path);
        if let Some(node) = node
            && panel.is_open(node) != open
        {
            panel.fold(node);
        }
    }

    #[test]
    fn work_spread_over_passes_has_the_same_result_as_work_done_at_once() {
        let mut random = Random::new(77);
        for round in 0..80 {
            let paths: Vec<String> = (0..random.below(1200)).map(|_| random.path()).collect();
            let mut source = Paths::of(&[] as &[&str]);
            source.lists_parts = round % 4 != 0;
            source.reports_changes = round % 5 != 0;
            let add = |source: &mut Paths, path: &str| {
                if stats_core::Source::find(source, path).is_none() {
                    source.add(path, SeriesKind::Counter);
                }
            };
            paths.iter().for_each(|path| add(&mut source, path));
            let (mut panel, mut selection) = (TreePanel::default(), Selection::new());
            let mut actions = UserActions::default();
            for _ in 0..40 {
                if random.below(3) == 0 {
                    let path = random.path();
                    add(&mut source, &path);
                }
                if random.below(3) == 0 {
                    actions.act_randomly(&mut panel, &mut random);
                }
                if random.below(8) == 0 {
                    selection.set(&random.path(), true);
                    selection.resolve(&mut source, &Default::default());
                }
                let units = [0, 1, 10, 100, 1000][random.below(5) as usize];
                update_within(&mut panel, &mut source, &selection, units);
            }
            let mut passes = 0;
            while !panel.is_up_to_date(&source) {
                update_within(&mut panel, &mut source, &selection, 200);
                passes += 1;
                assert!(passes < 1000, "round {round} makes no progress");
            }
            let mut whole = actions.at_once(&mut source, &selection);
            assert_same(&mut panel, &mut whole, &format!("round {round}"));
        }
    }

    #[test]
    fn rows_show_the_previous_search_until_the_next_one_is_complete() {
        let paths: Vec<String> = (0..3000).map(|n| format!("a/{}/{n}", n % 50)).collect();
        let mut source = Paths::of(&paths);
        let (mut panel, selection) = panel_of(&mut source);
        let before: Vec<String> = row_paths(&panel).into_iter().map(str::to_owned).collect();
        panel.search_box.text = "99".to_owned();
        let mut shown = vec![before.clone()];
        for _ in 0..1000 {
            update_within(&mut panel, &mut source, &selection, 50);
            let rows: Vec<String> = row_paths(&panel).into_iter().map(str::to_owned).collect();
            if shown.last() != Some(&rows) {
                shown.push(rows);
            }
        }
        assert_eq!(shown.len(), 2, "the rows change once");
        assert!(shown[1].iter().any(|path| path == "a/49/2999"));
    }

    #[test]
    fn results_whose_first_segment_matches_come_before_copies_below_other_folders() {
        let paths = [
            "memory/scopes/sim/x",
            "sim/x",
            "a/sim",
            "Simulation",
            "memory/sim",
        ];
        let mut source = Paths::of(&paths);
        let (mut panel, selection) = panel_of(&mut source);
        panel.search_box.text = "sim".to_owned();
        update(&mut panel, &mut source, &selection);
        let found: Vec<&str> = row_paths(&panel)
            .into_iter()
            .filter(|path| paths.contains(path))
            .collect();
        let copies = ["a/sim", "memory/scopes/sim/x", "memory/sim"];
        assert_eq!(found[..2], ["sim/x", "Simulation"]);
        assert_eq!(found[2..], copies);
        panel.search_box.text = "memory sim".to_owned();
        update(&mut panel, &mut source, &selection);
        assert_eq!(row_paths(&panel)[0], "memory");
    }

    #[test]
    fn moved_ranks_allocations_only_if_the_query_has_a_part_of_a_path() {
        let mut source = Paths::of(&["memory/scopes/a", "a", "b"]);
        let (mut panel, selection) = panel_of(&mut source);
        let change = |to| Change { from: 1.0, to };
        let moved = [4, 2, 0].map(|number| (SeriesId::new(number), change(f64::from(number))));
        for (typed, wanted) in [
            ("moved", vec!["", "b", "a"]),
            ("moved a", vec!["", "a", "memory/scopes/a"]),
        ] {
            panel.search_box.text = typed.to_owned();
            update(&mut panel, &mut source, &selection);
            panel.set_moved(&moved);
            update(&mut panel, &mut source, &selection);
            assert_eq!(row_paths(&panel), wanted, "{typed}");
        }
    }

    #[test]
    fn what_moved_together_is_under_the_name_of_its_series_and_never_lost() {
        let mut random = Random::new(41);
        let mut recent = Recent::default();
        for frame in 0..200 {
            let mut noise = || random.below(1 << 20) as f64;
            let (a, c) = (noise(), noise());
            // In the second half, nothing moves together.
            let b = if frame < 100 { -a } else { noise() };
            let values = [a, f64::NAN, b, f64::NAN, c, f64::NAN];
            recent.take(frame, 16.0, &values, &[]);
        }
        let mut source = Paths::of(&["a", "b", "c"]);
        let (mut panel, selection) = panel_of(&mut source);
        panel.search_box.text = "together".to_owned();
        panel.is_pointed = true;
        update(&mut panel, &mut source, &selection);
        let mut together = Together::default();
        let mut shown = |panel: &mut TreePanel, subject, frames| {
            let of = panel.together_with.clone();
            together.ask(subject);
            // Before the answer, the rows are still those of the series before.
            panel.set_together(&together, false);
            assert!(of.is_empty() || panel.together_with == of);
            let mut allowance = Allowance::of_units(usize::MAX);
            let is_new = together.update(&source, (&recent, frames), None, &mut allowance);
            panel.set_together(&together, is_new);
            update(panel, &mut source, &selection);
            // The result is new in only one pass.
            panel.set_together(&together, false);
            update(panel, &mut source, &selection);
            let rows: Vec<String> = row_paths(panel).into_iter().map(str::to_owned).collect();
            (panel.together_with.clone(), rows.join(" "))
        };
        let of = |subject: &str, rows: &str| (subject.to_owned(), rows.to_owned());
        // Also under the pointer: the user asked for it.
        assert_eq!(shown(&mut panel, "a", 0..100), of("a", " b"));
        assert_eq!(shown(&mut panel, "b", 0..100), of("b", " a"));
        // Other frames do not move the rows under the pointer, but they are not lost.
        assert_eq!(shown(&mut panel, "b", 100..200), of("b", " a"));
        panel.is_pointed = false;
        assert_eq!(shown(&mut panel, "b", 100..200), of("b", " a b c"));
        // A panel that was closed shows them again.
        assert_eq!(shown(&mut panel, "a", 0..100), of("a", " b"));
        panel.release();
        assert_eq!(shown(&mut panel, "a", 0..100), of("a", " b"));
    }

    #[test]
    fn words_that_find_nothing_show_the_whole_tree_with_its_own_folders() {
        let mut source = Paths::of(&["a/x", "a/y", "b"]);
        let (mut panel, selection) = panel_of(&mut source);
        let all = ["a", "a/x", "a/y", "b"];
        for typed in ["moved", "spiking", "over-budget", "moved a", "-zero"] {
            panel.search_box.text = typed.to_owned();
            update(&mut panel, &mut source, &selection);
            assert_eq!(panel.rows.get(0), Some(Row::NoneFoundHeading), "{typed}");
            assert_eq!(row_paths(&panel)[1..], all, "{typed}");
            set_open(&mut panel, "a", false);
            update(&mut panel, &mut source, &selection);
            assert_eq!(row_paths(&panel), ["", "a", "b"], "{typed}");
            set_open(&mut panel, "a", true);
            update(&mut panel, &mut source, &selection);
        }
        panel.search_box.text = "nothing".to_owned();
        update(&mut panel, &mut source, &selection);
        assert_eq!(row_paths(&panel), [""; 0], "a part of a path may be wrong");
    }

    #[test]
    fn reading_reports_its_progress_and_shows_selected_series() {
        let paths: Vec<String> = (0..2000).map(|n| format!("a/{n}")).collect();
        let mut source = Paths::of(&paths);
        let (mut panel, mut selection) = (TreePanel::default(), Selection::new());
        selection.set("a/1999", true);
        selection.resolve(&mut source, &Default::default());
        let mut read = 0;
        while !panel.is_up_to_date(&source) {
            update_within(&mut panel, &mut source, &selection, 300);
            if let Some(progress) = panel.outline.progress() {
                assert!(progress.read >= read && progress.end == 4000);
                read = progress.read;
                assert_eq!(row_paths(&panel), [crate::data::selection::FRAME_TIME]);
            }
        }
        assert!(read > 2000 && panel.outline.progress().is_none());
        assert_eq!(row_paths(&panel).len(), 2, "the folder is closed");
    }

    #[test]
    fn a_favorite_has_no_entry_of_a_listing_that_was_freed() {
        let mut source = Paths::of(&["a", "b"]);
        let (mut panel, selection) = panel_of(&mut source);
        panel.set_favorite("b", true);
        update(&mut panel, &mut source, &selection);
        assert!(panel.favorites.entry(0).is_some());
        panel.free();
        // A pass that has no time left to read the listing.
        update_within(&mut panel, &mut source, &selection, 0);
        assert_eq!(panel.favorites.entry(0), None);
        update(&mut panel, &mut source, &selection);
        assert!(panel.favorites.entry(0).is_some());
    }

    #[test]
    fn a_source_that_does_not_report_changes_is_read_again() {
        let mut source = Paths::of(&["a"]);
        source.reports_changes = false;
        let (mut panel, selection) = panel_of(&mut source);
        source.add("b", SeriesKind::Counter);
        update(&mut panel, &mut source, &selection);
        assert_eq!(row_paths(&panel)[1..], ["a", "b"]);
    }
}
