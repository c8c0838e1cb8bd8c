//! Dumps of fictional programs.

use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use stats_overlay::StatsOverlay;

/// A dump that a test changes, and the number of times it was taken.
#[derive(Clone, Default)]
pub(crate) struct Program {
    pub(crate) dump: Arc<Mutex<String>>,
    pub(crate) taken: Arc<AtomicU64>,
}

impl Program {
    pub(crate) fn new(dump: &str) -> Self {
        Self {
            dump: Arc::new(Mutex::new(dump.to_owned())),
            taken: Arc::default(),
        }
    }

    /// Makes this program the source of an overlay's memory view.
    pub(crate) fn give_to(&self, overlay: &mut StatsOverlay) {
        overlay.set_memory_dump(self.writer());
    }

    fn writer(&self) -> impl Fn(&mut dyn Write) -> io::Result<u64> + Send + Sync + use<> {
        let Self { dump, taken } = self.clone();
        move |out| {
            taken.fetch_add(1, Ordering::Relaxed);
            let text = dump.lock().expect("no test panics with it").clone();
            out.write_all(text.as_bytes())?;
            Ok(text.lines().count() as u64)
        }
    }

    /// Makes this program the source of an overlay's view of the video memory.
    pub(crate) fn give_video_to(&self, overlay: &mut StatsOverlay) {
        overlay.set_video_memory_dump(self.writer());
    }

    pub(crate) fn set(&self, dump: &str) {
        dump.clone_into(&mut self.dump.lock().expect("no test panics with it"));
    }

    pub(crate) fn taken(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }
}

/// Returns a line of a dump.
pub(crate) fn line(thread: &str, group: &str, bytes: u64, scopes: &str, name: &str) -> String {
    format!("0x0000000000001000,{thread},{group},{bytes},{scopes},{name}\n")
}

/// Returns `count` equal lines.
pub(crate) fn lines(
    count: usize,
    thread: &str,
    group: &str,
    bytes: u64,
    scopes: &str,
    name: &str,
) -> String {
    line(thread, group, bytes, scopes, name).repeat(count)
}

/// Returns the dump of a game with some groups, threads and deep scopes. `leaked` enemies were
/// never freed.
pub(crate) fn game(leaked: usize) -> String {
    let mut dump = String::new();
    let mut add = |count, thread, group, bytes, scopes, name| {
        dump.push_str(&lines(count, thread, group, bytes, scopes, name))
    };
    add(
        40,
        "main",
        "rendering",
        4 << 20,
        "Level|Load|textures",
        "albedo of the castle's outer walls at the highest level of detail",
    );
    add(
        400,
        "main",
        "rendering",
        64 << 10,
        "Level|Load|meshes",
        "mesh",
    );
    add(
        3,
        "main",
        "rendering",
        16 << 20,
        "Renderer|targets",
        "depth",
    );
    add(
        1 + leaked,
        "main",
        "ai",
        24_000,
        "Frame|AI|spawn enemies",
        "enemy",
    );
    add(700, "main", "ai", 96, "Frame|AI|paths", "path node");
    add(
        120,
        "worker 1",
        "physics",
        18_000,
        "Physics|broad phase",
        "",
    );
    add(60, "worker 2", "physics", 18_000, "Physics|broad phase", "");
    add(200, "audio", "audio", 128 << 10, "Audio|streams", "ring");
    add(1, "unnamed", "ungrouped", 1 << 20, "", "");
    for depth in 1..12 {
        let scopes = (0..depth)
            .map(|at| format!("callback {at}"))
            .collect::<Vec<_>>()
            .join("|");
        dump.push_str(&lines(depth, "worker 1", "ui", 700, &scopes, "closure"));
    }
    for number in 0..80 {
        dump.push_str(&line(
            "main",
            "scripts",
            1000 + number * 37,
            "Level|Scripts",
            &format!("script {number}"),
        ));
    }
    dump
}

/// Returns the dump of the same game later: enemies have leaked, textures were freed, a cache is
/// new.
pub(crate) fn later() -> String {
    let mut dump = game(900);
    let textures = line(
        "main",
        "rendering",
        4 << 20,
        "Level|Load|textures",
        "albedo of the castle's outer walls at the highest level of detail",
    );
    dump = dump.replacen(&textures, "", 3);
    dump = dump.replace(&line("unnamed", "ungrouped", 1 << 20, "", ""), "");
    dump.push_str(&lines(30, "worker 2", "cache", 40_000, "Cache", "entry"));
    dump
}

/// Returns a dump that no real program writes: 5,000 threads, 300 groups, names of any length and
/// writing direction, and more bytes than 64 bits can count.
pub(crate) fn hostile() -> String {
    let mut dump = String::new();
    for number in 0..5000 {
        dump.push_str(&line(
            &format!("worker {number}"),
            &format!("group {}", number % 299),
            1000 + number,
            "same",
            "same",
        ));
    }
    let long = "scope of ten thousand characters ".repeat(303);
    for (group, scopes, name) in [
        ("largest group", long.as_str(), long.as_str()),
        (
            "largest group",
            "\u{202e}turned|שלום עולם|مرحبا بالعالم",
            "\u{2066}isolated",
        ),
        (
            "largest group",
            "\"two\nlines\"",
            "\"a \"\"quoted\"\", name\"",
        ),
        (
            "largest group",
            "\0\u{1b}[31m\t|é\u{301}\u{301}\u{301}|👩‍👩‍👧",
            "日本語の名前",
        ),
    ] {
        dump.push_str(&lines(2, "worker 4999", group, 1 << 63, scopes, name));
    }
    dump.push_str(&line(
        "main",
        "largest group",
        u64::MAX,
        &["deep"; 400].join("|"),
        "",
    ));
    dump
}

/// Returns the dump of a game whose allocations are scattered over pages: full ones, some with blocks of
/// which a third is gone, and some with few small blocks.
pub(crate) fn scattered() -> String {
    let (mut dump, mut random) = (String::new(), stats_testing::Random::new(9));
    let mut address = 0x7f00_0000_0000_u64;
    let mut add = |address: u64, group: &str, bytes: u64, scopes: &str, name: &str| {
        dump += &format!("0x{address:016x},main,{group},{bytes},{scopes},{name}\n");
    };
    for level in 0..40 {
        add(
            address,
            "rendering",
            300 << 10,
            "Level|Load|meshes",
            "vertices",
        );
        address += 300 << 10;
        for _ in 0..1500 {
            let bytes = 32 << random.below(4);
            if random.below(3) > 0 {
                add(address, "simulation", bytes, "sim|step", "enemies");
            }
            address += bytes + 16;
        }
        address = address.next_multiple_of(4096);
        for _ in 0..20 + level {
            add(address + 512, "ai", 48, "ai|paths", "node");
            address += 4096;
        }
    }
    dump
}
