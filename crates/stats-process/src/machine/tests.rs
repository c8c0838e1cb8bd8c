//! A Linux machine made of files.

use std::collections::BTreeMap;
use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use stats_testing::Folder;

use super::figures::{FIGURES, figure_of};
use super::linux::System;
use super::rate::{LoadClock, Rate};

/// Writes files below a folder.
fn write(root: &std::path::Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = root.join(path);
        let folder = path.parent().expect("it is below the root");
        fs::create_dir_all(folder).expect("the folder can be created");
        fs::write(path, text).expect("the file can be written");
    }
}

fn borrowed(files: &[(String, String)]) -> Vec<(&str, &str)> {
    let files = files.iter();
    files.map(|(path, text)| (&**path, &**text)).collect()
}

/// Takes two samples, a second apart, with `changed` files in between. Returns the last values, except
/// those that come from the running process.
fn sampled(files: &[(&str, &str)], changed: &[(&str, &str)]) -> BTreeMap<String, f64> {
    sampled_beside(0, files, changed)
}

/// Works like [`sampled`] on a machine with GPUs that others read.
fn sampled_beside(
    other_gpus: usize,
    files: &[(&str, &str)],
    changed: &[(&str, &str)],
) -> BTreeMap<String, f64> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let folder = Folder::new(&format!("machine-{number}"));
    write(&folder.0, files);
    let mut system = System::below(&folder.0, other_gpus);
    let mut values = BTreeMap::new();
    let mut put = |path: &str, value: f64| {
        assert!(figure_of(path).is_some(), "{path} has no meaning");
        values.insert(path.to_owned(), value);
    };
    let now = Instant::now();
    system.read(now, true, &mut put);
    write(&folder.0, changed);
    system.read(now + Duration::from_secs(1), true, &mut put);
    values.retain(|path, _| !["process/cpu", "process/memory-peak"].contains(&path.as_str()));
    values
}

#[test]
fn a_machine_without_files_tells_nothing() {
    assert_eq!(sampled(&[], &[]), BTreeMap::new());
}

#[test]
fn a_desktop_tells_its_loads_clocks_sensors_and_gpus() {
    let files = [
        (
            "proc/self/stat",
            "7 (a) b (c) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 23 0 99",
        ),
        (
            "proc/self/io",
            "rchar: 1\nread_bytes: 4096\nwrite_bytes: 0\n",
        ),
        (
            "proc/stat",
            "cpu  10 0 10 80 0 0 0 0 9 9\ncpu0 10 0 10 20 0 0 0 0\ncpu1 0 0 0 60 0 0 0 0\nintr 5\n",
        ),
        (
            "proc/meminfo",
            "MemTotal: 9 kB\nMemAvailable:   2 kB\nSwapTotal: 10 kB\nSwapFree: 7 kB\n",
        ),
        (
            "proc/net/dev",
            "Inter-|\n face |\n    lo: 500 1 0 0 0 0 0 0 500 1\n  eth0: 100 1 0 0 0 0 0 0 10 1\n",
        ),
        ("proc/cpuinfo", "cpu MHz\t: 1.0\n"),
        (
            "sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq",
            "3000000\n",
        ),
        (
            "sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq",
            "4000000\n",
        ),
        ("sys/class/hwmon/hwmon0/name", "nvme\n"),
        ("sys/class/hwmon/hwmon0/temp1_input", "99000\n"),
        ("sys/class/hwmon/hwmon1/name", "k10temp\n"),
        ("sys/class/hwmon/hwmon1/temp1_input", "61500\n"),
        ("sys/class/hwmon/hwmon1/temp3_input", "58000\n"),
        ("sys/class/powercap/intel-rapl:0/name", "package-0\n"),
        ("sys/class/powercap/intel-rapl:0/energy_uj", "5000000\n"),
        ("sys/class/powercap/intel-rapl:0:0/name", "core\n"),
        ("sys/class/powercap/intel-rapl:0:0/energy_uj", "1\n"),
        ("sys/class/power_supply/mouse/type", "Battery\n"),
        ("sys/class/power_supply/mouse/scope", "Device\n"),
        ("sys/class/power_supply/mouse/capacity", "3\n"),
        ("sys/class/power_supply/BAT0/type", "Battery\n"),
        ("sys/class/power_supply/BAT0/capacity", "80\n"),
        ("sys/class/power_supply/BAT0/current_now", "1500000\n"),
        ("sys/class/power_supply/BAT0/voltage_now", "12000000\n"),
        ("sys/class/drm/card0/device/gpu_busy_percent", "97\n"),
        ("sys/class/drm/card0/device/mem_info_vram_used", "1024\n"),
        ("sys/class/drm/card0/device/mem_info_vram_total", "4096\n"),
        (
            "sys/class/drm/card0/device/hwmon/hwmon7/freq1_input",
            "2400000000\n",
        ),
        (
            "sys/class/drm/card0/device/hwmon/hwmon7/temp1_input",
            "70000\n",
        ),
        (
            "sys/class/drm/card0/device/hwmon/hwmon7/power1_average",
            "150000000\n",
        ),
        ("sys/class/drm/card0-HDMI-A-1/status", "connected\n"),
        ("sys/class/drm/card1/gt_act_freq_mhz", "1300\n"),
        ("sys/class/drm/card2/dev", "226:2\n"),
    ];
    let changed = [
        ("proc/self/io", "read_bytes: 6096\nwrite_bytes: 10\n"),
        (
            "proc/stat",
            "cpu  40 0 10 150 0 0 0 0 9 9\ncpu0 40 0 10 20 0 0 0 0\ncpu1 0 0 0 130 0 0 0 0\n",
        ),
        (
            "proc/net/dev",
            "Inter-|\n face |\n    lo: 900 1 0 0 0 0 0 0 900 1\n  eth0: 400 1 0 0 0 0 0 0 15 1\n",
        ),
        ("sys/class/powercap/intel-rapl:0/energy_uj", "50000000\n"),
    ];
    let expected = [
        ("machine/battery", 80.0),
        ("machine/battery-power", 18.0),
        ("machine/clock", 3500.0),
        ("machine/core-0/clock", 3000.0),
        ("machine/core-0/load", 100.0),
        ("machine/core-1/clock", 4000.0),
        ("machine/core-1/load", 0.0),
        ("machine/cpu", 30.0),
        ("machine/gpu-2/clock", 1300.0),
        ("machine/gpu/clock", 2400.0),
        ("machine/gpu/load", 97.0),
        ("machine/gpu/memory", 1024.0),
        ("machine/gpu/memory-total", 4096.0),
        ("machine/gpu/power", 150.0),
        ("machine/gpu/temperature", 70.0),
        ("machine/memory-available", 2048.0),
        ("machine/power", 45.0),
        ("machine/received-bytes", 300.0),
        ("machine/sent-bytes", 5.0),
        ("machine/swap", 3072.0),
        ("machine/swap-total", 10240.0),
        ("machine/temperature", 61.5),
        ("process/read-bytes", 2000.0),
        ("process/threads", 23.0),
        ("process/written-bytes", 10.0),
    ];
    let expected = expected.map(|(path, value)| (path.to_owned(), value));
    assert_eq!(sampled(&files, &changed), BTreeMap::from(expected));
}

#[test]
fn a_virtual_machine_tells_the_clocks_in_cpuinfo_and_broken_files_tell_nothing() {
    let cpuinfo = "cpu MHz\t\t: 2596.5\nbogomips\t: 5\ncpu MHz\t\t: 2597.5\n";
    let found = sampled(&[("proc/cpuinfo", cpuinfo)], &[]);
    assert_eq!(found["machine/clock"], 2597.0);
    assert_eq!(found["machine/core-1/clock"], 2597.5);
    let broken = [
        "proc/self/stat",
        "proc/self/io",
        "proc/stat",
        "proc/meminfo",
        "proc/cpuinfo",
        "sys/class/hwmon/hwmon1/temp1_input",
        "sys/class/power_supply/BAT0/capacity",
        "sys/class/drm/card0/device/gpu_busy_percent",
    ];
    for text in [
        "",
        "\n",
        "x",
        "cpu",
        "cpu0\ncpu MHz",
        "-",
        "MemAvailable:\n",
        "7 (a) S",
    ] {
        let files = broken.map(|path| (path, text));
        assert_eq!(sampled(&files, &files), BTreeMap::new(), "{text:?}");
    }
}

#[test]
fn a_core_that_goes_offline_or_comes_back_changes_no_other() {
    let clock = |core| format!("sys/devices/system/cpu/cpu{core}/cpufreq/scaling_cur_freq");
    let clocks = [0, 2, 3].map(|core| (clock(core), format!("{core}000000\n")));
    let mut files = borrowed(&clocks);
    files.push(("sys/devices/system/cpu/cpu1/online", "0\n"));
    files.push(("sys/devices/system/cpu/cpufreq/boost", "1\n"));
    let loads = |busy: [Option<u32>; 4], all: u32| {
        let core = |(at, busy): (usize, &Option<u32>)| {
            Some(format!("cpu{at} {} 0 0 {}\n", (*busy)?, all - (*busy)?))
        };
        let cores: String = busy.iter().enumerate().filter_map(core).collect();
        format!("cpu  0 0 0 {all}\n{cores}intr 5\n")
    };
    let before = loads([Some(0), Some(0), Some(0), None], 0);
    let after = loads([Some(10), None, Some(70), Some(90)], 100);
    files.push(("proc/stat", &before));
    let found = sampled(&files, &[("proc/stat", &after)]);
    let expected = [
        ("machine/clock", 5000.0 / 3.0),
        ("machine/core-0/clock", 0.0),
        ("machine/core-0/load", 10.0),
        ("machine/core-2/clock", 2000.0),
        ("machine/core-2/load", 70.0),
        ("machine/core-3/clock", 3000.0),
        ("machine/cpu", 0.0),
    ];
    let expected = expected.map(|(path, value)| (path.to_owned(), value));
    assert_eq!(found, BTreeMap::from(expected));
    let cpuinfo = "processor : 0\ncpu MHz : 100\n\nprocessor : 3\ncpu MHz : 400\n";
    let found = sampled(&[("proc/cpuinfo", cpuinfo)], &[]);
    assert_eq!(found["machine/core-3/clock"], 400.0);
    assert_eq!(found.len(), 3, "{found:?}");
}

#[test]
fn a_package_that_two_drivers_show_counts_once_and_each_package_counts() {
    let zone = |zone: &str, name: &str, joules: &str| {
        let file = |file| format!("sys/class/powercap/{zone}/{file}");
        [
            (file("name"), format!("{name}\n")),
            (file("energy_uj"), format!("{joules}000000\n")),
        ]
    };
    let power = |zones: &[[&str; 4]]| {
        let files = |at: usize| -> Vec<(String, String)> {
            let files = zones.iter().map(|of| zone(of[0], of[1], of[at]));
            files.flatten().collect()
        };
        let (before, after) = (files(2), files(3));
        sampled(&borrowed(&before), &borrowed(&after))
            .get("machine/power")
            .copied()
    };
    let msr = ["intel-rapl:0", "package-0", "5", "45"];
    let mmio = ["intel-rapl-mmio:0", "package-0", "7", "46"];
    let second = ["intel-rapl:1", "package-1", "1", "3"];
    let core = ["intel-rapl:0:0", "core", "1", "9"];
    assert_eq!(power(&[msr, mmio, second, core]), Some(42.0));
    // Only one of them can be read.
    assert_eq!(
        power(&[["intel-rapl:0", "package-0", "x", "x"], mmio]),
        Some(39.0)
    );
    assert_eq!(
        power(&[msr, ["intel-rapl-mmio:0", "package-0", "x", "x"]]),
        Some(40.0)
    );
    // The counter of the first one restarted.
    assert_eq!(
        power(&[["intel-rapl:0", "package-0", "9", "1"], second]),
        None
    );
    assert_eq!(power(&[core]), None);
}

#[test]
fn each_gpu_has_series_of_its_own_in_the_order_of_the_cards_after_those_that_others_read() {
    let files = [
        ("sys/class/drm/card10/device/gpu_busy_percent", "10\n"),
        ("sys/class/drm/card2/device/gpu_busy_percent", "2\n"),
        ("sys/class/drm/card1/device/vendor", "0x10de\n"),
        ("sys/class/drm/card2/device/mem_info_vram_used", "20\n"),
    ];
    let gpus = |other_gpus| {
        let found = sampled_beside(other_gpus, &files, &[]);
        found.into_iter().collect::<Vec<_>>()
    };
    let named = |values: [(&str, f64); 3]| values.map(|(path, value)| (path.to_owned(), value));
    assert_eq!(
        gpus(0),
        named([
            ("machine/gpu-2/load", 10.0),
            ("machine/gpu/load", 2.0),
            ("machine/gpu/memory", 20.0),
        ])
    );
    assert_eq!(
        gpus(2),
        named([
            ("machine/gpu-3/load", 2.0),
            ("machine/gpu-3/memory", 20.0),
            ("machine/gpu-4/load", 10.0),
        ])
    );
}

#[test]
fn the_first_load_and_one_of_a_moment_are_unknown() {
    let (mut loads, now) = (LoadClock::default(), Instant::now());
    let least = Duration::from_millis(200);
    let mut read = |ms| loads.read(now + Duration::from_millis(ms), least);
    assert_eq!(read(0), Some(false));
    assert_eq!(read(1), None);
    assert_eq!(read(199), None);
    assert_eq!(read(200), Some(true));
    assert_eq!(read(399), None);
    assert_eq!(read(450), Some(true));
}

#[test]
fn a_rate_is_known_from_the_second_total_on_and_unknown_if_it_shrinks() {
    let (mut rate, now) = (Rate::default(), Instant::now());
    let at = |secs: f64| now + Duration::from_secs_f64(secs);
    assert_eq!(rate.of(at(0.0), 10.0), None);
    assert_eq!(rate.of(at(0.5), 12.0), Some(4.0));
    assert_eq!(rate.of(at(0.5), 13.0), None, "no time passed");
    assert_eq!(rate.of(at(1.0), 1.0), None);
    assert_eq!(rate.of(at(2.0), 3.0), Some(2.0));
}

#[test]
#[cfg(feature = "enabled")]
fn the_memory_of_a_gpu_is_the_budget_of_the_memory_in_use() {
    use super::publisher::Publisher;

    let budget = |wanted: &str| {
        let mut found = None;
        stats_core::for_each_series(|series| {
            if series.path == wanted {
                found = series.budget;
            }
        });
        found
    };
    let mut publisher = Publisher::default();
    // The numbers are those of GPUs that no other test and no machine has.
    publisher.put("machine/gpu-901/memory", 1024.0);
    publisher.put("machine/gpu-901/memory-total", 4096.0);
    publisher.put("machine/gpu-902/memory", 10.0);
    publisher.put("machine/gpu-902/memory-total", 20.0);
    assert_eq!(budget("machine/gpu-901/memory"), Some(4096.0));
    assert_eq!(budget("machine/gpu-902/memory"), Some(20.0));
    assert_eq!(budget("machine/gpu-901/memory-total"), None);
    publisher.put("machine/swap", 1.0);
    publisher.put("machine/swap-total", 2.0);
    assert_eq!(budget("machine/swap"), None, "a swap may be full");
}

#[test]
fn each_path_of_a_core_and_of_a_gpu_has_a_meaning_and_no_other() {
    for path in [
        "machine/core-0/load",
        "machine/core-63/clock",
        "machine/gpu/load",
        "machine/gpu-2/power",
        "machine/gpu-2/memory-total",
    ] {
        assert!(figure_of(path).is_some(), "{path}");
    }
    for path in [
        "machine/core-/load",
        "machine/core-x/load",
        "machine/core-0",
        "machine/core-0/load/x",
        "machine/gpus/load",
        "machine",
        "process/memory-resident",
        "frame/running",
    ] {
        assert!(figure_of(path).is_none(), "{path}");
    }
    let is_core = |path: &str| path.contains('*');
    assert!(
        FIGURES
            .iter()
            .all(|figure| is_core(figure.path) == figure.missing.is_empty())
    );
}
