//! Linux: the files below `/proc` and `/sys`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::graphics::Graphics;
use super::rate::Rate;
use crate::system::{peak_bytes, process_ms};

/// The maximum number of cores with series of their own. A machine with more has the load of all.
const MAX_CORES: usize = 64;

/// The names of the drivers of a processor's sensors.
const SENSORS: [&str; 6] = [
    "coretemp",
    "k10temp",
    "zenpower",
    "cpu_thermal",
    "soc_thermal",
    "cpu-thermal",
];

/// Reads a Linux machine.
#[derive(Debug)]
pub(super) struct System {
    /// `/`, except in tests.
    root: PathBuf,
    process: Rate,
    read: Rate,
    written: Rate,
    received: Rate,
    sent: Rate,
    /// The busy and the total time of each core by its number, and of all cores.
    times: BTreeMap<Option<usize>, [f64; 2]>,
    paths: Paths,
    graphics: Graphics,
}

/// Paths of the machine's parts that are looked for only once.
#[derive(Debug, Default)]
struct Paths {
    /// The files of the processor's sensors.
    temperatures: Vec<PathBuf>,
    batteries: Vec<PathBuf>,
    /// The energy counters of the processor's packages.
    energy: Vec<(PathBuf, Rate)>,
    /// The numbers of the cores, with those that are offline.
    cores: Vec<usize>,
}

impl System {
    /// The first GPUs are those that others read.
    pub(super) fn new(other_gpus: usize) -> Self {
        Self::below("/", other_gpus)
    }

    /// Reads the files below another folder than `/`.
    pub(super) fn below(root: impl Into<PathBuf>, other_gpus: usize) -> Self {
        let root = root.into();
        Self {
            paths: Paths::below(&root),
            graphics: Graphics::below(&root, other_gpus),
            root,
            process: Rate::default(),
            read: Rate::default(),
            written: Rate::default(),
            received: Rate::default(),
            sent: Rate::default(),
            times: BTreeMap::new(),
        }
    }

    /// Passes the values to `put`; those that take longer only if `is_slow`.
    pub(super) fn read(&mut self, now: Instant, is_slow: bool, put: &mut dyn FnMut(&str, f64)) {
        self.read_process(now, put);
        self.read_loads(put);
        self.read_memory(put);
        self.read_networks(now, put);
        self.graphics.read(now, put);
        if is_slow {
            self.read_clocks(put);
            self.read_sensors(now, put);
        }
    }

    fn text(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.root.join(path)).ok()
    }

    fn read_process(&mut self, now: Instant, put: &mut dyn FnMut(&str, f64)) {
        let cpu = process_ms().and_then(|ms| self.process.of(now, ms));
        // Milliseconds per second are tenths of a percent.
        if let Some(cpu) = cpu {
            put("process/cpu", cpu / 10.0);
        }
        if let Some(bytes) = peak_bytes() {
            put("process/memory-peak", bytes);
        }
        let stat = self.text("proc/self/stat");
        if let Some(threads) = stat.and_then(|text| threads(&text)) {
            put("process/threads", threads);
        }
        let Some(io) = self.text("proc/self/io") else {
            return;
        };
        for (key, rate, path) in [
            ("read_bytes:", &mut self.read, "process/read-bytes"),
            ("write_bytes:", &mut self.written, "process/written-bytes"),
        ] {
            if let Some(rate) = field(&io, key).and_then(|bytes| rate.of(now, bytes)) {
                put(path, rate);
            }
        }
    }

    fn read_loads(&mut self, put: &mut dyn FnMut(&str, f64)) {
        let Some(stat) = self.text("proc/stat") else {
            return;
        };
        let times = times(&stat);
        for (core, now) in &times {
            // A core that was offline has no load yet.
            let Some(before) = self.times.get(core) else {
                continue;
            };
            let [busy, all] = [now[0] - before[0], now[1] - before[1]];
            if all > 0.0 {
                let load = (100.0 * busy / all).clamp(0.0, 100.0);
                match core {
                    None => put("machine/cpu", load),
                    Some(core) => put(&format!("machine/core-{core}/load"), load),
                }
            }
        }
        self.times = times;
    }

    fn read_memory(&self, put: &mut dyn FnMut(&str, f64)) {
        let Some(memory) = self.text("proc/meminfo") else {
            return;
        };
        let bytes = |key| Some(field(&memory, key)? * 1024.0);
        if let Some(available) = bytes("MemAvailable:") {
            put("machine/memory-available", available);
        }
        if let (Some(all), Some(free)) = (bytes("SwapTotal:"), bytes("SwapFree:")) {
            put("machine/swap", all - free);
            put("machine/swap-total", all);
        }
    }

    fn read_networks(&mut self, now: Instant, put: &mut dyn FnMut(&str, f64)) {
        let Some([received, sent]) = self.text("proc/net/dev").map(|text| traffic(&text)) else {
            return;
        };
        if let Some(rate) = self.received.of(now, received) {
            put("machine/received-bytes", rate);
        }
        if let Some(rate) = self.sent.of(now, sent) {
            put("machine/sent-bytes", rate);
        }
    }

    fn read_clocks(&self, put: &mut dyn FnMut(&str, f64)) {
        let of_core = |&core: &usize| {
            let path = format!("sys/devices/system/cpu/cpu{core}/cpufreq/scaling_cur_freq");
            Some((core, self.text(&path)?.trim().parse::<f64>().ok()? / 1000.0))
        };
        let mut clocks: Vec<(usize, f64)> = self.paths.cores.iter().filter_map(of_core).collect();
        if clocks.is_empty() {
            clocks = self
                .text("proc/cpuinfo")
                .map_or(Vec::new(), |text| megahertz(&text));
        }
        if clocks.is_empty() {
            return;
        }
        let sum: f64 = clocks.iter().map(|(_, clock)| clock).sum();
        put("machine/clock", sum / clocks.len() as f64);
        for (core, clock) in clocks {
            put(&format!("machine/core-{core}/clock"), clock);
        }
    }

    fn read_sensors(&mut self, now: Instant, put: &mut dyn FnMut(&str, f64)) {
        let temperatures = self
            .paths
            .temperatures
            .iter()
            .filter_map(|path| number(path));
        if let Some(hottest) = temperatures.reduce(f64::max) {
            put("machine/temperature", hottest / 1000.0);
        }
        let packages = self.paths.energy.iter_mut();
        // Known only if each package tells it.
        let powers: Vec<Option<f64>> = packages
            .map(|(path, rate)| number(path).and_then(|energy| rate.of(now, energy)))
            .collect();
        let microwatts: Option<f64> = powers.iter().copied().sum();
        if let Some(microwatts) = microwatts.filter(|_| !powers.is_empty()) {
            put("machine/power", microwatts / 1e6);
        }
        // Several batteries are rare, and their charges do not add up.
        if let Some(battery) = self.paths.batteries.first() {
            let of = |name: &str| number(&battery.join(name));
            if let Some(percent) = of("capacity") {
                put("machine/battery", percent);
            }
            let product = || Some(of("current_now")? * of("voltage_now")? / 1e6);
            if let Some(microwatts) = of("power_now").or_else(product) {
                put("machine/battery-power", microwatts.abs() / 1e6);
            }
        }
    }
}

impl Paths {
    fn below(root: &Path) -> Self {
        let temperatures = entries(&root.join("sys/class/hwmon"))
            .filter(|sensor| {
                let name = fs::read_to_string(sensor.join("name")).unwrap_or_default();
                SENSORS.contains(&name.trim())
            })
            .flat_map(|sensor| entries(&sensor))
            .filter(|file| {
                let name = file
                    .file_name()
                    .and_then(|name| name.to_str())
                    .unwrap_or_default();
                name.starts_with("temp") && name.ends_with("_input")
            });
        let mut temperatures: Vec<PathBuf> = temperatures.collect();
        if temperatures.is_empty() {
            let zones = entries(&root.join("sys/class/thermal"));
            let of_processor = zones.filter(|zone| {
                let kind = fs::read_to_string(zone.join("type")).unwrap_or_default();
                kind.trim() == "x86_pkg_temp" || kind.starts_with("cpu")
            });
            temperatures = of_processor.map(|zone| zone.join("temp")).collect();
        }
        let batteries = entries(&root.join("sys/class/power_supply")).filter(|supply| {
            let is = |file: &str, text: &str| {
                fs::read_to_string(supply.join(file)).is_ok_and(|found| found.trim() == text)
            };
            // The batteries of mice and game pads do not power the machine.
            is("type", "Battery") && !is("scope", "Device")
        });
        let cores = entries(&root.join("sys/devices/system/cpu"))
            .filter_map(|core| {
                core.file_name()?
                    .to_str()?
                    .strip_prefix("cpu")?
                    .parse()
                    .ok()
            })
            .filter(|core| *core < MAX_CORES);
        let mut cores: Vec<usize> = cores.collect();
        cores.sort_unstable();
        Self {
            temperatures,
            batteries: batteries.collect(),
            energy: packages(root).map(|path| (path, Rate::default())).collect(),
            cores,
        }
    }
}

/// Returns the energy counter of each of the processor's packages. Two drivers, `intel-rapl` and
/// `intel-rapl-mmio`, may show the same package. The first counter that can be read is then returned.
fn packages(root: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let mut of_name = BTreeMap::new();
    let mut zones: Vec<PathBuf> = entries(&root.join("sys/class/powercap")).collect();
    zones.sort_by_key(|zone| zone.to_string_lossy().contains("-mmio"));
    for zone in zones {
        let name = fs::read_to_string(zone.join("name")).unwrap_or_default();
        if name.starts_with("package-") {
            let energy = zone.join("energy_uj");
            let known = of_name.entry(name).or_insert_with(|| energy.clone());
            if number(known).is_none() {
                *known = energy;
            }
        }
    }
    of_name.into_values()
}

/// Returns the entries of a folder, sorted; none if it cannot be read.
pub(super) fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut entries: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    entries.sort();
    entries.into_iter()
}

/// Reads a file that contains one number.
pub(super) fn number(path: &Path) -> Option<f64> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}

/// Returns the first number of the line that begins with `key`.
fn field(text: &str, key: &str) -> Option<f64> {
    let mut lines = text.lines();
    let rest = lines.find_map(|line| line.strip_prefix(key))?;
    rest.split_whitespace().next()?.parse().ok()
}

/// Returns the number of threads in `/proc/self/stat`. The second field is the name of the program,
/// in parentheses, which may contain anything.
fn threads(stat: &str) -> Option<f64> {
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(17)?.parse().ok()
}

/// Returns the busy and the total time of all cores, and of each core that is online by its number, in
/// ticks.
fn times(stat: &str) -> BTreeMap<Option<usize>, [f64; 2]> {
    let lines = stat.lines().filter_map(|line| line.strip_prefix("cpu"));
    let times = lines.filter_map(|line| {
        let (number, fields) = line.split_once(' ')?;
        let core = match number {
            "" => None,
            number => Some(number.parse().ok().filter(|core| *core < MAX_CORES)?),
        };
        // User, nice, system, idle, iowait, irq, softirq, steal. The time of guests is in user
        // already.
        let fields = fields.split_whitespace().take(8);
        let fields = fields.map(|field| field.parse().unwrap_or(0.0));
        let (mut busy, mut all) = (0.0, 0.0);
        for (at, ticks) in fields.enumerate() {
            all += ticks;
            busy += if at == 3 || at == 4 { 0.0 } else { ticks };
        }
        Some((core, [busy, all]))
    });
    times.collect()
}

/// Returns the bytes that all interfaces received and sent, except for the loopback.
fn traffic(text: &str) -> [f64; 2] {
    let mut sums = [0.0; 2];
    for line in text.lines() {
        let Some((name, fields)) = line.split_once(':') else {
            continue;
        };
        if name.trim() != "lo" {
            let mut fields = fields
                .split_whitespace()
                .map(|field| field.parse::<f64>().unwrap_or(0.0));
            sums[0] += fields.next().unwrap_or(0.0);
            sums[1] += fields.nth(7).unwrap_or(0.0);
        }
    }
    sums
}

/// Returns the clocks in `/proc/cpuinfo`, each with the number of its core.
fn megahertz(text: &str) -> Vec<(usize, f64)> {
    let mut core = 0;
    let mut clocks = Vec::new();
    for (key, value) in text.lines().filter_map(|line| line.split_once(':')) {
        match (key.trim(), value.trim()) {
            ("processor", number) => core = number.parse().unwrap_or(core),
            ("cpu MHz", clock) => {
                clocks.extend(clock.parse().ok().map(|clock| (core, clock)));
                core += 1;
            }
            _ => {}
        }
    }
    clocks.retain(|(core, _)| *core < MAX_CORES);
    clocks
}
