//! Where the time of a frame's thread went, as Linux tells it.
#![expect(unsafe_code, reason = "the floor asks Linux directly")]

use std::hint::black_box;

use stats_bench::{Bar, Contest, Table};
use stats_core::{Recorder, Watch};

/// The end of a frame that reads where the time of its thread went, compared with the calls of the
/// system, and with a frame that reads nothing. Both ask for `schedstat` only after the thread left its
/// processor, which it keeps in nearly all of these frames.
pub(crate) fn measure(table: &mut Table) {
    const FRAMES: u64 = 256;
    assert!(stats_process::follow_frames());
    let watches = |recorder: &mut Recorder, names: &[&str]| -> Vec<Watch> {
        let ids = names.iter().filter_map(|name| stats_core::find(name));
        ids.map(|id| recorder.watch(id)).collect()
    };
    let [mut plain, mut watching] = [Recorder::new(), Recorder::new()];
    let _watches = watches(
        &mut watching,
        &["frame/running", "frame/ready", "frame/blocked"],
    );
    let schedstat = std::fs::File::open("/proc/thread-self/schedstat").ok();
    let mut switches = 0;
    let outcome = Contest::new()
        .with(FRAMES, || {
            (0..FRAMES).for_each(|_| raw(schedstat.as_ref(), &mut switches));
        })
        .with(FRAMES, || (0..FRAMES).for_each(|_| plain.end_frame()))
        .with(FRAMES, || (0..FRAMES).for_each(|_| watching.end_frame()))
        .run();
    let (beyond, floor) = (outcome.beyond(2, 1), outcome.ns(0));
    let what =
        "where the time of the frame's thread went, beyond a frame without / the calls of Linux";
    table.row(
        what,
        &[beyond, floor],
        beyond / floor,
        "×",
        Bar::AtMost(1.3),
    );
    let allocated = stats_testing::allocations(|| (0..FRAMES).for_each(|_| watching.end_frame()));
    let what = "allocations of 256 such frames";
    table.row(what, &[], allocated as f64, "", Bar::AtMost(0.0));
}

/// Asks Linux about this thread, which had left its processor so often before.
fn raw(schedstat: Option<&std::fs::File>, switches: &mut libc::c_long) {
    use std::os::unix::fs::FileExt as _;
    // SAFETY: the pointers are valid, and zeros are values of both structures.
    unsafe {
        let mut time: libc::timespec = std::mem::zeroed();
        libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time);
        black_box(time);
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_THREAD, &mut usage);
        let usage = black_box(usage);
        let now = usage.ru_nvcsw + usage.ru_nivcsw;
        if std::mem::replace(switches, now) != now {
            let mut text = [0; 80];
            let _ = black_box(schedstat.map(|file| file.read_at(&mut text, 0)));
        }
    }
}
