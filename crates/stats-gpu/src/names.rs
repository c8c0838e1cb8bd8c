//! The names of passes and scopes, each a series below the one that it was opened in.

use std::collections::HashMap;

use stats_core::{DeferredSeries, DeferredSource};

/// Names one pass or scope by its place in the tree: what [`Names`] handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NameId(u32);

/// Names of the crate's own series below the root: what has one of them is called `pass-…` instead.
const RESERVED: [&str; 8] = [
    crate::timer::FRAME,
    "latency-frames",
    "skipped-frames",
    "lost-frames",
    "untimed-passes",
    "rejected-intervals",
    "memory-allocated",
    "memory-reserved",
];

/// All names that were used so far. They are few, and kept: a name's series lives for ever anyway.
#[derive(Debug)]
pub(crate) struct Names {
    late: DeferredSource,
    names: Vec<Name>,
}

#[derive(Debug)]
struct Name {
    path: String,
    /// `None` of the root alone.
    series: Option<DeferredSeries>,
    children: HashMap<Box<str>, NameId>,
}

impl Names {
    pub(crate) const ROOT: NameId = NameId(0);

    /// No names below `root`.
    pub(crate) fn new(late: DeferredSource, root: &str) -> Self {
        let mut names = Self {
            late,
            names: Vec::new(),
        };
        names.add(root.to_owned(), false);
        names
    }

    /// The name below another one. Hashes; allocates the first time.
    pub(crate) fn child(&mut self, parent: NameId, name: &str) -> NameId {
        let Name { path, children, .. } = &self.names[parent.0 as usize];
        if let Some(&known) = children.get(name) {
            return known;
        }
        let is_reserved = parent == Self::ROOT && RESERVED.contains(&name);
        if is_reserved {
            self.report(&format!("{path}/{name}"));
        }
        let path = if is_reserved {
            format!("{path}/pass-{name}")
        } else {
            format!("{path}/{name}")
        };
        let id = self.add(path, true);
        self.names[parent.0 as usize]
            .children
            .insert(name.into(), id);
        id
    }

    /// Has it reported that a path is taken: by asking for it once more, as something that it is
    /// not.
    fn report(&self, path: &str) {
        crate::memory::register(path);
        let _ = self.late.counter(path);
    }

    /// The series of a name.
    pub(crate) fn series(&self, id: NameId) -> Option<DeferredSeries> {
        self.names[id.0 as usize].series
    }

    fn add(&mut self, path: String, has_series: bool) -> NameId {
        let id = NameId(self.names.len() as u32);
        let series = has_series.then(|| self.late.timer(&path));
        self.names.push(Name {
            path,
            series,
            children: HashMap::new(),
        });
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_series_below_each_parent() {
        let mut names = Names::new(DeferredSource::new(), "names-test");
        let shadow = names.child(Names::ROOT, "shadow");
        let blur = names.child(shadow, "blur");
        assert_eq!(names.child(Names::ROOT, "shadow"), shadow);
        assert_eq!(names.child(shadow, "blur"), blur);
        assert_ne!(names.child(Names::ROOT, "blur"), blur);
        assert_eq!(names.names[blur.0 as usize].path, "names-test/shadow/blur");
    }

    #[test]
    fn reserved_names_are_others_below_the_root_alone() {
        let mut names = Names::new(DeferredSource::new(), "names-reserved");
        for name in RESERVED {
            let id = names.child(Names::ROOT, name);
            assert_eq!(
                names.names[id.0 as usize].path,
                format!("names-reserved/pass-{name}")
            );
            let inner = names.child(id, name);
            assert_eq!(
                names.names[inner.0 as usize].path,
                format!("names-reserved/pass-{name}/{name}")
            );
        }
        assert!(names.series(Names::ROOT).is_none());
    }
}
