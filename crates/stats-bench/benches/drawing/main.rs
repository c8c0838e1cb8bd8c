//! What the overlay costs a frame, UI code and tessellation together, beside egui_plot and
//! egui_extras: `cargo bench -p stats-bench --bench drawing`, with `quiet`, `pane`, `full`, `table`
//! or `tree` behind `--` for a part of it.
//!
//! No GPU takes part. All run in headless contexts of one process, of 1920 × 1080 points, in turn;
//! a figure is the median of many rounds of six frames, which is how often the overlay writes its
//! numbers anew.

#[path = "../common/counting.rs"]
mod counting;
mod full;
mod host;
mod pane;
mod quiet;
mod table;
mod tree;

#[global_allocator]
static ALLOCATOR: counting::Counting = counting::Counting;

/// Adds the rows of a part.
type Measure = fn(&mut stats_bench::Table);

fn main() {
    let mut table = stats_bench::Table::default();
    // glibc learns from the largest block that was freed how much memory to keep (mallopt(3),
    // M_MMAP_THRESHOLD). Any game has freed one of 30 MiB; without it every frame's meshes come as
    // new pages from the kernel, which is what would be measured then.
    drop(std::hint::black_box(vec![1_u8; 30 << 20]));
    let chosen: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with('-'))
        .collect();
    // The tree last: what comes after it shares the registry with 100,000 more.
    let parts: [(&str, Measure); 5] = [
        ("quiet", quiet::measure),
        ("pane", pane::measure),
        ("full", full::measure),
        ("table", table::measure),
        ("tree", tree::measure),
    ];
    for (name, measure) in parts {
        if chosen.is_empty() || chosen.iter().any(|chosen| chosen == name) {
            measure(&mut table);
        }
    }
    println!("{table}");
    println!(
        "Nanoseconds are this machine's, those of a frame, in the order in which the row names its contenders."
    );
}
