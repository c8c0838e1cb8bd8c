//! The thread that watches for frames that do not end.

use std::sync::Once;
use std::thread;
use std::time::Duration;

use stats_core::{Freeze, FreezeWatch, own_memory};

/// Watches for frames that do not end: a recorder that has ended a frame must end another one within
/// `limit`, such as two seconds and at least a tenth of a second. Call it once, at the start of the
/// program; further calls do nothing.
///
/// At a freeze, `tell` is called once, on a thread of its own, with the open scopes of each thread and
/// their ages: write them to the program's log, because the frame may never end. If it does, it is
/// marked with the same [lines](stats_core::LogLine) in every recorder and capture, and an insight has
/// the event `frozen`. A capture has them at once, so that the program may be killed. Scopes that
/// began before this call are not known.
///
/// If the whole program stands still, because a debugger or SIGSTOP has stopped it, that is no freeze:
/// the frame is marked afterward with the time, and is no hitch. A debugger that stops one thread alone
/// looks like a freeze. A program that ends no frames on purpose, because it waits in the background,
/// is told once, too.
///
/// Scopes are [collected](stats_core::SpanCollector) from then on, which makes each of them take up to
/// twice as long. Does nothing without the feature `enabled`, and where no thread can be started.
///
/// ```
/// use std::time::Duration;
///
/// stats_process::watch_freezes(Duration::from_secs(2), |freeze| eprintln!("{freeze}"));
/// ```
pub fn watch_freezes(limit: Duration, mut tell: impl FnMut(&Freeze) + Send + 'static) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let Some(mut watch) = FreezeWatch::begin(limit) else {
            return;
        };
        let _memory = own_memory("stats-process");
        let named = thread::Builder::new().name("stats-freezes".to_owned());
        // Without a thread, the watch ends here.
        let _ = named.spawn(move || {
            loop {
                thread::sleep(watch.interval());
                if let Some(freeze) = watch.poll() {
                    tell(&freeze);
                }
            }
        });
    });
}
