//! The series of call paths: their time, their self time and their calls in each frame, as
//! stats-puffin counts them in a running program.

use std::collections::HashMap;

use stats_capture::RecordedKind::{Timer, TimerCalls, TimerSelf};

use super::super::log::{Log, Scope, Timeline};
use super::scopes::Scopes;

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

/// Adds the series and the scopes to a run. `positions` has the position of each frame of the
/// recording in the run; `begin_ns` is when the first frame began.
pub(super) fn add(
    log: &mut Log,
    mut scopes: Scopes,
    mut names: HashMap<u32, String>,
    positions: &[u32],
    begin_ns: i64,
) {
    names.extend(scopes.names_of_streams());
    let (mut paths, of_nodes) = by_name(&scopes, &names);
    let frames = log.frames.len();
    // Of each path, three series. Scopes around others took at least as long, and come first.
    let most = MAX_PATHS.min(MAX_VALUES / (3 * frames.max(1))).max(1);
    // A scope that never ended has no time.
    let has_ended = |node: &u32| !scopes.nodes[*node as usize].sums.is_empty();
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
            .flat_map(|node| &scopes.nodes[*node as usize].sums)
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
        let thread = scopes.threads[usize::from(paths[at].thread)].name.clone();
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
    say_limits(log, &scopes, left_out);
    add_scopes(log, &scopes, positions, begin_ns, |node| {
        let at = of_nodes[node as usize];
        is_listed[at].then(|| &*paths[at].path)
    });
}

/// Returns the call paths by name, those around others first, and that of each node.
fn by_name(scopes: &Scopes, names: &HashMap<u32, String>) -> (Vec<Path>, Vec<usize>) {
    let mut paths: Vec<Path> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut of_nodes: Vec<usize> = Vec::with_capacity(scopes.nodes.len());
    for (number, node) in (0_u32..).zip(&scopes.nodes) {
        let parent = node.parent.map(|parent| of_nodes[parent as usize]);
        let above = match parent {
            Some(parent) => paths[parent].path.clone(),
            None => format!(
                "puffin/{}",
                segment(&scopes.threads[usize::from(node.thread)].name)
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

/// Returns a name as one segment of a path.
fn segment(name: &str) -> std::borrow::Cow<'_, str> {
    stats_core::segment::escape(name, &RESERVED)
}

fn say_limits(log: &mut Log, scopes: &Scopes, left_out: usize) {
    if left_out > 0 {
        log.said.push(format!(
            "{left_out} call paths that took the least time have no series; their time is in those around them"
        ));
    }
    if scopes.is_limited {
        log.said.push(
            "scopes inside 64 others, or of too many call paths or threads, have no series"
                .to_owned(),
        );
    }
    if scopes.damaged > 0 {
        log.said.push(format!(
            "the scopes of {} frames or threads are damaged; those before the damage count",
            scopes.damaged
        ));
    }
    if scopes.lost > 0 {
        log.said.push(format!(
            "{} single scopes are left out of the timeline",
            scopes.lost
        ));
    }
}

/// Adds the single scopes, in the order of frames.
fn add_scopes<'a>(
    log: &mut Log,
    scopes: &'a Scopes,
    positions: &[u32],
    begin_ns: i64,
    path_of: impl Fn(u32) -> Option<&'a str>,
) {
    let mut timeline = Timeline {
        threads: lanes(scopes),
        lost: scopes.lost,
        ..Timeline::default()
    };
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    for span in &scopes.spans {
        let Some(path) = path_of(span.node) else {
            continue;
        };
        let number = *numbers.entry(path).or_insert_with(|| {
            timeline.paths.push(path.to_owned());
            timeline.paths.len() as u32 - 1
        });
        let position = positions[span.frame as usize];
        timeline.scopes.push(Scope {
            frame: log.frames[position as usize].index,
            thread: u32::from(span.thread),
            depth: span.depth.into(),
            path: number,
            begin_ns: span.begin_ns.saturating_sub(begin_ns),
            end_ns: span.end_ns.saturating_sub(begin_ns),
        });
    }
    timeline.scopes.sort_by_key(|scope| scope.frame);
    log.timeline = timeline;
}

/// Returns the name of each thread; that of a second thread of the same name is `name (2)`.
fn lanes(scopes: &Scopes) -> Vec<String> {
    let mut counts: HashMap<&str, u32> = HashMap::new();
    let names = scopes.threads.iter().map(|thread| {
        let count = counts.entry(&thread.name).or_default();
        *count += 1;
        match *count {
            1 => thread.name.clone(),
            count => format!("{} ({count})", thread.name),
        }
    });
    names.collect()
}
