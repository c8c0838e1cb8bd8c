//! Damaged files give errors, or other values, and nothing worse.

mod allocator;

use std::path::Path;

use stats_capture::{Capture, CaptureFile, CaptureOptions, recover};
use stats_core::{DeferredSource, MarkEvent, Source, counter, gauge, histogram, timer};
use stats_testing::{Folder, Random};

/// The most that reading a small file may allocate at once: a page at its largest, and some more.
const MOST_BYTES: usize = 160 << 20;

/// Records a capture with everything in it. Returns it, and its journal of a moment before.
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
    // The last block may still be with the capture, and the late series only in it.
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
        // The end of a capture is its metadata.
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

/// Reads everything that a file has. Returns whether anything could be read.
fn read(path: &Path) -> bool {
    let Ok(mut file) = CaptureFile::open(path) else {
        return false;
    };
    let paths: Vec<String> = file
        .series()
        .iter()
        .map(|series| series.path.clone())
        .collect();
    for path in paths {
        if let Some(id) = file.find(&path) {
            let watch = file.watch(id);
            assert!(file.history(&watch, 100).len() <= 100);
            file.peek(id);
            if let Some(samples) = file.distribution(id) {
                assert!(samples.quantile(0.9).is_some());
            }
        }
    }
    assert!(file.frame_times(usize::MAX).len() >= file.frame_times(5).len());
    true
}

#[test]
fn a_damaged_file_causes_neither_panics_nor_large_allocations() {
    let folder = Folder::new("hostile");
    let (capture, journal) = files(&folder);
    let path = folder.0.join("bad.parquet.journal");
    let mut random = Random::new(77);
    let mut were_read = [0, 0];
    for round in 0..600 {
        let is_journal = round % 2;
        let mut content = [&capture, &journal][is_journal].clone();
        damage(&mut content, &mut random);
        std::fs::write(&path, &content).unwrap();
        let (_, largest) = allocator::measured(|| {
            were_read[is_journal] += usize::from(read(&path));
            if is_journal == 1 && round % 16 == 1 {
                let _ = recover(&path);
                let _ = std::fs::remove_file(folder.0.join("bad.parquet"));
            }
        });
        assert!(largest < MOST_BYTES, "{largest} bytes in round {round}");
    }
    assert!(were_read.iter().all(|read| *read > 10), "{were_read:?}");
}
