//! The memory that a live allocation takes. Each allocator runs in its own process, whose resident
//! memory is measured.
#![expect(unsafe_code, reason = "allocators are called directly")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::io;
use std::process::Command;

use stats_bench::{Bar, Table};
use stats_memory::{Overrun, Records, Stomp, Tags, TrackingAllocator};

const HELD: usize = 600_000;

/// The number of allocations of up to 100 bytes that a system with guard markers guards.
const GUARDED: usize = 200_000;

/// Sizes like those of games: mostly small, a few of several KiB.
fn size(n: usize) -> usize {
    let random = (n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    let span = [32, 64, 128, 256, 256, 1024, 64, 4096][random as usize % 8];
    1 + (random >> 3) as usize % span
}

fn resident() -> io::Result<f64> {
    let text = std::fs::read_to_string("/proc/self/statm")?;
    Ok(text
        .split(' ')
        .nth(1)
        .and_then(|pages| pages.parse::<f64>().ok())
        .unwrap_or(0.0)
        * 4096.0)
}

fn bytes_each(
    allocator: &impl GlobalAlloc,
    count: usize,
    size: fn(usize) -> usize,
) -> io::Result<f64> {
    let before = resident()?;
    for n in 0..count {
        let Ok(layout) = Layout::from_size_align(size(n), 8) else {
            continue;
        };
        // SAFETY: the size is not zero. All of it is written, so that it is resident. It is never
        // freed.
        unsafe { black_box(allocator.alloc(layout)).write_bytes(1, layout.size()) };
    }
    Ok((resident()? - before) / count as f64)
}

/// Runs in the child process, and prints its measurement.
pub(crate) fn say(mode: &str) -> io::Result<()> {
    let bytes = match mode {
        "tags" => bytes_each(&TrackingAllocator::<_, Tags>::new(System), HELD, size),
        "records" => bytes_each(&TrackingAllocator::<_, Records>::new(System), HELD, size),
        "stomp" => bytes_each(&Stomp::<Overrun>::new(), GUARDED, |n| 1 + n % 100),
        _ => bytes_each(&System, HELD, size),
    };
    println!("{}", bytes?);
    Ok(())
}

fn ask(mode: &str) -> io::Result<f64> {
    let output = Command::new(std::env::current_exe()?)
        .arg(format!("--held={mode}"))
        .output()?;
    Ok(String::from_utf8_lossy(&output.stdout)
        .trim()
        .parse()
        .unwrap_or(f64::NAN))
}

pub(crate) fn measure(table: &mut Table) -> io::Result<()> {
    let system = ask("system")?;
    let mut row = |name: &str, mode, bar| -> io::Result<()> {
        let what = format!(
            "bytes for each of 600,000 live allocations of mixed sizes, {name} − the system's allocator"
        );
        table.row(&what, &[], ask(mode)? - system, "B", Bar::AtMost(bar));
        Ok(())
    };
    row("Tags", "tags", 8.0)?;
    row("Records", "records", 24.5)?;
    table.row(
        "bytes for each of 200,000 live allocations of up to 100 bytes, Stomp",
        &[],
        ask("stomp")?,
        "B",
        Bar::AtMost(4300.0),
    );
    Ok(())
}
