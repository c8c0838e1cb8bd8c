//! The sites of a snapshot that pass a filter.

use memchr::memmem::Finder;

use super::filter::Filter;
use crate::snapshot::{Contents, NO_SCOPES, Names};
use stats_ui::text::{lower, push_lower};

/// Which names and stacks pass, by number; `None` if all do.
pub(super) struct Passing {
    threads: Option<Vec<bool>>,
    groups: Option<Vec<bool>>,
    stacks: Option<Vec<bool>>,
    names: Option<Vec<bool>>,
}

impl Passing {
    pub(super) fn new(contents: &Contents, filter: &Filter) -> Self {
        let names = &contents.names;
        Self {
            threads: (!filter.threads.is_empty()).then(|| listed(names, &filter.threads)),
            groups: (!filter.groups.is_empty()).then(|| listed(names, &filter.groups)),
            stacks: words(&filter.scope)
                .map(|word| with_word(contents, word))
                .reduce(both),
            names: words(&filter.name)
                .map(|word| containing(names, word))
                .reduce(both),
        }
    }

    /// Returns whether each site passes, in the order of the sites.
    pub(super) fn sites(&self, contents: &Contents) -> impl Iterator<Item = bool> {
        let has = |passing: &Option<Vec<bool>>, number: u32| {
            passing
                .as_ref()
                .is_none_or(|passing| passing[number as usize])
        };
        contents.sites.iter().map(move |site| {
            has(&self.threads, site.thread)
                && has(&self.groups, site.group)
                && has(&self.stacks, site.stack)
                && has(&self.names, site.name)
        })
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace()
}

fn both(mut one: Vec<bool>, other: Vec<bool>) -> Vec<bool> {
    one.iter_mut()
        .zip(other)
        .for_each(|(one, other)| *one &= other);
    one
}

fn listed(names: &Names, chosen: &[String]) -> Vec<bool> {
    let mut listed = vec![false; names.len()];
    chosen
        .iter()
        .filter_map(|name| names.find(name))
        .for_each(|number| listed[number as usize] = true);
    listed
}

/// Returns which names contain a word, ignoring case.
fn containing(names: &Names, word: &str) -> Vec<bool> {
    let word = lower(word);
    let finder = Finder::new(&word);
    let mut name_lower = String::new();
    let mut is_in = |name: &str| {
        name_lower.clear();
        push_lower(name, &mut name_lower);
        finder.find(name_lower.as_bytes()).is_some()
    };
    names.iter().map(&mut is_in).collect()
}

/// Returns which stacks have a scope whose name contains a word.
fn with_word(contents: &Contents, word: &str) -> Vec<bool> {
    let names = containing(&contents.names, word);
    let mut stacks: Vec<bool> = Vec::with_capacity(contents.stacks.len());
    for (number, stack) in (0..).zip(contents.stacks.iter()) {
        // Parents come before their children.
        let has =
            number != NO_SCOPES && (names[stack.name as usize] || stacks[stack.parent as usize]);
        stacks.push(has);
    }
    stacks
}
