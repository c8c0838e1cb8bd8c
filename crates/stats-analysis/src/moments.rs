//! Moments: marks that a person sets while playing, because something felt bad.
//!
//! A moment is a mark with a name of its own: `moment 3`, or `moment 3: stutter at the bridge`. So it
//! needs no field in a capture, and every view shows it. A note that was written later is another
//! mark with the same number.

use crate::sort::sort_by;
use std::ops::Range;

/// A moment that a person marked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Moment {
    /// Its number, from 1, in the order of a session.
    pub number: u32,
    /// The frame in which it was marked.
    pub frame: u64,
    /// What the person wrote; empty if nothing.
    pub note: String,
}

impl Moment {
    /// Returns the name: `moment 3`, or `moment 3: stutter at the bridge`.
    #[must_use]
    pub fn name(&self) -> String {
        name(self.number, &self.note)
    }
}

/// The time before a moment in which something may have felt bad, in seconds.
pub const BEFORE_SECS: f64 = 2.0;

/// Returns the name of the mark of a moment. Line breaks in the note become spaces.
#[must_use]
pub fn name(number: u32, note: &str) -> String {
    let words: Vec<&str> = note.split_whitespace().collect();
    match words.join(" ") {
        note if note.is_empty() => format!("moment {number}"),
        note => format!("moment {number}: {note}"),
    }
}

/// Returns the moments among marks, each with its name and its first frame, in the order of their
/// frames. Of several marks with one number, the first is the moment, and the last note counts.
#[must_use]
pub fn moments<'a>(marks: impl IntoIterator<Item = (&'a str, u64)>) -> Vec<Moment> {
    let mut all: Vec<Moment> = Vec::new();
    for (name, frame) in marks {
        let Some((number, note)) = parse(name) else {
            continue;
        };
        let note = note.to_owned();
        match all.iter_mut().find(|moment| moment.number == number) {
            Some(known) => {
                known.frame = known.frame.min(frame);
                if !note.is_empty() {
                    known.note = note;
                }
            }
            None => all.push(Moment {
                number,
                frame,
                note,
            }),
        }
    }
    sort_by(&mut all, |a, b| a.frame.cmp(&b.frame));
    all
}

/// Returns the frames in the [two seconds](BEFORE_SECS) before a frame began, and this frame. At
/// least this frame, and no frame before `first`. `duration_ms` returns the duration of a frame, if
/// it is known.
#[must_use]
pub fn frames_before(
    frame: u64,
    first: u64,
    mut duration_ms: impl FnMut(u64) -> Option<f64>,
) -> Range<u64> {
    let (mut start, mut left_ms) = (frame, BEFORE_SECS * 1e3);
    while start > first && left_ms > 0.0 {
        start -= 1;
        left_ms -= duration_ms(start).unwrap_or(0.0);
    }
    start..frame.saturating_add(1)
}

fn parse(name: &str) -> Option<(u32, &str)> {
    let rest = name.strip_prefix("moment ")?;
    let (number, note) = match rest.split_once(": ") {
        Some((number, note)) => (number, note),
        None => (rest, ""),
    };
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit()) && !number.starts_with('0');
    Some((number.parse().ok().filter(|_| is_number)?, note))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_as_it_was_written() {
        for (number, note) in [
            (1, ""),
            (2, "stutter"),
            (10, "a: b: c"),
            (u32::MAX, "für Ω"),
        ] {
            let name = name(number, note);
            let moment = &moments([(name.as_str(), 7)])[0];
            assert_eq!(moment.number, number);
            assert_eq!((moment.frame, moment.note.as_str()), (7, note));
            assert_eq!(moment.name(), name);
        }
        assert_eq!(name(1, " two\n lines\t"), "moment 1: two lines");
        assert_eq!(name(1, " \n"), "moment 1");
    }

    #[test]
    fn other_marks_are_no_moments() {
        for name in [
            "loading",
            "moment",
            "moment ",
            "moment x",
            "moment 0",
            "moment 01",
            "moment -1",
            "moment +1",
            "moment 1:",
            "moment 99999999999",
            "Moment 1",
        ] {
            assert_eq!(moments([(name, 0)]), [], "{name}");
        }
    }

    #[test]
    fn a_note_that_follows_belongs_to_the_first_mark_of_its_number() {
        let marks = [
            ("moment 2", 400),
            ("moment 1", 100),
            ("loading", 120),
            ("moment 1: first", 150),
            ("moment 1: second", 160),
        ];
        let found: Vec<_> = (moments(marks).into_iter())
            .map(|moment| (moment.number, moment.frame, moment.note))
            .collect();
        assert_eq!(
            found,
            [(1, 100, "second".to_owned()), (2, 400, String::new())]
        );
    }

    #[test]
    fn the_frames_before_a_moment_last_two_seconds() {
        let ten = |_| Some(10.0);
        assert_eq!(frames_before(1_000, 0, ten), 800..1_001);
        assert_eq!(frames_before(1_000, 950, ten), 950..1_001);
        assert_eq!(frames_before(0, 0, ten), 0..1);
        assert_eq!(frames_before(5, 5, ten), 5..6);
        // A frame that is longer than all of it counts as a whole, and an unknown one does not count.
        assert_eq!(frames_before(9, 0, |_| Some(5_000.0)), 8..10);
        assert_eq!(frames_before(9, 0, |_| None), 0..10);
    }
}
