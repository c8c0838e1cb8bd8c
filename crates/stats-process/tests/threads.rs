//! Where the time of threads goes, for threads that are known to spin, to sleep and to be crowded
//! out.
#![cfg(all(feature = "enabled", target_os = "linux"))]
#![expect(
    unsafe_code,
    reason = "threads are pinned, and memory is mapped, through libc"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use stats_core::{Recorder, Watch, find};
use stats_process::{follow_frames, follow_thread};
use stats_testing::{allocations, alone};

#[global_allocator]
static ALLOCATOR: stats_testing::Counting = stats_testing::Counting;

/// A recorder of this thread, and watches of some series.
struct Frames {
    recorder: Recorder,
    watches: Vec<Watch>,
}

impl Frames {
    /// Watches the series below a folder, and begins a frame.
    fn of<const N: usize>(folder: &str, names: [&str; N]) -> Self {
        assert!(follow_frames());
        let mut recorder = Recorder::new();
        let watch = |name| {
            let path = format!("{folder}/{name}");
            recorder.watch(find(&path).unwrap_or_else(|| panic!("{path} is listed")))
        };
        let watches = names.map(watch).into();
        recorder.restart_frame();
        Self { recorder, watches }
    }

    fn of_this_thread() -> Self {
        let times = ["running", "ready", "blocked"];
        let counts = ["page-faults", "major-page-faults", "preemptions"];
        let all: [&str; 6] =
            std::array::from_fn(|at| *times.iter().chain(&counts).nth(at).unwrap_or(&""));
        Self::of("frame", all)
    }

    /// Ends the frame. Returns its values, then its duration.
    fn end<const N: usize>(&mut self) -> ([f64; N], f64) {
        self.recorder.end_frame();
        let newest = |watch| self.recorder.history(watch, 1).last();
        let values = std::array::from_fn(|at| newest(&self.watches[at]).expect("it is known"));
        (
            values,
            self.recorder.frame_times(1).last().expect("a frame ended"),
        )
    }
}

/// Returns how long this thread ran, in milliseconds.
fn cpu_ms() -> f64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the pointer is valid.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}

/// Runs until this thread has run for `ms`, however long that takes.
fn spin(ms: f64) {
    let end = cpu_ms() + ms;
    while cpu_ms() < end {}
}

/// Keeps this thread on the first processor that it may use.
fn pin() {
    // SAFETY: the pointers are valid, and a set of zeros is empty.
    unsafe {
        let (mut all, mut one): (libc::cpu_set_t, libc::cpu_set_t) = std::mem::zeroed();
        let size = size_of_val(&all);
        assert_eq!(libc::sched_getaffinity(0, size, &mut all), 0);
        let first = (0..libc::CPU_SETSIZE as usize).find(|cpu| libc::CPU_ISSET(*cpu, &all));
        libc::CPU_SET(first.expect("there is a processor"), &mut one);
        assert_eq!(libc::sched_setaffinity(0, size, &one), 0);
    }
}

/// Runs `work` on a thread of its own, pinned beside three that spin.
fn crowded<R: Send + 'static>(work: impl FnOnce() -> R + Send + 'static) -> R {
    let has_ended = Arc::new(AtomicBool::new(false));
    let crowd: Vec<_> = (0..3)
        .map(|_| {
            let has_ended = Arc::clone(&has_ended);
            thread::spawn(move || {
                pin();
                while !has_ended.load(Ordering::Relaxed) {}
            })
        })
        .collect();
    let result = thread::spawn(move || {
        pin();
        work()
    })
    .join();
    has_ended.store(true, Ordering::Relaxed);
    crowd
        .into_iter()
        .for_each(|one| one.join().expect("it does not panic"));
    result.expect("it does not panic")
}

/// How often a test may measure again. The host of a virtual machine may take its processor away,
/// which a guest that accounts for it counts as blocked.
const TRIES: usize = 10;

#[test]
fn a_thread_that_spins_is_running() {
    let mut frames = Frames::of_this_thread();
    for ms in [1.0, 20.0] {
        let least_blocked = (0..TRIES).map(|_| {
            spin(ms);
            let ([running, _, blocked, ..], _) = frames.end::<6>();
            assert!(
                (ms..ms + 1.0).contains(&running),
                "ran for {running} ms, not {ms}"
            );
            blocked
        });
        let least_blocked = least_blocked.fold(f64::INFINITY, f64::min);
        assert!(least_blocked < 1.0, "blocked for {least_blocked} ms");
    }
}

#[test]
fn a_thread_that_sleeps_is_blocked() {
    let mut frames = Frames::of_this_thread();
    thread::sleep(Duration::from_millis(30));
    let ([running, _, blocked, ..], frame_ms) = frames.end::<6>();
    assert!(
        (30.0..frame_ms + 0.1).contains(&blocked),
        "blocked for {blocked} ms"
    );
    assert!(running < 5.0, "ran for {running} ms");
}

#[test]
fn a_thread_that_others_crowd_out_is_ready() {
    let frames = crowded(|| {
        let mut frames = Frames::of_this_thread();
        [(); TRIES].map(|()| {
            spin(20.0);
            frames.end::<6>()
        })
    });
    let (mut all_ready, mut least_blocked) = (0.0, f64::INFINITY);
    for ([running, ready, blocked, _, _, preemptions], frame_ms) in frames {
        assert!((20.0..22.0).contains(&running), "ran for {running} ms");
        assert!(preemptions >= 1.0 || ready < 1.0);
        all_ready += ready;
        least_blocked = f64::min(least_blocked, blocked / frame_ms);
    }
    assert!(
        all_ready > 20.0 * TRIES as f64,
        "beside three others, ready for {all_ready} ms only"
    );
    assert!(
        least_blocked < 0.1,
        "blocked for {least_blocked} of a frame"
    );
}

#[test]
fn the_three_times_add_up_to_the_frame() {
    // A thread may lose its processor between the two clocks, but not every time.
    let is_equal = (0..200).any(|_| {
        let mut frames = Frames::of_this_thread();
        spin(1.0);
        thread::sleep(Duration::from_millis(1));
        let ([running, ready, blocked, ..], frame_ms) = frames.end::<6>();
        (running + ready + blocked - frame_ms).abs() < 0.02
    });
    assert!(is_equal);
}

#[test]
fn pages_that_are_touched_for_the_first_time_are_counted() {
    const PAGES: usize = 1000;
    let size = PAGES * 4096;
    // SAFETY: asks for new memory.
    let memory = unsafe {
        let (access, kind) = (
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
        );
        let memory = libc::mmap(std::ptr::null_mut(), size, access, kind, -1, 0);
        assert_ne!(memory, libc::MAP_FAILED);
        libc::madvise(memory, size, libc::MADV_NOHUGEPAGE);
        memory.cast::<u8>()
    };
    let mut frames = Frames::of_this_thread();
    for page in 0..PAGES {
        // SAFETY: it is within the new memory.
        unsafe { memory.add(page * 4096).write_volatile(1) };
    }
    let ([_, _, _, faults, major, _], _) = frames.end::<6>();
    assert!((1000.0..1050.0).contains(&faults), "{faults} page faults");
    assert!(major < 50.0);
    // SAFETY: nothing uses the memory any more.
    unsafe { libc::munmap(memory.cast(), size) };
}

#[test]
fn two_recorders_do_not_take_time_from_each_other() {
    let [mut first, mut second] = [Frames::of_this_thread(), Frames::of_this_thread()];
    let mut running = 0.0;
    for _ in 0..5 {
        spin(2.0);
        running += first.end::<6>().0[0];
    }
    let whole = second.end::<6>().0[0];
    assert!(
        (10.0..12.0).contains(&running) && (10.0..12.0).contains(&whole),
        "{running} {whole}"
    );
}

#[test]
fn frames_do_not_allocate() {
    let _alone = alone();
    let mut frames = Frames::of_this_thread();
    let (go, gone) = channel::<()>();
    let (tell, told) = channel();
    let worker = thread::Builder::new().name("steady".to_owned());
    let worker = worker.spawn(move || {
        assert!(follow_thread());
        tell.send(()).expect("the test waits");
        _ = gone.recv();
    });
    told.recv().expect("the worker sends");
    let running = frames
        .recorder
        .watch(find("threads/steady/running").expect("it is listed"));
    (0..3).for_each(|_| frames.recorder.end_frame());
    let made = allocations(|| (0..100).for_each(|_| frames.recorder.end_frame()));
    assert_eq!(made, 0);
    drop((go, running));
    worker
        .expect("it starts")
        .join()
        .expect("it does not panic");
}

#[test]
fn workers_that_ask_for_it_have_their_own_series() {
    let _alone = alone();
    let (begin, begun) = channel::<f64>();
    let (tell, told) = channel();
    let worker = thread::Builder::new().name("pool/worker".to_owned());
    let worker = worker
        .spawn(move || {
            assert!(
                follow_thread() && follow_thread(),
                "a second call changes nothing"
            );
            tell.send(()).expect("the test waits");
            for ms in begun {
                spin(ms);
                tell.send(()).expect("the test waits");
            }
        })
        .expect("it starts");
    told.recv().expect("the worker sends");
    let mut frames = Frames::of("threads/pool-worker", ["running", "ready", "blocked"]);
    begin.send(20.0).expect("the worker waits");
    told.recv().expect("the worker sends");
    let ([running, ..], _) = frames.end::<3>();
    assert!((20.0..22.0).contains(&running), "ran for {running} ms");
    // It may still have to get a processor before it waits.
    let waits = (0..100).any(|_| {
        thread::sleep(Duration::from_millis(10));
        let ([running, ready, blocked], frame_ms) = frames.end::<3>();
        running == 0.0 && ready == 0.0 && (blocked - frame_ms).abs() < 0.1
    });
    assert!(waits);
    // What it does before it ends is not lost.
    begin.send(10.0).expect("the worker waits");
    drop(begin);
    worker.join().expect("it does not panic");
    let ([running, ..], _) = frames.end::<3>();
    assert!((10.0..12.0).contains(&running), "ran for {running} ms");
    assert_eq!(frames.end::<3>().0, [0.0; 3], "it has ended");
    // A thread of the same name continues.
    let again = thread::Builder::new().name("pool/worker".to_owned());
    let again = again.spawn(|| {
        assert!(follow_thread());
        spin(5.0);
    });
    again.expect("it starts").join().expect("it does not panic");
    let ([running, ..], _) = frames.end::<3>();
    assert!((5.0..7.0).contains(&running), "ran for {running} ms");
}

#[test]
fn names_with_the_same_path_add_up() {
    let _alone = alone();
    let work = |name: &str| {
        let worker = thread::Builder::new().name(name.to_owned());
        let worker = worker.spawn(|| {
            assert!(follow_thread());
            spin(5.0);
        });
        worker
            .expect("it starts")
            .join()
            .expect("it does not panic");
    };
    work("same/path");
    let mut frames = Frames::of("threads/same-path", ["running"]);
    for name in ["same-path", "same/path"] {
        work(name);
        let ([running], _) = frames.end::<1>();
        assert!((5.0..7.0).contains(&running), "ran for {running} ms");
    }
    work("");
    assert!(find("threads/unnamed/running").is_some());
}

#[test]
fn threads_that_end_frames_at_once_do_not_disturb_each_other() {
    let _alone = alone();
    let (go, gone) = channel::<()>();
    let (tell, told) = channel();
    let worker = thread::Builder::new().name("shared".to_owned());
    let worker = worker.spawn(move || {
        assert!(follow_thread());
        tell.send(()).expect("the test waits");
        _ = gone.recv();
    });
    told.recv().expect("the worker sends");
    let all_known = || {
        let mut frames = Frames::of("threads/shared", ["running"]);
        for _ in 0..10_000 {
            frames.end::<1>();
        }
    };
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(all_known);
        }
    });
    drop(go);
    worker
        .expect("it starts")
        .join()
        .expect("it does not panic");
}

#[test]
fn a_worker_that_others_crowd_out_is_ready() {
    let _alone = alone();
    let (tell, told) = channel();
    let (look, looked) = channel::<()>();
    let looker = thread::spawn(move || {
        told.recv().expect("the worker sends");
        let mut frames = Frames::of("threads/crowded", ["running", "ready", "blocked"]);
        look.send(()).expect("the worker waits");
        told.recv().expect("the worker sends");
        // The worker still waits: its end would make the values unknown. Dropping `look` lets it go.
        let values = frames.end::<3>().0;
        drop(look);
        values
    });
    crowded(move || {
        let named = thread::Builder::new().name("crowded".to_owned());
        let named = named.spawn(move || {
            assert!(follow_thread());
            tell.send(()).expect("the test waits");
            looked.recv().expect("the test sends");
            spin(20.0);
            tell.send(()).expect("the test waits");
            _ = looked.recv();
        });
        named.expect("it starts").join().expect("it does not panic");
    });
    let [running, ready, _] = looker.join().expect("it does not panic");
    assert!(
        (20.0..22.0).contains(&running) && ready > 20.0,
        "{running} {ready}"
    );
}
