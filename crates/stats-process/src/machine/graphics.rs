//! The GPUs that Linux shows below `/sys/class/drm`: those of AMD and Intel.

use std::path::{Path, PathBuf};
use std::time::Instant;

use super::figures::gpu_path;
use super::linux::{entries, number};
use super::rate::Rate;

/// All GPUs with a known driver, in the order of their numbers.
#[derive(Debug)]
pub(super) struct Graphics {
    all: Vec<Card>,
    /// The number of GPUs that others read.
    before: usize,
}

/// The files of a GPU, as far as there are any.
#[derive(Debug, Default)]
struct Card {
    load: Option<PathBuf>,
    memory: Option<PathBuf>,
    memory_total: Option<PathBuf>,
    /// The file, and the factor that turns its number into megahertz.
    clock: Option<(PathBuf, f64)>,
    temperature: Option<PathBuf>,
    power: Option<PathBuf>,
    energy: Option<PathBuf>,
    energy_rate: Rate,
}

impl Graphics {
    pub(super) fn below(root: &Path, before: usize) -> Self {
        let cards = entries(&root.join("sys/class/drm")).filter_map(|card| {
            let number = card.file_name()?.to_str()?.strip_prefix("card")?;
            // card0-HDMI-A-1 is a connector.
            Some((number.parse::<u16>().ok()?, card))
        });
        let mut cards: Vec<(u16, PathBuf)> = cards.collect();
        cards.sort();
        Self {
            all: cards
                .iter()
                .map(|(_, card)| Card::of(card))
                .filter(Card::tells_anything)
                .collect(),
            before,
        }
    }

    pub(super) fn read(&mut self, now: Instant, put: &mut dyn FnMut(&str, f64)) {
        for (at, card) in self.all.iter_mut().enumerate() {
            let at = self.before + at;
            card.read(now, &mut |name, value| put(&gpu_path(at, name), value));
        }
    }
}

impl Card {
    fn of(card: &Path) -> Self {
        let device = card.join("device");
        let sensors = entries(&device.join("hwmon")).next();
        let sensor = |name: &str| existing(sensors.as_ref()?.join(name));
        let megahertz = |path: PathBuf| Some((existing(path)?, 1.0));
        Self {
            load: existing(device.join("gpu_busy_percent")),
            memory: existing(device.join("mem_info_vram_used")),
            memory_total: existing(device.join("mem_info_vram_total")),
            // AMD's, and Intel's by its older and its newer driver.
            clock: (sensor("freq1_input").map(|path| (path, 1e-6)))
                .or_else(|| megahertz(card.join("gt_act_freq_mhz")))
                .or_else(|| megahertz(device.join("tile0/gt0/freq0/act_freq"))),
            temperature: sensor("temp1_input"),
            power: sensor("power1_average").or_else(|| sensor("power1_input")),
            energy: sensor("energy1_input"),
            energy_rate: Rate::default(),
        }
    }

    fn tells_anything(&self) -> bool {
        let paths = [
            &self.load,
            &self.memory,
            &self.temperature,
            &self.power,
            &self.energy,
        ];
        self.clock.is_some() || paths.iter().any(|path| path.is_some())
    }

    fn read(&mut self, now: Instant, put: &mut dyn FnMut(&str, f64)) {
        let value = |path: &Option<PathBuf>| path.as_ref().and_then(|path| number(path));
        if let Some(percent) = value(&self.load) {
            put("load", percent);
        }
        if let Some(bytes) = value(&self.memory) {
            put("memory", bytes);
        }
        if let Some(bytes) = value(&self.memory_total) {
            put("memory-total", bytes);
        }
        if let Some((path, factor)) = &self.clock
            && let Some(clock) = number(path)
        {
            put("clock", clock * factor);
        }
        if let Some(millidegrees) = value(&self.temperature) {
            put("temperature", millidegrees / 1000.0);
        }
        let energy = value(&self.energy);
        let rate = energy.and_then(|energy| self.energy_rate.of(now, energy));
        if let Some(microwatts) = value(&self.power).or(rate) {
            put("power", microwatts / 1e6);
        }
    }
}

fn existing(path: PathBuf) -> Option<PathBuf> {
    path.exists().then_some(path)
}
