//! Windows and macOS, by the crate sysinfo.

use std::time::Instant;

use sysinfo::{
    Components, CpuRefreshKind, MemoryRefreshKind, Networks, Pid, ProcessRefreshKind,
    ProcessesToUpdate,
};

use super::rate::Rate;

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
    has_loads: bool,
}

impl System {
    pub(super) fn new() -> Self {
        Self {
            system: sysinfo::System::new().ok(),
            networks: Networks::new_with_refreshed_list().ok(),
            components: Components::new_with_refreshed_list().ok(),
            process: Pid::from_u32(std::process::id()),
            read: Rate::default(),
            written: Rate::default(),
            received: Rate::default(),
            sent: Rate::default(),
            has_loads: false,
        }
    }

    /// Passes the values to `put`; those that take longer only if `is_slow`.
    pub(super) fn read(&mut self, now: Instant, is_slow: bool, put: &mut dyn FnMut(&str, f64)) {
        let Some(mut system) = self.system.take() else {
            return;
        };
        self.read_processor(&mut system, is_slow, put);
        self.read_process(&mut system, now, put);
        let memory = MemoryRefreshKind::nothing().with_ram().with_swap();
        system.refresh_memory_specifics(memory);
        put("machine/memory-available", system.available_memory() as f64);
        put("machine/swap", system.used_swap() as f64);
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

    fn read_processor(
        &mut self,
        system: &mut sysinfo::System,
        is_slow: bool,
        put: &mut dyn FnMut(&str, f64),
    ) {
        let kind = CpuRefreshKind::nothing().with_usage();
        let kind = if is_slow { kind.with_frequency() } else { kind };
        system.refresh_cpu_specifics(kind);
        let cores = system.cpus();
        // The first load is that since the machine started.
        if std::mem::replace(&mut self.has_loads, true) {
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

    fn read_process(
        &mut self,
        system: &mut sysinfo::System,
        now: Instant,
        put: &mut dyn FnMut(&str, f64),
    ) {
        let kind = ProcessRefreshKind::nothing()
            .without_tasks()
            .with_cpu()
            .with_disk_usage();
        let this = ProcessesToUpdate::Some(std::slice::from_ref(&self.process));
        system.refresh_processes_specifics(this, false, kind);
        let Some(process) = system.process(self.process) else {
            return;
        };
        put("process/cpu", process.cpu_usage().into());
        let disk = process.disk_usage();
        if let Some(rate) = self.read.of(now, disk.total_read_bytes as f64) {
            put("process/read-bytes", rate);
        }
        if let Some(rate) = self.written.of(now, disk.total_written_bytes as f64) {
            put("process/written-bytes", rate);
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
