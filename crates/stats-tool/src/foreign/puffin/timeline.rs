//! The single scopes of a recording.

use std::collections::HashMap;

use super::super::log::{Log, Scope, Timeline};
use super::scopes::Scopes;
use stats_analysis::format::count_text;

/// Adds the single scopes to a run, in the order of frames. `paths` has that of the series of each
/// node, `positions` the position of each frame of the recording in the run, and `begin_ns` is when
/// the first frame began.
pub(super) fn add(
    log: &mut Log,
    scopes: &Scopes,
    paths: &[Option<String>],
    positions: &[u32],
    begin_ns: i64,
) {
    let mut timeline = Timeline {
        threads: lanes(scopes),
        lost: scopes.lost,
        ..Timeline::default()
    };
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    for span in &scopes.spans {
        let Some(path) = &paths[span.node as usize] else {
            continue;
        };
        let number = *numbers.entry(path).or_insert_with(|| {
            timeline.paths.push(path.clone());
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
    if scopes.damaged > 0 {
        log.said.push(format!(
            "the scopes of {} are damaged; those before the damage count",
            count_text(scopes.damaged, "frame or thread", "frames or threads")
        ));
    }
    if scopes.lost > 0 {
        log.said.push(format!(
            "{} single scopes are left out of the timeline",
            scopes.lost
        ));
    }
}

/// Returns the name of each thread; that of a second thread of the same name is `name (2)`.
fn lanes(scopes: &Scopes) -> Vec<String> {
    let mut counts: HashMap<&str, u32> = HashMap::new();
    let names = scopes.tree.threads.iter().map(|thread| {
        let count = counts.entry(&thread.name).or_default();
        *count += 1;
        match *count {
            1 => thread.name.clone(),
            count => format!("{} ({count})", thread.name),
        }
    });
    names.collect()
}
