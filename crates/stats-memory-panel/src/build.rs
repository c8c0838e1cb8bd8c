//! Making the nodes of a tree from what two snapshots hold.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use super::filter::{Changes, Filter};
use super::fold::{Entry, Held, Site};
use super::merged::Merged;
use super::node::{Label, Node, Sums, TOTAL};
use super::passing::Passing;
use super::sizes::{Seen, mark};
use super::stacks::{NO_SCOPES, Stack};
use super::tree::{Levels, change};

/// The node of a site that passes no filter.
pub(super) const NOWHERE: u32 = u32::MAX;

/// For each site of a snapshot the node that it belongs to, or [`NOWHERE`].
pub(super) type Homes = Vec<u32>;

/// Nodes as they are made; parents come before their children.
struct Build<'a> {
    merged: &'a Merged,
    levels: Levels,
    nodes: Vec<Node>,
    /// For each node the sizes of what it has itself.
    seen: Vec<Seen>,
    /// Nodes by their parents and labels.
    numbers: HashTable<u32>,
    /// Nodes of stacks by what they are below: that, the stack and the node.
    stacks: HashTable<[u32; 3]>,
    state: RandomState,
}

/// What a tree is made of.
pub(super) struct Built {
    pub(super) nodes: Vec<Node>,
    /// The numbers of children, one parent's behind the other's.
    pub(super) children: Vec<u32>,
    /// Of the snapshot now and the one before.
    pub(super) homes: [Homes; 2],
}

/// Makes all nodes but those of sizes.
pub(super) fn build(merged: &Merged, levels: Levels, filter: &Filter) -> Built {
    let mut build = Build::new(merged, levels);
    let now = build.homes(&merged.now, filter, |site| site);
    build.add_own(&merged.now, &now, Sums::now);
    let (mut before, mut changes) = (Homes::new(), Changes::All);
    if let Some(held) = &merged.before {
        before = build.homes(held, filter, |site| merged.site_before(&site));
        build.add_own(held, &before, Sums::before);
        changes = filter.changes;
    }
    let passes = build.judge(changes, now.iter().chain(&before));
    let is_shown = build.sum_up(&passes);
    let Build {
        mut nodes, seen, ..
    } = build;
    if merged.before.is_none() {
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
            snapshots.any(|held| {
                held.sites
                    .iter()
                    .any(|site| !held.names.get(name(site)).is_empty())
            })
        };
        // A level that tells nothing apart is left out.
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
            // About as many as there are: growing costs as much as all else.
            numbers: HashTable::with_capacity(merged.now.sites.len()),
            stacks: HashTable::new(),
            state: RandomState::default(),
        }
    }

    fn homes(&mut self, held: &Held, filter: &Filter, merged: impl Fn(Site) -> Site) -> Homes {
        let passing = Passing::new(held, filter);
        let sites = held.sites.iter().zip(passing.sites(held));
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

    /// The node that a site belongs to, sizes aside.
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

    fn child(&mut self, parent: u32, label: Label) -> u32 {
        let Self {
            nodes,
            numbers,
            state,
            ..
        } = self;
        let hash = |parent: u32, label: Label| state.hash_one((parent, label));
        let is = |&number: &u32| {
            (nodes[number as usize].parent, nodes[number as usize].label) == (parent, label)
        };
        if let Some(&number) = numbers.find(hash(parent, label), is) {
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

    /// Adds a node that is not there yet.
    fn push(&mut self, parent: u32, label: Label) -> u32 {
        self.nodes.push(Node::below(
            &self.nodes[parent as usize],
            parent,
            label,
            self.merged,
        ));
        // As many as fit into memory.
        self.nodes.len() as u32 - 1
    }

    /// The node of a stack of scopes below another.
    fn scopes(&mut self, below: u32, stack: u32) -> u32 {
        // Up to one that is there, and down again.
        let (mut missing, mut at) = (Vec::new(), stack);
        let mut node = loop {
            if at == NO_SCOPES {
                break below;
            }
            let hash = self.state.hash_one((below, at));
            if let Some(&[.., node]) = self
                .stacks
                .find(hash, |&[other, stack, _]| (other, stack) == (below, at))
            {
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

    fn add_own(&mut self, held: &Held, homes: &Homes, sums: fn(&Entry) -> Sums) {
        self.seen.resize(self.nodes.len(), Seen::default());
        for entry in &held.entries {
            let home = homes[entry.site as usize] as usize;
            if let Some(node) = self.nodes.get_mut(home) {
                node.sums.add(sums(entry));
                self.seen[home].add(entry);
            }
        }
    }

    /// Says which nodes are shown for what they have themselves, and takes it from all others.
    fn judge<'h>(&mut self, changes: Changes, homes: impl Iterator<Item = &'h u32>) -> Vec<bool> {
        let mut passes = vec![false; self.nodes.len()];
        for &home in homes {
            if let Some(node) = self.nodes.get(home as usize) {
                passes[home as usize] = changes.has(change(&node.sums));
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

    /// Adds what nodes have to what is above them, and says which have anything at all.
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

/// Lists the children of each node that are to be seen, in the order in which they were made.
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
