//! The video memory by the names of buffers and textures.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use stats_core::segment::{UNNAMED, bounded};
use stats_core::{GaugeHandle, Unit, gauge};

use crate::own_series::MEMORY_BY_NAME;

/// The maximum number of names with a series of their own.
pub(crate) const MAX_NAMES: usize = 256;

/// The maximum number of segments of a name that are levels of the tree. Those before are one level.
const MAX_SEGMENTS: usize = 8;

/// The name that collects all names beyond the limit.
const OTHERS: &str = "others";

/// The series of the names that had memory so far.
#[derive(Debug, Default)]
pub(crate) struct MemoryNames {
    /// By path, below that of all names.
    names: HashMap<String, Entry>,
    others: Option<GaugeHandle>,
}

#[derive(Debug)]
struct Entry {
    gauge: GaugeHandle,
    /// The path with `#` for each number; `None` if it has none.
    shared: Option<String>,
    /// The bytes of the newest sample.
    bytes: u64,
}

impl MemoryNames {
    /// Sets the series to the sizes of all live allocations. A name without any has 0 bytes. Of new
    /// names, those with the most bytes get a series while there is room. Names that only differ in
    /// their numbers have one together from the time at which one of them is gone.
    pub(crate) fn set<'a>(&mut self, allocations: impl Iterator<Item = (&'a str, u64)>) {
        for entry in self.names.values_mut() {
            entry.bytes = 0;
        }
        let mut new: HashMap<Cow<'_, str>, u64> = HashMap::new();
        for (name, bytes) in allocations {
            let path = path(name);
            match self.names.get_mut(&*path) {
                Some(entry) => entry.bytes += bytes,
                None => *new.entry(path).or_default() += bytes,
            }
        }
        let own = self.share(new);
        let mut new: Vec<(Cow<'_, str>, u64)> = own.into_iter().collect();
        new.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let room = (MAX_NAMES - self.names.len()).min(new.len());
        let others = new.split_off(room);
        for (path, bytes) in new {
            let mut shared = String::new();
            let entry = Entry {
                gauge: of_path(&path),
                shared: without_numbers(&path, &mut shared).then_some(shared),
                bytes,
            };
            self.names.insert(path.into_owned(), entry);
        }
        for entry in self.names.values() {
            entry.gauge.set(entry.bytes);
        }
        let others: u64 = others.iter().map(|(_, bytes)| bytes).sum();
        if others > 0 || self.others.is_some() {
            (self.others.get_or_insert_with(|| of_path(OTHERS))).set(others);
        }
    }

    /// Adds up the bytes of new paths. Those that differ in their numbers alone share a path, unless all of
    /// them are live. A program that counts its textures, as egui does, never uses a name again, and would
    /// fill the room with names that are gone. Returns the paths without a series.
    fn share<'a>(&mut self, new: HashMap<Cow<'a, str>, u64>) -> HashMap<Cow<'a, str>, u64> {
        let mut own: HashMap<Cow<'_, str>, u64> = HashMap::new();
        if new.is_empty() {
            return own;
        }
        let gone = self.names.values().filter(|entry| entry.bytes == 0);
        let gone: HashSet<String> = gone.filter_map(|entry| entry.shared.clone()).collect();
        // Reused, because names beyond the limit are new in each sample.
        let mut shared = String::new();
        for (mut path, bytes) in new {
            if without_numbers(&path, &mut shared) {
                if let Some(entry) = self.names.get_mut(&shared) {
                    entry.bytes += bytes;
                    continue;
                }
                if gone.contains(&shared) {
                    path = shared.clone().into();
                }
            }
            *own.entry(path).or_default() += bytes;
        }
        own
    }
}

/// Writes a path with `#` for each number. Returns whether it has one. The two digits of an escape, as in
/// `%2F`, are no number.
fn without_numbers(path: &str, shared: &mut String) -> bool {
    shared.clear();
    let (mut is_number, mut has_number, mut escaped) = (false, false, 0);
    for letter in path.chars() {
        let was_number = is_number;
        is_number = letter.is_ascii_digit() && escaped == 0;
        escaped = if letter == '%' {
            2
        } else {
            u32::saturating_sub(escaped, 1)
        };
        if !is_number {
            shared.push(letter);
        } else if !was_number {
            shared.push('#');
        }
        has_number |= is_number;
    }
    has_number
}

/// Returns the segments of a name, between `/`.
pub(crate) fn segments(name: &str) -> impl Iterator<Item = &str> {
    name.split('/').filter(|segment| !segment.is_empty())
}

/// Returns the path of a name, below that of all names. Its segments between `/` are folders. Of a
/// name with many segments, such as the path of a file, the first ones are one folder.
fn path(name: &str) -> Cow<'_, str> {
    let segments: Vec<&str> = segments(name).collect();
    let (first, last) = segments.split_at(segments.len().saturating_sub(MAX_SEGMENTS));
    let first = first.join("/");
    let first = (!first.is_empty()).then(|| bounded(&first, &[OTHERS]));
    let last = last.iter().map(|segment| bounded(segment, &[OTHERS]));
    let segments: Vec<Cow<'_, str>> = first.into_iter().chain(last).collect();
    match &segments[..] {
        [] => UNNAMED.into(),
        segments => segments.join("/").into(),
    }
}

fn of_path(path: &str) -> GaugeHandle {
    gauge(&format!("{MEMORY_BY_NAME}/{path}"))
        .unit(Unit::Bytes)
        .describe("memory of the buffers and textures with this label")
}

#[cfg(all(test, feature = "enabled"))]
mod tests {
    use std::borrow::Cow;
    use std::collections::{BTreeMap, HashMap};

    use stats_core::Recorder;
    use stats_testing::{Counting, allocations};

    use super::{MAX_NAMES, MemoryNames};

    #[global_allocator]
    static ALLOCATOR: Counting = Counting;

    /// Sets the series, and returns those below a folder by name, as a recorder reads them.
    fn set(names: &mut MemoryNames, folder: &str, all: &[(String, u64)]) -> BTreeMap<String, f64> {
        names.set(all.iter().map(|(name, bytes)| (name.as_str(), *bytes)));
        let mut recorder = Recorder::new();
        let mut found = Vec::new();
        stats_core::for_each_series(|info| {
            if let Some(name) = info.path.strip_prefix("gpu/memory-by-name/")
                && (name.starts_with(folder) || name == "others")
            {
                found.push((name.to_owned(), info.id));
            }
        });
        recorder.end_frame();
        let value = |(name, id)| (name, recorder.peek(id).expect("a gauge is known at once"));
        found.into_iter().map(value).collect()
    }

    #[test]
    fn bytes_add_up_by_name_and_a_name_without_memory_has_none() {
        let mut names = MemoryNames::default();
        let all = |list: &[(&str, u64)]| -> Vec<(String, u64)> {
            let owned = list
                .iter()
                .map(|(name, bytes)| ((*name).to_owned(), *bytes));
            owned.collect()
        };
        let first = all(&[
            ("a/shadow map", 4),
            ("a/sky", 2),
            ("a/shadow map", 1),
            ("/a//sky", 9),
        ]);
        let found = set(&mut names, "a/", &first);
        // Empty segments make no other series.
        assert_eq!((found["a/shadow map"], found["a/sky"]), (5.0, 11.0));
        let found = set(&mut names, "a/", &all(&[("a/shadow map", 7)]));
        assert_eq!((found["a/shadow map"], found["a/sky"]), (7.0, 0.0));
        let found = set(&mut names, "%6F", &all(&[("others", 3)]));
        assert_eq!(found["%6Fthers"], 3.0);
    }

    #[test]
    fn a_path_is_bounded_and_no_two_names_share_one() {
        let deep = |first: &str| format!("{first}/{}", vec!["folder"; 10_000].join("/"));
        let (one, other) = (super::path(&deep("a")).into_owned(), deep("b"));
        assert!(one.len() < 10 * 210, "{}", one.len());
        assert_eq!(one.split('/').count(), super::MAX_SEGMENTS + 1);
        assert_ne!(one, super::path(&other));
        assert_eq!(super::path("/1/2/3/4/5/6/7/8"), "1/2/3/4/5/6/7/8");
        assert_eq!(super::path("/a/b/3/4/5/6/7/8/9/x"), "a%2Fb/3/4/5/6/7/8/9/x");
    }

    #[test]
    fn names_that_differ_in_their_numbers_share_a_series_once_one_of_them_is_gone() {
        let mut names = MemoryNames::default();
        let of = |numbers: std::ops::Range<u64>| -> Vec<(String, u64)> {
            numbers
                .map(|at| (format!("counted/id({at})"), at))
                .collect()
        };
        let mut set = |all: &[(String, u64)]| {
            let mut found = set(&mut names, "counted/", all);
            // The name under which the memory of other tests counts.
            found.remove("others");
            found
        };
        // All are live: each has its own.
        let found = set(&of(10..14));
        assert_eq!(found.len(), 4);
        assert_eq!(found["counted/id(13)"], 13.0);
        for first in 11..600 {
            let all = of(first..first + 4);
            let found = set(&all);
            assert_eq!(found.len(), 5, "{found:?}");
            let sum: u64 = all.iter().map(|(_, bytes)| bytes).sum();
            assert_eq!(found.values().sum::<f64>(), sum as f64);
        }
        let found = set(&of(10..15));
        assert_eq!(
            (found["counted/id(13)"], found["counted/id(#)"]),
            (13.0, 14.0)
        );
    }

    #[test]
    fn a_path_without_its_numbers_has_one_sign_for_each() {
        let without = |path| {
            let mut shared = "of another".to_owned();
            super::without_numbers(path, &mut shared).then_some(shared)
        };
        assert_eq!(without("a/12 of 3").as_deref(), Some("a/# of #"));
        assert_eq!(without("1-2#3").as_deref(), Some("#-###"));
        assert_eq!(without("a%2Fb%20"), None);
        assert_eq!(without(""), None);
    }

    #[test]
    fn names_beyond_the_limit_count_together_and_the_largest_have_series() {
        let mut names = MemoryNames::default();
        let all: Vec<(String, u64)> = (0..MAX_NAMES as u64 + 10)
            .map(|at| (format!("limit/{at:03}"), 100 + at))
            .collect();
        let found = set(&mut names, "limit/", &all);
        assert_eq!(found.len(), MAX_NAMES + 1);
        assert!(!found.contains_key("limit/009") && found.contains_key("limit/010"));
        assert_eq!(found["others"], (100..110).sum::<u64>() as f64);
        let sum: u64 = all.iter().map(|(_, bytes)| bytes).sum();
        assert_eq!(found.values().sum::<f64>(), sum as f64);
        // A name keeps its series, and those beyond the limit never get one.
        let found = set(&mut names, "limit/", &all[..20]);
        assert_eq!(found["others"], (100..110).sum::<u64>() as f64);
        assert_eq!((found["limit/010"], found["limit/200"]), (110.0, 0.0));
    }

    #[test]
    fn a_name_beyond_the_limit_allocates_nothing_of_its_own_however_many_are_gone() {
        let mut names = MemoryNames::default();
        let all: Vec<String> = (0..MAX_NAMES)
            .map(|at| format!("cost/{}/{at}", "x".repeat(at)))
            .collect();
        names.set(all.iter().map(|name| (name.as_str(), 1)));
        names.set(std::iter::empty());
        let beyond = |at| (format!("cost/beyond/{at}").into(), 1);
        let new: HashMap<Cow<'_, str>, u64> = (0..2_000).map(beyond).collect();
        let made = allocations(|| assert_eq!(names.share(new).len(), 2_000));
        // An allocation for each name that is gone, and for two tables that grow.
        assert!(made < 2 * MAX_NAMES as u64, "{made}");
    }
}
