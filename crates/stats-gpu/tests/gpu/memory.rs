//! The gauges of wgpu's memory.

use std::time::Duration;

use stats_gpu::GpuMemory;

use crate::host::{Histories, Host};

#[test]
fn the_gauges_follow_a_buffer_that_is_created_and_dropped() {
    let Some(host) = Host::new(wgpu::Features::empty()) else {
        return;
    };
    let mut memory = GpuMemory::new(&host.device).every(Duration::ZERO);
    if !memory.sample() {
        return println!(
            "skipped: {:?} does not report its memory",
            host.adapter.get_info().backend
        );
    }
    let mut histories = Histories::of(&["gpu/memory-allocated", "gpu/memory-reserved"]);
    let mut sample = || {
        host.wait();
        assert!(memory.sample());
        histories.recorder.end_frame();
        let last = |path| *histories.values(path).last().unwrap();
        let (allocated, reserved) = (last("gpu/memory-allocated"), last("gpu/memory-reserved"));
        assert!(allocated <= reserved);
        allocated
    };
    const SIZE: u64 = 8 << 20;
    let before = sample();
    let descriptor = wgpu::BufferDescriptor {
        label: None,
        size: SIZE,
        usage: wgpu::BufferUsages::STORAGE,
        mapped_at_creation: false,
    };
    let buffer = host.device.create_buffer(&descriptor);
    assert!(sample() >= before + SIZE as f64);
    drop(buffer);
    assert!(sample() < before + SIZE as f64);
}

#[test]
fn a_buffer_counts_toward_its_label() {
    let Some(host) = Host::new(wgpu::Features::empty()) else {
        return;
    };
    let mut memory = GpuMemory::new(&host.device).every(Duration::ZERO).by_name();
    if !memory.sample() {
        return println!("skipped: the backend does not report its memory");
    }
    const SIZE: u64 = 1 << 20;
    let buffer = |label| {
        host.device.create_buffer(&wgpu::BufferDescriptor {
            label,
            size: SIZE,
            usage: wgpu::BufferUsages::STORAGE,
            mapped_at_creation: false,
        })
    };
    let terrain = [0, 1].map(|_| buffer(Some("by-name/terrain")));
    host.wait();
    assert!(memory.sample());
    let mut recorder = stats_core::Recorder::new();
    let series = stats_core::find("gpu/memory-by-name/by-name/terrain");
    let series = series.expect("the label has memory");
    recorder.end_frame();
    assert!(
        recorder
            .peek(series)
            .is_some_and(|bytes| bytes >= 2.0 * SIZE as f64)
    );
    drop(terrain);
    host.wait();
    assert!(memory.sample());
    recorder.end_frame();
    assert_eq!(recorder.peek(series), Some(0.0));
}

#[test]
fn a_dump_has_a_line_for_each_labeled_buffer() {
    let Some(host) = Host::new(wgpu::Features::empty()) else {
        return;
    };
    let dump = stats_gpu::memory_dump(&host.device);
    let lines = || {
        let mut out = Vec::new();
        host.wait();
        let count = dump(&mut out)?;
        let text = String::from_utf8(out).expect("labels are text");
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        assert_eq!(lines.len() as u64, count);
        let ours = lines.into_iter().filter(|line| line.contains("dumped"));
        std::io::Result::Ok(ours.collect::<Vec<String>>())
    };
    match lines() {
        Err(error) if error.kind() == std::io::ErrorKind::Unsupported => {
            return println!("skipped: {error}");
        }
        before => assert_eq!(before.expect("a vector takes everything"), [""; 0]),
    }
    let buffers = [1_u64 << 20, 1 << 21].map(|size| {
        host.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("dumped/by test/heights"),
            size,
            usage: wgpu::BufferUsages::STORAGE,
            mapped_at_creation: false,
        })
    });
    let found = lines().expect("the report exists");
    assert_eq!(found.len(), 2);
    for line in found {
        let fields: Vec<&str> = line.split(',').collect();
        assert_eq!(fields[1..3], ["", "labeled"]);
        assert!(fields[3].parse::<u64>().is_ok_and(|bytes| bytes >= 1 << 20));
        assert_eq!(fields[4..], ["dumped|by test", "heights"]);
    }
    drop(buffers);
    assert_eq!(lines().expect("the report exists"), [""; 0]);
}

#[test]
fn wgpu_is_not_asked_more_often_than_once_a_second() {
    let Some(host) = Host::new(wgpu::Features::empty()) else {
        return;
    };
    let mut memory = GpuMemory::new(&host.device);
    if memory.sample() {
        assert!((0..1_000).all(|_| !memory.sample()));
    }
}
