//! Logs in tests: small texts of the same form as those of other programs.

use stats_testing::{Folder, Random};

use super::log::Log;
use super::{Head, Options};

/// Reads a text as any of the formats, or returns why it is refused.
pub(super) fn read_with(text: impl AsRef<[u8]>, options: &Options) -> Result<Vec<Log>, String> {
    static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    // Relaxed: only the number must differ.
    let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let folder = Folder::new(&format!("foreign-{number}"));
    let file = folder.0.join("GAME_2024-01-31_12-34-56.csv");
    std::fs::write(&file, text).expect("a temporary file");
    let head = Head::read(&file).expect("it was just written");
    let format = head.format().ok_or("it has no known format")?;
    (format.read)(&file, options).map_err(|refusal| refusal.to_string())
}

/// Reads the only run of a text.
pub(super) fn read(text: impl AsRef<[u8]>) -> Log {
    let mut logs = read_with(text, &Options::default()).expect("it is a log");
    assert_eq!(logs.len(), 1);
    logs.remove(0)
}

/// Returns why a text is refused.
pub(super) fn refused(text: impl AsRef<[u8]>) -> String {
    read_with(text, &Options::default()).expect_err("it is refused")
}

/// Returns the values of a series; NaN is `None`.
pub(super) fn values(log: &Log, path: &str) -> Vec<Option<f64>> {
    let found = log.series.iter().find(|(record, _)| record.path == path);
    let (_, values) = found.unwrap_or_else(|| panic!("{path} is not in {:?}", paths(log)));
    values
        .iter()
        .map(|value| Some(*value).filter(|value| !value.is_nan()))
        .collect()
}

/// Returns the paths of all series.
pub(super) fn paths(log: &Log) -> Vec<&str> {
    log.series
        .iter()
        .map(|(record, _)| record.path.as_str())
        .collect()
}

/// Returns the durations in milliseconds.
pub(super) fn durations(log: &Log) -> Vec<f64> {
    log.frames.iter().map(|frame| frame.duration_ms).collect()
}

/// Returns the starts in milliseconds, rounded to nanoseconds.
pub(super) fn starts(log: &Log) -> Vec<f64> {
    let ns = log
        .frames
        .iter()
        .map(|frame| (frame.start_secs * 1e9).round());
    ns.map(|ns| ns / 1e6).collect()
}

/// Cuts a text at each byte, changes it at random, and reads it: every change is read or refused with
/// a sentence, and what is read can be written as a capture. `STATS_FUZZ_ROUNDS` sets the number of
/// random changes.
pub(super) fn fuzz(text: impl AsRef<[u8]>, seed: u64) {
    let rounds = std::env::var("STATS_FUZZ_ROUNDS").ok();
    let rounds: u64 = rounds.and_then(|rounds| rounds.parse().ok()).unwrap_or(200);
    let mut random = Random::new(seed);
    let odd: [&[u8]; 22] = [
        b"\"",
        b",",
        b";",
        b"\n",
        b"\0",
        b"NA",
        b"-1e308",
        b"9999999999999999999",
        b"{",
        b"[",
        b"\xFF\xFE",
        b"##",
        b"1e308",
        b"nan",
        b"inf",
        b"\xEF\xBB\xBF",
        b"\r",
        b"\r\n",
        b"1.234,5",
        b"0",
        b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF",
        b",,,,,,,,,,,,,,,,",
    ];
    let folder = Folder::new(&format!("foreign-fuzz-{seed}"));
    let capture = folder.0.join("run.parquet");
    let mut written = 0;
    let mut check = |bytes: &[u8]| match read_with(bytes, &Options::default()) {
        Ok(logs) => {
            for log in logs {
                let frames = log.frames.len();
                assert!(log.series.iter().all(|(_, values)| values.len() == frames));
                assert!(log.frames.iter().all(|frame| frame.duration_ms.is_finite()));
                written += 1;
                if written % WRITTEN == 1 {
                    super::log::write(&log, &capture).expect("what is read can be written");
                }
            }
        }
        Err(refusal) => assert!(!refusal.is_empty()),
    };
    let text = text.as_ref();
    (0..text.len()).for_each(|end| check(&text[..end]));
    for _ in 0..rounds {
        let mut bytes = text.to_vec();
        for _ in 0..=random.below(4) {
            let at = random.below(bytes.len() as u64 + 1) as usize;
            let end = (at + random.below(40) as usize).min(bytes.len());
            match random.below(4) {
                0 => bytes.truncate(at),
                1 => _ = bytes.splice(at..end, []),
                2 => {
                    let new = odd[random.below(odd.len() as u64) as usize];
                    bytes.splice(at..end.min(at + new.len()), new.iter().copied());
                }
                _ => {
                    let part = bytes[at..end].to_vec();
                    bytes.splice(at..at, part);
                }
            }
        }
        check(&bytes);
    }
}

/// One in this many runs that are read is written.
const WRITTEN: u32 = 20;
