//! The cost of turning puffin scopes into series, on the background thread and on profiled threads.

use std::hint::black_box;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Instant;

use puffin::{FrameData, GlobalProfiler, ProfilerScope, ScopeId, ThreadProfiler};
use stats_bench::{Bar, Contest, ROUNDS, Table};
use stats_core::Recorder;
use stats_puffin::{Options, PuffinSource, Scopes};

/// The scopes of one [`nested`] call: eight, with eight in each, and fifteen in each of those.
const NESTED: u64 = 8 + 8 * 8 + 8 * 8 * 15;

pub(crate) fn measure(table: &mut Table) {
    puffin::set_scopes_on(true);
    processing(table);
    profiled_thread(table);
}

fn processing(table: &mut Table) {
    let names: Vec<ScopeId> = (0..1024)
        .map(|at| register(format!("bench scope {at}")))
        .collect();
    let few = || (0..8).for_each(|_| nested());
    let many = || {
        for parent in &names[..8] {
            let _parent = ProfilerScope::new(*parent, "");
            names
                .iter()
                .for_each(|name| drop(ProfilerScope::new(*name, "")));
        }
    };
    for (what, scopes, work) in [
        (
            "8,256 scopes on 136 call paths",
            8 * NESTED,
            &few as &dyn Fn(),
        ),
        ("8,200 scopes on 8,200 call paths", 8 * 1025, &many),
    ] {
        let frames = recorded(work);
        let mut reader = Scopes::new(&Options::default());
        let mut process = |frame: &FrameData| reader.process(reader.issue(), frame);
        // The first frame reports the names.
        frames.iter().for_each(|frame| process(frame));
        let allocations = stats_testing::allocations(|| (0..100).for_each(|_| process(&frames[1])));
        let outcome = Contest::new().with(scopes, || process(&frames[1])).run();
        let ns = outcome.ns(0);
        // The worst case: a reader asks for the values of all series.
        let mut recorder = Recorder::new();
        let rounds = (0..ROUNDS).map(|_| {
            recorder.survey();
            let begun = Instant::now();
            process(&frames[1]);
            let ns = begun.elapsed().as_secs_f64() * 1e9 / scopes as f64;
            recorder.end_frame();
            ns
        });
        let surveyed = median(rounds.collect());
        table.row(
            &format!("turning a puffin scope into series, {what}"),
            &[ns],
            ns,
            "ns",
            Bar::AtMost(250.0),
        );
        table.row(
            &format!("the same while all series are surveyed, {what}"),
            &[surveyed],
            surveyed,
            "ns",
            Bar::AtMost(250.0),
        );
        table.row(
            &format!("allocations in 100 frames, {what}"),
            &[],
            allocations as f64,
            "",
            Bar::AtMost(0.0),
        );
    }
}

fn register(name: String) -> ScopeId {
    ThreadProfiler::call(|thread| thread.register_named_scope(name.clone(), "", "", 0))
}

/// Returns two frames of the same work, as puffin hands them to a sink.
fn recorded(work: &dyn Fn()) -> Vec<Arc<FrameData>> {
    GlobalProfiler::lock().new_frame();
    let (sender, frames) = channel();
    let sink = GlobalProfiler::lock().add_sink(Box::new(move |frame| drop(sender.send(frame))));
    GlobalProfiler::lock().emit_scope_snapshot();
    for _ in 0..2 {
        work();
        GlobalProfiler::lock().new_frame();
    }
    drop(GlobalProfiler::lock().remove_sink(sink));
    frames.iter().collect()
}

fn nested() {
    macro_rules! eight {
        ($level:literal, $inner:expr) => {
            eight!(@ $level, $inner, "a", "b", "c", "d", "e", "f", "g", "h")
        };
        (@ $level:literal, $inner:expr, $($name:literal),*) => {
            $({
                puffin::profile_scope!(concat!($level, $name));
                $inner;
            })*
        };
    }
    fn third() {
        for _ in 0..15 {
            puffin::profile_scope!("third");
            black_box(());
        }
    }
    fn second() {
        eight!("second ", third());
    }
    eight!("first ", second());
}

fn profiled_thread(table: &mut Table) {
    let mut ns: [Vec<f64>; 2] = Default::default();
    for _ in 0..ROUNDS {
        for (on, ns) in ns.iter_mut().enumerate() {
            let source = (on == 1).then(PuffinSource::install);
            GlobalProfiler::lock().new_frame();
            ns.push(median_frame());
            drop(source);
        }
    }
    let ratios = ns[1].iter().zip(&ns[0]).map(|(on, off)| on / off).collect();
    let ns = ns.map(median);
    table.row(
        "puffin scope on its own thread, with the source installed / without",
        &[ns[1], ns[0]],
        median(ratios),
        "×",
        Bar::AtMost(1.1),
    );
}

/// Returns the nanoseconds of a scope: the median of several frames.
fn median_frame() -> f64 {
    let frames = (0..16).map(|_| {
        let begun = Instant::now();
        nested();
        let ns = begun.elapsed().as_secs_f64() * 1e9 / NESTED as f64;
        GlobalProfiler::lock().new_frame();
        ns
    });
    median(frames.collect())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
