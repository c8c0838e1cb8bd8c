//! Spans of tracing and scopes of puffin.

use std::alloc::System;
use std::cell::RefCell;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::thread;

use stats_memory::{MemoryLayer, Records, TrackingAllocator, current_tag, scope};
use tracing_subscriber::layer::SubscriberExt as _;

#[global_allocator]
static ALLOCATOR: TrackingAllocator<System, Records> = TrackingAllocator::new(System);

/// Returns the scopes that the thread is in, from the dump of an allocation.
fn scopes() -> String {
    thread_local! {
        static NAME: RefCell<u32> = const { RefCell::new(0) };
    }
    let name = NAME.with(|name| {
        *name.borrow_mut() += 1;
        format!("probe-{:?}-{}", thread::current().id(), name.borrow())
    });
    let probe = {
        let _name = current_tag().name(&name).enter();
        Box::new(7_u8)
    };
    let mut dump = Vec::new();
    stats_memory::dump(&mut dump).unwrap();
    drop(probe);
    let dump = String::from_utf8(dump).unwrap();
    let line = dump.lines().find(|line| line.ends_with(&name)).unwrap();
    line.split(',').nth(4).unwrap().to_owned()
}

fn traced(work: impl FnOnce()) {
    let layer = MemoryLayer::new().object("mesh");
    tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), work);
}

#[test]
fn a_span_is_a_scope_with_its_object_as_a_scope_inside_it() {
    traced(|| {
        let _game = scope!("game");
        {
            let _load = tracing::info_span!("load", mesh = "crate", size = 7).entered();
            assert_eq!(scopes(), "game|load|crate");
            let _inner = scope!("vertices");
            let _upload = tracing::info_span!("upload", mesh = 12).entered();
            assert_eq!(scopes(), "game|load|crate|vertices|upload|12");
        }
        assert_eq!(scopes(), "game");
        let _root = tracing::info_span!(parent: None, "root", size = 7).entered();
        assert_eq!(scopes(), "root");
    });
}

#[test]
fn several_layers_add_their_objects_to_one_scope() {
    let layers = tracing_subscriber::registry()
        .with(MemoryLayer::new().object("mesh"))
        .with(MemoryLayer::new().object("texture"));
    tracing::subscriber::with_default(layers, || {
        {
            let _load = tracing::info_span!("load", mesh = "crate", texture = "wood").entered();
            assert_eq!(scopes(), "load|crate|wood");
            let _inner = tracing::info_span!("inner", texture = "steel").entered();
            assert_eq!(scopes(), "load|crate|wood|inner|steel");
        }
        assert_eq!(scopes(), "");
    });
}

#[test]
fn a_span_keeps_its_scopes_on_every_thread() {
    let layer = MemoryLayer::new();
    let subscriber = tracing_subscriber::registry().with(layer);
    let dispatch = tracing::Dispatch::new(subscriber);
    tracing::dispatcher::with_default(&dispatch, || {
        let _level = scope!("level");
        let job = tracing::info_span!("job");
        let here = dispatch.clone();
        thread::spawn(move || {
            tracing::dispatcher::with_default(&here, || {
                let _worker = scope!("worker");
                let step = tracing::info_span!(parent: &job, "step");
                assert_eq!(step.in_scope(scopes), "level|job|step");
                assert_eq!(job.in_scope(scopes), "level|job");
                assert_eq!(scopes(), "worker");
            });
        })
        .join()
        .unwrap();
    });
}

#[test]
fn spans_may_end_in_any_order() {
    traced(|| {
        let (a, b) = (tracing::info_span!("a"), tracing::info_span!("b"));
        let (a, b) = (a.entered(), b.entered());
        drop(a);
        assert_eq!(scopes(), "b", "which was created outside of a");
        drop(b);
        assert_eq!(scopes(), "");
    });
}

/// Waits once.
async fn pause() {
    let mut has_waited = false;
    std::future::poll_fn(|_| {
        if std::mem::replace(&mut has_waited, true) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
}

#[test]
fn a_task_is_in_its_span_while_it_runs_and_only_then() {
    traced(|| {
        let span = tracing::info_span!("task");
        let mut task = pin!(async {
            pause().await;
            scopes()
        });
        let mut poll = || {
            let _span = span.enter();
            task.as_mut().poll(&mut Context::from_waker(Waker::noop()))
        };
        assert_eq!(poll(), Poll::Pending);
        assert_eq!(scopes(), "");
        assert_eq!(poll(), Poll::Ready("task".to_owned()));
    });
}

mod puffin_scopes {
    use super::scopes;
    use stats_memory::puffin;

    fn load(mesh: &str) -> String {
        puffin::profile_function!();
        puffin::profile_scope!("mesh", mesh);
        puffin::profile_scope!("vertices");
        scopes()
    }

    #[test]
    fn a_puffin_scope_is_a_memory_scope_with_its_data_as_a_scope_inside_it() {
        for is_on in [false, true] {
            puffin::set_scopes_on(is_on);
            assert_eq!(load("crate"), "puffin_scopes::load|mesh|crate|vertices");
            assert_eq!(load(""), "puffin_scopes::load|mesh|vertices");
            assert_eq!(scopes(), "");
        }
        puffin::set_scopes_on(false);
    }

    #[test]
    fn data_is_evaluated_once() {
        let mut times = 0;
        puffin::profile_scope!("once", {
            times += 1;
            format!("{times}")
        });
        assert_eq!((scopes().as_str(), times), ("once|1", 1));
    }
}
