//! The rows of the list, which stay in their places while the pointer or the cursor is among them.
//!
//! A leak ends, a stall no longer recurs, and a hitch becomes too old. While the pointer is in the
//! list, such a row stays where it is, dimmed, and new rows wait, so that a click never meets another
//! row than the one under the pointer. Without the pointer, only the selected row stays.

use std::ops::Range;

use stats_analysis::format::count_text;

use crate::hitches::view::show;
use crate::insight::findings::{Findings, RowId};
use crate::insight::row_texts::RowTexts;
use crate::search::query::Query;
use crate::view::PaneRequest;

/// The rows of the list, from top to bottom.
#[derive(Debug, Default)]
pub(super) struct Rows {
    all: Vec<ListedRow>,
    /// The number of new rows that wait for the pointer to leave.
    pub(super) waiting: usize,
    /// The number of rows that the search leaves out.
    pub(super) left_out: usize,
    /// Says how many rows wait, or how many are left out; empty if there are none.
    pub(super) not_shown: String,
    /// The numbers in that text, and whether there is no row.
    said: (usize, usize, bool),
    /// The newest pass in which the pointer was in the list.
    pointed_in: Option<u64>,
}

/// A row of the list.
#[derive(Debug)]
pub(super) struct ListedRow {
    pub(super) row: RowId,
    /// Whether it is no longer found.
    pub(super) is_gone: bool,
    /// What it said and showed when it was last found; `None` while it cannot stay.
    kept: Option<Kept>,
}

#[derive(Debug)]
struct Kept {
    /// The revision of the findings.
    revision: u64,
    texts: RowTexts,
    request: PaneRequest,
}

impl Rows {
    /// Lists what was found in these frames. `pointed_in` is the number of this pass if the pointer is
    /// in the list. The rows stay from the second such pass in a row, unless the selected one is new:
    /// then the user asked for it. If the `search` asks for teams, only their rows are listed.
    pub(super) fn update(
        &mut self,
        found: &Findings,
        (frames, search): (Range<u64>, &Query),
        selected: Option<RowId>,
        pointed_in: Option<u64>,
    ) {
        let is_empty = frames.is_empty();
        if is_empty {
            self.all.clear();
        }
        let asks_team = search.asks_team();
        let is_asked = |row: &RowId| !asks_team || search.is_of_teams(found.path_of(*row));
        let all = || found.rows(frames.clone()).filter(|_| !is_empty);
        let rows = || all().filter(is_asked);
        self.left_out = match asks_team {
            true => all().count() - rows().count(),
            false => 0,
        };
        let is_same = self.all.iter().map(|one| one.row).eq(rows());
        let now: Vec<RowId> = if is_same {
            Vec::new()
        } else {
            rows().collect()
        };
        let before = std::mem::replace(&mut self.pointed_in, pointed_in);
        let is_new = |row: RowId| now.contains(&row) && self.position(row).is_none();
        let is_frozen = before
            .zip(pointed_in)
            .is_some_and(|(before, pass)| before + 1 >= pass)
            && !selected.is_some_and(is_new);
        for one in &mut self.all {
            one.is_gone = !is_same && !now.contains(&one.row);
        }
        self.waiting = 0;
        if is_frozen && !is_same {
            let is_listed = |row: &&RowId| self.all.iter().any(|one| one.row == **row);
            self.waiting = now.iter().filter(|row| !is_listed(row)).count();
        } else if !is_same {
            self.replace(now, selected);
        }
        self.write_not_shown();
        let can_stay = |one: &&mut ListedRow| pointed_in.is_some() || Some(one.row) == selected;
        for one in self.all.iter_mut().filter(can_stay) {
            let is_known = one
                .kept
                .as_ref()
                .is_some_and(|kept| kept.revision == found.revision());
            if !one.is_gone && !is_known {
                one.kept = Some(Kept {
                    revision: found.revision(),
                    texts: RowTexts::of(found, one.row),
                    request: show(found, one.row),
                });
            }
        }
    }

    fn write_not_shown(&mut self) {
        let numbers = (self.waiting, self.left_out, self.all.is_empty());
        if std::mem::replace(&mut self.said, numbers) == numbers {
            return;
        }
        let rows = |count: usize| count_text(count as u64, "row", "rows");
        self.not_shown = match numbers {
            (0, 0, _) => String::new(),
            (0, left_out, true) => format!(
                "No row matches the search, which leaves out {}",
                rows(left_out)
            ),
            (0, left_out, false) => format!("The search leaves out {}", rows(left_out)),
            (waiting, ..) => count_text(waiting as u64, "new row", "new rows"),
        };
    }

    /// Lists other rows. The selected one stays even if it is not among them.
    fn replace(&mut self, now: Vec<RowId>, selected: Option<RowId>) {
        let mut before = std::mem::take(&mut self.all);
        self.all.extend(now.into_iter().map(|row| {
            let one = before.iter_mut().find(|one| one.row == row);
            let kept = one.and_then(|one| one.kept.take());
            let is_gone = false;
            ListedRow { row, is_gone, kept }
        }));
        let stays =
            |one: &ListedRow| one.is_gone && Some(one.row) == selected && one.kept.is_some();
        if let Some(at) = before.iter().position(stays) {
            self.all
                .insert(at.min(self.all.len()), before.swap_remove(at));
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &ListedRow> {
        self.all.iter()
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn get(&self, at: usize) -> Option<&ListedRow> {
        self.all.get(at)
    }

    /// Returns the index of a row.
    pub(super) fn position(&self, row: RowId) -> Option<usize> {
        self.all.iter().position(|one| one.row == row)
    }
}

impl ListedRow {
    /// Returns the texts, as they were when the row was last found.
    pub(super) fn texts(&self, found: &Findings) -> RowTexts {
        match &self.kept {
            Some(kept) if self.is_gone => kept.texts.clone(),
            _ => RowTexts::of(found, self.row),
        }
    }

    /// Returns the request to show its series and its frames.
    pub(super) fn request(&self, found: &Findings) -> PaneRequest {
        match &self.kept {
            Some(kept) if self.is_gone => kept.request.clone(),
            _ => show(found, self.row),
        }
    }
}
