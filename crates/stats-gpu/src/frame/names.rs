//! The names of passes and scopes, each a series below the name of the scope around it.

use std::collections::HashMap;

use stats_core::{DeferredSeries, DeferredSource, report_reserved_path};

use crate::own_series;

/// The id of a pass's or scope's name, unique for its place in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NameId(u32);

/// All names used so far. There are few, and none is removed: the series of a name lives forever
/// anyway.
#[derive(Debug)]
pub(crate) struct Names {
    source: DeferredSource,
    names: Vec<Name>,
}

#[derive(Debug)]
struct Name {
    path: String,
    /// The series; `None` only for the root.
    series: Option<DeferredSeries>,
    children: HashMap<Box<str>, NameId>,
}

impl Names {
    pub(crate) const ROOT: NameId = NameId(0);

    /// Creates a tree without names, whose paths begin with `root`.
    pub(crate) fn new(source: DeferredSource, root: &str) -> Self {
        let mut names = Self {
            source,
            names: Vec::new(),
        };
        names.add(root.to_owned(), false);
        names
    }

    /// Returns the id of `name` below `parent`. Hashes; allocates and registers a series when the
    /// name is first used.
    ///
    /// A name that is [reserved](own_series::is_reserved) is reported, and gets the prefix `pass-`.
    pub(super) fn child(&mut self, parent: NameId, name: &str) -> NameId {
        let Name { path, children, .. } = &self.names[parent.0 as usize];
        if let Some(&known) = children.get(name) {
            return known;
        }
        let mut child = format!("{path}/{name}");
        if parent == Self::ROOT && own_series::is_reserved(name) {
            let free = format!("{path}/pass-{name}");
            report_reserved_path(&child, &free);
            child = free;
        }
        let id = self.add(child, true);
        self.names[parent.0 as usize]
            .children
            .insert(name.into(), id);
        id
    }

    /// Returns the series of a name; `None` for the root.
    pub(super) fn series(&self, id: NameId) -> Option<DeferredSeries> {
        self.names[id.0 as usize].series
    }

    fn add(&mut self, path: String, has_series: bool) -> NameId {
        let id = NameId(self.names.len() as u32);
        let series = has_series.then(|| self.source.timer(&path));
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

    const RESERVED: [&str; 3] = ["frame", "lost-frames", "memory-reserved"];

    #[test]
    fn a_name_is_one_series_below_each_parent() {
        let mut names = Names::new(DeferredSource::new(), "names-test");
        let shadow = names.child(Names::ROOT, "shadow");
        let blur = names.child(shadow, "blur");
        assert_eq!(names.child(Names::ROOT, "shadow"), shadow);
        assert_eq!(names.child(shadow, "blur"), blur);
        assert_ne!(names.child(Names::ROOT, "blur"), blur);
        assert_eq!(names.names[blur.0 as usize].path, "names-test/shadow/blur");
        assert!(names.series(Names::ROOT).is_none());
    }

    #[test]
    fn a_reserved_name_gets_a_prefix_directly_below_the_root_only() {
        let mut names = Names::new(DeferredSource::new(), "names-prefix");
        for name in RESERVED {
            let id = names.child(Names::ROOT, name);
            assert_eq!(
                names.names[id.0 as usize].path,
                format!("names-prefix/pass-{name}")
            );
            let inner = names.child(id, name);
            assert_eq!(
                names.names[inner.0 as usize].path,
                format!("names-prefix/pass-{name}/{name}")
            );
        }
    }

    #[cfg(feature = "enabled")]
    #[test]
    fn a_reserved_name_is_reported_once_as_such_and_nothing_is_registered_in_its_place() {
        let mut names = Names::new(DeferredSource::new(), "names-report");
        for name in RESERVED {
            for _ in 0..2 {
                let id = names.child(Names::ROOT, name);
                names.child(id, name);
            }
            assert_eq!(stats_core::find(&format!("names-report/{name}")), None);
        }
        let reported: Vec<_> = stats_core::problems()
            .into_iter()
            .filter(|problem| problem.to_string().contains("names-report"))
            .collect();
        let expected = RESERVED.map(|name| stats_core::Problem::ReservedPath {
            given: format!("names-report/{name}"),
            used: format!("names-report/pass-{name}"),
        });
        assert_eq!(reported, expected);
    }
}
