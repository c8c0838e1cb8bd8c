//! The series of call paths: their time, their self time and their calls in each frame, as
//! stats-puffin counts them in a running program.

use std::collections::HashMap;

use stats_capture::RecordedKind::{Timer, TimerCalls, TimerSelf};

use super::super::log::Log;
use super::tree::{MAX_DEPTH, Tree};

/// The maximum number of call paths that have series.
const MAX_PATHS: usize = 1 << 10;

/// The maximum number of values of all series.
const MAX_VALUES: usize = 1 << 24;

/// A call path by names.
#[derive(Debug)]
struct Path {
    path: String,
    parent: Option<usize>,
    thread: u16,
    total_ns: u64,
    nodes: Vec<u32>,
}

/// Adds the series of all call paths to a run, below `root`. `positions` has the position of each
/// frame of the tree in the run. Returns the path of the series of each node; `None` if it has none.
/// Says what is left out. A path has three series.
pub(in super::super) fn add_calls(
    log: &mut Log,
    root: &str,
    tree: &Tree,
    names: &HashMap<u32, String>,
    positions: &[u32],
) -> Vec<Option<String>> {
    let (mut paths, of_nodes) = by_name(root, tree, names);
    let frames = log.frames.len();
    // Of each path, three series. Scopes around others took at least as long, and come first.
    let most = MAX_PATHS.min(MAX_VALUES / (3 * frames.max(1))).max(1);
    // A scope that never ended has no time.
    let has_ended = |node: &u32| !tree.nodes[*node as usize].sums.is_empty();
    let mut order: Vec<usize> = (0..paths.len())
        .filter(|at| paths[*at].nodes.iter().any(has_ended))
        .collect();
    let left_out = order.len().saturating_sub(most);
    order.sort_by_key(|at| (std::cmp::Reverse(paths[*at].total_ns), *at));
    let mut is_listed = vec![false; paths.len()];
    for at in order.into_iter().take(most) {
        is_listed[at] = true;
    }
    let mut selfs: HashMap<usize, Vec<f64>> = HashMap::new();
    let mut totals: Vec<Option<(Vec<f64>, Vec<f64>)>> = Vec::new();
    for (at, path) in paths.iter().enumerate() {
        if !is_listed[at] {
            totals.push(None);
            continue;
        }
        let (mut ms, mut calls) = (vec![0.0; frames], vec![0.0; frames]);
        for (frame, ns, count) in path
            .nodes
            .iter()
            .flat_map(|node| &tree.nodes[*node as usize].sums)
        {
            let frame = positions[*frame as usize] as usize;
            ms[frame] += *ns as f64 / 1e6;
            calls[frame] += f64::from(*count);
        }
        if let Some(around) = path.parent.and_then(|parent| selfs.get_mut(&parent)) {
            for (around, ms) in around.iter_mut().zip(&ms) {
                *around = (*around - ms).max(0.0);
            }
        }
        selfs.insert(at, ms.clone());
        totals.push(Some((ms, calls)));
    }
    for (at, total) in totals.into_iter().enumerate() {
        let Some((ms, calls)) = total else { continue };
        let parent = paths[at].parent.map(|parent| paths[parent].path.clone());
        let thread = tree.threads[usize::from(paths[at].thread)].name.clone();
        let record = log.add(&paths[at].path, Timer, "ms", ms);
        (record.parent, record.thread) = (parent, Some(thread.clone()));
        // The path may be taken.
        let path = record.path.clone();
        let record = log.add(&format!("{path}/calls"), TimerCalls, "", calls);
        record.of = Some(path.clone());
        let own = selfs.remove(&at).unwrap_or_default();
        let record = log.add(&format!("{path}/self"), TimerSelf, "ms", own);
        (record.of, record.thread) = (Some(path.clone()), Some(thread));
        paths[at].path = path;
    }
    if left_out > 0 {
        log.said.push(format!(
            "{left_out} call paths that took the least time have no series; their time is in those around them"
        ));
    }
    if tree.is_limited {
        log.said.push(format!(
            "scopes inside {MAX_DEPTH} others, or of too many call paths or threads, have no series"
        ));
    }
    let path_of = |at: &usize| is_listed[*at].then(|| paths[*at].path.clone());
    of_nodes.iter().map(path_of).collect()
}

/// Returns the call paths by name, outer ones first, and the index of the path of each node.
fn by_name(root: &str, tree: &Tree, names: &HashMap<u32, String>) -> (Vec<Path>, Vec<usize>) {
    let mut paths: Vec<Path> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut of_nodes: Vec<usize> = Vec::with_capacity(tree.nodes.len());
    for (number, node) in (0_u32..).zip(&tree.nodes) {
        let parent = node.parent.map(|parent| of_nodes[parent as usize]);
        let above = match parent {
            Some(parent) => paths[parent].path.clone(),
            None => format!(
                "{root}/{}",
                segment(&tree.threads[usize::from(node.thread)].name)
            ),
        };
        let name = names.get(&node.name).map_or("unknown", |name| name);
        let path = format!("{above}/{}", segment(name));
        let at = *known.entry(path.clone()).or_insert_with(|| {
            paths.push(Path {
                path,
                parent,
                thread: node.thread,
                total_ns: 0,
                nodes: Vec::new(),
            });
            paths.len() - 1
        });
        let times = node.sums.iter().map(|(_, ns, _)| *ns);
        let sum = times.fold(0, u64::saturating_add);
        paths[at].total_ns = paths[at].total_ns.saturating_add(sum);
        paths[at].nodes.push(number);
        of_nodes.push(at);
    }
    (paths, of_nodes)
}

/// The segments below a timer that are its own.
const RESERVED: [&str; 2] = ["calls", "self"];

/// Returns a name, of any length, as one segment of a path: a path repeats the names around it.
fn segment(name: &str) -> std::borrow::Cow<'_, str> {
    stats_core::segment::bounded(name, &RESERVED)
}

#[cfg(test)]
mod tests {
    use super::super::tree::MAX_DEPTH;
    use super::*;

    /// Each path repeats the names around it, so a name in a file costs memory once per depth.
    #[test]
    fn a_long_name_makes_no_long_paths() {
        let long = "\u{1}".repeat(1 << 20);
        let mut tree = Tree::default();
        let thread = tree.thread(&long, Some(1)).expect("there is room");
        let mut around = None;
        for depth in 0..MAX_DEPTH {
            let node = tree.node(thread, around, depth, 1);
            tree.add(node.expect("there is room"), 0, 1);
            around = Some(node);
        }
        let names = HashMap::from([(1, long.clone())]);
        let (paths, of_nodes) = by_name("log", &tree, &names);
        assert_eq!((paths.len(), of_nodes.len()), (MAX_DEPTH, MAX_DEPTH));
        for (depth, path) in (2..).zip(&paths) {
            assert!(path.path.len() < depth * 700, "{}", path.path.len());
        }
        assert!(tree.threads[0].name.len() < 700);
        // Names that begin alike stay apart.
        let other = format!("{long}2");
        assert_ne!(segment(&long), segment(&other));
        assert_ne!(tree.thread(&other, Some(1)), Some(thread));
        assert_eq!(tree.thread(&long, Some(1)), Some(thread));
    }
}
