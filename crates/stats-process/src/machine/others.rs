//! Windows and macOS, by the crate sysinfo.

use std::time::Instant;

use sysinfo::{
    Components, CpuRefreshKind, MINIMUM_CPU_UPDATE_INTERVAL, MemoryRefreshKind, Networks, Pid,
    ProcessRefreshKind, ProcessesToUpdate,
};

use super::rate::{LoadClock, Rate};

/// Reads a machine.
pub(super) struct System {
    system: Option<sysinfo::System>,
    networks: Option<Networks>,
    components: Option<Components>,
    process: Pid,
    read: Rate,
    written: Rate,
    received: Rate,
    sent: Rate,
    loads: LoadClock,
}

impl System {
    pub(super) fn new(_other_gpus: usize) -> Self {
        Self {
            system: sysinfo::System::new().ok(),
            networks: Networks::new_with_refreshed_list().ok(),
            components: Components::new_with_refreshed_list().ok(),
            process: Pid::from_u32(std::process::id()),
            read: Rate::default(),
            written: Rate::default(),
            received: Rate::default(),
            sent: Rate::default(),
            loads: LoadClock::default(),
        }
    }

    /// Passes the values to `put`; those that take longer only if `is_slow`.
    pub(super) fn read(&mut self, now: Instant, is_slow: bool, put: &mut dyn FnMut(&str, f64)) {
        let Some(mut system) = self.system.take() else {
            return;
        };
        let load = self.loads.read(now, MINIMUM_CPU_UPDATE_INTERVAL);
        read_processor(&mut system, load, is_slow, put);
        self.read_process(&mut system, load, now, put);
        let memory = MemoryRefreshKind::nothing().with_ram().with_swap();
        system.refresh_memory_specifics(memory);
        put("machine/memory-available", system.available_memory() as f64);
        put("machine/swap", system.used_swap() as f64);
        put("machine/swap-total", system.total_swap() as f64);
        self.system = Some(system);
        self.read_networks(now, put);
        if let Some(components) = self.components.as_mut().filter(|_| is_slow) {
            components.refresh(false);
            if let Some(celsius) = hottest(components) {
                put("machine/temperature", celsius.into());
            }
        }
    }

    fn read_networks(&mut self, now: Instant, put: &mut dyn FnMut(&str, f64)) {
        let Some(networks) = &mut self.networks else {
            return;
        };
        networks.refresh(true);
        let (mut received, mut sent) = (0, 0);
        for (name, network) in networks.iter() {
            if name != "lo0" {
                received += network.total_received();
                sent += network.total_transmitted();
            }
        }
        if let Some(rate) = self.received.of(now, received as f64) {
            put("machine/received-bytes", rate);
        }
        if let Some(rate) = self.sent.of(now, sent as f64) {
            put("machine/sent-bytes", rate);
        }
    }

    fn read_process(
        &mut self,
        system: &mut sysinfo::System,
        load: Option<bool>,
        now: Instant,
        put: &mut dyn FnMut(&str, f64),
    ) {
        let mut kind = ProcessRefreshKind::nothing()
            .without_tasks()
            .with_disk_usage();
        if load.is_some() {
            kind = kind.with_cpu();
        }
        let this = ProcessesToUpdate::Some(std::slice::from_ref(&self.process));
        system.refresh_processes_specifics(this, false, kind);
        let Some(process) = system.process(self.process) else {
            return;
        };
        if load == Some(true) {
            put("process/cpu", process.cpu_usage().into());
        }
        let disk = process.disk_usage();
        if let Some(rate) = self.read.of(now, disk.total_read_bytes as f64) {
            put("process/read-bytes", rate);
        }
        if let Some(rate) = self.written.of(now, disk.total_written_bytes as f64) {
            put("process/written-bytes", rate);
        }
    }
}

/// Reads the loads and the clocks of the cores. `load` tells whether loads are to be read, and are
/// known.
fn read_processor(
    system: &mut sysinfo::System,
    load: Option<bool>,
    is_slow: bool,
    put: &mut dyn FnMut(&str, f64),
) {
    let mut kind = CpuRefreshKind::nothing();
    if load.is_some() {
        kind = kind.with_usage();
    }
    if is_slow {
        kind = kind.with_frequency();
    }
    system.refresh_cpu_specifics(kind);
    let cores = system.cpus();
    if load == Some(true) {
        put("machine/cpu", system.global_cpu_usage().into());
        for (core, cpu) in cores.iter().take(64).enumerate() {
            put(&format!("machine/core-{core}/load"), cpu.usage().into());
        }
    }
    let clocks = cores.iter().map(|cpu| cpu.frequency() as f64);
    if is_slow && clocks.clone().all(|clock| clock > 0.0) && !cores.is_empty() {
        put(
            "machine/clock",
            clocks.clone().sum::<f64>() / cores.len() as f64,
        );
        for (core, clock) in clocks.take(64).enumerate() {
            put(&format!("machine/core-{core}/clock"), clock);
        }
    }
}

/// Returns the temperature of the hottest sensor of the processor.
fn hottest(components: &Components) -> Option<f32> {
    const WORDS: [&str; 4] = ["cpu", "package", "tdie", "computer"];
    let of_processor = components.iter().filter(|one| {
        let label = one.label().to_lowercase();
        WORDS.iter().any(|word| label.contains(word))
    });
    of_processor
        .filter_map(|one| one.temperature())
        .reduce(f32::max)
}
