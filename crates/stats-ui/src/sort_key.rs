//! The order of paths in the tree, as bytes to compare: numbers by their value, letters whatever
//! their case.

use std::cmp::Ordering;

/// Appends bytes whose order is the order people expect: case aside, numbers by their value, a
/// folder with all that is in it together (what differs in case only must not be interleaved, so
/// such a segment is spelled out behind its key).
pub fn push_sort_key(path: &str, key: &mut Vec<u8>) {
    path.split('/')
        .for_each(|segment| push_segment_key(segment, key));
}

/// Compares two segments as [`push_sort_key`] does.
pub fn compare_segments(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (
        Vec::with_capacity(a.len() * 2 + 8),
        Vec::with_capacity(b.len() * 2 + 8),
    );
    push_segment_key(a, &mut left);
    push_segment_key(b, &mut right);
    left.cmp(&right)
}

fn push_segment_key(segment: &str, key: &mut Vec<u8>) {
    const END_OF_FOLDED: u8 = 1;
    const END_OF_SEGMENT: u8 = 0;
    let start = key.len();
    push_folded(segment.as_bytes(), key);
    let same = &key[start..] == segment.as_bytes();
    key.push(END_OF_FOLDED);
    if !same {
        key.extend(segment.bytes().map(|byte| byte.max(2)));
    }
    key.push(END_OF_SEGMENT);
}

/// ASCII lower case; a run of digits becomes its length without leading zeros, then the digits.
fn push_folded(segment: &[u8], key: &mut Vec<u8>) {
    let mut at = 0;
    while at < segment.len() {
        let digits = segment[at..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        if digits == 0 {
            key.push(segment[at].to_ascii_lowercase().max(2));
            at += 1;
            continue;
        }
        let run = &segment[at..at + digits];
        let zeros = run.iter().take_while(|&&byte| byte == b'0').count();
        let number = &run[zeros..];
        // '0'..='9' sort among the other characters; the length goes behind the '0' so that 9 < 10.
        key.push(b'0');
        key.push((number.len() + 2).min(255) as u8);
        key.extend_from_slice(number);
        at += digits;
    }
}
