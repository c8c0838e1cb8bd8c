//! The queue of a thread's scopes: its writer, beside a reader that may stop anywhere.

use loom::sync::Arc;
use loom::thread;

use crate::live::span_queue::{CHUNK, Pool, Record, queue};
use crate::live::sync::weakened;

/// Enough for three chunks.
const RECORDS: u64 = 2 * CHUNK as u64 + 1;

fn record(number: u64) -> Record {
    [number, number + 100, number + 200]
}

/// Writes all records while another thread reads. Every record arrives whole and in order, and none
/// is lost, wherever the reader is interrupted.
fn a_writer_beside_a_reader() {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(|| {
        let pool = Arc::new(Pool::new(3));
        let (mut writer, mut reader) = queue(pool.take().unwrap());
        let writing = {
            let pool = Arc::clone(&pool);
            thread::spawn(move || {
                for number in 0..RECORDS {
                    assert!(writer.push(record(number), || pool.take()), "lost");
                }
            })
        };
        let mut found = 0;
        let mut check = |read: Record| {
            assert_eq!(read, record(found), "torn");
            found += 1;
        };
        reader.read(&pool, &mut check);
        reader.read(&pool, &mut check);
        writing.join().unwrap();
        reader.read(&pool, &mut check);
        assert_eq!(found, RECORDS, "lost");
    });
}

#[test]
fn records_arrive_whole_and_in_order_beside_a_reader() {
    a_writer_beside_a_reader();
}

#[test]
#[should_panic(expected = "torn")]
fn the_queue_needs_its_orderings() {
    weakened(a_writer_beside_a_reader);
}

/// A reader that is interrupted for good, with the memory of the pool locked, does not stop the
/// writer.
#[test]
fn an_interrupted_reader_keeps_no_writer_waiting() {
    loom::model(|| {
        let pool = Arc::new(Pool::new(8));
        let (mut writer, reader) = queue(pool.take().unwrap());
        let interrupted = pool.lock_as_a_reader();
        for number in 0..RECORDS {
            assert!(writer.push(record(number), || pool.take()), "lost");
        }
        drop(interrupted);
        drop(reader);
    });
}
