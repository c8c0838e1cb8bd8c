//! Small pictures of the newest frames, of which the wanted ones are read back.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use stats_core::own_memory;

/// The largest width and height of a picture, in pixels.
const MAX_PIXELS: u32 = 320;

/// The number of frames whose pictures are kept on the device.
const KEPT: usize = 4;

/// Bytes of a pixel.
const PIXEL: u32 = 4;

/// Small pictures of the newest four frames on the device, one of which can be read back.
///
/// A frame is known to be a hitch when it has ended, and then its picture is gone from the screen.
/// So draw every frame a second time, small, and read back only the one that turns out to be wanted:
///
/// ```no_run
/// # fn frame(pictures: &mut stats_gpu::FramePictures, encoder: &mut wgpu::CommandEncoder,
/// #     frame: u64, wanted: Option<u64>, draw_last_pass: impl Fn(&wgpu::TextureView)) {
/// if let Some(small) = pictures.target(frame) {
///     draw_last_pass(small); // as onto the window
/// }
/// if let Some(picture) = pictures.read_back(encoder, wanted) {
///     println!("frame {}: {} x {}", picture.frame, picture.width, picture.height);
/// }
/// // ... submit ...
/// # }
/// ```
///
/// `frame` and `wanted` are numbers of the program's choice. With `stats-overlay`, they are those of
/// its recorder: `overlay.recorder().frames().end`, after `show`, and `overlay.wanted_picture()`.
///
/// # Cost
///
/// In every frame, the pass that the program draws a second time, with at most 320 × 320 pixels. A
/// frame that is read back takes one more copy on the device, and in a later frame the copy of at
/// most 400 KiB to memory. Nothing waits for the device, and without a wanted frame nothing is
/// copied, mapped or allocated. [`device_bytes`](Self::device_bytes) returns the memory on the
/// device, about 1 MiB for a window of 16:9.
#[derive(Debug)]
pub struct FramePictures {
    device: wgpu::Device,
    width: u32,
    height: u32,
    /// Whether red and blue are exchanged.
    is_bgr: bool,
    /// The newest frames, in a ring; empty if nothing is kept.
    kept: Vec<Kept>,
    /// The index of the newest one.
    newest: usize,
    /// The buffer through which a picture comes back.
    read: Option<wgpu::Buffer>,
    /// The frame that is on its way.
    reading: Option<(u64, Arc<AtomicU8>)>,
    /// The frame that was read back last.
    last: Option<u64>,
}

/// A picture that was read back.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FramePicture {
    /// The frame that it shows.
    pub frame: u64,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// Red, green, blue and alpha of each pixel, by rows from the top. Alpha is 255.
    pub rgba: Vec<u8>,
}

/// The picture of a frame on the device.
#[derive(Debug)]
struct Kept {
    frame: Option<u64>,
    texture: wgpu::Texture,
    view: wgpu::TextureView,
}

impl FramePictures {
    /// Creates the small targets for a window of `width` × `height` pixels, whose pictures have the
    /// same shape and at most 320 pixels on a side. `format` is that of the window's surface, or of
    /// what else the last pass draws onto.
    ///
    /// Create another one after the window was resized or the device was lost. Keeps nothing if
    /// `format` has not 8 bits in each of four channels, such as a format for HDR.
    #[must_use]
    pub fn new(
        device: &wgpu::Device,
        format: wgpu::TextureFormat,
        (width, height): (u32, u32),
    ) -> Self {
        use wgpu::TextureFormat as Format;
        let _memory = own_memory("stats-gpu");
        let is_bgr = matches!(format, Format::Bgra8Unorm | Format::Bgra8UnormSrgb);
        let is_rgb = matches!(format, Format::Rgba8Unorm | Format::Rgba8UnormSrgb);
        let (width, height) = small(width.max(1), height.max(1));
        let mut pictures = Self {
            device: device.clone(),
            width,
            height,
            is_bgr,
            kept: Vec::new(),
            newest: 0,
            read: None,
            reading: None,
            last: None,
        };
        if stats_core::ENABLED && (is_bgr || is_rgb) {
            pictures.kept = (0..KEPT).map(|_| pictures.keep(format)).collect();
            // Created now: a device that has been lost since would make an invalid one, and the
            // program's own submission would fail.
            pictures.read = Some(device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("stats-gpu"),
                size: pictures.read_bytes(),
                usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
                mapped_at_creation: false,
            }));
        }
        pictures
    }

    fn keep(&self, format: wgpu::TextureFormat) -> Kept {
        let texture = self.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("stats-gpu"),
            size: self.extent(),
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        Kept {
            frame: None,
            texture,
            view,
        }
    }

    /// Returns the width and the height of a picture, in pixels.
    #[must_use]
    pub const fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Returns the bytes on the device: at most 2 MiB, and 0 if nothing is kept.
    #[must_use]
    pub fn device_bytes(&self) -> u64 {
        let texture = u64::from(self.width) * u64::from(self.height) * u64::from(PIXEL);
        let read = self.read.as_ref().map_or(0, wgpu::Buffer::size);
        self.kept.len() as u64 * texture + read
    }

    /// Returns the target for the picture of a frame, which takes the place of the oldest picture.
    /// Draw the last pass of the frame onto it, cleared or in full, before
    /// [`read_back`](Self::read_back). Returns `None` if nothing is kept.
    pub fn target(&mut self, frame: u64) -> Option<&wgpu::TextureView> {
        if self.kept.get(self.newest)?.frame != Some(frame) {
            self.newest = (self.newest + 1) % self.kept.len();
        }
        let newest = &mut self.kept[self.newest];
        newest.frame = Some(frame);
        Some(&newest.view)
    }

    /// Begins to read back the picture of the wanted frame, and returns the picture that has
    /// arrived. Call it once a frame, and submit `encoder` after everything that draws onto the
    /// [`target`](Self::target), or last in the same submission. Never waits.
    ///
    /// A picture arrives one to three frames later. Until then, a wanted frame is ignored. A frame that
    /// was read back last, or is not among the newest four targets, is always ignored. If `encoder`
    /// is never submitted, the picture does not arrive, and may be wanted again.
    pub fn read_back(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        wanted: Option<u64>,
    ) -> Option<FramePicture> {
        if wanted.is_none() && self.reading.is_none() {
            return None;
        }
        let _memory = own_memory("stats-gpu");
        let arrived = self.arrived();
        let is_new = |frame: &u64| self.reading.is_none() && self.last != Some(*frame);
        if let Some(frame) = wanted.filter(is_new) {
            self.begin(encoder, frame);
        }
        arrived
    }

    /// Returns whether a picture is on its way. A host that draws only on demand should then draw
    /// another frame.
    #[must_use]
    pub const fn is_reading(&self) -> bool {
        self.reading.is_some()
    }

    /// Records the copy of a frame's picture, if it is kept.
    fn begin(&mut self, encoder: &mut wgpu::CommandEncoder, frame: u64) {
        let kept = self.kept.iter().find(|kept| kept.frame == Some(frame));
        let (Some(kept), Some(read)) = (kept, &self.read) else {
            return;
        };
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(self.stride()),
            rows_per_image: None,
        };
        let into = wgpu::TexelCopyBufferInfo {
            buffer: read,
            layout,
        };
        encoder.copy_texture_to_buffer(kept.texture.as_image_copy(), into, self.extent());
        let answer = Arc::new(AtomicU8::new(WAITING));
        let pending = Pending(Arc::clone(&answer));
        encoder.map_buffer_on_submit(read, wgpu::MapMode::Read, .., move |result| {
            pending.answer(result.is_ok());
        });
        self.reading = Some((frame, answer));
    }

    /// Returns the picture that is on its way, if it has arrived.
    fn arrived(&mut self) -> Option<FramePicture> {
        let (frame, answer) = self.reading.as_ref()?;
        let frame = *frame;
        // Runs the callbacks of buffers that are mapped by now, without waiting. An error means a
        // lost device; the answer then is one, too.
        let _ = self.device.poll(wgpu::PollType::Poll);
        // Acquire, paired with the Release in `Pending`, although wgpu has its own locks around
        // mapped buffers.
        match answer.load(Ordering::Acquire) {
            WAITING => return None,
            MAPPED => {}
            _ => {
                self.reading = None;
                return None;
            }
        }
        self.reading = None;
        let read = self.read.as_ref()?;
        let mapped = read.get_mapped_range(..);
        let rgba = mapped.ok().map(|mapped| self.pixels(&mapped));
        // Also without the pixels: a later copy into a mapped buffer would make the program's own
        // submission fail.
        read.unmap();
        let rgba = rgba?;
        self.last = Some(frame);
        Some(FramePicture {
            frame,
            width: self.width,
            height: self.height,
            rgba,
        })
    }

    /// Returns the pixels in the rows of the buffer, which are longer than those of the picture.
    fn pixels(&self, mapped: &[u8]) -> Vec<u8> {
        let row = (self.width * PIXEL) as usize;
        let mut rgba = Vec::with_capacity(row * self.height as usize);
        for padded in mapped.chunks_exact(self.stride() as usize) {
            rgba.extend_from_slice(&padded[..row]);
        }
        let (pixels, _) = rgba.as_chunks_mut::<{ PIXEL as usize }>();
        for pixel in pixels {
            let [first, green, third, _] = *pixel;
            *pixel = if self.is_bgr {
                [third, green, first, 255]
            } else {
                [first, green, third, 255]
            };
        }
        rgba
    }

    fn extent(&self) -> wgpu::Extent3d {
        wgpu::Extent3d {
            width: self.width,
            height: self.height,
            depth_or_array_layers: 1,
        }
    }

    /// Returns the bytes of a row in the buffer.
    fn stride(&self) -> u32 {
        (self.width * PIXEL).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
    }

    fn read_bytes(&self) -> u64 {
        u64::from(self.stride()) * u64::from(self.height)
    }
}

/// Returns the size of a picture of the same shape, with at most [`MAX_PIXELS`] on a side.
fn small(width: u32, height: u32) -> (u32, u32) {
    let longer = width.max(height);
    if longer <= MAX_PIXELS {
        return (width, height);
    }
    let scaled = |side: u32| {
        let rounded =
            (u64::from(side) * u64::from(MAX_PIXELS) + u64::from(longer / 2)) / u64::from(longer);
        // At most MAX_PIXELS, because no side is longer than the longer one.
        (rounded as u32).max(1)
    };
    (scaled(width), scaled(height))
}

const WAITING: u8 = 0;
const MAPPED: u8 = 1;
/// wgpu refused to map the buffer, or the commands were never submitted.
const FAILED: u8 = 2;

/// The answer to a mapping request. Dropping it unanswered, as happens with commands that are never
/// submitted, answers with an error.
struct Pending(Arc<AtomicU8>);

impl Pending {
    fn answer(self, is_mapped: bool) {
        let answer = if is_mapped { MAPPED } else { FAILED };
        // Release, paired with the Acquire in `arrived`.
        self.0.store(answer, Ordering::Release);
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        // Does nothing if the request was answered. Relaxed: a failure publishes no data.
        let _ = self
            .0
            .compare_exchange(WAITING, FAILED, Ordering::Relaxed, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::small;

    #[test]
    fn a_picture_has_the_shape_of_its_window_and_at_most_320_pixels_on_a_side() {
        let sizes = [
            ((1280, 720), (320, 180)),
            ((1280, 800), (320, 200)),
            ((800, 1280), (200, 320)),
            ((320, 320), (320, 320)),
            ((321, 1), (320, 1)),
            ((100, 50), (100, 50)),
            ((8192, 1), (320, 1)),
            ((u32::MAX, u32::MAX), (320, 320)),
        ];
        for ((width, height), expected) in sizes {
            assert_eq!(small(width, height), expected, "{width} x {height}");
        }
    }
}
