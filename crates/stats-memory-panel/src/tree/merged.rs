//! Common numbers for the names and stacks of two snapshots.
//!
//! Two snapshots number their names and stacks independently. Here, the newer one keeps its
//! numbers, and names and stacks that only the older one has get the numbers beyond.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::snapshot::{Contents, MemorySnapshot, Site, Stack};

/// The number of a name or a stack that neither snapshot has.
const UNKNOWN: u32 = u32::MAX;

/// One or two snapshots with common numbers for names and stacks.
#[derive(Debug, Default)]
pub(super) struct Merged {
    pub(super) now: Arc<Contents>,
    pub(super) before: Option<Arc<Contents>>,
    /// The common numbers of the older snapshot's names and stacks.
    names: Vec<u32>,
    stacks: Vec<u32>,
    /// The stacks that only the older snapshot has, by parent and name.
    older_stacks: HashMap<(u32, u32), u32>,
    /// The stacks from which the older snapshot cut off scopes.
    cut: HashSet<u32>,
}

impl Merged {
    pub(super) fn new(now: &MemorySnapshot, before: Option<&MemorySnapshot>) -> Self {
        let mut merged = Self {
            now: now.contents.clone(),
            before: before.map(|before| before.contents.clone()),
            ..Self::default()
        };
        if let Some(before) = before {
            merged.merge(&before.contents);
        }
        merged
    }

    fn merge(&mut self, before: &Contents) {
        let Self {
            now,
            names,
            stacks,
            older_stacks,
            cut,
            ..
        } = self;
        let beyond = now.names.len() as u32;
        names.extend(
            (0..)
                .zip(before.names.iter())
                .map(|(number, name)| now.names.find(name).unwrap_or(beyond + number)),
        );
        let beyond = now.stacks.len() as u32;
        for (number, stack) in (0..).zip(before.stacks.iter()) {
            let Some(&parent) = stacks.get(stack.parent as usize) else {
                // The empty stack is its own parent.
                stacks.push(number);
                continue;
            };
            let name = names[stack.name as usize];
            let merged = now.stacks.find(parent, name).unwrap_or_else(|| {
                older_stacks.insert((parent, name), beyond + number);
                beyond + number
            });
            stacks.push(merged);
            if stack.is_cut {
                cut.insert(merged);
            }
        }
    }

    pub(super) fn text(&self, name: u32) -> &str {
        let names = &self.now.names;
        match (name as usize).checked_sub(names.len()) {
            None => names.get(name),
            Some(beyond) => self
                .before
                .as_ref()
                .map_or("", |before| before.names.get(beyond as u32)),
        }
    }

    /// Returns a stack with the common numbers of its parent and its name.
    pub(super) fn stack(&self, number: u32) -> Stack {
        let stacks = &self.now.stacks;
        match ((number as usize).checked_sub(stacks.len()), &self.before) {
            (Some(beyond), Some(before)) => {
                let stack = before.stacks.get(beyond as u32);
                Stack {
                    parent: self.stacks[stack.parent as usize],
                    name: self.names[stack.name as usize],
                    ..stack
                }
            }
            _ => {
                let stack = stacks.get(number);
                Stack {
                    is_cut: stack.is_cut || self.cut.contains(&number),
                    ..stack
                }
            }
        }
    }

    /// Returns the sites of a third snapshot with common numbers, or [`UNKNOWN`] for names and
    /// stacks that neither of the two has.
    pub(super) fn sites_of(&self, other: &Contents) -> Vec<Site> {
        let names: Vec<u32> = other
            .names
            .iter()
            .map(|name| self.name(name).unwrap_or(UNKNOWN))
            .collect();
        let mut stacks: Vec<u32> = Vec::with_capacity(other.stacks.len());
        for (number, stack) in (0..).zip(other.stacks.iter()) {
            let found = match stacks.get(stack.parent as usize) {
                // The empty stack is its own parent.
                None => number,
                Some(&parent) => self
                    .stack_below(parent, names[stack.name as usize])
                    .unwrap_or(UNKNOWN),
            };
            stacks.push(found);
        }
        let sites = other.sites.iter().map(|site| Site {
            thread: names[site.thread as usize],
            group: names[site.group as usize],
            stack: stacks[site.stack as usize],
            name: names[site.name as usize],
        });
        sites.collect()
    }

    fn name(&self, text: &str) -> Option<u32> {
        self.now.names.find(text).or_else(|| {
            let number = self.before.as_ref()?.names.find(text)?;
            Some(self.names[number as usize])
        })
    }

    fn stack_below(&self, parent: u32, name: u32) -> Option<u32> {
        self.now
            .stacks
            .find(parent, name)
            .or_else(|| self.older_stacks.get(&(parent, name)).copied())
    }

    /// Returns a site of the older snapshot with common numbers.
    pub(super) fn site_before(&self, site: &Site) -> Site {
        Site {
            thread: self.names[site.thread as usize],
            group: self.names[site.group as usize],
            stack: self.stacks[site.stack as usize],
            name: self.names[site.name as usize],
        }
    }
}
