//! Puffin frames that are made up, for tests.

use std::sync::Arc;

use puffin::{FrameData, ScopeDetails};

use crate::testing::Random;

/// A scope in a tree that is made up.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    pub(crate) scope: usize,
    pub(crate) start_ns: i64,
    pub(crate) stop_ns: i64,
    pub(crate) children: Vec<Made>,
}

/// Scopes that follow each other from `start_ns` to `stop_ns`, with scopes inside, of ids below
/// `ids`.
pub(crate) fn make(
    random: &mut Random,
    ids: usize,
    (start_ns, stop_ns): (i64, i64),
    depth: usize,
) -> Vec<Made> {
    let mut made = Vec::new();
    let mut at = start_ns;
    for _ in 0..random.below(4) {
        let start_ns = at + random.below(1 + (stop_ns - at) as usize / 2) as i64;
        let end_ns = start_ns + random.below(1 + (stop_ns - start_ns) as usize) as i64;
        let children = if depth == 0 {
            Vec::new()
        } else {
            make(random, ids, (start_ns, end_ns), depth - 1)
        };
        made.push(Made {
            scope: random.below(ids),
            start_ns,
            stop_ns: end_ns,
            children,
        });
        at = end_ns;
    }
    made
}

/// Writes scopes as puffin does.
pub(crate) fn write(stream: &mut puffin::Stream, made: &[Made], ids: &[puffin::ScopeId]) {
    for scope in made {
        let (offset, _) = stream.begin_scope(|| scope.start_ns, ids[scope.scope], "some data");
        write(stream, &scope.children, ids);
        stream.end_scope(offset, scope.stop_ns);
    }
}

/// Scopes that a profiler has registered: their ids, and what it tells of them.
pub(crate) fn register(names: &[&str]) -> (Vec<puffin::ScopeId>, Vec<Arc<ScopeDetails>>) {
    let mut profiler = puffin::GlobalProfiler::default();
    let (sender, frames) = std::sync::mpsc::channel();
    profiler.add_sink(Box::new(move |frame| sender.send(frame).unwrap()));
    let details: Vec<_> = names
        .iter()
        .map(|name| ScopeDetails::from_scope_name((*name).to_owned()))
        .collect();
    let ids = profiler.register_user_scopes(&details);
    // Nothing is told in a frame without scopes.
    let made = [Made {
        scope: 0,
        start_ns: 0,
        stop_ns: 1,
        children: Vec::new(),
    }];
    profiler.report_user_scopes(thread("any"), &stream(&made, &ids).as_stream_into_ref());
    profiler.new_frame();
    (ids, frames.recv().unwrap().scope_delta.clone())
}

pub(crate) fn thread(name: &str) -> puffin::ThreadInfo {
    puffin::ThreadInfo {
        start_time_ns: Some(0),
        name: name.to_owned(),
    }
}

pub(crate) fn stream(made: &[Made], ids: &[puffin::ScopeId]) -> puffin::StreamInfo {
    let mut stream = puffin::Stream::default();
    write(&mut stream, made, ids);
    puffin::StreamInfo::parse(stream).unwrap()
}

/// Bytes that need not be a stream, as the stream of a frame.
pub(crate) fn raw(bytes: Vec<u8>) -> puffin::StreamInfo {
    puffin::StreamInfo {
        stream: bytes.into(),
        num_scopes: 1,
        depth: 1,
        range_ns: (0, 1),
    }
}

pub(crate) fn frame(
    streams: Vec<(puffin::ThreadInfo, puffin::StreamInfo)>,
    details: Vec<Arc<ScopeDetails>>,
) -> FrameData {
    let streams = streams.into_iter().collect();
    FrameData::new(0, streams, details, false).unwrap_or_else(|_| panic!("a frame without scopes"))
}
