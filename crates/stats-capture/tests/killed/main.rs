//! A killed program loses at most a second of its run, and no remaining value is wrong.
//!
//! `STATS_TEST_TIMES=25 cargo test -p stats-capture --test killed -- --nocapture` kills more
//! programs.

use std::env;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use stats_capture::{Capture, CaptureFile, CaptureOptions, Ended, ReadError, recover};
use stats_core::{DeferredSource, MarkEvent, Source, counter, gauge, histogram, timer};
use stats_testing::{Folder, Random, rounds};

/// The environment variable with the path of the capture of the program to be killed.
const CAPTURE: &str = "STATS_CAPTURE_KILLED";

/// The frame in which the last series is registered.
const LATE: u64 = 200;

/// The number of frames after which a deferred value is known.
const LATENCY: u64 = 3;

/// What the program prints after each frame: its index, and the nanoseconds since the start.
type FrameEnd = [u64; 2];

fn number(frame: u64) -> u64 {
    frame * frame % 1009
}

/// The program to be killed, if the environment variable is set. It records, and prints a
/// [`FrameEnd`] after each frame.
#[test]
fn program() {
    let Some(path) = env::var_os(CAPTURE) else {
        return;
    };
    let mut capture = Capture::create(path, CaptureOptions::default()).expect("it can be written");
    let begun = Instant::now();
    let gpu = DeferredSource::new();
    let (pass, mut outstanding) = (gpu.timer("killed/gpu"), Vec::new());
    for frame in 0.. {
        counter("killed/counter").add(number(frame));
        gauge("killed/gauge").set(number(frame) as f64 / 8.0);
        timer("killed/timer").record_ms(number(frame) as f64);
        histogram("killed/histogram").record(number(frame) as f64);
        if frame >= LATE {
            counter("killed/late").add(number(frame));
        }
        if frame % 100 == 0 {
            capture.mark("hundred", MarkEvent::Point);
        }
        outstanding.push((frame, gpu.issue()));
        if outstanding.len() as u64 > LATENCY {
            let (of, stamp) = outstanding.remove(0);
            gpu.deliver(stamp, &[(pass, number(of) as f64)]);
        }
        capture.end_frame();
        let ended: FrameEnd = [frame, begun.elapsed().as_nanos() as u64];
        let bytes: Vec<u8> = ended
            .iter()
            .flat_map(|number| number.to_le_bytes())
            .collect();
        // Fails only if the parent has ended.
        if std::io::stdout().write_all(&bytes).is_err() {
            return;
        }
        let _ = std::io::stdout().flush();
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Starts the program, and kills it after some time. Returns what it printed.
fn killed_after(path: &Path, time: Duration) -> Vec<FrameEnd> {
    let mut child = Command::new(env::current_exe().expect("this is a program"))
        .args(["--exact", "program", "--nocapture", "--quiet"])
        .env(CAPTURE, path)
        .stdout(Stdio::piped())
        .spawn()
        .expect("it can be started");
    let mut out = child.stdout.take().expect("it is a pipe");
    let ended = std::thread::spawn(move || {
        let mut ended = Vec::new();
        out.read_to_end(&mut ended).map(|_| ended)
    });
    std::thread::sleep(time);
    child.kill().expect("it runs");
    child.wait().expect("it was killed");
    let ended = ended.join().expect("it does not panic");
    let ended = ended.expect("it is a pipe");
    // The test harness prints text before frame 0.
    let first = [0_u64; 1].map(u64::to_le_bytes).concat();
    let Some(at) = ended.windows(8).position(|bytes| bytes == first) else {
        return Vec::new();
    };
    let numbers = ended[at..].chunks_exact(16);
    let number = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("8 bytes"));
    numbers
        .map(|bytes| [number(&bytes[..8]), number(&bytes[8..])])
        .collect()
}

/// Checks the values of all frames of a recovered capture.
fn check_values(file: &CaptureFile) {
    assert_eq!(file.run().ended, Ended::Recovered);
    let frames = file.frames();
    assert_eq!(frames.start, 0);
    for (path, of_one) in [
        ("killed/counter", 1.0),
        ("killed/gauge", 0.125),
        ("killed/timer", 1.0),
        ("killed/histogram", 1.0),
        ("killed/gpu", 1.0),
        ("killed/late", 1.0),
    ] {
        if path == "killed/late" && frames.end <= LATE {
            continue;
        }
        let column = file.read(path).expect("the series is there");
        let first = match path {
            "killed/late" => LATE,
            // A deferred series has no value in the frame that registers it.
            "killed/gpu" => 1,
            _ => 0,
        };
        for frame in frames.clone() {
            let expected = (frame >= first).then(|| number(frame) as f64 * of_one);
            assert_eq!(
                column.slice().at(frame),
                expected,
                "{path} in frame {frame}"
            );
        }
    }
    let hundreds = file.marks().iter().map(|mark| mark.frames.start);
    let expected: Vec<u64> = frames.step_by(100).collect();
    assert_eq!(hundreds.collect::<Vec<_>>(), expected);
}

#[test]
fn a_killed_program_loses_at_most_a_second_and_no_value_is_wrong() {
    if env::var_os(CAPTURE).is_some() {
        return;
    }
    let rounds = rounds(4);
    let mut random = Random::new(2026);
    let (mut most_lost, mut frames, mut empty) = (Duration::ZERO, 0, 0);
    for round in 0..rounds {
        let folder = Folder::new(&format!("killed-{round}"));
        let path = folder.0.join("run.parquet");
        let time = Duration::from_millis(500 + random.below(3000));
        let ended = killed_after(&path, time);
        assert!(ended.iter().map(|ended| ended[0]).eq(0..ended.len() as u64));
        let kept = match recover(folder.0.join("run.parquet.journal")) {
            Ok(recovered) => {
                assert_eq!(recovered.damaged_bytes, 0);
                let file = CaptureFile::open(recovered.path).expect("it was just written");
                check_values(&file);
                file.frames().end as usize
            }
            Err(ReadError::Empty { .. } | ReadError::Open { .. }) => {
                empty += 1;
                0
            }
            Err(error) => panic!("round {round}: {error}"),
        };
        // The kill may come between the end of a frame and its output.
        let kept_ns = kept.checked_sub(1).and_then(|last| ended.get(last));
        let kept_ns = kept_ns.map_or(0, |ended| ended[1]);
        if let Some(last) = ended.last().filter(|last| last[0] >= kept as u64) {
            let lost = Duration::from_nanos(last[1] - kept_ns);
            assert!(lost <= Duration::from_secs(1), "{lost:?} in round {round}");
            most_lost = most_lost.max(lost);
        }
        frames += kept;
    }
    println!(
        "killed {rounds} times: {frames} frames recovered, at most {most_lost:?} lost, {empty} ended before the first batch"
    );
    assert!(frames > 0);
}
