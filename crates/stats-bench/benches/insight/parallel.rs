//! Games that are played on all processors.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// Returns what `play` returns for each of the numbers below `games`, in their order. A game depends
/// on its number alone, so the results are the same on any number of processors.
pub(crate) fn in_parallel<R: Send>(games: u64, play: impl Fn(u64) -> R + Sync) -> Vec<R> {
    let (next, results) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    // Relaxed: each number is taken once, and orders nothing else.
                    let game = next.fetch_add(1, Ordering::Relaxed);
                    if game >= games {
                        break;
                    }
                    let result = play(game);
                    let mut results = results.lock().expect("no game panics while it is locked");
                    results.push((game, result));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no game panicked");
    results.sort_by_key(|(game, _)| *game);
    results.into_iter().map(|(_, result)| result).collect()
}
