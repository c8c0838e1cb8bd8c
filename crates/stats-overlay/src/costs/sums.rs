//! The sums over the calls of some frames.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use stats_analysis::sort::sort_by;
use stats_core::timeline::Scope;
use stats_core::{SeriesId, Unit};

use crate::baseline::marked::MarkedBaseline;
use crate::costs::choices::{CostColumn, CostsChoices};
use crate::data::shown_scopes::{ShownScopes, self_times, within_frame};
use crate::search::query::Query;

/// The costs of all timers that had calls in some frames.
#[derive(Debug, Default)]
pub(super) struct Costs {
    /// In the order of the list.
    pub(super) rows: Vec<Cost>,
    pub(super) frames: usize,
    /// Their time, in nanoseconds.
    pub(super) frames_ns: i64,
    /// The number of calls that are missing.
    pub(super) lost: u64,
    /// The largest self time of a timer that is not a wait, in nanoseconds.
    pub(super) most_self_ns: i64,
    /// Changes with the rows and their order.
    pub(super) revision: u64,
    /// The row of each timer, in a tree of each timer below a row; `None` if the source does not list
    /// it, or if the search does not find it.
    index: HashMap<Key, Option<usize>>,
}

/// The timer, the lane and the call path of a row.
pub(super) type RowKey = (SeriesId, Option<usize>, u64);

/// The timer, the lane if threads are apart, and in a tree the number of the row above.
type Key = (SeriesId, Option<usize>, Option<usize>);

/// The costs of a timer, in a tree those of one call path. Times are in nanoseconds, over all frames.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cost {
    pub(super) series: SeriesId,
    pub(super) path: String,
    /// The slot of the palette that belongs to the path.
    pub(super) slot: usize,
    /// The lane, if threads are apart.
    pub(super) lane: Option<usize>,
    /// Identifies the call path in a tree.
    pub(super) call_path: u64,
    /// The number of rows above it in a tree; otherwise 0.
    pub(super) level: usize,
    /// Its place among the rows in the order in which they were found, and that of the row above.
    number: usize,
    parent: Option<usize>,
    pub(super) is_wait: bool,
    /// The number of calls that ended in the frames.
    pub(super) calls: u64,
    /// The time in its scopes, as far as it lies in the frames.
    pub(super) total_ns: i64,
    /// The same without the scopes inside.
    pub(super) self_ns: i64,
    /// The time of the longest call that ended in the frames, with its part before them.
    pub(super) longest_ns: i64,
    /// The time of all calls that ended in the frames.
    ended_ns: i64,
    /// The mean total of a frame minus that of baseline A; `None` if A does not have it.
    pub(super) change_ns: Option<f64>,
}

impl Cost {
    /// Adds a call.
    fn add(&mut self, scope: &Scope, self_ns: i64) {
        // The part within the frame, so that the frames of a long scope add up to its time.
        let part = within_frame(scope);
        self.total_ns += part.end - part.start;
        self.self_ns += self_ns;
        self.is_wait |= scope.is_wait();
        if !scope.is_open() {
            self.calls += 1;
            self.ended_ns += scope.duration_ns();
            self.longest_ns = self.longest_ns.max(scope.duration_ns());
        }
    }

    /// Identifies the row as long as the choices stay the same.
    pub(super) fn key(&self) -> RowKey {
        (self.series, self.lane, self.call_path)
    }

    /// Returns the mean time of a call in nanoseconds; `None` if none ended.
    pub(super) fn mean_ns(&self) -> Option<f64> {
        (self.calls > 0).then(|| self.ended_ns as f64 / self.calls as f64)
    }
}

impl Costs {
    /// Sums up the calls of the frames in a range that are copied, for the timers that a search finds,
    /// and compares them with a baseline.
    pub(super) fn update(
        &mut self,
        scopes: &ShownScopes,
        range: &Range<u64>,
        choices: &CostsChoices,
        (search, baseline): (&Query, &MarkedBaseline),
    ) {
        self.rows.clear();
        self.index.clear();
        (self.frames, self.frames_ns, self.lost) = (0, 0, 0);
        let is_chosen = |index: &u64| range.contains(index);
        for frame in scopes
            .frames()
            .iter()
            .filter(|frame| is_chosen(&frame.index))
        {
            self.frames += 1;
            self.frames_ns += frame.duration_ns;
            self.lost += frame.lost;
            for (lane, of_lane) in frame.lanes() {
                let apart = choices.by_thread.then_some(lane);
                if choices.tree {
                    self.add_tree(scopes, apart, of_lane);
                } else {
                    self.add_lane(scopes, apart, of_lane, search);
                }
            }
        }
        let frames = self.frames.max(1) as f64;
        for cost in &mut self.rows {
            // The baseline has the total of all threads and callers.
            let marked = baseline.find(&cost.path, Unit::Milliseconds.symbol());
            let marked = marked.filter(|_| cost.lane.is_none() && !choices.tree);
            cost.change_ns = marked.map(|marked| cost.total_ns as f64 / frames - marked.mean * 1e6);
        }
        if choices.tree {
            self.leave_out(search);
        }
        let work = self.rows.iter().filter(|cost| !cost.is_wait);
        self.most_self_ns = work.map(|cost| cost.self_ns).max().unwrap_or(0);
        self.sort(choices.sort);
    }

    fn add_lane(
        &mut self,
        scopes: &ShownScopes,
        lane: Option<usize>,
        of_lane: &[Scope],
        search: &Query,
    ) {
        for (scope, self_ns) in of_lane.iter().zip(self_times(of_lane)) {
            let key = (scope.series(), lane, None);
            if let Some(at) = self.row(scopes, key, search) {
                self.rows[at].add(scope, self_ns);
            }
        }
    }

    fn add_tree(&mut self, scopes: &ShownScopes, lane: Option<usize>, of_lane: &[Scope]) {
        let all = Query::default();
        // The rows of the scopes around, with their depths.
        let mut around: Vec<(u8, usize)> = Vec::new();
        for (scope, self_ns) in of_lane.iter().zip(self_times(of_lane)) {
            while around
                .pop_if(|(depth, _)| *depth >= scope.depth())
                .is_some()
            {}
            let parent = around.last().map(|(_, at)| *at);
            if let Some(at) = self.row(scopes, (scope.series(), lane, parent), &all) {
                self.rows[at].add(scope, self_ns);
                around.push((scope.depth(), at));
            }
        }
    }

    /// Leaves out the rows of a tree that a search does not find, and that are above none of those it
    /// does.
    fn leave_out(&mut self, search: &Query) {
        let found = self.rows.iter().map(|cost| search.matches_path(&cost.path));
        let mut found: Vec<bool> = found.collect();
        // A row is found after the one above it.
        for at in (0..found.len()).rev() {
            if let (true, Some(parent)) = (found[at], self.rows[at].parent) {
                found[parent] = true;
            }
        }
        self.rows.retain(|cost| found[cost.number]);
    }

    /// Returns the index of a row, if there is one.
    fn row(&mut self, scopes: &ShownScopes, key: Key, search: &Query) -> Option<usize> {
        if let Some(&at) = self.index.get(&key) {
            return at;
        }
        let (id, lane, parent) = key;
        let found = scopes
            .series(id)
            .filter(|series| search.matches_path(&series.path));
        let at = found.map(|_| self.rows.len());
        self.index.insert(key, at);
        let series = found?;
        let above = parent.map(|parent| &self.rows[parent]);
        let mut hasher = DefaultHasher::new();
        (above.map(|above| above.call_path), id).hash(&mut hasher);
        self.rows.push(Cost {
            series: id,
            path: series.path.clone(),
            slot: series.slot,
            lane,
            call_path: hasher.finish(),
            level: above.map_or(0, |above| above.level + 1),
            number: self.rows.len(),
            parent,
            is_wait: series.is_wait,
            calls: 0,
            total_ns: 0,
            self_ns: 0,
            longest_ns: 0,
            ended_ns: 0,
            change_ns: None,
        });
        at
    }

    /// Sorts the rows, in a tree those below each row: the largest value first, waits last. Equal rows
    /// are in the order of their paths.
    pub(super) fn sort(&mut self, column: CostColumn) {
        let by = |a: &Cost, b: &Cost| match column {
            CostColumn::Name => Ordering::Equal,
            CostColumn::Itself => b.self_ns.cmp(&a.self_ns),
            CostColumn::Total | CostColumn::Share => b.total_ns.cmp(&a.total_ns),
            CostColumn::Change => {
                let change = |cost: &Cost| cost.change_ns.unwrap_or(f64::NEG_INFINITY);
                change(b).total_cmp(&change(a))
            }
            CostColumn::Calls => b.calls.cmp(&a.calls),
            CostColumn::Mean => {
                let mean = |cost: &Cost| cost.mean_ns().unwrap_or(-1.0);
                mean(b).total_cmp(&mean(a))
            }
            CostColumn::Longest => b.longest_ns.cmp(&a.longest_ns),
        };
        // A wait costs nothing by itself, however long it is.
        let waits = |cost: &Cost| column != CostColumn::Name && cost.is_wait;
        sort_by(&mut self.rows, |a, b| {
            let names = || (&a.path, a.lane).cmp(&(&b.path, b.lane));
            (waits(a).cmp(&waits(b))).then(by(a, b)).then_with(names)
        });
        self.put_below();
        self.index.clear();
        self.revision += 1;
    }

    /// Puts each row of a tree below the row above it.
    fn put_below(&mut self) {
        if self.rows.iter().all(|cost| cost.parent.is_none()) {
            return;
        }
        let mut below: HashMap<Option<usize>, Vec<Cost>> = HashMap::new();
        for cost in self.rows.drain(..).rev() {
            below.entry(cost.parent).or_default().push(cost);
        }
        let mut next = below.remove(&None).unwrap_or_default();
        while let Some(cost) = next.pop() {
            next.extend(below.remove(&Some(cost.number)).unwrap_or_default());
            self.rows.push(cost);
        }
    }
}
