//! Compares the recorded values with those of a plain recursive implementation.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use puffin::FrameData;
use stats_core::SeriesId;
use stats_testing::Random;

use super::paths::MAX_DEPTH;
use super::stream::{self, Visit};
use super::{MALFORMED_STREAMS, Scopes};
use crate::escape::bounded;
use crate::options::Options;
use crate::testing::{TestScope, frame, random_scopes, raw, register, stream as stream_of, thread};

/// For each path, the sum in nanoseconds and the number of values in it.
type Sums = BTreeMap<String, (u64, u64)>;

/// Reads a frame and returns the values to deliver.
fn delivered(scopes: &mut Scopes, frame: &FrameData) -> Sums {
    scopes.read(frame);
    let mut by_id: HashMap<SeriesId, (u64, u64)> = HashMap::new();
    for (series, ms) in &scopes.values {
        let sum = by_id.entry(series.id()).or_default();
        *sum = (sum.0 + (ms * 1e6).round() as u64, sum.1 + 1);
    }
    let mut sums = Sums::new();
    stats_core::for_each_series(|info| {
        if let Some(sum) = by_id.remove(&info.id) {
            sums.insert(info.path.to_owned(), sum);
        }
    });
    assert!(by_id.is_empty(), "some series are not listed");
    sums
}

/// Computes the same values by recursion.
#[derive(Default)]
struct Naive {
    sums: Sums,
    self_sums: BTreeMap<String, u64>,
}

impl Naive {
    fn of(threads: &[(&str, &[TestScope])], names: &[&str]) -> Sums {
        let mut naive = Self::default();
        for (thread, scopes) in threads {
            naive.add(&format!("puffin/{}", bounded(thread)), scopes, names, &[]);
        }
        let Self {
            mut sums,
            self_sums,
        } = naive;
        sums.extend(
            self_sums
                .into_iter()
                .map(|(path, ns)| (path + "/self", (ns, 1))),
        );
        sums
    }

    fn add(&mut self, path: &str, scopes: &[TestScope], names: &[&str], around: &[&str]) {
        for scope in scopes {
            let name = names[scope.scope];
            let own = format!("{path}/{}", bounded(name));
            let total = (scope.stop_ns - scope.start_ns) as u64;
            let inner_ns: i64 = scope
                .children
                .iter()
                .map(|child| child.stop_ns - child.start_ns)
                .sum();
            let by_name = format!("puffin/scopes/{}", bounded(name));
            for (place, total) in [
                (&own, total),
                (&by_name, if around.contains(&name) { 0 } else { total }),
            ] {
                let sum = self.sums.entry(place.clone()).or_default();
                *sum = (sum.0 + total, sum.1 + 1);
                *self.self_sums.entry(place.clone()).or_default() += self_ns(scope, inner_ns);
            }
            self.add(&own, &scope.children, names, &[around, &[name]].concat());
        }
    }
}

fn self_ns(scope: &TestScope, inner_ns: i64) -> u64 {
    (scope.stop_ns - scope.start_ns - inner_ns) as u64
}

#[test]
fn every_sum_equals_that_of_plain_recursion() {
    let names = ["a", "self", "b/c", "", " d ", "scopes", "é\n"];
    let (mut ids, mut details) = register(&names);
    // Two scopes with the same name.
    let (more_ids, more_details) = register(&["a"]);
    ids.extend(more_ids);
    details.extend(more_details);
    let all_names = [&names[..], &["a"]].concat();

    let mut random = Random::new(3);
    let mut scopes = Scopes::new(&Options {
        max_places: 1 << 18,
        ..Options::default()
    });
    for round in 0..150 {
        let scopes_by_thread: Vec<_> = (0..3)
            .map(|_| random_scopes(&mut random, ids.len(), (0, 1_000_000), 4))
            .collect();
        let threads = ["main", "", "scopes"];
        let streams = threads
            .iter()
            .zip(&scopes_by_thread)
            .map(|(name, scopes)| (thread(name), stream_of(scopes, &ids)))
            .collect();
        // The names are reported in every round, as puffin does when a snapshot is requested.
        let Ok(frame) = FrameData::new(
            round,
            BTreeMap::from_iter::<Vec<_>>(streams),
            details.clone(),
            true,
        ) else {
            continue;
        };
        let threads: Vec<_> = threads
            .into_iter()
            .zip(scopes_by_thread.iter().map(Vec::as_slice))
            .collect();
        let (recorded, naive) = (
            delivered(&mut scopes, &frame),
            Naive::of(&threads, &all_names),
        );
        for path in recorded.keys().chain(naive.keys()) {
            assert_eq!(
                recorded.get(path),
                naive.get(path),
                "{path} in round {round}"
            );
        }
    }
}

#[test]
fn threads_with_the_same_name_are_one_thread() {
    let (ids, details) = register(&["work"]);
    let scopes_of_thread = [TestScope {
        scope: 0,
        start_ns: 0,
        stop_ns: 7,
        children: Vec::new(),
    }];
    let mut other = thread("pool");
    other.start_time_ns = Some(1);
    let frame = frame(
        vec![
            (thread("pool"), stream_of(&scopes_of_thread, &ids)),
            (other, stream_of(&scopes_of_thread, &ids)),
        ],
        details,
    );
    let sums = delivered(&mut Scopes::new(&Options::default()), &frame);
    assert_eq!(sums["puffin/pool/work"], (14, 2));
    assert_eq!(sums["puffin/scopes/work"], (14, 2));
}

#[test]
fn any_number_of_thread_names_leaves_places_for_new_scopes() {
    let names = ["named thread work", "named thread late"];
    let (ids, details) = register(&names);
    let mut scopes = Scopes::new(&Options {
        max_places: 1_000,
        ..Options::default()
    });
    let scope = |scope| TestScope {
        scope,
        start_ns: 0,
        stop_ns: 10,
        children: Vec::new(),
    };
    let mut read = |name: &str, which| {
        let streams = [(thread(name), stream_of(&[scope(which)], &ids))].into();
        let frame = FrameData::new(0, streams, details.clone(), false);
        delivered(
            &mut scopes,
            &frame.unwrap_or_else(|_| panic!("a frame with a scope")),
        )
    };
    for at in 0..1_100 {
        read(&format!("named {at}"), 0);
    }
    let late = read("named 1100", 1);
    // A thread loses its place when it has been idle for eight frames, so there are nine.
    let place = (1_100 - 256) % 9 + 1;
    let path = format!("puffin/further-threads/{place}/named thread late");
    assert_eq!(late[path.as_str()], (10, 1));
    assert_eq!(late["puffin/scopes/named thread late"], (10, 1));
    assert!(!late.contains_key("puffin/over-limit"), "{late:?}");
    let known = read("named 3", 1);
    assert_eq!(known["puffin/named 3/named thread late"], (10, 1));
}

/// A place belongs to another thread once its thread has been idle.
#[test]
fn threads_with_further_names_never_share_a_path_in_a_frame() {
    let (ids, details) = register(&["further work"]);
    let mut scopes = Scopes::new(&Options::default());
    let mut random = Random::new(81);
    // Each thread has scopes of another length, and many have the same name.
    let mut read = |threads: &[(String, i64)]| {
        let streams = threads.iter().map(|(name, ns)| {
            let work = [TestScope {
                scope: 0,
                start_ns: 0,
                stop_ns: *ns,
                children: Vec::new(),
            }];
            let mut thread = thread(name);
            thread.start_time_ns = Some(*ns);
            (thread, stream_of(&work, &ids))
        });
        delivered(&mut scopes, &frame(streams.collect(), details.clone()))
    };
    let known = (0..256).map(|at| (format!("further {at}"), 1));
    read(&known.collect::<Vec<_>>());
    let mut of_thread: BTreeMap<i64, (u64, String)> = BTreeMap::new();
    let mut places = BTreeSet::new();
    for frame in 0..500 {
        // Every three frames a new one begins and an old one ends. Some pause.
        let oldest = 10 + frame as i64 / 3;
        let running = (oldest..oldest + 6).filter(|_| random.below(4) > 0);
        let running: Vec<i64> = running.chain([5]).collect();
        let threads = running.iter().map(|ns| (format!("late {}", ns % 3), *ns));
        let sums = read(&threads.collect::<Vec<_>>());
        let is_call_path = |path: &str| {
            path.starts_with("puffin/further-threads/") && path.ends_with("/further work")
        };
        let now: BTreeMap<i64, &String> = (sums.iter())
            .filter(|(path, _)| is_call_path(path))
            .map(|(path, (ns, calls))| (*ns as i64 / *calls as i64, path))
            .collect();
        assert_eq!(now.len(), running.len(), "{sums:?}");
        for ns in running {
            let place = now[&ns].clone();
            places.insert(place.clone());
            let before = of_thread.insert(ns, (frame, place.clone()));
            if let Some((_, before)) = before.filter(|(last, _)| frame - last <= 8) {
                assert_eq!(before, place, "{ns} in {frame}");
            }
        }
    }
    // Seven run at once, and nine frames bring three new ones.
    assert!((7..=10).contains(&places.len()), "{places:?}");
}

#[test]
fn a_scope_is_unknown_until_puffin_reports_its_name() {
    let (ids, details) = register(&["reported late"]);
    let scopes_of_thread = [TestScope {
        scope: 0,
        start_ns: 0,
        stop_ns: 5,
        children: Vec::new(),
    }];
    let mut scopes = Scopes::new(&Options::default());
    let sums = delivered(
        &mut scopes,
        &frame(
            vec![(thread("t1"), stream_of(&scopes_of_thread, &ids))],
            Vec::new(),
        ),
    );
    assert!(scopes.has_unknown());
    assert_eq!(sums["puffin/t1/unknown"], (5, 1));
    let sums = delivered(
        &mut scopes,
        &frame(
            vec![(thread("t1"), stream_of(&scopes_of_thread, &ids))],
            details,
        ),
    );
    assert!(!scopes.has_unknown());
    assert_eq!(sums["puffin/t1/reported late"], (5, 1));
    assert!(!sums.contains_key("puffin/t1/unknown"));
}

/// Creates `depth` nested scopes. Each begins 2 ns before its inner scope and ends with it.
fn nested(scope: impl Fn(usize) -> usize, depth: usize) -> Vec<TestScope> {
    (0..depth).rev().fold(Vec::new(), |children, level| {
        vec![TestScope {
            scope: scope(level),
            start_ns: 2 * level as i64,
            stop_ns: 2 * depth as i64,
            children,
        }]
    })
}

#[test]
fn deep_recursion_is_cut_off_and_no_time_is_lost() {
    let (ids, details) = register(&["recursive"]);
    // Too deep for any call stack, and for puffin's own reader.
    let depth = 100_000;
    let mut bytes = Vec::new();
    let end = 2 * depth as i64;
    let scope_bytes = 31;
    for level in 0..depth {
        bytes.push(b'(');
        bytes.extend(ids[0].0.get().to_le_bytes());
        bytes.extend((2 * level as i64).to_le_bytes());
        bytes.push(0);
        bytes.extend(((depth - 1 - level) as u64 * scope_bytes).to_le_bytes());
    }
    for _ in 0..depth {
        bytes.push(b')');
        bytes.extend(end.to_le_bytes());
    }
    let sums = delivered(
        &mut Scopes::new(&Options::default()),
        &frame(vec![(thread("deep"), raw(bytes))], details),
    );
    let deepest = format!("puffin/deep{}", "/recursive".repeat(MAX_DEPTH));
    assert!(sums.contains_key(&deepest) && !sums.contains_key(&format!("{deepest}/recursive")));
    assert_eq!(
        sums["puffin/scopes/recursive"],
        (2 * depth as u64, depth as u64)
    );
    assert_eq!(sums["puffin/scopes/recursive/self"].0, 2 * depth as u64);
    let beyond = (depth - MAX_DEPTH) as u64;
    assert_eq!(sums["puffin/over-limit"], (2 * beyond, beyond));
}

#[test]
fn no_more_places_are_added_than_allowed_and_self_times_add_up() {
    for limit in [0, 1, 2, 3, 4, 9] {
        let names: Vec<String> = (0..40).map(|at| format!("limited {at}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let (ids, details) = register(&names);
        let mut scopes = Scopes::new(&Options {
            max_places: limit,
            ..Options::default()
        });
        for name in ["one", "two"] {
            let streams = vec![(
                thread(&format!("limit {limit} {name}")),
                stream_of(&nested(|level| level, 40), &ids),
            )];
            let sums = delivered(&mut scopes, &frame(streams, details.clone()));
            let timers = sums
                .keys()
                .filter(|path| !path.ends_with("/self") && **path != "puffin/over-limit")
                .count();
            assert!(timers <= limit, "{timers} of {limit}");
            let in_tree =
                |path: &str| path.ends_with("/self") && !path.starts_with("puffin/scopes/");
            let selves: u64 = sums
                .iter()
                .filter(|(path, _)| in_tree(path))
                .map(|(_, sum)| sum.0)
                .sum();
            assert_eq!(selves + sums["puffin/over-limit"].0, 80, "limit {limit}");
        }
    }
}

#[test]
fn a_scope_with_an_id_out_of_range_is_over_the_limit() {
    let id = puffin::ScopeId(u32::MAX.try_into().unwrap());
    let scopes_of_thread = [TestScope {
        scope: 0,
        start_ns: 0,
        stop_ns: 5,
        children: Vec::new(),
    }];
    let sums = delivered(
        &mut Scopes::new(&Options::default()),
        &frame(
            vec![(thread("t"), stream_of(&scopes_of_thread, &[id]))],
            Vec::new(),
        ),
    );
    assert_eq!(
        sums.into_iter().collect::<Vec<_>>(),
        [("puffin/over-limit".to_owned(), (5, 1))]
    );
}

#[test]
fn details_without_an_id_are_ignored() {
    let nameless =
        std::sync::Arc::new(puffin::ScopeDetails::from_scope_name("nameless").with_line_nr(3));
    let scopes_of_thread = [TestScope {
        scope: 0,
        start_ns: 0,
        stop_ns: 5,
        children: Vec::new(),
    }];
    let (ids, mut details) = register(&["named"]);
    details.push(nameless);
    let sums = delivered(
        &mut Scopes::new(&Options::default()),
        &frame(
            vec![(thread("t2"), stream_of(&scopes_of_thread, &ids))],
            details,
        ),
    );
    assert_eq!(sums["puffin/t2/named"], (5, 1));
}

/// Returns the number of malformed streams that were counted during `work`. Tests that count them
/// take turns.
fn malformed_in(work: impl FnOnce()) -> f64 {
    static ONE_AT_A_TIME: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _guard = ONE_AT_A_TIME
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut recorder = stats_core::Recorder::new();
    let watch = recorder.watch(MALFORMED_STREAMS.id());
    recorder.end_frame_at(0.0);
    work();
    recorder.end_frame_at(1.0);
    recorder.history(&watch, 1).iter().sum()
}

#[test]
fn scopes_that_ended_before_an_error_count_and_the_next_frame_is_complete() {
    let (ids, details) = register(&["outer", "inner"]);
    let inner = TestScope {
        scope: 1,
        start_ns: 1,
        stop_ns: 3,
        children: Vec::new(),
    };
    let scopes_of_thread = [TestScope {
        scope: 0,
        start_ns: 0,
        stop_ns: 5,
        children: vec![inner],
    }];
    let whole = stream_of(&scopes_of_thread, &ids);
    let mut cut = whole.stream.bytes().to_vec();
    cut.pop();
    let mut scopes = Scopes::new(&Options::default());
    let mut sums = Sums::new();
    assert_eq!(
        malformed_in(
            || sums = delivered(&mut scopes, &frame(vec![(thread("t3"), raw(cut))], details))
        ),
        1.0
    );
    assert_eq!(sums["puffin/t3/outer/inner"], (2, 1));
    assert!(!sums.contains_key("puffin/t3/outer"));
    let frame = frame(vec![(thread("t3"), whole)], Vec::new());
    let sums = delivered(&mut scopes, &frame);
    assert_eq!(
        sums,
        Naive::of(&[("t3", &scopes_of_thread)], &["outer", "inner"])
    );
}

#[test]
fn malformed_streams_never_panic_and_all_are_counted() {
    let mut random = Random::new(4);
    let (ids, details) = register(&["x", "y"]);
    let mut scopes = Scopes::new(&Options::default());
    scopes.learn(&frame(
        vec![(thread("fuzz"), stream_of(&nested(|_| 0, 1), &ids))],
        details,
    ));
    let (mut errors, mut streams) = (0, Vec::new());
    for _ in 0..20_000 {
        let mut bytes = stream_of(&random_scopes(&mut random, 2, (0, 1000), 3), &ids)
            .stream
            .bytes()
            .to_vec();
        match random.index(3) {
            0 => bytes.truncate(random.index(bytes.len())),
            1 if !bytes.is_empty() => {
                let at = random.index(bytes.len());
                bytes[at] = [0, 0xFF, b'(', b')', random.next() as u8][random.index(5)];
            }
            _ => bytes.extend((0..random.index(40)).map(|_| random.next() as u8)),
        }
        streams.push(bytes);
    }
    for bytes in &streams {
        let mut ended = 0;
        let mut counted = Counted::default();
        let is_well_formed = stream::read(bytes, &mut Vec::new(), &mut counted).is_ok();
        assert_eq!(
            (is_well_formed, counted.scopes),
            (by_recursion(bytes, &mut ended).is_some(), ended),
            "{bytes:?}"
        );
        errors += u32::from(!is_well_formed);
    }
    let counted = malformed_in(|| {
        for bytes in streams {
            scopes.read(&frame(vec![(thread("fuzz"), raw(bytes))], Vec::new()));
        }
    });
    assert!(errors > 1000);
    assert_eq!(counted, f64::from(errors));
}

/// Reads a stream recursively. Returns `None` on an error, and adds the scopes that ended before it
/// to `ended`.
fn by_recursion(mut bytes: &[u8], ended: &mut usize) -> Option<()> {
    while !bytes.is_empty() {
        let ([b'('], rest) = bytes.split_first_chunk()? else {
            return None;
        };
        let (id, rest) = rest.split_first_chunk()?;
        let (start, rest) = rest.split_first_chunk()?;
        let ([data_length], rest) = rest.split_first_chunk()?;
        let rest = rest.get(usize::from(*data_length)..)?;
        let (size, rest) = rest.split_first_chunk()?;
        let size = usize::try_from(u64::from_le_bytes(*size)).ok()?;
        // A scope must not end after its parent.
        (u32::from_le_bytes(*id) != 0 && size < rest.len()).then_some(())?;
        by_recursion(&rest[..size], ended)?;
        let ([b')'], rest) = rest[size..].split_first_chunk()? else {
            return None;
        };
        let (stop, rest) = rest.split_first_chunk()?;
        (i64::from_le_bytes(*stop) >= i64::from_le_bytes(*start)).then_some(())?;
        *ended += 1;
        bytes = rest;
    }
    Some(())
}

#[test]
fn a_stream_that_is_well_formed_for_puffin_is_well_formed_here() {
    let mut random = Random::new(5);
    let (ids, _) = register(&["p", "q"]);
    for _ in 0..500 {
        let scopes = random_scopes(&mut random, 2, (-1000, 1000), 5);
        let of_puffin = stream_of(&scopes, &ids);
        let mut counted = Counted::default();
        assert_eq!(
            stream::read(of_puffin.stream.bytes(), &mut Vec::new(), &mut counted),
            Ok(())
        );
        assert_eq!(
            (counted.scopes, counted.depth),
            (of_puffin.num_scopes, of_puffin.depth)
        );
    }
}

#[derive(Default)]
struct Counted {
    open: usize,
    scopes: usize,
    depth: usize,
}

impl Visit for Counted {
    fn begin(&mut self, _: u32) {
        self.open += 1;
        self.depth = self.depth.max(self.open);
    }

    fn end(&mut self, _: i64, _: i64) {
        self.open -= 1;
        self.scopes += 1;
    }
}

#[test]
fn scopes_are_recorded_as_spans_while_there_is_a_collector() {
    let (ids, details) = register(&["outer", "inner"]);
    let now = puffin::now_ns();
    let scope = |scope, from: i64, to: i64, children| TestScope {
        scope,
        start_ns: now + from,
        stop_ns: now + to,
        children,
    };
    let inner = scope(1, 2_000, 5_000, Vec::new());
    let outer = scope(0, 1_000, 9_000, vec![inner]);
    let streams = || {
        vec![(
            thread("span test"),
            stream_of(std::slice::from_ref(&outer), &ids),
        )]
    };
    let mut scopes = Scopes::new(&Options::default());
    delivered(&mut scopes, &frame(streams(), details.clone()));
    let mut collector = stats_core::SpanCollector::begin().expect("there is no other");
    delivered(&mut scopes, &frame(streams(), details));
    let mut spans = Vec::new();
    // Other tests read frames at the same time.
    collector.take(|span| {
        if span.thread == "span test" {
            spans.push((span.id, span.depth, span.begin, span.end));
        }
    });
    let [inner, outer] = spans.try_into().expect("there are two");
    let find = |path: &str| stats_core::find(path).expect("it is registered");
    assert_eq!(inner.0, find("puffin/span test/outer/inner"));
    assert_eq!(outer.0, find("puffin/span test/outer"));
    assert_eq!((inner.1, outer.1), (1, 0));
    assert_eq!((outer.3 - outer.2).as_nanos(), 8_000);
    assert_eq!((inner.2 - outer.2).as_nanos(), 1_000);
    assert_eq!((outer.3 - inner.3).as_nanos(), 4_000);
}
