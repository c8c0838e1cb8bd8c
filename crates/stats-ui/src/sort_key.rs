//! The order of names in lists, as byte strings.
//!
//! A plain comparison puts `x10` before `x2` and `Z` before `a`. A sort key is computed once per
//! name, and comparing two keys byte by byte gives the order people expect.

use std::cmp::Ordering;

/// Appends the sort key of a path whose segments are separated by `/`.
///
/// Case is ignored, numbers are compared by their value, and a folder comes together with all its
/// contents. A segment that folding changes is spelled out after its folded key, so that folders
/// whose names differ only in case are not mixed. Only ASCII letters are folded.
pub fn push_sort_key(path: &str, key: &mut Vec<u8>) {
    path.split('/')
        .for_each(|segment| push_segment_key(segment, key));
}

/// Compares two segments in the order of [`push_sort_key`].
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

/// Appends a segment in ASCII lower case. A run of digits becomes the number of its digits without
/// leading zeros, and then these digits.
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
        // Digits sort among the other characters. The length follows a '0', so that 9 < 10.
        key.push(b'0');
        key.push((number.len() + 2).min(255) as u8);
        key.extend_from_slice(number);
        at += digits;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(mut paths: Vec<&str>) -> Vec<&str> {
        paths.sort_by_cached_key(|path| {
            let mut key = Vec::new();
            push_sort_key(path, &mut key);
            key
        });
        paths
    }

    #[test]
    fn numbers_sort_by_value_and_letters_without_regard_to_case() {
        assert_eq!(
            sorted(vec!["x10", "b", "x9", "B", "x09", "a", "C"]),
            ["a", "b", "B", "C", "x09", "x9", "x10"]
        );
    }

    #[test]
    fn a_folder_stays_together_with_its_contents() {
        assert_eq!(
            sorted(vec!["a b", "a/z", "A/y", "a", "a/b/c", "A"]),
            ["a", "a/b/c", "a/z", "A", "A/y", "a b"]
        );
    }

    #[test]
    fn segments_compare_as_their_keys_do() {
        assert_eq!(compare_segments("x2", "x10"), Ordering::Less);
        assert_eq!(compare_segments("b", "A"), Ordering::Greater);
        assert_eq!(compare_segments("same", "same"), Ordering::Equal);
    }
}
