//! Installing and dropping the source, and frames without scopes.

use std::thread;
use std::time::Duration;

use puffin::{ProfilerScope, ThreadProfiler};
use stats_core::Recorder;
use stats_puffin::{NewFrame, Options, PuffinSource, escape};

use crate::turns::{alone, calls_of, new_frame, values};

const THREADS: usize = 4;

fn ends_frame() -> Options {
    let mut options = Options::default();
    options.new_frame = NewFrame::EndsFrame;
    options.queued_frames = 64;
    options
}

#[test]
fn scopes_are_counted_for_each_thread_and_for_all_together() {
    let _turn = alone();
    let source = PuffinSource::install_with(&ends_frame());
    let mut recorder = Recorder::new();
    let frame = |recorder: &mut Recorder| {
        let workers = (0..THREADS).map(|at| {
            let work = move || {
                (0..=at).for_each(|_| {
                    puffin::profile_scope!("on a thread");
                })
            };
            thread::Builder::new()
                .name(format!("worker/{at}"))
                .spawn(work)
                .unwrap()
        });
        workers
            .collect::<Vec<_>>()
            .into_iter()
            .for_each(|worker| worker.join().unwrap());
        new_frame();
        recorder.end_frame();
    };
    frame(&mut recorder);
    let watches: Vec<_> = (0..THREADS)
        .map(|at| format!("puffin/worker%2F{at}/on a thread"))
        .chain(["puffin/scopes/on a thread".to_owned()])
        .map(|path| recorder.watch(calls_of(&path)))
        .collect();
    let first = recorder.frames().end;
    (0..5).for_each(|_| frame(&mut recorder));
    drop(source);
    recorder.end_frame();
    let expected = [1.0, 2.0, 3.0, 4.0, 10.0];
    for (watch, expected) in watches.iter().zip(expected) {
        assert_eq!(values(&recorder, watch, first)[1..5], [Some(expected); 4]);
    }
}

#[test]
fn scopes_that_were_registered_before_installing_have_their_names() {
    let _turn = alone();
    let work = || {
        puffin::profile_scope!("known before");
    };
    work();
    new_frame();
    let _source = PuffinSource::install_with(&ends_frame());
    // An empty frame: puffin reports nothing, and forgets the request for all names.
    new_frame();
    let is_known = (0..2000).any(|_| {
        work();
        new_frame();
        thread::sleep(Duration::from_millis(1));
        stats_core::find("puffin/scopes/known before").is_some()
    });
    assert!(is_known);
}

#[test]
fn every_own_series_has_a_reserved_name() {
    let _turn = alone();
    drop(PuffinSource::install());
    let mut own = vec!["scopes".to_owned()];
    stats_core::for_each_series(|info| {
        let name = info.path.strip_prefix("puffin/");
        // Series of the program's scopes have at least three segments.
        own.extend(name.filter(|name| !name.contains('/')).map(str::to_owned));
    });
    assert!(own.iter().any(|name| name == "after-gap"), "{own:?}");
    assert!(own.iter().all(|name| escape(name) != *name), "{own:?}");
}

#[test]
fn nothing_is_counted_after_the_source_was_dropped() {
    let _turn = alone();
    let work = || {
        puffin::profile_scope!("before the drop");
    };
    let mut recorder = Recorder::new();
    let source = PuffinSource::install_with(&ends_frame());
    work();
    new_frame();
    let watch = recorder.watch(calls_of("puffin/scopes/before the drop"));
    recorder.end_frame();
    let first = recorder.frames().end;
    work();
    new_frame();
    recorder.end_frame();
    drop(source);
    for _ in 0..3 {
        work();
        new_frame();
        recorder.end_frame();
    }
    recorder.end_frame();
    let values = values(&recorder, &watch, first);
    assert_eq!(values[0], Some(1.0));
    assert!(
        values[1..].iter().all(|value| value.unwrap_or(0.0) == 0.0),
        "{values:?}"
    );
}

/// Runs one round for each entry of `has_work`. Returns the calls in each recorder frame, and the
/// number of puffin frames that followed a gap.
fn with_gaps(
    name: &'static str,
    has_work: &[bool],
    new_frame: impl Fn(&PuffinSource),
) -> (Vec<f64>, f64) {
    let id = ThreadProfiler::call(|thread| thread.register_named_scope(name, "", "", 0));
    let mut options = Options::default();
    options.queued_frames = 64;
    let source = PuffinSource::install_with(&options);
    let mut recorder = Recorder::new();
    let gaps = recorder.watch(stats_core::counter("puffin/after-gap").id());
    let round = |recorder: &mut Recorder, has_work: bool| {
        new_frame(&source);
        if has_work {
            drop(ProfilerScope::new(id, ""));
        }
        recorder.end_frame();
    };
    (0..3).for_each(|_| round(&mut recorder, true));
    let watch = recorder.watch(calls_of(&format!("puffin/scopes/{name}")));
    let first = recorder.frames().end;
    has_work
        .iter()
        .for_each(|has_work| round(&mut recorder, *has_work));
    new_frame(&source);
    drop(source);
    (0..2).for_each(|_| recorder.end_frame());
    let values = values(&recorder, &watch, first);
    let counted = values[1..has_work.len()]
        .iter()
        .map(|value| value.unwrap_or(0.0))
        .collect();
    (counted, recorder.history(&gaps, 4096).iter().sum())
}

#[test]
fn the_source_can_be_kept_anywhere() {
    fn keep<T: Send + Sync + 'static>() {}
    keep::<PuffinSource>();
}

const GAPS: [bool; 8] = [true, true, false, false, true, true, true, true];

#[test]
fn after_frames_without_scopes_a_frame_is_recorded_where_it_ended() {
    let _turn = alone();
    let (counted, gaps) = with_gaps("after a gap", &GAPS, |_| new_frame());
    assert_eq!(
        counted,
        [1.0, 0.0, 0.0, 0.0, 2.0, 1.0, 1.0],
        "the fifth is in the frame of the sixth, where it ended"
    );
    assert_eq!(gaps, 1.0);
}

#[test]
fn the_sources_own_new_frame_leaves_no_gaps() {
    let _turn = alone();
    let (counted, gaps) = with_gaps("no gap", &GAPS, PuffinSource::new_frame);
    assert_eq!(counted, [1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]);
    assert_eq!(gaps, 0.0);
}

#[test]
fn with_every_other_frame_empty_nothing_is_lost() {
    let _turn = alone();
    // Like a program that calls `new_frame` in eframe, which calls it as well.
    let (counted, gaps) = with_gaps("twice", &[true; 12], |_| (0..2).for_each(|_| new_frame()));
    assert_eq!(counted, [1.0; 11]);
    assert!(gaps >= 12.0, "{gaps}");
}
