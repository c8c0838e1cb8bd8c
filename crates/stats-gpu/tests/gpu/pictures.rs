//! Pictures of frames. The color of each picture is the number of its frame.

use std::time::Duration;

use stats_core::Recorder;
use stats_gpu::{FramePicture, FramePictures, GpuMemory};
use wgpu::TextureFormat;

use crate::host::Host;

const WINDOW: (u32, u32) = (1280, 800);

/// Returns the color of a frame: red, green, blue and alpha.
fn color(frame: u64) -> [u8; 4] {
    let [low, high, ..] = frame.to_le_bytes();
    [low, high, 77, 255]
}

/// Draws the picture of a frame, and ends the frame. Returns the commands, to be submitted.
fn draw(
    host: &Host,
    pictures: &mut FramePictures,
    frame: u64,
    wanted: Option<u64>,
) -> (wgpu::CommandBuffer, Option<FramePicture>) {
    let mut encoder = host.encoder();
    let [r, g, b, a] = color(frame).map(|channel| f64::from(channel) / 255.0);
    let view = pictures.target(frame).expect("pictures are kept");
    drop(encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a }),
                store: wgpu::StoreOp::Store,
            },
        })],
        ..Default::default()
    }));
    let arrived = pictures.read_back(&mut encoder, wanted);
    (encoder.finish(), arrived)
}

fn check(picture: &FramePicture) {
    assert_eq!((picture.width, picture.height), (320, 200));
    assert_eq!(picture.rgba.len(), 320 * 200 * 4);
    let expected = color(picture.frame);
    let (pixels, _) = picture.rgba.as_chunks::<4>();
    assert!(
        pixels.iter().all(|pixel| *pixel == expected),
        "frame {}: {:?}",
        picture.frame,
        pixels[0]
    );
}

#[test]
fn a_picture_shows_the_frame_that_it_names() {
    let Some(host) = Host::new(wgpu::Features::empty()) else {
        return;
    };
    for format in [TextureFormat::Rgba8Unorm, TextureFormat::Bgra8Unorm] {
        let mut pictures = FramePictures::new(&host.device, format, WINDOW);
        assert_eq!(pictures.size(), (320, 200));
        for frame in 10..600_u64 {
            // Frames that are up to three frames old, and one that is not kept anymore.
            let age = 4 - frame % 5;
            let wanted = (frame % 10 >= 5).then_some(frame - age);
            let (commands, arrived) = draw(&host, &mut pictures, frame, wanted);
            assert_eq!(arrived, None);
            host.queue.submit([commands]);
            assert_eq!(pictures.is_reading(), wanted.is_some() && age < 4);
            // The device has all the time that it needs, so that every picture arrives.
            host.wait();
            let mut encoder = host.encoder();
            let arrived = pictures.read_back(&mut encoder, None);
            assert_eq!(
                arrived.as_ref().map(|picture| picture.frame),
                wanted.filter(|_| age < 4)
            );
            arrived.iter().for_each(check);
            assert!(!pictures.is_reading());
        }
    }
}

#[test]
fn a_picture_that_is_drawn_over_while_it_is_on_its_way_still_shows_its_frame() {
    let Some(host) = Host::new(wgpu::Features::empty()) else {
        return;
    };
    let mut pictures = FramePictures::new(&host.device, TextureFormat::Rgba8Unorm, WINDOW);
    let mut arrived = Vec::new();
    for frame in 0..400_u64 {
        // Nothing waits, so pictures arrive while frames that were drawn since take their places.
        let wanted = frame.checked_sub(1);
        let (commands, picture) = draw(&host, &mut pictures, frame, wanted);
        host.queue.submit([commands]);
        arrived.extend(picture);
    }
    host.wait();
    arrived.extend(pictures.read_back(&mut host.encoder(), None));
    assert!(!arrived.is_empty());
    arrived.iter().for_each(check);
    assert!(arrived.is_sorted_by(|a, b| a.frame < b.frame), "each once");
}

#[test]
fn without_a_wanted_frame_nothing_is_read_back_and_no_memory_is_taken() {
    let Some(host) = Host::new(wgpu::Features::empty()) else {
        return;
    };
    let mut pictures = FramePictures::new(&host.device, TextureFormat::Rgba8Unorm, WINDOW);
    let bytes = pictures.device_bytes();
    assert_eq!(bytes, 5 * 320 * 200 * 4, "four pictures and a buffer");
    let mut memory = GpuMemory::new(&host.device).every(Duration::ZERO).by_name();
    let mut recorder = Recorder::new();
    let mut sampled = |host: &Host| {
        host.wait();
        memory.sample();
        recorder.end_frame();
        let id = stats_core::find("gpu/memory-by-name/stats-gpu")?;
        let watch = recorder.watch(id);
        recorder.end_frame();
        let values = recorder.history(&watch, 1);
        values.iter().next()
    };
    let before = sampled(&host);
    for frame in 0..300 {
        let (commands, arrived) = draw(&host, &mut pictures, frame, None);
        host.queue.submit([commands]);
        assert!(arrived.is_none() && !pictures.is_reading());
    }
    assert_eq!(sampled(&host), before);
    // Pictures that are read back take no further memory, either.
    for frame in 300..400 {
        let (commands, _) = draw(&host, &mut pictures, frame, Some(frame));
        host.queue.submit([commands]);
        assert!(pictures.is_reading());
        host.wait();
    }
    assert_eq!(sampled(&host), before);
    assert_eq!(pictures.device_bytes(), bytes);
}

#[test]
fn commands_that_are_never_submitted_lose_only_their_picture() {
    let Some(host) = Host::new(wgpu::Features::empty()) else {
        return;
    };
    let mut pictures = FramePictures::new(&host.device, TextureFormat::Rgba8Unorm, WINDOW);
    let (commands, _) = draw(&host, &mut pictures, 7, None);
    host.queue.submit([commands]);
    let mut lost = host.encoder();
    assert_eq!(pictures.read_back(&mut lost, Some(7)), None);
    drop(lost);
    let mut encoder = host.encoder();
    assert_eq!(pictures.read_back(&mut encoder, Some(7)), None);
    host.queue.submit([encoder.finish()]);
    host.wait();
    let mut encoder = host.encoder();
    // The host still wants it in the frame in which it arrives. It is not read back twice.
    let arrived = pictures.read_back(&mut encoder, Some(7));
    arrived.iter().for_each(check);
    assert_eq!(arrived.map(|picture| picture.frame), Some(7));
    assert!(!pictures.is_reading());
}

#[test]
fn a_format_without_8_bits_in_a_channel_keeps_no_pictures() {
    let Some(host) = Host::new(wgpu::Features::empty()) else {
        return;
    };
    let mut pictures = FramePictures::new(&host.device, TextureFormat::Rgba16Float, WINDOW);
    assert!(pictures.target(0).is_none());
    assert_eq!(pictures.read_back(&mut host.encoder(), Some(0)), None);
    assert_eq!((pictures.device_bytes(), pictures.is_reading()), (0, false));
}
