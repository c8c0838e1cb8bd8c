//! Runs in which all scopes are kept, recorded as fast as they are written.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use stats_capture::{Capture, CaptureFile, CaptureOptions, SpanFrames};
use stats_core::{Source, TimerHandle, timer};
use stats_testing::Folder;

use super::ALONE;

/// The scopes of a frame in the runs that keep all of them.
const SCOPES: u64 = 120;

/// A run waits for the thread of its capture after this many frames: those of a block.
const BLOCK: u64 = 128;

/// How many frames it may then be ahead: those of a block that is not full, and three whose scopes are
/// kept or not because of later frames. So at most two full blocks wait, with 30,720 scopes. A
/// collector takes 262,144. A block is sent after half a second, too, and 16 can wait, so no frame is lost
/// unless those of a block take eight seconds to record.
const AHEAD: u64 = BLOCK + 12;

/// How long a run waits for the next block. A capture whose scopes cannot be written goes on without
/// them.
const STUCK: Duration = Duration::from_secs(60);

/// What the thread of a capture has written of the scopes.
struct Written {
    part: PathBuf,
    /// The length of the blocks that were read.
    len: usize,
    /// The last frame of the newest one.
    frame: u64,
}

impl Written {
    /// Reads the blocks that were added. Each has its length in 4 bytes, a checksum in 4, and JSON that
    /// ends with the row of the last scope, which begins with its frame.
    fn read(&mut self) {
        let Ok(mut file) = File::open(&self.part) else {
            return;
        };
        let mut added = Vec::new();
        let from = SeekFrom::Start(self.len as u64);
        file.seek(from).expect("it is a file");
        file.read_to_end(&mut added).expect("it can be read");
        let mut rest = &added[..];
        while let Some((len, body)) = rest.split_first_chunk::<4>() {
            let Some(block) = body.get(4..4 + u32::from_le_bytes(*len) as usize) else {
                break;
            };
            let text = zstd::decode_all(block).expect("it is whole");
            let text = String::from_utf8(text).expect("it is JSON");
            let (_, row) = text.rsplit_once('[').expect("it has a row");
            let (frame, _) = row.split_once(',').expect("a row begins with its frame");
            self.frame = frame.parse().expect("it is a number");
            self.len += 8 + block.len();
            rest = &body[4 + block.len()..];
        }
    }
}

/// Records 120 scopes in each of 60 frames a second, as fast as the thread of the capture takes them.
/// Checks that all of them are in the capture. Returns the capture.
fn record_all_of(folder: &Folder, frames: u64) -> PathBuf {
    let mut options = CaptureOptions::default();
    options.spans = SpanFrames::All;
    let path = folder.0.join("run.parquet");
    let mut capture = Capture::create(&path, options).expect("it can be written");
    let timers: Vec<TimerHandle> = (0..SCOPES)
        .map(|at| timer(&format!("spans-long/{at}")))
        .collect();
    let mut written = Written {
        part: folder.0.join("run.spans.parquet.part"),
        len: 0,
        frame: 0,
    };
    for frame in 0..frames {
        for timer in &timers {
            drop(timer.scope());
        }
        capture.end_frame_at((frame + 1) as f64 / 60.0);
        let (mut newest, mut progress) = (written.frame, Instant::now());
        while frame.is_multiple_of(BLOCK) && frame > written.frame + AHEAD {
            assert_eq!(capture.error(), None);
            if newest != written.frame {
                (newest, progress) = (written.frame, Instant::now());
            }
            let is_stuck = progress.elapsed() > STUCK;
            assert!(!is_stuck, "{:?} does not grow", written.part);
            std::thread::sleep(Duration::from_millis(1));
            written.read();
        }
    }
    assert_eq!(capture.dropped_frames(), 0);
    let capture = capture.finish().expect("it is written");
    let mut file = CaptureFile::open(&capture).expect("it can be read");
    let count = file.scopes().expect("it has scopes");
    assert_eq!((count.scopes, count.lost), (SCOPES * frames, 0));
    assert_eq!(file.frames(), 0..frames);
    // How often each of them ended.
    let mut ended = BTreeMap::new();
    for first in (0..frames).step_by(100) {
        let some = first..frames.min(first + 100);
        let timeline = file
            .timeline(std::slice::from_ref(&some))
            .expect("it has scopes");
        for frame in some {
            let scopes = timeline.frame(frame).expect("all are kept");
            assert_eq!(scopes.lost(), 0);
            for scope in scopes.scopes().iter().filter(|scope| !scope.is_open()) {
                *ended.entry(scope.series()).or_insert(0) += 1;
            }
        }
    }
    let counts: Vec<u64> = ended.into_values().collect();
    assert_eq!(counts, vec![frames; SCOPES as usize]);
    capture
}

#[test]
fn more_scopes_than_a_collector_keeps_are_complete_if_the_thread_of_the_capture_takes_them() {
    let _alone = ALONE.lock();
    let folder = Folder::new("spans-many");
    record_all_of(&folder, 300_000 / SCOPES);
}

/// Prints the sizes of the files, and the most memory in RAM of this process: with nothing else in it,
/// that of recording and reading.
#[test]
#[ignore = "takes minutes; `scripts/test long` runs it alone"]
fn forty_five_minutes_of_19_million_scopes_are_complete() {
    let _alone = ALONE.lock();
    let folder = Folder::new("spans-long");
    let begun = Instant::now();
    let capture = record_all_of(&folder, 45 * 60 * 60);
    let mib = |path: &Path| {
        let len = std::fs::metadata(path).expect("it is there").len();
        len as f64 / f64::from(1 << 20)
    };
    let (values, scopes) = (mib(&capture), mib(&folder.0.join("run.spans.parquet")));
    let secs = begun.elapsed().as_secs();
    println!("{secs} s, values {values:.1} MiB, scopes {scopes:.1} MiB");
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let most = status.lines().find(|line| line.starts_with("VmHWM"));
    println!("{}", most.unwrap_or("the most memory is not known here"));
}
