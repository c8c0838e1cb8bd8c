//! The metrics of one kind: by key, to find them quickly, and by name, to bound and describe them.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError, RwLock};

use foldhash::fast::FixedState;
use metrics::Key;
use stats_core::segment::bounded;
use stats_core::{own_memory, report_over_limit};

use crate::handles::Handle;
use crate::unit::unit;

/// The maximum number of names of one kind that have series.
pub const MAX_NAMES: usize = 4_096;

/// The number of shards, so that threads that look up different metrics rarely wait for each other.
const SHARDS: usize = 16;

/// The owner of the memory of this crate.
const OWNER: &str = "stats-metrics";

/// All metrics of one kind.
pub(crate) struct Families<H: Handle> {
    known: [RwLock<HashMap<Key, H, FixedState>>; SHARDS],
    by_name: Mutex<HashMap<Box<str>, Family<H>, FixedState>>,
}

/// The metrics of one name.
struct Family<H: Handle> {
    unit: Option<metrics::Unit>,
    description: Option<Box<str>>,
    /// By the path of their labels.
    metrics: HashMap<Box<str>, (H, H::Series), FixedState>,
    /// The metric that sets of labels beyond the limit share.
    over_limit: Option<(H, H::Series)>,
}

impl<H: Handle> Default for Families<H> {
    fn default() -> Self {
        Self {
            known: std::array::from_fn(|_| RwLock::default()),
            by_name: Mutex::default(),
        }
    }
}

impl<H: Handle> Default for Family<H> {
    fn default() -> Self {
        Self {
            unit: None,
            description: None,
            metrics: HashMap::default(),
            over_limit: None,
        }
    }
}

impl<H: Handle> Families<H> {
    /// Returns the handle of a metric, registering it if it is new.
    #[inline]
    pub(crate) fn handle(&self, key: &Key, max_label_sets: usize) -> H {
        let shard = &self.known[key.get_hash() as usize % SHARDS];
        let known = shard.read().unwrap_or_else(PoisonError::into_inner);
        match known.get(key) {
            Some(handle) => handle.clone(),
            None => {
                drop(known);
                self.register(key, max_label_sets)
            }
        }
    }

    #[cold]
    fn register(&self, key: &Key, max_label_sets: usize) -> H {
        let _memory = own_memory(OWNER);
        let mut families = self.by_name.lock().unwrap_or_else(PoisonError::into_inner);
        if !families.contains_key(key.name()) && is_full(families.len()) {
            return H::DROPPED;
        }
        let family = families.entry(key.name().into()).or_default();
        let (handle, is_own) = family.handle(key, max_label_sets);
        // Keys beyond the limit are not kept: there may be any number of them.
        if is_own {
            let shard = &self.known[key.get_hash() as usize % SHARDS];
            let mut known = shard.write().unwrap_or_else(PoisonError::into_inner);
            known.insert(key.to_retained(), handle.clone());
        }
        handle
    }

    /// Describes all metrics of a name, including those registered later.
    pub(crate) fn describe(&self, name: &str, unit: Option<metrics::Unit>, description: &str) {
        let _memory = own_memory(OWNER);
        let mut families = self.by_name.lock().unwrap_or_else(PoisonError::into_inner);
        if !families.contains_key(name) && is_full(families.len()) {
            return;
        }
        let family = families.entry(name.into()).or_default();
        // The first ones are kept, as in the core, which would report others. Libraries that
        // disagree are not the program's to change.
        family.unit = family.unit.or(unit);
        if family.description.is_none() && !description.is_empty() {
            family.description = Some(description.into());
        }
        for (_, series) in family.metrics.values().chain(&family.over_limit) {
            family.apply(*series);
        }
    }
}

/// Returns whether all names are taken, and reports it.
fn is_full(names: usize) -> bool {
    let is_full = names >= MAX_NAMES;
    if is_full {
        report_over_limit("metrics/over-limit", MAX_NAMES);
    }
    is_full
}

impl<H: Handle> Family<H> {
    /// Returns the handle of a metric, and whether it has a series of its own.
    fn handle(&mut self, key: &Key, max_label_sets: usize) -> (H, bool) {
        let labels = labels(key);
        if let Some((handle, _)) = self.metrics.get(labels.as_str()) {
            return (handle.clone(), true);
        }
        let root = root(key.name(), H::KIND);
        if self.metrics.len() >= max_label_sets {
            let path = format!("{root}/over-limit");
            report_over_limit(&path, max_label_sets);
            if self.over_limit.is_none() {
                self.over_limit = Some(self.new_metric(&path));
            }
            let over_limit = self.over_limit.as_ref();
            return (
                over_limit.map_or(H::DROPPED, |(handle, _)| handle.clone()),
                false,
            );
        }
        let metric = self.new_metric(&format!("{root}{labels}"));
        let handle = metric.0.clone();
        self.metrics.insert(labels.into(), metric);
        (handle, true)
    }

    fn new_metric(&self, path: &str) -> (H, H::Series) {
        let series = H::series(path);
        self.apply(series);
        (H::of(series), series)
    }

    fn apply(&self, series: H::Series) {
        if let Some(own) = self.unit {
            H::set_unit(series, unit(own));
        }
        if let Some(description) = &self.description {
            H::describe(series, description);
        }
    }
}

/// Returns the path of a name's metrics of a kind, without their labels. The kind that is used
/// first has the path of the name; others have a segment of their own, which no label has, as it
/// has no `=`. Names come from libraries, so the program cannot rename them.
fn root(name: &str, kind: &'static str) -> String {
    // Of the program, as paths are.
    static FIRST: Mutex<BTreeMap<Box<str>, &str>> = Mutex::new(BTreeMap::new());
    let mut first = FIRST.lock().unwrap_or_else(PoisonError::into_inner);
    let is_first = *first.entry(name.into()).or_insert(kind) == kind;
    let name = bounded(name, &[]);
    if is_first {
        format!("metrics/{name}")
    } else {
        format!("metrics/{name}/{kind}")
    }
}

/// Returns the path of a key's labels, which follows that of its name: each after a `/`, sorted by
/// name. Different labels have different paths, because the first `=` is the end of a name.
fn labels(key: &Key) -> String {
    let mut labels: Vec<_> = key
        .labels()
        .map(|label| (label.key(), label.value()))
        .collect();
    labels.sort_unstable();
    let segment = |(name, value): (&str, &str)| {
        let name = bounded(name, &[]).replace('=', "%3D");
        // With the `=`, so that an empty value stays empty.
        format!("/{name}{}", bounded(&format!("={value}"), &[]))
    };
    labels.into_iter().map(segment).collect()
}
