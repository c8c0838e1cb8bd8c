//! puffin frames for tests.

use std::sync::Arc;

use puffin::{FrameData, ScopeDetails};
use stats_testing::Random;

/// A scope with its inner scopes. `scope` is an index into the ids.
#[derive(Clone, Debug)]
pub(crate) struct TestScope {
    pub(crate) scope: usize,
    pub(crate) start_ns: i64,
    pub(crate) stop_ns: i64,
    pub(crate) children: Vec<TestScope>,
}

/// Returns random scopes that follow each other between `start_ns` and `stop_ns`, with up to
/// `depth` levels of inner scopes. Their ids are below `ids`.
pub(crate) fn random_scopes(
    random: &mut Random,
    ids: usize,
    (start_ns, stop_ns): (i64, i64),
    depth: usize,
) -> Vec<TestScope> {
    let mut scopes = Vec::new();
    let mut at = start_ns;
    for _ in 0..random.index(4) {
        let start_ns = at + random.index(1 + (stop_ns - at) as usize / 2) as i64;
        let end_ns = start_ns + random.index(1 + (stop_ns - start_ns) as usize) as i64;
        let children = if depth == 0 {
            Vec::new()
        } else {
            random_scopes(random, ids, (start_ns, end_ns), depth - 1)
        };
        scopes.push(TestScope {
            scope: random.index(ids),
            start_ns,
            stop_ns: end_ns,
            children,
        });
        at = end_ns;
    }
    scopes
}

/// Writes scopes as puffin does.
fn write(stream: &mut puffin::Stream, scopes: &[TestScope], ids: &[puffin::ScopeId]) {
    for scope in scopes {
        let (offset, _) = stream.begin_scope(|| scope.start_ns, ids[scope.scope], "some data");
        write(stream, &scope.children, ids);
        stream.end_scope(offset, scope.stop_ns);
    }
}

/// Registers scopes with a separate profiler. Returns their ids, and the details that it reports.
pub(crate) fn register(names: &[&str]) -> (Vec<puffin::ScopeId>, Vec<Arc<ScopeDetails>>) {
    let mut profiler = puffin::GlobalProfiler::default();
    let (sender, frames) = std::sync::mpsc::channel();
    profiler.add_sink(Box::new(move |frame| sender.send(frame).unwrap()));
    let details: Vec<_> = names
        .iter()
        .map(|name| ScopeDetails::from_scope_name((*name).to_owned()))
        .collect();
    let ids = profiler.register_user_scopes(&details);
    // A frame without scopes reports nothing.
    let scopes = [TestScope {
        scope: 0,
        start_ns: 0,
        stop_ns: 1,
        children: Vec::new(),
    }];
    profiler.report_user_scopes(thread("any"), &stream(&scopes, &ids).as_stream_into_ref());
    profiler.new_frame();
    (ids, frames.recv().unwrap().scope_delta.clone())
}

pub(crate) fn thread(name: &str) -> puffin::ThreadInfo {
    puffin::ThreadInfo {
        start_time_ns: Some(0),
        name: name.to_owned(),
    }
}

pub(crate) fn stream(scopes: &[TestScope], ids: &[puffin::ScopeId]) -> puffin::StreamInfo {
    let mut stream = puffin::Stream::default();
    write(&mut stream, scopes, ids);
    puffin::StreamInfo::parse(stream).unwrap()
}

/// Returns a stream of a frame from any bytes, well-formed or not.
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
