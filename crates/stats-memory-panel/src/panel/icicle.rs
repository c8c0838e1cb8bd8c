//! The icicle beside the rows: who owns the memory, as areas.
//!
//! Each column is a level of the tree, and a part is as high as its share of the part to its left.
//! A click on a part shows it alone, with what is in it; a click on the leftmost part goes back up.
//! The layout is computed when the tree, the part that fills the icicle, or the size has changed.

use crate::tree::{MemoryTree, RowKind};
use stats_analysis::sort::sort_by;

/// The maximum number of columns.
const MAX_LEVELS: usize = 5;
/// The minimum width of a column, and the minimum height of a part, in points.
const MIN_COLUMN: f32 = 84.0;
const MIN_HEIGHT: f32 = 2.0;

/// The icicle: the part that fills it, and its layout.
#[derive(Debug, Default)]
pub(super) struct Icicle {
    /// The key of the row that fills it; `None` for all memory.
    focus: Option<u64>,
    /// What the parts were computed for: the tree's revision, and the size in points.
    of: Option<(u64, f32, f32)>,
    parts: Vec<Part>,
}

/// A row as an area.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Part {
    /// The number of the row in its tree.
    pub(super) number: u32,
    /// The column, from the left.
    pub(super) level: usize,
    /// The distance from the top of the icicle, and the height, in points.
    pub(super) top: f32,
    pub(super) height: f32,
    /// The number of the group that owns the memory, if it is known.
    pub(super) group: Option<u32>,
}

impl Icicle {
    /// Computes the parts again if the tree, the focus or the size has changed.
    pub(super) fn update(&mut self, tree: &MemoryTree, revision: u64, width: f32, height: f32) {
        let of = Some((revision, width, height));
        if self.of == of {
            return;
        }
        self.of = of;
        let focus = self.focus.and_then(|key| tree.find(key));
        if focus.is_none() {
            // The row is gone.
            self.focus = None;
        }
        let levels = ((width / MIN_COLUMN) as usize).clamp(1, MAX_LEVELS);
        self.parts = parts(tree, focus.unwrap_or_default(), levels, height);
    }

    pub(super) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Returns the number of columns with a part.
    pub(super) fn levels(&self) -> usize {
        self.parts
            .iter()
            .map(|part| part.level + 1)
            .max()
            .unwrap_or(1)
    }

    /// Returns the part at a place, by its column and its distance from the top.
    pub(super) fn part_at(&self, level: usize, y: f32) -> Option<&Part> {
        let mut parts = self.parts.iter();
        parts.find(|part| part.level == level && (part.top..part.top + part.height).contains(&y))
    }

    /// Shows a row alone, with what is in it. From the row that is shown alone, goes to the row
    /// around it.
    pub(super) fn go_to(&mut self, tree: &MemoryTree, number: u32) {
        let row = tree.row(number);
        self.focus = match self.focus {
            Some(key) if key == row.key => tree.parent_key(number),
            _ if row.has_children => Some(row.key),
            _ => return,
        };
        self.of = None;
    }
}

/// Returns the parts of a row in `levels` columns of a height.
fn parts(tree: &MemoryTree, focus: u32, levels: usize, height: f32) -> Vec<Part> {
    let group = tree.group_of(focus);
    let mut parts = vec![Part {
        number: focus,
        level: 0,
        top: 0.0,
        height,
        group,
    }];
    let mut next = 0;
    while let Some(part) = parts.get(next).cloned() {
        next += 1;
        let whole = tree.row(part.number).sums.bytes;
        if part.level + 1 == levels || whole == 0 {
            continue;
        }
        let mut children: Vec<(u64, u32)> = tree
            .built_children(part.number)
            .iter()
            .map(|&child| (tree.row(child).sums.bytes, child))
            .collect();
        sort_by(&mut children, |a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut top = part.top;
        for (bytes, number) in children {
            let height = (part.height as f64 * bytes as f64 / whole as f64) as f32;
            if height < MIN_HEIGHT {
                break;
            }
            let is_group = tree.row(number).kind == RowKind::Group;
            parts.push(Part {
                number,
                level: part.level + 1,
                top,
                height,
                group: if is_group { Some(number) } else { part.group },
            });
            top += height;
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{DumpEntry, snapshot};
    use crate::tree::{Filter, Levels};

    fn tree(lines: &[(&str, &str, u64, &str)]) -> MemoryTree {
        let entry = |(thread, group, bytes, scope): &(&str, &str, u64, &str)| DumpEntry {
            thread: (*thread).to_owned(),
            group: (*group).to_owned(),
            scopes: vec![(*scope).to_owned()],
            name: String::new(),
            size: Some(*bytes),
            bytes: *bytes,
            count: 1,
        };
        let entries: Vec<DumpEntry> = lines.iter().map(entry).collect();
        MemoryTree::new(
            &snapshot(&entries),
            None,
            Levels::default(),
            &Filter::default(),
        )
    }

    #[test]
    fn areas_are_shares_and_a_click_goes_down_and_back_up() {
        let tree = tree(&[
            ("main", "ai", 600, "paths"),
            ("main", "render", 200, "world"),
            ("worker", "ai", 200, "paths"),
        ]);
        let mut icicle = Icicle::default();
        icicle.update(&tree, 0, 400.0, 100.0);
        let shown = |icicle: &Icicle, level: usize| -> Vec<(String, f32, f32)> {
            let parts = icicle.parts().iter().filter(|part| part.level == level);
            let part = |part: &Part| (tree.row(part.number).text.to_owned(), part.top, part.height);
            parts.map(part).collect()
        };
        let part = |name: &str, top, height| (name.to_owned(), top, height);
        assert_eq!(shown(&icicle, 0), [part("", 0.0, 100.0)]);
        assert_eq!(
            shown(&icicle, 1),
            [part("main", 0.0, 80.0), part("worker", 80.0, 20.0)]
        );
        let groups = [
            part("ai", 0.0, 60.0),
            part("render", 60.0, 20.0),
            part("ai", 80.0, 20.0),
        ];
        assert_eq!(shown(&icicle, 2), groups);
        let of_group = icicle.part_at(3, 10.0).and_then(|part| part.group);
        assert_eq!(of_group.map(|group| tree.row(group).text), Some("ai"));
        // Down into the main thread, and back.
        let main = icicle.part_at(1, 50.0).expect("a part").number;
        icicle.go_to(&tree, main);
        icicle.update(&tree, 0, 400.0, 100.0);
        assert_eq!(shown(&icicle, 0), [part("main", 0.0, 100.0)]);
        assert_eq!(
            shown(&icicle, 1),
            [part("ai", 0.0, 75.0), part("render", 75.0, 25.0)]
        );
        icicle.go_to(&tree, main);
        icicle.update(&tree, 0, 400.0, 100.0);
        assert_eq!(shown(&icicle, 0), [part("", 0.0, 100.0)]);
        // In a narrow place, there are fewer columns.
        icicle.update(&tree, 0, 170.0, 100.0);
        assert_eq!(icicle.levels(), 2);
    }
}
