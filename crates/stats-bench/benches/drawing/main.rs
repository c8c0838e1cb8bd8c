//! The CPU time of the overlay per frame, UI code and tessellation together, compared with
//! egui_plot and egui_extras. `scripts/compile-time` measures how long the overlay takes to
//! compile.
//! The timeline is compared with puffin_egui in a section of its own, because that draws with an
//! older egui.
//!
//! Everything runs in turn in headless contexts of one process, of 1920 × 1080 points, without a
//! GPU. Times are processor times of the thread. A result is the median of many rounds of six
//! frames, after which the overlay updates its numbers.
//!
//! `cargo bench -p stats-bench --bench drawing -- PART…` runs only the named parts: `quiet`,
//! `pane`, `full`, `table`, `distribution`, `tree`, `first`, `million` or `memory`. The last three
//! measure each row in a process of its own.

mod clock;
mod distribution;
mod first;
mod full;
mod host;
mod pane;
mod peer;
mod quiet;
mod table;
mod tree;

#[global_allocator]
static ALLOCATOR: stats_testing::Counting = stats_testing::Counting;

/// Adds the rows of a part.
type Measure = fn(&mut stats_bench::Table);

fn main() {
    let mut table = stats_bench::Table::default();
    // glibc keeps as much freed memory as the largest block that was freed (mallopt(3),
    // M_MMAP_THRESHOLD). Any game has freed a block of 30 MiB. Without one, every frame's meshes
    // would take new pages from the kernel, which would dominate the measurement.
    drop(std::hint::black_box(vec![1_u8; 30 << 20]));
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, row, name, series] = &arguments[..]
        && row == first::ROW
    {
        let series = series.parse().expect("a number of series");
        return first::run(name, series);
    }
    let chosen: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with('-'))
        .collect();
    // The trees are last, because they register many counters.
    let parts: [(&str, Measure); 9] = [
        ("quiet", quiet::measure),
        ("pane", pane::measure),
        ("full", full::measure),
        ("table", table::measure),
        ("distribution", distribution::measure),
        ("tree", tree::measure),
        ("first", first::measure_frames),
        ("million", first::measure_million),
        ("memory", first::measure_memory),
    ];
    for (name, measure) in parts {
        if chosen.is_empty() || chosen.iter().any(|chosen| chosen == name) {
            measure(&mut table);
        }
    }
    println!("{table}");
    println!("Times are those of one frame, in the order in which the row names its contenders.");
}
