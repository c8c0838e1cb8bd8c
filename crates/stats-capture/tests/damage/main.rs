//! Reading a damaged file returns an error or its undamaged values, and nothing else.
//!
//! `STATS_TEST_TIMES=20 cargo test -p stats-capture --test damage` damages more files.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::time::{Duration, Instant};

use stats_capture::{Capture, CaptureFile, CaptureOptions, ReadError, recover};
use stats_core::{DeferredSource, MarkEvent, Source, counter, gauge, histogram, timer};
use stats_testing::{Folder, Random, largest_allocation, rounds};

#[global_allocator]
static ALLOCATOR: stats_testing::Counting = stats_testing::Counting;

/// The largest single allocation that reading a small file may make.
const MAX_BYTES: usize = 16 << 20;

/// The maximum time that reading a small file may take on a busy computer.
const LONGEST: Duration = Duration::from_secs(20);

/// The content of a file: the values of each series by frame, as bits, and other facts as text.
#[derive(Debug, PartialEq)]
struct Content {
    series: HashMap<String, Vec<u64>>,
    clock: Vec<String>,
    described: Vec<String>,
    run: String,
}

/// Records a capture that uses every feature. Returns it, and its journal from shortly before the
/// end.
fn files(folder: &Folder) -> (Vec<u8>, Vec<u8>) {
    let path = folder.0.join("good.parquet");
    let mut capture = Capture::create(&path, CaptureOptions::default()).expect("it can be written");
    let (samples, gpu) = (histogram("hostile/histogram"), DeferredSource::new());
    let pass = gpu.timer("hostile/gpu");
    let mut random = Random::new(1);
    for frame in 0..1300 {
        counter("hostile/counter").add(random.below(1 << 30));
        gauge("hostile/gauge").set(random.value());
        timer("hostile/timer").record_ms(random.below(1000) as f64 / 7.0);
        samples.record(random.below(1000) as f64);
        if frame > 300 {
            counter("hostile/late").add(1);
        }
        if frame % 100 == 0 {
            capture.mark("mark", MarkEvent::Point);
        }
        gpu.deliver(gpu.issue(), &[(pass, 1.0)]);
        capture.end_frame_at(f64::from(frame) / 60.0);
    }
    let journal = folder.0.join("good.parquet.journal");
    // The last block may not have been sent yet, so wait only for earlier ones.
    while CaptureFile::open(&journal).map_or(0, |file| file.frames().end) < 600 {
        std::thread::yield_now();
    }
    let journal = std::fs::read(journal).expect("it is there");
    let path = capture.finish().expect("it can be written");
    (std::fs::read(path).expect("it is there"), journal)
}

fn damage(content: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(3) {
        let len = content.len() as u64;
        // Half of the damage is near the end, where a capture has its metadata.
        let begin = if random.below(2) == 0 {
            len.saturating_sub(6000)
        } else {
            0
        };
        let at = (begin + random.below(len - begin)) as usize;
        let extreme =
            [u64::MAX, 1 << 63, u64::MAX >> 1, 0, 1 << 31, 0xFF_FFFF][random.below(6) as usize];
        match random.below(5) {
            0 => content[at] ^= 1 << random.below(8),
            1 => content[at] = random.next() as u8,
            2 => {
                let end = (at + 1 + random.below(8) as usize).min(content.len());
                content[at..end].copy_from_slice(&extreme.to_le_bytes()[..end - at]);
            }
            3 if len > 100 => content.truncate(at.max(50)),
            _ => {
                let from = random.below(len) as usize;
                let end = (from + random.below(64) as usize).min(content.len());
                let end = end.min(from + content.len() - at);
                content.copy_within(from..end, at);
            }
        }
    }
}

/// Reads the whole content of a file; `None` if it cannot be opened. A series that cannot be read
/// is left out.
fn read(path: &Path) -> Option<Content> {
    let mut file = CaptureFile::open(path).ok()?;
    let mut series = HashMap::new();
    let described: Vec<String> = file.series().iter().map(|one| format!("{one:?}")).collect();
    let paths: Vec<String> = file.series().iter().map(|one| one.path.clone()).collect();
    for path in paths {
        let id = file.find(&path).expect("it is listed");
        let watch = file.watch(id);
        let history = file.history(&watch, usize::MAX);
        let value = |frame| history.at(frame).unwrap_or(f64::NAN).to_bits();
        let values = file.frames().map(value).collect();
        if file.read(&path).is_ok() {
            series.insert(path, values);
        } else {
            assert!(history.is_empty() && !file.errors().is_empty());
        }
        file.peek(id);
        if let Some(samples) = file.distribution(id) {
            assert!(samples.quantile(0.9).is_some());
        }
    }
    let clock = file
        .frames()
        .map(|frame| format!("{:?}", file.frame(frame)));
    Some(Content {
        series,
        clock: clock.collect(),
        described,
        run: format!("{:?} {:?}", file.run().started_at, file.run().machine),
    })
}

/// Returns the frames that were lost with a damaged batch. Fails if any other frame differs.
fn lost_frames(found: &Content, truth: &Content, round: usize) -> HashSet<usize> {
    let frames = found.clock.iter().zip(&truth.clock).enumerate();
    let different = frames.filter(|(_, (found, expected))| found != expected);
    let lost = different.map(|(frame, (found, _))| {
        assert_eq!(found, "None", "frame {frame}, round {round}");
        frame
    });
    lost.collect()
}

/// Fails if a file has any content that the undamaged one does not have.
fn check(found: &Content, truth: &Content, round: usize) {
    assert_eq!(found.run, truth.run, "round {round}");
    let frames = found.clock.len();
    assert!(frames <= truth.clock.len());
    let lost = lost_frames(found, truth, round);
    for (path, values) in &found.series {
        for (frame, value) in values.iter().enumerate() {
            let expected = match lost.contains(&frame) {
                true => f64::NAN.to_bits(),
                false => truth.series[path][frame],
            };
            assert_eq!(*value, expected, "{path}, frame {frame}, round {round}");
        }
    }
    for described in &found.described {
        assert!(
            truth.described.contains(described),
            "{described}, round {round}"
        );
    }
}

/// Fails if a value of a recovered file differs from the undamaged one. Values of damaged batches
/// may be missing.
fn check_recovered(found: &Content, truth: &Content, round: usize) {
    lost_frames(found, truth, round);
    let unknown = f64::NAN.to_bits();
    for (path, values) in &found.series {
        for (value, expected) in values.iter().zip(&truth.series[path]) {
            let is_known = [expected, &unknown].contains(&value);
            assert!(is_known, "{path}, round {round}: {value} {expected}");
        }
    }
}

#[test]
fn a_damaged_file_has_no_wrong_value_and_causes_neither_panics_nor_large_allocations() {
    let rounds = rounds(600);
    let folder = Folder::new("hostile");
    let (capture, journal) = files(&folder);
    let path = folder.0.join("bad.parquet.journal");
    let recovered = folder.0.join("bad.parquet");
    let truths = [&capture, &journal].map(|content| {
        std::fs::write(&path, content).unwrap();
        read(&path).expect("it is not damaged")
    });
    let mut random = Random::new(77);
    // For captures and for journals, the number refused, opened, opened with all series, and
    // recovered with some values missing.
    let mut outcomes = [[0_usize; 4]; 2];
    for round in 0..rounds {
        let is_journal = round % 2;
        let mut content = [&capture, &journal][is_journal].clone();
        damage(&mut content, &mut random);
        std::fs::write(&path, &content).unwrap();
        let (truth, outcomes) = (&truths[is_journal], &mut outcomes[is_journal]);
        let begun = Instant::now();
        let largest = largest_allocation(|| {
            let Some(found) = read(&path) else {
                outcomes[0] += 1;
                return;
            };
            outcomes[1] += 1;
            outcomes[2] += usize::from(found.series.len() == truth.series.len());
            check(&found, truth, round);
            if is_journal == 1 {
                let report = match recover(&path) {
                    Ok(report) => report,
                    Err(error) => {
                        let is_empty = matches!(error, ReadError::Empty { .. });
                        assert!(is_empty && found.clock.is_empty(), "{error}");
                        return;
                    }
                };
                assert_eq!(report.damaged_bytes == 0, !path.exists());
                outcomes[3] += usize::from(report.damaged_bytes > 0);
                let whole = read(&recovered).expect("it was just written");
                check_recovered(&whole, truth, round);
                std::fs::remove_file(&recovered).unwrap();
            }
        });
        assert!(largest < MAX_BYTES, "{largest} bytes in round {round}");
        assert!(begun.elapsed() < LONGEST, "round {round}");
    }
    println!(
        "captures and journals refused, opened, with all series, recovered in part: {outcomes:?}"
    );
    // A damaged capture rarely has all series: almost every byte belongs to a column or the footer.
    let [captures, journals] = outcomes;
    assert!(
        captures[..2].iter().all(|count| *count > 10),
        "{captures:?}"
    );
    assert!(
        journals[1..].iter().all(|count| *count > 10),
        "{journals:?}"
    );
}
