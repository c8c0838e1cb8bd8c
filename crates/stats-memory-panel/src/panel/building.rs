//! Builds the tree that the panel shows, on another thread if it is large.

use std::sync::Arc;

use egui::Context;

use super::memory_panel::{MemoryKind, MemoryPanel};
use crate::tree::{Filter, Levels, MemoryTree};
use stats_ui::job::{Job, Panicked};

/// The maximum number of allocations of a tree that is built within the frame, which takes a few
/// milliseconds. Larger trees are built on another thread.
const IN_PLACE: u64 = 10_000;

/// The tree under construction, and the inputs of the shown one.
#[derive(Debug, Default)]
pub(super) struct Building {
    running: Option<(TreeRequest, Job<MemoryTree>)>,
    built: Option<TreeRequest>,
}

impl Building {
    /// Returns the completed tree, or the panic that prevented it. Each result is returned once.
    /// `None` while a tree is being built, or if none was requested.
    fn finish(&mut self) -> Option<(TreeRequest, Result<MemoryTree, Panicked>)> {
        let done = self.running.as_ref()?.1.poll()?;
        let (request, _) = self.running.take()?;
        Some((request, done))
    }
}

/// The inputs of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
struct TreeRequest {
    shown: u32,
    before: Option<u32>,
    levels: Levels,
    filter: Filter,
}

impl MemoryPanel {
    /// Takes over the snapshots and the tree completed since the last frame, and starts building
    /// another tree if its inputs changed.
    pub(super) fn settle(&mut self, ctx: &Context) {
        self.update();
        self.finish_building();
        let request = self.tree_request();
        if !self.is_building()
            && request != self.building.built
            && let Some(request) = request
        {
            self.build(ctx, request);
            self.finish_building();
        }
        self.list.update();
    }

    /// Returns whether a tree is being built.
    pub(super) fn is_building(&self) -> bool {
        self.building.running.is_some()
    }

    /// Returns the inputs of the tree to show; `None` without a snapshot.
    fn tree_request(&self) -> Option<TreeRequest> {
        let shown = self.snapshots.shown()?;
        // In a dump without threads, the level of threads would be a single empty row.
        let (available, levels) = (self.snapshots.available_levels(), self.levels);
        let (threads, sizes) = (
            levels.threads && available.threads,
            levels.sizes && available.sizes,
        );
        let any = threads || levels.groups || levels.scopes || levels.names || sizes;
        let levels = Levels {
            threads,
            sizes,
            names: levels.names || !any,
            ..levels
        };
        Some(TreeRequest {
            shown: shown.number,
            before: self.snapshots.before_number(),
            levels,
            filter: self.filter.clone(),
        })
    }

    /// Starts building a tree. A small tree is complete on return.
    fn build(&mut self, ctx: &Context, request: TreeRequest) {
        let Some(shown) = self.snapshots.shown() else {
            return;
        };
        let now = Arc::clone(&shown.snapshot);
        let before = self
            .snapshots
            .before()
            .map(|kept| Arc::clone(&kept.snapshot));
        let allocations = now
            .allocations()
            .saturating_add(before.as_ref().map_or(0, |before| before.allocations()));
        let between = self.snapshots.between();
        let (levels, filter) = (request.levels, request.filter.clone());
        let work = move || {
            let _memory = stats_core::own_memory("stats-memory-panel");
            MemoryTree::with_between(&now, before.as_deref(), &between, levels, &filter)
        };
        let job = if allocations <= IN_PLACE {
            Job::in_place(work)
        } else {
            Job::start(Some(ctx), work)
        };
        self.building.running = Some((request, job));
    }

    fn finish_building(&mut self) {
        let Some((request, done)) = self.building.finish() else {
            return;
        };
        let was = self.building.built.replace(request);
        match done {
            Ok(tree) => {
                self.list.set_tree(tree);
                self.reveal(was.as_ref());
            }
            Err(panicked) => {
                self.problem = Some(format!("The tree could not be built: {}", panicked.0))
            }
        }
    }

    /// Opens what the user is looking for: the matches of a new filter, the path to the largest
    /// growth in a new comparison, and the largest row of the first tree.
    fn reveal(&mut self, was: Option<&TreeRequest>) {
        let Some(request) = &self.building.built else {
            return;
        };
        if request.filter == Filter::default() {
            self.list.leave_matches();
        } else if was
            .is_none_or(|was| (&was.filter, was.levels) != (&request.filter, request.levels))
        {
            self.list.reveal_matches();
        }
        let compares = request.before.is_some()
            && was.is_none_or(|was| (was.shown, was.before) != (request.shown, request.before));
        if compares {
            self.list.reveal_growth();
        } else if was.is_none() {
            self.list.reveal_first(match self.kind {
                MemoryKind::Main => 1,
                // A device has few levels, and the question is which texture it is.
                MemoryKind::Video => usize::MAX,
            });
        }
    }
}
