//! A queue of records between two threads that neither waits for the other nor allocates.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Returns both ends of a queue with room for `capacity` words, a power of two.
pub(crate) fn words(capacity: usize) -> (WordWriter, WordReader) {
    let words: Words = (0..capacity).map(|_| AtomicU64::new(0)).collect();
    let progress = Arc::new(Progress::default());
    let writer = WordWriter {
        words: Arc::clone(&words),
        progress: Arc::clone(&progress),
        at: 0,
        free_until: capacity as u64,
    };
    let at = 0;
    (
        writer,
        WordReader {
            words,
            progress,
            at,
        },
    )
}

/// The memory of the queue. Each end has a pointer of its own to it: beside the progress, the pointer would
/// be in a cache line that the other end changes.
type Words = Arc<[AtomicU64]>;

#[derive(Debug, Default)]
struct Progress {
    /// The number of words of all records that are complete.
    written: AtomicU64,
    /// The number of words that the reader no longer needs.
    read: AtomicU64,
}

fn slot(words: &[AtomicU64], at: u64) -> &AtomicU64 {
    // The length is a power of two.
    &words[at as usize & (words.len() - 1)]
}

/// The end that writes. Readers see a record when it is complete.
#[derive(Debug)]
pub(crate) struct WordWriter {
    words: Words,
    progress: Arc<Progress>,
    at: u64,
    /// Words before this number may be written, as far as the writer knows: the reader may have made more
    /// room since.
    free_until: u64,
}

impl WordWriter {
    /// Returns whether a record of `len` words has room.
    pub(crate) fn has_room(&mut self, len: usize) -> bool {
        let end = self.at + len as u64;
        if end > self.free_until {
            // Acquire: the reader has read these words before they are written again.
            let read = self.progress.read.load(Ordering::Acquire);
            self.free_until = read + self.words.len() as u64;
        }
        end <= self.free_until
    }

    /// Writes a word of a record that has room.
    pub(crate) fn put(&mut self, word: u64) {
        // Relaxed: `end_record` publishes it.
        slot(&self.words, self.at).store(word, Ordering::Relaxed);
        self.at += 1;
    }

    /// Writes words of a record that has room.
    pub(crate) fn put_all(&mut self, words: impl IntoIterator<Item = u64>) {
        // Looked up once, and not for each word.
        let (into, mut at) = (&*self.words, self.at);
        words.into_iter().for_each(|new| {
            slot(into, at).store(new, Ordering::Relaxed);
            at += 1;
        });
        self.at = at;
    }

    /// Writes numbers of a record that has room.
    #[inline]
    pub(crate) fn put_values(&mut self, values: &[f64]) {
        let at = self.at as usize & (self.words.len() - 1);
        let behind = self.words.get(at..).unwrap_or_default();
        let (values_behind, values_before) = values.split_at(values.len().min(behind.len()));
        // Two stretches, so that no word is looked up by its number.
        for (values, into) in [(values_behind, behind), (values_before, &*self.words)] {
            for (value, word) in values.iter().zip(into) {
                word.store(value.to_bits(), Ordering::Relaxed);
            }
        }
        self.at += values.len() as u64;
    }

    /// Writes a text of a record that has room, eight bytes in a word.
    pub(crate) fn put_text(&mut self, text: &str) {
        let (words, rest) = text.as_bytes().as_chunks::<8>();
        self.put_all(words.iter().map(|word| u64::from_le_bytes(*word)));
        if !rest.is_empty() {
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            self.put(u64::from_le_bytes(last));
        }
    }

    /// Completes the record.
    pub(crate) fn end_record(&mut self) {
        // Release: a reader that sees the number sees the words.
        self.progress.written.store(self.at, Ordering::Release);
    }
}

/// The end that reads.
#[derive(Debug)]
pub(crate) struct WordReader {
    words: Words,
    progress: Arc<Progress>,
    at: u64,
}

impl WordReader {
    /// Returns the number of words of all records that are complete and were not read.
    pub(crate) fn len(&self) -> usize {
        // Acquire: see `end_record`.
        (self.progress.written.load(Ordering::Acquire) - self.at) as usize
    }

    /// Returns the next word of a complete record.
    pub(crate) fn take(&mut self) -> u64 {
        let word = slot(&self.words, self.at).load(Ordering::Relaxed);
        self.at += 1;
        word
    }

    /// Returns the text of `len` bytes that follows in a complete record.
    pub(crate) fn take_text(&mut self, len: usize) -> String {
        let mut text = Vec::new();
        while text.len() < len {
            text.extend_from_slice(&self.take().to_le_bytes());
        }
        text.truncate(len);
        String::from_utf8_lossy(&text).into_owned()
    }

    /// Gives the room of the words that were read back to the writer.
    pub(crate) fn give_back(&mut self) {
        // Release: see `has_room`.
        self.progress.read.store(self.at, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    #[test]
    fn records_arrive_whole_and_in_order_and_a_full_queue_takes_none() {
        let mut random = Random::new(7);
        let (mut writer, mut reader) = words(64);
        let (mut next, mut expected, mut held) = (0, 0, 0);
        for _ in 0..20_000 {
            let len = 1 + random.index(40);
            assert_eq!(writer.has_room(len), held + len <= 64);
            if held + len <= 64 {
                let one_by_one = random.index(len + 1);
                for _ in 0..one_by_one {
                    writer.put(next);
                    next += 1;
                    assert_eq!(reader.len(), held, "the record is not complete");
                }
                let rest = next..next + (len - one_by_one) as u64;
                next = rest.end;
                if random.below(2) == 0 {
                    writer.put_all(rest);
                } else {
                    let values: Vec<f64> = rest.map(f64::from_bits).collect();
                    writer.put_values(&values);
                }
                assert_eq!(reader.len(), held, "the record is not complete");
                writer.end_record();
                held += len;
            }
            if random.below(3) == 0 {
                for _ in 0..held {
                    assert_eq!(reader.take(), expected);
                    expected += 1;
                }
                reader.give_back();
                held = 0;
            }
        }
    }

    #[test]
    fn two_threads_exchange_all_records() {
        const RECORDS: u64 = 100_000;
        let (mut writer, mut reader) = words(256);
        std::thread::scope(|scope| {
            scope.spawn(move || {
                for record in 0..RECORDS {
                    let len = 1 + record % 7;
                    while !writer.has_room(len as usize) {
                        std::thread::yield_now();
                    }
                    (0..len).for_each(|_| writer.put(record));
                    writer.end_record();
                }
            });
            for record in 0..RECORDS {
                let len = 1 + record % 7;
                while reader.len() == 0 {
                    std::thread::yield_now();
                }
                assert!(reader.len() as u64 >= len);
                (0..len).for_each(|_| assert_eq!(reader.take(), record));
                reader.give_back();
            }
        });
    }
}
