//! Worker threads, each with its own queue. Job `i` of a batch runs on worker `i % workers`, and
//! results come back in the order of the jobs.
//!
//! The assignment is fixed. A stalled worker therefore shows in *its own* timer and in the wait of
//! the main thread, and results never depend on timing or on the number of workers.
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use stats_core::{
    Counter, CounterHandle, Gauge, Histogram, Timer, TimerHandle, Unit, UpDownCounter,
    UpDownCounterHandle,
};

use super::clock::{self, take};

static SUBMITTED: Counter = Counter::new("jobs/submitted").describe("jobs handed to the workers");
static BATCHES: Counter =
    Counter::new("jobs/batches").describe("batches that the main thread handed out and waited for");
static IN_FLIGHT: UpDownCounter =
    UpDownCounter::new("jobs/in-flight").describe("jobs handed out and not finished yet");
static WAIT: Timer = Timer::new("jobs/main-thread-wait")
    .wait()
    .budget(4.0)
    .describe("the main thread's wait for the slowest worker");
static WORKERS: Gauge = Gauge::new("jobs/workers").describe("threads in the pool");
static STALLED: Timer =
    Timer::new("jobs/stalled").describe("time that a worker slept because of the planted fault");
static UNPACKED: Timer = Timer::new("jobs/unpack").describe("unpacking an asset that a job needs");
static DURATION: Histogram = Histogram::new("jobs/duration")
    .unit(Unit::Milliseconds)
    .describe("duration of each job");
static SLOWEST: Gauge = Gauge::new("jobs/slowest-worker")
    .unit(Unit::Milliseconds)
    .describe("the longest job of the last batch");

type Job = Box<dyn FnOnce() + Send>;

/// A finished job.
struct Done<R> {
    index: usize,
    ms: f64,
    /// When it was finished.
    end: Duration,
    result: R,
}

/// A fixed set of named threads.
pub(crate) struct Pool {
    lanes: Vec<Lane>,
    delays: Arc<Delays>,
}

/// How long one worker is delayed by planted faults, in microseconds.
#[derive(Default)]
struct Delays {
    /// Asleep before each of its jobs.
    asleep: AtomicU64,
    /// At work in its next job.
    once: AtomicU64,
}

/// One worker thread and its queue.
struct Lane {
    /// Jobs, each with the time at which it was submitted.
    jobs: Option<Sender<(Duration, Job)>>,
    thread: Option<JoinHandle<()>>,
    queued: UpDownCounterHandle,
}

impl Pool {
    /// Starts `workers` threads, at least one.
    pub(crate) fn new(workers: usize) -> Self {
        let delays = Arc::new(Delays::default());
        let workers = workers.max(1);
        WORKERS.set(workers);
        let lanes = (0..workers)
            .map(|index| Lane::new(index, (index == 1.min(workers - 1)).then_some(&delays)))
            .collect();
        Self { lanes, delays }
    }

    /// Returns the default number of workers: one per hardware thread, at least two and at most
    /// six.
    pub(crate) fn default_workers() -> usize {
        std::thread::available_parallelism().map_or(2, |n| n.get().clamp(2, 6))
    }

    pub(super) const fn workers(&self) -> usize {
        self.lanes.len()
    }

    /// Makes one worker sleep before each of its jobs. Zero stops that.
    pub(super) fn stall_one(&self, sleep: Duration) {
        // Relaxed: no other data depends on this number, and a job that sees it late is merely not
        // stalled.
        self.delays
            .asleep
            .store(sleep.as_micros() as u64, Ordering::Relaxed);
    }

    /// Lets the next job of one worker take longer.
    pub(super) fn delay_one(&self, by: Duration) {
        // Relaxed: as above.
        self.delays
            .once
            .fetch_max(by.as_micros() as u64, Ordering::Relaxed);
    }

    /// Runs all jobs and returns their results in the order of the jobs.
    pub(crate) fn run<R: Send + 'static>(
        &self,
        jobs: Vec<impl FnOnce() -> R + Send + 'static>,
    ) -> Vec<R> {
        let (results, inbox) = channel();
        let count = jobs.len();
        BATCHES.increment();
        for (index, job) in jobs.into_iter().enumerate() {
            self.submit(index, job, results.clone());
        }
        drop(results);
        let _wait = WAIT.scope();
        collect(&inbox, count)
    }

    fn submit<R: Send + 'static>(
        &self,
        index: usize,
        job: impl FnOnce() -> R + Send + 'static,
        results: Sender<Done<R>>,
    ) {
        let lane = &self.lanes[index % self.lanes.len()];
        SUBMITTED.increment();
        IN_FLIGHT.increment();
        lane.queued.increment();
        // A job's allocations count toward the scope that started the batch, whichever thread runs
        // the job.
        let memory = stats_memory::current_tag();
        let wrapped = move || {
            let _memory = memory.enter();
            let start = clock::now();
            // Running the job drops it, so it has released every `Arc` it owned before its result
            // arrives.
            let result = job();
            // A send fails only if the receiver is gone, and `collect` receives every result.
            let end = clock::now();
            let ms = (end - start).as_secs_f64() * 1e3;
            let _ = results.send(Done {
                index,
                ms,
                end,
                result,
            });
        };
        lane.jobs
            .as_ref()
            .and_then(|lane| lane.send((clock::now(), Box::new(wrapped))).ok())
            .expect("a worker runs as long as its pool exists");
    }
}

/// Receives `count` results and returns them in the order of their jobs.
fn collect<R>(inbox: &Receiver<Done<R>>, count: usize) -> Vec<R> {
    let mut slots: Vec<Option<R>> = (0..count).map(|_| None).collect();
    let mut slowest = 0.0f64;
    for _ in 0..count {
        let Done {
            index,
            ms,
            end,
            result,
        } = inbox.recv().expect("jobs do not panic");
        clock::wait_until(end);
        IN_FLIGHT.decrement();
        slowest = slowest.max(ms);
        DURATION.record(ms);
        slots[index] = Some(result);
    }
    SLOWEST.set(slowest);
    slots.into_iter().flatten().collect()
}

impl Lane {
    fn new(index: usize, delays: Option<&Arc<Delays>>) -> Self {
        let queued = stats_core::up_down_counter(&format!("jobs/worker-{index}/queued"))
            .describe("jobs waiting for this worker");
        let worker = Worker {
            busy: stats_core::timer(&format!("jobs/worker-{index}/busy"))
                .budget(8.0)
                .describe("time that this worker spends on jobs"),
            done: stats_core::counter(&format!("jobs/worker-{index}/jobs"))
                .describe("jobs that this worker finished"),
            queued,
            delays: delays.cloned(),
        };
        let (jobs, queue) = channel();
        let thread = std::thread::Builder::new()
            .name(format!("worker-{index}"))
            .spawn(move || worker.work(&queue))
            .expect("the system can start another thread");
        Self {
            jobs: Some(jobs),
            thread: Some(thread),
            queued,
        }
    }
}

/// The state of a worker thread.
struct Worker {
    busy: TimerHandle,
    done: CounterHandle,
    queued: UpDownCounterHandle,
    delays: Option<Arc<Delays>>,
}

impl Worker {
    fn work(&self, queue: &Receiver<(Duration, Job)>) {
        // The time of a test is virtual, and the system's is not.
        #[cfg(not(test))]
        stats_process::follow_thread();
        for (submitted, job) in queue {
            clock::wait_until(submitted);
            self.queued.decrement();
            let _busy = self.busy.scope();
            self.delay();
            job();
            self.done.increment();
        }
    }

    fn delay(&self) {
        let Some(delays) = &self.delays else { return };
        // Relaxed: as in `stall_one`.
        let asleep = Duration::from_micros(delays.asleep.load(Ordering::Relaxed));
        if !asleep.is_zero() {
            STALLED.time(|| clock::sleep(asleep));
        }
        if delays.once.load(Ordering::Relaxed) > 0 {
            let once = Duration::from_micros(delays.once.swap(0, Ordering::Relaxed));
            UNPACKED.time(|| take(once));
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        for lane in &mut self.lanes {
            drop(lane.jobs.take());
        }
        for thread in self.lanes.iter_mut().filter_map(|lane| lane.thread.take()) {
            // A panic of a worker has already made its batch panic.
            let _ = thread.join();
        }
    }
}

/// Splits `0..len` into at most `parts` ranges of nearly equal length.
pub(super) fn split(len: usize, parts: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    let parts = parts.clamp(1, len.max(1));
    (0..parts).map(move |part| part * len / parts..(part + 1) * len / parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_job_order_for_any_number_of_workers() {
        let expected: Vec<usize> = (0..100).map(|i| i * i).collect();
        for workers in [1, 2, 3, 7] {
            assert_eq!(
                Pool::new(workers).run((0..100usize).map(|i| move || i * i).collect()),
                expected
            );
        }
    }

    #[test]
    fn an_empty_batch_returns_at_once() {
        assert!(Pool::new(2).run(Vec::<fn() -> u8>::new()).is_empty());
    }

    #[test]
    fn a_split_covers_everything_once() {
        for (len, parts) in [(0, 3), (1, 3), (7, 3), (9, 3), (100, 1), (5, 0)] {
            let all: Vec<usize> = split(len, parts).flatten().collect();
            assert_eq!(all, (0..len).collect::<Vec<_>>());
        }
    }

    #[cfg(feature = "enabled")]
    #[test]
    fn a_stall_delays_the_jobs_of_one_worker_only() {
        let _alone = crate::tests::alone();
        let pool = Pool::new(3);
        let six_jobs = || _ = pool.run((0..6).map(|job| move || job).collect());
        pool.stall_one(Duration::from_micros(1));
        six_jobs();
        let stalled = crate::tests::measured(&["jobs/stalled/calls"], six_jobs);
        assert_eq!(stalled["jobs/stalled/calls"], 2.0);
        pool.stall_one(Duration::ZERO);
        let stalled = crate::tests::measured(&["jobs/stalled/calls"], six_jobs);
        assert_eq!(stalled["jobs/stalled/calls"], 0.0);
    }
}
