//! Journals that are truncated or damaged at any byte.

use std::path::Path;

use arrow_buffer::NullBuffer;
use stats_testing::Folder;

use super::{Append, Event, Journal, JournalColumn, Rest, StreamColumn};
use crate::ReadError;
use crate::metadata::{RecordedKind, Run, SeriesRecord};

/// A journal with two streams of several batches each, and the end.
struct Written {
    content: Vec<u8>,
    /// After each batch, the length of the file and the number of rows.
    batches: Vec<(usize, u64)>,
}

fn series(path: &str) -> SeriesRecord {
    SeriesRecord {
        path: path.to_owned(),
        kind: RecordedKind::Counter,
        ..SeriesRecord::default()
    }
}

/// The value of a column in a frame. The second column is null in every third frame, and the third
/// column does not exist in the first stream.
fn value(column: usize, frame: u64) -> Option<f64> {
    match column {
        0 => Some(frame as f64 * 3.0),
        1 => (!frame.is_multiple_of(3)).then_some(frame as f64 / 4.0),
        _ => (frame >= 12).then_some(-(frame as f64)),
    }
}

fn write(path: &Path) -> Written {
    let records = [series("a"), series("b"), series("c")];
    let numbered: Vec<(usize, &SeriesRecord)> = records.iter().enumerate().collect();
    let mut journal = Append::create(path).unwrap();
    let (mut frame, mut batches) = (0, Vec::new());
    for (columns, rows) in [(2, 5), (2, 1), (2, 6), (3, 3), (3, 9)] {
        if [0, 12].contains(&frame) {
            let are_whole = [true, false, true].into_iter().take(columns);
            let changed = if frame == 0 {
                &numbered[..2]
            } else {
                &numbered[2..]
            };
            let run = Run::default();
            journal
                .begin_stream(are_whole, changed, (frame == 0).then_some(&run), &[])
                .unwrap();
        }
        let frames: Vec<u64> = (frame..frame + rows).collect();
        let column = |at: usize| {
            let values = frames.iter().map(|frame| value(at, *frame));
            if at == 1 {
                let nulls = values.clone().map(|value| value.is_some());
                StreamColumn::Double(
                    values.map(Option::unwrap_or_default).collect(),
                    Some(NullBuffer::from_iter(nulls)),
                )
            } else {
                StreamColumn::Whole(values.map(|value| value.unwrap() as i64).collect(), None)
            }
        };
        let clock: Vec<i64> = frames.iter().map(|frame| *frame as i64).collect();
        let event = serde_json::to_string(&[Event::Point("mark".into())]).unwrap();
        let mut events = vec![None; rows as usize];
        events[0] = Some(event);
        let columns = (0..columns).map(column).collect();
        journal
            .write_batch([clock.clone(), clock.clone(), clock], events, columns)
            .unwrap();
        frame += rows;
        batches.push((std::fs::metadata(path).unwrap().len() as usize, frame));
    }
    journal.end(&[], &Run::default(), &[], &[], &[]).unwrap();
    Written {
        content: std::fs::read(path).unwrap(),
        batches,
    }
}

/// The values of each column of a journal, or an error if they are damaged.
fn read(journal: &Journal) -> Vec<Result<Vec<Option<f64>>, ReadError>> {
    let column = |at| {
        let mut values = Vec::new();
        journal
            .for_each_cells(JournalColumn::Series(at), |rows, cells, is_whole| {
                let Some(cells) = cells else {
                    values.resize(values.len() + rows, None);
                    return;
                };
                let number = |bits: u64| {
                    if is_whole {
                        bits as i64 as f64
                    } else {
                        f64::from_bits(bits)
                    }
                };
                values.extend(cells.iter().map(|bits| bits.map(number)));
            })
            .map(|()| values)
    };
    (0..journal.series.len()).map(column).collect()
}

/// The frames of a journal.
fn frames(journal: &Journal) -> Vec<u64> {
    let mut frames = Vec::new();
    journal
        .for_each_cells(JournalColumn::Clock(0), |_, cells, _| {
            frames.extend(cells.unwrap().iter().map(Option::unwrap));
        })
        .unwrap();
    frames
}

#[test]
fn a_journal_truncated_at_any_byte_has_all_complete_batches() {
    let folder = Folder::new("journal-cut");
    let written = write(&folder.0.join("whole"));
    let path = folder.0.join("cut");
    let first = written.batches[0].0;
    for cut in 0..=written.content.len() {
        std::fs::write(&path, &written.content[..cut]).unwrap();
        let complete = written.batches.iter().filter(|batch| batch.0 <= cut);
        let rows = complete.map(|batch| batch.1).max().unwrap_or(0);
        match Journal::open(&path) {
            Ok(journal) => {
                assert_eq!(journal.rows, rows, "cut at {cut}");
                assert_eq!(journal.marks.as_slice().len(), journal.batches());
                for (at, values) in read(&journal).iter().enumerate() {
                    let expected: Vec<_> = (0..rows).map(|frame| value(at, frame)).collect();
                    let values = values.as_ref().unwrap();
                    assert_eq!(*values, expected, "column {at}, cut at {cut}");
                }
                let is_whole = cut + 8 >= written.content.len();
                let rest = if is_whole { Rest::Ended } else { Rest::Cut };
                assert_eq!(journal.rest, rest, "cut at {cut}");
            }
            Err(error) => {
                assert!(matches!(error, ReadError::Empty { .. }), "{error}");
                assert!(cut < first, "cut at {cut}");
            }
        }
    }
}

#[test]
fn a_journal_damaged_at_any_byte_never_yields_a_wrong_value() {
    let folder = Folder::new("journal-damage");
    let written = write(&folder.0.join("whole"));
    let path = folder.0.join("damaged");
    let (mut refused, mut shortened, mut are_refused, mut skipped) = (0, 0, 0, 0);
    for at in 0..written.content.len() {
        let mut content = written.content.clone();
        content[at] ^= 0xFF;
        std::fs::write(&path, content).unwrap();
        match Journal::open(&path) {
            Ok(journal) => {
                let frames = frames(&journal);
                for (at, values) in read(&journal).iter().enumerate() {
                    let Ok(values) = values else {
                        are_refused += 1;
                        continue;
                    };
                    let expected: Vec<_> = frames.iter().map(|frame| value(at, *frame)).collect();
                    assert_eq!(*values, expected, "column {at}");
                }
                let before = written.batches.iter().filter(|batch| batch.0 <= at);
                let rows = before.map(|batch| batch.1).max().unwrap_or(0);
                assert!(frames.iter().take_while(|frame| **frame < rows).count() as u64 >= rows);
                shortened += usize::from(journal.rest != Rest::Ended);
                if journal.rest == Rest::Ended && journal.damaged_bytes > 0 {
                    let lost = written
                        .batches
                        .iter()
                        .position(|batch| batch.0 > at)
                        .unwrap();
                    let begin = if lost == 0 {
                        0
                    } else {
                        written.batches[lost - 1].1
                    };
                    let expected: Vec<u64> = (0..24)
                        .filter(|frame| !(begin..written.batches[lost].1).contains(frame))
                        .collect();
                    assert_eq!(frames, expected, "damaged at {at}");
                    skipped += 1;
                }
            }
            Err(_) => refused += 1,
        }
    }
    let found = [refused, shortened, are_refused, skipped];
    assert!(found.iter().all(|found| *found > 100), "{found:?}");
}
