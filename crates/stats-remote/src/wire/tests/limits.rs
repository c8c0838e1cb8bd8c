//! Messages beyond a limit are refused.

use stats_core::{Mark, SeriesId, SeriesInfo, SeriesKind, Unit};

use crate::wire::bytes::put_number;
use crate::wire::scopes::{MAX_LANES, MAX_SCOPES};
use crate::wire::to_game::{MAX_IDS, ToGame};
use crate::wire::to_viewer::*;

#[test]
fn numbers_that_would_take_much_memory_are_refused() {
    let huge = |kind: u8, before: &[u8]| {
        let mut bytes = vec![kind];
        bytes.extend_from_slice(before);
        put_number(&mut bytes, u64::from(u32::MAX));
        bytes.extend_from_slice(&[0; 64]);
        bytes
    };
    for kind in [1, 2, 3, 7] {
        assert!(ToGame::decode(&huge(kind, &[])).is_err(), "{kind}");
    }
    for (kind, before) in [
        (1, &[1][..]),
        (2, &[0, 0]),
        (2, &[0, 0, 1, 0, 0]),
        (3, &[1, 0, 0]),
        (4, &[]),
        (5, &[]),
        (5, &[9]),
        (6, &[]),
        (8, &[]),
        (10, &[7, 0]),
        (11, &[]),
        (12, &[0, 0, 0]),
    ] {
        assert!(
            ToViewer::decode(&huge(kind, before)).is_err(),
            "{kind} {before:?}"
        );
    }
    // Short paths that repeat a long one.
    let (mut list, long) = (ListWriter::new(), "x/".repeat(2000));
    for id in 0..MAX_ENTRIES as u32 {
        let id = SeriesId::new(id);
        list.push(&SeriesInfo::new(id, &long, SeriesKind::Gauge, Unit::Count));
    }
    assert!(list.is_full());
    assert!(ToViewer::decode(&list.encode(true)).is_err());
}

/// A viewer adds to the frames of a mark. It may still be open, and has at least one frame.
#[test]
fn marks_of_no_frames_or_of_impossible_ones_are_refused() {
    let is_read = |frames: std::ops::Range<u64>| {
        let mark = Mark::new("level", frames.clone(), false);
        let messages = encode_marks(1, [(0, &mark)].into_iter());
        let marks = Marks {
            total: 1,
            marks: vec![(0, mark)],
        };
        let read = ToViewer::decode(&messages[0]);
        assert!(
            read.is_err() || read == Ok(ToViewer::Marks(marks)),
            "{frames:?}"
        );
        read.is_ok()
    };
    let last = (1 << 53) - 1;
    for frames in [0..1, 0..u64::MAX, last - 1..last, last..u64::MAX] {
        assert!(is_read(frames.clone()), "{frames:?}");
    }
    for (start, end) in [
        (0, 0),
        (7, 7),
        (8, 7),
        (0, last + 1),
        (0, u64::MAX - 1),
        (last + 1, u64::MAX),
        (u64::MAX, u64::MAX),
        (u64::MAX - 1, u64::MAX),
    ] {
        assert!(!is_read(start..end), "{start}..{end}");
    }
}

/// One more than the limit, each of a byte, so that the message has them all.
#[test]
fn a_message_with_one_item_too_many_is_refused() {
    let items = |kind: u8, before: &[u8], count: usize| {
        let mut bytes = vec![kind];
        bytes.extend_from_slice(before);
        put_number(&mut bytes, count as u64);
        bytes.resize(bytes.len() + count, 0);
        bytes
    };
    for (kind, before) in [(1, &[][..]), (2, &[]), (3, &[]), (4, &[0, 0]), (7, &[])] {
        assert!(
            ToGame::decode(&items(kind, before, MAX_IDS)).is_ok(),
            "{kind}"
        );
        assert!(
            ToGame::decode(&items(kind, before, MAX_IDS + 1)).is_err(),
            "{kind}"
        );
    }
    for (kind, before, most) in [(4, &[], MAX_SERIES), (6, &[], MAX_IDS)] {
        assert!(
            ToViewer::decode(&items(kind, before, most)).is_ok(),
            "{kind}"
        );
        assert!(
            ToViewer::decode(&items(kind, before, most + 1)).is_err(),
            "{kind}"
        );
    }
    // In a block, a run of ids, and the forms of columns of zeros.
    let block = |count: usize| {
        let mut bytes = vec![2, 0, 0, 1, 0, 0];
        put_number(&mut bytes, count as u64);
        bytes.push(1);
        put_number(&mut bytes, count as u64);
        bytes.resize(bytes.len() + count.div_ceil(2), 0);
        bytes
    };
    assert!(ToViewer::decode(&block(MAX_SERIES)).is_ok());
    assert!(ToViewer::decode(&block(MAX_SERIES + 1)).is_err());
    // Scopes take four bytes at least.
    let scopes = |count: usize| {
        let mut bytes = vec![12, 0, 0, 0];
        put_number(&mut bytes, count as u64);
        bytes.resize(bytes.len() + 4 * count, 0);
        bytes
    };
    assert!(ToViewer::decode(&scopes(MAX_SCOPES)).is_ok());
    assert!(ToViewer::decode(&scopes(MAX_SCOPES + 1)).is_err());
    let lanes = |count: usize| {
        let mut bytes = vec![11];
        put_number(&mut bytes, count as u64);
        bytes.resize(bytes.len() + 3 * count, 0);
        bytes
    };
    assert!(ToViewer::decode(&lanes(MAX_LANES)).is_ok());
    assert!(ToViewer::decode(&lanes(MAX_LANES + 1)).is_err());
    // Frames take no bytes if all values are 0.
    let frames = |count: usize| {
        let mut bytes = vec![2, 0, 0];
        put_number(&mut bytes, count as u64);
        bytes.extend_from_slice(&[0; 3]);
        bytes
    };
    assert!(ToViewer::decode(&frames(MAX_BLOCK_FRAMES)).is_ok());
    assert!(ToViewer::decode(&frames(MAX_BLOCK_FRAMES + 1)).is_err());
}
