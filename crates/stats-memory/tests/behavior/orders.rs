//! Scopes that end in a different order than they started in.

use std::cell::RefCell;
use std::future::Future;
use std::mem::forget;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};
use std::thread;

use stats_memory::{Scope, Tag, current_tag, scope};

use super::{Random, alone, times};

/// The number of scopes that a thread can be in at a time.
const MAX_SCOPES: usize = 255;

fn tag(n: usize) -> Tag {
    Tag::default().scope(&format!("order-{n}"))
}

#[test]
fn replacing_a_phase_ends_the_previous_one() {
    let _alone = alone();
    let before = current_tag();
    let mut phase = scope!("phase-1");
    assert_eq!(current_tag(), before.scope("phase-1"));
    // The new phase starts before the old one ends, and therefore inside it.
    phase = replaced(phase);
    assert_eq!(current_tag(), before.scope("phase-1").scope("phase-2"));
    drop(phase);
    assert_eq!(current_tag(), before);
}

fn replaced(mut phase: Scope) -> Scope {
    let first = std::mem::replace(&mut phase, scope!("phase-2"));
    drop(first);
    phase
}

#[test]
fn replacing_phases_forever_takes_two_places() {
    let _alone = alone();
    let tags = [tag(0), tag(1)];
    let mut phase = tags[0].enter();
    for n in 1..10 * MAX_SCOPES {
        phase = tags[n % 2].enter();
        assert_eq!(current_tag(), tags[n % 2]);
    }
    drop(phase);
    assert_eq!(current_tag(), Tag::default());
}

#[test]
fn the_scope_entered_first_may_end_first() {
    let _alone = alone();
    let before = current_tag();
    let (a, b, c) = (scope!("order-a"), scope!("order-b"), scope!("order-c"));
    let innermost = current_tag();
    drop(a);
    assert_eq!(current_tag(), innermost);
    drop(b);
    assert_eq!(
        (current_tag(), innermost),
        (
            innermost,
            before.scope("order-a").scope("order-b").scope("order-c")
        )
    );
    drop(c);
    assert_eq!(current_tag(), before);
}

/// In whatever order scopes end, a thread is in the last entered of those still open.
#[test]
fn a_thread_is_in_the_live_scope_it_entered_last() {
    let _alone = alone();
    let tags: Vec<Tag> = (0..20).map(tag).collect();
    for seed in 0..20 {
        let (mut random, mut held) = (Random::new(seed), Vec::<(Tag, Scope)>::new());
        // The number of open scopes drifts up to the limit and down again.
        for step in 0..times(4000) {
            let is_up = random.index(100) < if step / 500 % 2 == 0 { 80 } else { 30 };
            if is_up && held.len() < MAX_SCOPES {
                let tag = tags[random.index(tags.len())];
                held.push((tag, tag.enter()));
            } else if !held.is_empty() {
                drop(held.remove(random.index(held.len())));
            }
            assert_eq!(
                current_tag(),
                held.last().map_or_else(Tag::default, |(tag, _)| *tag)
            );
        }
        while !held.is_empty() {
            drop(held.remove(random.index(held.len())));
            assert_eq!(
                current_tag(),
                held.last().map_or_else(Tag::default, |(tag, _)| *tag)
            );
        }
    }
}

#[test]
fn scopes_beyond_the_limit_count_toward_the_scope_around_them() {
    let _alone = alone();
    let mut held: Vec<Scope> = (0..MAX_SCOPES).map(|n| tag(n % 9).enter()).collect();
    let last = current_tag();
    assert_eq!(last, tag((MAX_SCOPES - 1) % 9));
    let mut recorder = stats_core::Recorder::new();
    let mut refused = || {
        stats_memory::publish();
        recorder.end_frame();
        recorder.peek(stats_core::find("memory/refused-tags").unwrap())
    };
    refused();
    // The scope of `publish` itself is one too many as well.
    assert_eq!(refused(), Some(1.0));
    let beyond = (tag(100).enter(), scope!("order-beyond"));
    assert_eq!(refused(), Some(3.0));
    assert_eq!(current_tag(), last);
    // Ending them changes nothing either. A place that becomes free is used by the next scope.
    drop(beyond.1);
    assert_eq!(current_tag(), last);
    drop(held.remove(7));
    let again = tag(101).enter();
    assert_eq!(current_tag(), tag(101));
    drop(beyond.0);
    assert_eq!(current_tag(), tag(101));
    drop(held);
    assert_eq!(current_tag(), tag(101));
    drop(again);
    assert_eq!(current_tag(), Tag::default());
}

/// A future that is pending once.
struct Once(bool);

impl Future for Once {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.0, true) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }
}

#[test]
fn scopes_held_across_await_leave_nothing_behind() {
    let _alone = alone();
    let task = async |name: &'static str| {
        let _scope = Tag::default().scope(name).enter();
        Once(false).await;
        // The documented way: enter again after the wait.
        let _again = Tag::default().scope(name).enter();
        assert_eq!(current_tag(), Tag::default().scope(name));
    };
    let (mut one, mut two) = (pin!(task("task-1")), pin!(task("task-2")));
    let mut context = Context::from_waker(Waker::noop());
    assert!(one.as_mut().poll(&mut context).is_pending());
    assert!(two.as_mut().poll(&mut context).is_pending());
    assert_eq!(current_tag(), Tag::default().scope("task-2"));
    assert!(one.as_mut().poll(&mut context).is_ready());
    assert_eq!(current_tag(), Tag::default().scope("task-2"));
    assert!(two.as_mut().poll(&mut context).is_ready());
    assert_eq!(current_tag(), Tag::default());
}

#[test]
fn a_forgotten_scope_lasts_as_long_as_its_thread() {
    let _alone = alone();
    let inner = Tag::default().scope("forgotten-outer").scope("forgotten");
    let (within, after) = thread::spawn(move || {
        let outer = scope!("forgotten-outer");
        forget(scope!("forgotten"));
        drop(outer);
        let after = current_tag();
        let within = scope!("forgotten-within");
        let tag = current_tag();
        drop(within);
        assert_eq!(current_tag(), after);
        (tag, after)
    })
    .join()
    .unwrap();
    assert_eq!((within, after), (inner.scope("forgotten-within"), inner));
    assert_eq!(thread::spawn(current_tag).join().unwrap(), Tag::default());
}

/// Ends with its thread, after scopes that were entered later.
struct Late {
    tag: Tag,
    _scope: Scope,
}

impl Drop for Late {
    fn drop(&mut self) {
        let inner = scope!("order-at-the-end");
        assert_eq!(current_tag(), self.tag.scope("order-at-the-end"));
        drop(inner);
        assert_eq!(current_tag(), self.tag);
    }
}

thread_local! {
    static LATE: RefCell<Option<Late>> = const { RefCell::new(None) };
}

#[test]
fn scopes_work_until_the_very_end_of_a_thread() {
    let _alone = alone();
    let ended = thread::spawn(|| {
        let scope = scope!("order-late");
        LATE.set(Some(Late {
            tag: current_tag(),
            _scope: scope,
        }));
    });
    ended.join().unwrap();
}
