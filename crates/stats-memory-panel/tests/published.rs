//! The gauges of a snapshot, in a process of their own: all panels of a program set the same ones.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use stats_core::Recorder;
use stats_memory_panel::{MemoryKind, MemoryPanel};

/// Returns the gauges, as the end of a path and a value.
fn gauges(recorder: &mut Recorder) -> Vec<(&'static str, f64)> {
    recorder.end_frame();
    let names = ["touched", "free", "largest-free-run", "nearly-empty"];
    let value = |name| {
        let id = stats_core::find(&format!("memory/pages/{name}"))?;
        Some((name, recorder.peek(id)?))
    };
    names.into_iter().filter_map(value).collect()
}

#[test]
fn each_snapshot_sets_the_gauges_of_its_fragmentation() {
    if !stats_core::ENABLED {
        return;
    }
    let mut recorder = Recorder::new();
    let take = |panel: &mut MemoryPanel, recorder: &mut Recorder, count| {
        // A page for each of some allocations.
        panel.set_dump(move |out| {
            (1..=count).try_for_each(|page| writeln!(out, "0x{page:x}000,t,g,64,s,n"))?;
            Ok(count)
        });
        panel.take_snapshot();
        let (touched, free) = (4096 * count, 4032 * count);
        let expected = [
            ("touched", touched as f64),
            ("free", free as f64),
            ("largest-free-run", 4032.0),
            ("nearly-empty", touched as f64),
        ];
        // Another thread takes it.
        let begun = Instant::now();
        while gauges(recorder) != expected {
            assert!(
                begun.elapsed() < Duration::from_secs(60),
                "{:?}",
                gauges(recorder)
            );
            std::thread::yield_now();
            panel.update();
        }
    };
    // A file sets none.
    let mut panel = MemoryPanel::new();
    let file = stats_memory_panel::MemorySnapshot::read(&b"0x1000,t,g,64,s,n\n"[..]);
    panel.add("a file", file.expect("a slice can be read"));
    assert_eq!(gauges(&mut recorder), []);
    take(&mut panel, &mut recorder, 2);
    // Nor does the memory of a graphics device. The second snapshot begins after the first one.
    let mut video = MemoryPanel::of(MemoryKind::Video);
    let taken = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&taken);
    video.set_dump(move |out| {
        counter.fetch_add(1, Ordering::Relaxed);
        out.write_all(b"0x1000,,g,64,,n\n").map(|()| 1)
    });
    while taken.load(Ordering::Relaxed) < 2 {
        video.take_snapshot();
        std::thread::yield_now();
        video.update();
    }
    assert_eq!(gauges(&mut recorder)[0], ("touched", 2.0 * 4096.0));
    take(&mut panel, &mut recorder, 5);
}
