//! Builds the nodes of a tree from one or two snapshots.
//!
//! Each site that passes the filter gets a *home*: a node at the end of a path with a node for each
//! level. Its entries are added to its home, nodes whose change does not pass the filter are
//! emptied, and sums are added up from the leaves to the root. The rows of sizes, which are the
//! majority, are built later; see [`sizes`](super::sizes).

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use super::filter::{Changes, Filter};
use super::growth::{Step, StepBytes, set_growth};
use super::levels::Levels;
use super::merged::Merged;
use super::node::{Homes, Label, NOWHERE, Node, TOTAL};
use super::passing::Passing;
use super::sizes::{SeenSizes, mark};
use super::sums::Sums;
use crate::snapshot::{Contents, Entry, NO_SCOPES, Site, Stack};

/// The nodes under construction. Parents come before their children.
struct Build<'a> {
    merged: &'a Merged,
    levels: Levels,
    nodes: Vec<Node>,
    /// The sizes of each node's own allocations.
    seen: Vec<SeenSizes>,
    /// The numbers of nodes, by parent and label.
    numbers: HashTable<u32>,
    /// The nodes of stacks. An entry is the node above the stack, the stack, and its node.
    stacks: HashTable<[u32; 3]>,
    state: RandomState,
}

/// The parts of a tree.
pub(super) struct Built {
    pub(super) nodes: Vec<Node>,
    /// The numbers of children, grouped by parent.
    pub(super) children: Vec<u32>,
    /// The homes of the sites, now and before.
    pub(super) homes: [Homes; 2],
}

/// Builds all nodes except those of sizes. `between` contains the snapshots between the two of a
/// comparison, oldest first.
pub(super) fn build(
    merged: &Merged,
    between: &[&Contents],
    levels: Levels,
    filter: &Filter,
) -> Built {
    let mut build = Build::new(merged, levels);
    let now = build.homes(&merged.now, filter, |site| site);
    build.add_own(&merged.now, &now, Sums::now);
    let (mut before, mut changes) = (Homes::new(), Changes::All);
    if let Some(contents) = &merged.before {
        before = build.homes(contents, filter, |site| merged.site_before(&site));
        build.add_own(contents, &before, Sums::before);
        changes = filter.changes;
    }
    let steps = merged.before.as_ref().map(|contents| {
        let homes_between: Vec<Homes> = between
            .iter()
            .map(|contents| build.homes_found(contents, filter))
            .collect();
        let between = between.iter().copied().zip(&homes_between);
        let steps: Vec<Step<'_>> = std::iter::once((&**contents, &before))
            .chain(between)
            .chain(std::iter::once((&*merged.now, &now)))
            .collect();
        StepBytes::new(build.nodes.len(), &steps)
    });
    let passes = build.judge(changes, steps.as_ref(), now.iter().chain(&before));
    let is_shown = build.sum_up(&passes);
    let Build {
        mut nodes, seen, ..
    } = build;
    if let Some(steps) = &steps {
        set_growth(&mut nodes, &passes, merged, steps);
    } else {
        nodes
            .iter_mut()
            .for_each(|node| node.sums = node.sums.unchanged());
    }
    let children = list_children(&mut nodes, &is_shown);
    if levels.sizes {
        mark(&mut nodes, &passes, &seen);
    }
    Built {
        nodes,
        children,
        homes: [now, before],
    }
}

impl<'a> Build<'a> {
    fn new(merged: &'a Merged, levels: Levels) -> Self {
        let has = |name: fn(&Site) -> u32| {
            let mut snapshots = [Some(&merged.now), merged.before.as_ref()]
                .into_iter()
                .flatten();
            snapshots.any(|contents| {
                contents
                    .sites
                    .iter()
                    .any(|site| !contents.names.get(name(site)).is_empty())
            })
        };
        // A level without any text distinguishes nothing, so it is left out.
        let levels = Levels {
            threads: levels.threads && has(|site| site.thread),
            groups: levels.groups && has(|site| site.group),
            names: levels.names && has(|site| site.name),
            ..levels
        };
        Self {
            merged,
            levels,
            nodes: vec![Node::total()],
            seen: Vec::new(),
            // There are about as many nodes as sites. Growing the table would take as long as all
            // the rest.
            numbers: HashTable::with_capacity(merged.now.sites.len()),
            stacks: HashTable::new(),
            state: RandomState::default(),
        }
    }

    fn homes(
        &mut self,
        contents: &Contents,
        filter: &Filter,
        merged: impl Fn(Site) -> Site,
    ) -> Homes {
        let passing = Passing::new(contents, filter);
        let sites = contents.sites.iter().zip(passing.sites(contents));
        sites
            .map(|(&site, passes)| {
                if passes {
                    self.home(merged(site))
                } else {
                    NOWHERE
                }
            })
            .collect()
    }

    /// Returns the homes of the sites of a third snapshot, without building nodes: a site without a
    /// node is empty in both snapshots of the comparison.
    fn homes_found(&self, contents: &Contents, filter: &Filter) -> Homes {
        let passing = Passing::new(contents, filter);
        let sites = self.merged.sites_of(contents).into_iter();
        sites
            .zip(passing.sites(contents))
            .map(|(site, passes)| passes.then(|| self.find_home(site)).flatten())
            .map(|home| home.unwrap_or(NOWHERE))
            .collect()
    }

    /// Returns the home of a site; `None` if [`home`](Self::home) did not build it.
    fn find_home(&self, site: Site) -> Option<u32> {
        let mut node = TOTAL;
        if self.levels.threads {
            node = self.find_child(node, Label::Thread(site.thread))?;
        }
        if self.levels.groups {
            node = self.find_child(node, Label::Group(site.group))?;
        }
        if self.levels.scopes && site.stack != NO_SCOPES {
            node = self.find_stack(node, site.stack)?;
        }
        if self.levels.names {
            node = self.find_child(node, Label::Name(site.name))?;
        }
        Some(node)
    }

    /// Returns the home of a site, and builds it if it does not exist.
    fn home(&mut self, site: Site) -> u32 {
        let mut node = TOTAL;
        if self.levels.threads {
            node = self.child(node, Label::Thread(site.thread));
        }
        if self.levels.groups {
            node = self.child(node, Label::Group(site.group));
        }
        if self.levels.scopes {
            node = self.scopes(node, site.stack);
        }
        if self.levels.names {
            node = self.child(node, Label::Name(site.name));
        }
        node
    }

    fn find_child(&self, parent: u32, label: Label) -> Option<u32> {
        let is = |&number: &u32| {
            let node = &self.nodes[number as usize];
            (node.parent, node.label) == (parent, label)
        };
        let hash = self.state.hash_one((parent, label));
        self.numbers.find(hash, is).copied()
    }

    fn find_stack(&self, below: u32, stack: u32) -> Option<u32> {
        let hash = self.state.hash_one((below, stack));
        self.stacks
            .find(hash, |&[other, at, _]| (other, at) == (below, stack))
            .map(|&[.., node]| node)
    }

    fn child(&mut self, parent: u32, label: Label) -> u32 {
        if let Some(number) = self.find_child(parent, label) {
            return number;
        }
        let number = self.push(parent, label);
        let Self {
            nodes,
            numbers,
            state,
            ..
        } = self;
        let hash = |parent: u32, label: Label| state.hash_one((parent, label));
        numbers.insert_unique(hash(parent, label), number, |&number| {
            hash(nodes[number as usize].parent, nodes[number as usize].label)
        });
        number
    }

    /// Adds a node.
    fn push(&mut self, parent: u32, label: Label) -> u32 {
        self.nodes.push(Node::below(
            &self.nodes[parent as usize],
            parent,
            label,
            self.merged,
        ));
        // Memory runs out before the numbers of nodes do.
        self.nodes.len() as u32 - 1
    }

    /// Returns the node of a stack of scopes below another node.
    fn scopes(&mut self, below: u32, stack: u32) -> u32 {
        // Walk up to the nearest stack that has a node, and build the missing ones on the way down.
        let (mut missing, mut at) = (Vec::new(), stack);
        let mut node = loop {
            if at == NO_SCOPES {
                break below;
            }
            if let Some(node) = self.find_stack(below, at) {
                break node;
            }
            missing.push(at);
            at = self.merged.stack(at).parent;
        };
        while let Some(stack) = missing.pop() {
            let Stack { name, is_cut, .. } = self.merged.stack(stack);
            node = self.push(node, Label::Scope(name));
            self.nodes[node as usize].is_cut = is_cut;
            let state = &self.state;
            let hash = |&[below, stack, _]: &[u32; 3]| state.hash_one((below, stack));
            let entry = [below, stack, node];
            self.stacks.insert_unique(hash(&entry), entry, hash);
        }
        node
    }

    fn add_own(&mut self, contents: &Contents, homes: &Homes, sums: fn(&Entry) -> Sums) {
        self.seen.resize(self.nodes.len(), SeenSizes::default());
        for entry in &contents.entries {
            let home = homes[entry.site as usize] as usize;
            if let Some(node) = self.nodes.get_mut(home) {
                node.sums.add(sums(entry));
                self.seen[home].add(entry);
            }
        }
    }

    /// Empties the nodes whose own change does not pass the filter. Returns which nodes pass.
    fn judge<'h>(
        &mut self,
        changes: Changes,
        steps: Option<&StepBytes>,
        homes: impl Iterator<Item = &'h u32>,
    ) -> Vec<bool> {
        let steps = steps.filter(|_| changes == Changes::EveryStep);
        let mut passes = vec![false; self.nodes.len()];
        for &home in homes {
            let home = home as usize;
            if let Some(node) = self.nodes.get(home) {
                passes[home] = changes.has(node.sums.change())
                    && steps.is_none_or(|steps| steps.grew_in_every_step(home));
            }
        }
        let others = self
            .nodes
            .iter_mut()
            .zip(&passes)
            .filter(|(_, passes)| !**passes);
        others.for_each(|(node, _)| node.sums = Sums::default());
        passes
    }

    /// Adds the sums of nodes to their ancestors. Returns which nodes are shown.
    fn sum_up(&mut self, passes: &[bool]) -> Vec<bool> {
        let mut is_shown = passes.to_vec();
        for number in (1..self.nodes.len()).rev() {
            let Node { parent, sums, .. } = self.nodes[number];
            self.nodes[parent as usize].sums.add(sums);
            is_shown[parent as usize] |= is_shown[number];
        }
        is_shown
    }
}

/// Lists the visible children of each node, in order of creation.
fn list_children(nodes: &mut [Node], is_shown: &[bool]) -> Vec<u32> {
    let shown = || (1..is_shown.len()).filter(|&number| is_shown[number]);
    for number in shown() {
        let parent = nodes[number].parent;
        nodes[parent as usize].child_count += 1;
    }
    let mut start = 0;
    for node in nodes.iter_mut() {
        node.children = start;
        start += std::mem::take(&mut node.child_count);
    }
    let mut children = vec![0; start as usize];
    for number in shown() {
        let parent = &mut nodes[nodes[number].parent as usize];
        children[(parent.children + parent.child_count) as usize] = number as u32;
        parent.child_count += 1;
    }
    children
}
