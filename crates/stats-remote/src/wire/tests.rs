//! Messages arrive as they are sent, and no bytes do harm.

mod limits;
mod random;
mod scopes;

use stats_core::Unit;
use stats_testing::{Random, rounds};

use super::VERSION;
use super::bytes::{Bytes, put_number, unzigzag, zigzag};
use super::column::{self, MAX_FRAMES, nanoseconds_in, rounded};
use super::to_game::{Hello, ToGame};
use super::to_viewer::*;
use crate::token::Token;
use random::{bits, to_game, to_viewer, value, values};

#[test]
fn numbers_are_read_as_they_are_written() {
    let mut random = Random::new(1);
    for _ in 0..rounds(20_000) {
        let number = random.next() >> random.below(64);
        let mut out = Vec::new();
        put_number(&mut out, number);
        let mut bytes = Bytes::new(&out);
        assert_eq!((bytes.number(), bytes.end()), (Ok(number), Ok(())));
        assert!(Bytes::new(&out[..out.len() - 1]).number().is_err());
        assert_eq!(unzigzag(zigzag(number as i64)), number as i64);
    }
    assert!(Bytes::new(&[0xff; 11]).number().is_err());
    assert!(
        Bytes::new(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2])
            .number()
            .is_err()
    );
}

#[test]
fn a_column_has_the_same_bits_after_the_way() {
    let mut random = Random::new(2);
    for _ in 0..rounds(20_000) {
        let len = match random.below(4) {
            0 => random.index(MAX_FRAMES + 1),
            _ => random.index(8),
        };
        let (values, mut out, mut back) = (values(&mut random, len), Vec::new(), Vec::new());
        let form = column::encode(&values, &mut out);
        let mut bytes = Bytes::new(&out);
        assert_eq!(column::decode(form, len, &mut bytes, &mut back), Ok(()));
        assert_eq!((bits(&back), bytes.end()), (bits(&values), Ok(())));
        assert!(
            out.len() <= 8 * len.max(1),
            "never more than the values themselves"
        );
    }
}

#[test]
fn whole_numbers_and_nanoseconds_take_few_bytes() {
    let counts: Vec<f64> = (0..300).map(|frame| f64::from(1000 + frame % 7)).collect();
    let millis: Vec<f64> = (0..300)
        .map(|f| f64::from(16_000_000 + f * 37 % 5000) / 1e6)
        .collect();
    for (values, most) in [(counts, 1.1), (millis, 2.1), (vec![0.0; 300], 0.0)] {
        let mut out = Vec::new();
        column::encode(&values, &mut out);
        assert!(out.len() as f64 <= most * 300.0, "{} bytes", out.len());
    }
}

#[test]
fn a_rounded_time_differs_by_half_a_nanosecond_at_most_and_is_a_whole_number_of_them() {
    let mut random = Random::new(6);
    for (unit, seconds) in [
        (Unit::Seconds, 1.0),
        (Unit::Milliseconds, 1e-3),
        (Unit::Microseconds, 1e-6),
    ] {
        let steps = nanoseconds_in(unit).expect("it is a time");
        assert_eq!(steps, (1e9_f64 * seconds).round());
        for _ in 0..rounds(5_000) {
            let value = match random.below(4) {
                0 => value(&mut random),
                // Up to a day.
                _ => random.below(1 << 50) as f64 / (1_u64 << 50) as f64 * 86_400.0 / seconds,
            };
            let back = rounded(value, steps);
            if !value.is_finite() || value.abs() * steps > 1e15 {
                assert!(back.to_bits() == value.to_bits() || (back - value).abs() * steps <= 1.0);
                continue;
            }
            // The second part is the precision of a float.
            let most = 0.5 / steps + 2.0 * f64::EPSILON * value.abs();
            assert!((back - value).abs() <= most, "{value} {back}");
            assert_eq!(rounded(back, steps).to_bits(), back.to_bits());
            // Both are whole numbers: as floats, they would take eight bytes and more.
            let (next, mut out) = (rounded(back + 1.0 / steps, steps), Vec::new());
            column::encode(&[back, next], &mut out);
            assert!(out.len() <= 9, "{back}, {next}: {}", out.len());
        }
    }
    for unit in [Unit::Count, Unit::Bytes, Unit::Percent, Unit::Hertz] {
        assert_eq!(nanoseconds_in(unit), None);
    }
}

/// The frames of a block of the demo at 60 frames per second.
const BLOCK: usize = 3;

/// Reads frames of the demo: for each column its unit and its values.
fn demo() -> Vec<(Unit, Vec<f64>)> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../assets/samples/frames.csv"
    );
    let text = std::fs::read_to_string(path).expect("it is there");
    let mut lines = text.lines();
    let heads = lines.next().expect("it has a head").split(',').skip(1);
    let mut columns: Vec<_> = heads
        .map(|head| match head.rsplit_once(' ') {
            Some((_, symbol)) => Unit::from_symbol(symbol).expect("it is a unit"),
            None => Unit::Count,
        })
        .map(|unit| (unit, Vec::new()))
        .collect();
    for line in lines {
        let values = line.split(',').skip(1);
        for ((_, column), value) in columns.iter_mut().zip(values) {
            column.push(value.parse().unwrap_or(f64::NAN));
        }
    }
    columns
}

/// Returns the mean number of bytes of a value of the demo. The series are watched whose number is a
/// multiple of `every`.
fn demo_bytes(is_rounded: bool, every: u32) -> f64 {
    let demo = demo();
    let (mut bytes, mut values) = (0, 0);
    for block in 0..demo[0].1.len() / BLOCK {
        let frames = block * BLOCK..(block + 1) * BLOCK;
        let columns = demo.iter().map(|(unit, column)| {
            let column = &column[frames.clone()];
            match nanoseconds_in(*unit).filter(|_| is_rounded) {
                Some(steps) => Column::rounded(column, steps),
                None => Column::new(column),
            }
        });
        let columns: Vec<Column> = columns.collect();
        let series = (0..).zip(&columns[2..]);
        let series = series.filter(|(id, _)| id % every == 0);
        values += series.clone().count() * BLOCK;
        let clock = [&columns[0], &columns[1]];
        let first = frames.start as u64;
        let message = encode_values(block as u64, first, BLOCK, clock, series);
        assert!(ToViewer::decode(&message).is_ok());
        bytes += message.len();
    }
    bytes as f64 / values as f64
}

#[test]
fn a_value_of_the_demo_takes_less_than_a_byte_and_a_half() {
    for (is_rounded, every, most) in [
        (false, 1, 1.4),
        (true, 1, 1.35),
        (false, 7, 2.0),
        (true, 7, 2.0),
    ] {
        let bytes = demo_bytes(is_rounded, every);
        println!("{is_rounded} {every} {bytes}");
        assert!(bytes <= most, "{is_rounded}, {every}: {bytes}");
    }
}

#[test]
fn a_greeting_of_another_version_is_understood_up_to_its_token() {
    let hello = Hello::new(Token::new([5; 16]), "a viewer", true);
    let message = ToGame::Hello(hello).encode();
    let mut other = message.clone();
    // Behind the type and five letters.
    other[6] += 1;
    for len in 23..message.len() {
        let read = ToGame::decode(&other[..len]);
        let Ok(ToGame::Hello(hello)) = read else {
            panic!("{len}: {read:?}");
        };
        assert_eq!(hello.token, Token::new([5; 16]));
        assert_ne!(hello.version, VERSION);
        assert!(ToGame::decode(&message[..len]).is_err(), "{len}");
    }
}

#[test]
fn messages_are_read_as_they_are_written() {
    let mut random = Random::new(3);
    for _ in 0..rounds(3_000) {
        let message = to_game(&mut random);
        assert_eq!(ToGame::decode(&message.encode()), Ok(message));
        let (bytes, expected) = to_viewer(&mut random);
        let read = ToViewer::decode(&bytes).expect("it is a message");
        assert!(expected.is_none_or(|expected| expected == read));
        assert!(bytes.len() <= MAX_MESSAGE);
    }
}

/// Bytes that are cut, changed, extended or random are a message, or are refused: nothing panics.
/// `scripts/test --night` gives each of the two decoders a million inputs.
#[test]
fn no_bytes_make_a_decoder_panic() {
    let mut random = Random::new(4);
    for _ in 0..rounds(1_000_000) {
        let mut bytes = match random.below(3) {
            0 => (0..random.index(60)).map(|_| random.next() as u8).collect(),
            1 => to_game(&mut random).encode(),
            _ => to_viewer(&mut random).0,
        };
        for _ in 0..random.below(4) {
            let at = random.index(bytes.len());
            match random.below(4) {
                0 => bytes.truncate(at),
                1 if !bytes.is_empty() => bytes[at] = random.next() as u8,
                2 if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
                _ => bytes.insert(at, 0xff),
            }
        }
        let _ = (ToGame::decode(&bytes), ToViewer::decode(&bytes));
    }
}
