//! Pictures: a texture that is drawn to like a window, read back, and written as a PNG.
use std::fmt;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use stats_file::Target;

use super::gpu::Gpu;

/// A texture to draw a picture into.
pub(crate) struct Canvas {
    texture: wgpu::Texture,
    pub(crate) view: wgpu::TextureView,
    pub(crate) size: (u32, u32),
}

/// The error if a picture cannot be written. Its text names the cure.
#[derive(Debug)]
pub(crate) enum PictureError {
    /// The pixels could not be read back from the device.
    ReadBack(String),
    /// The file could not be written.
    Write(PathBuf, String),
}

impl fmt::Display for PictureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ReadBack(why) => {
                write!(
                    f,
                    "the picture could not be read back from the graphics device ({why}); try a smaller --size"
                )
            }
            Self::Write(path, why) => {
                write!(
                    f,
                    "{} could not be written ({why}); choose a file in an existing, writable folder",
                    path.display()
                )
            }
        }
    }
}

impl Canvas {
    pub(super) fn new(gpu: &Gpu, size: (u32, u32), format: wgpu::TextureFormat) -> Self {
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("canvas"),
            size: wgpu::Extent3d {
                width: size.0,
                height: size.1,
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let view = texture.create_view(&Default::default());
        Self {
            texture,
            view,
            size,
        }
    }

    /// Waits until the device has finished drawing, and writes the picture.
    pub(super) fn save(&self, gpu: &Gpu, path: &Path) -> Result<(), PictureError> {
        let pixels = self.pixels(gpu)?;
        write_png(path, self.size, &pixels).map_err(|why| PictureError::Write(path.to_owned(), why))
    }

    /// Waits until the device has finished drawing, and returns the picture: red, green, blue and
    /// opacity of each pixel, by rows from the top.
    pub(super) fn pixels(&self, gpu: &Gpu) -> Result<Vec<u8>, PictureError> {
        let mut pixels = self.read_back(gpu).map_err(PictureError::ReadBack)?;
        let swapped = self.texture.format() == wgpu::TextureFormat::Bgra8Unorm;
        for pixel in pixels.chunks_exact_mut(4) {
            if swapped {
                pixel.swap(0, 2);
            }
            pixel[3] = 255;
        }
        Ok(pixels)
    }

    fn read_back(&self, gpu: &Gpu) -> Result<Vec<u8>, String> {
        let (width, height) = self.size;
        let row = width * 4;
        let stride = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("read back"),
            size: u64::from(stride) * u64::from(height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.copy_texture_to_buffer(
            self.texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(stride),
                    rows_per_image: None,
                },
            },
            self.texture.size(),
        );
        gpu.queue.submit([encoder.finish()]);
        let slice = buffer.slice(..);
        let (sender, answer) = std::sync::mpsc::channel();
        slice.map_async(wgpu::MapMode::Read, move |result| {
            // The receiver is gone only if an error has already been returned.
            let _ = sender.send(result);
        });
        gpu.device
            .poll(wgpu::PollType::wait_indefinitely())
            .map_err(|error| error.to_string())?;
        answer
            .recv()
            .map_err(|error| error.to_string())?
            .map_err(|error| error.to_string())?;
        let mapped = slice
            .get_mapped_range()
            .map_err(|error| error.to_string())?;
        Ok(mapped
            .chunks_exact(stride as usize)
            .flat_map(|padded| &padded[..row as usize])
            .copied()
            .collect())
    }
}

fn write_png(path: &Path, (width, height): (u32, u32), pixels: &[u8]) -> Result<(), String> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    }
    let target = Target::of(path).and_then(|target| target.begin());
    let mut file = target.map_err(|error| error.to_string())?;
    let mut encoder = png::Encoder::new(BufWriter::new(&mut file), width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(|error| error.to_string())?;
    writer
        .write_image_data(pixels)
        .and_then(|()| writer.finish())
        .map_err(|error| error.to_string())?;
    file.complete().map_err(|error| error.to_string())
}
