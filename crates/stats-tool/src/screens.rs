//! Pictures of frames, read from the files beside a capture.

use std::path::Path;

use image::{DynamicImage, ImageError, ImageFormat, ImageReader, Limits};

/// The maximum memory for reading a picture, enough for 8192 × 4096 pixels.
const MAX_BYTES: u64 = 256 << 20;

/// Reads a PNG file, with at most this width and height in pixels.
pub(crate) fn read(file: &Path, max_pixels: u32) -> Result<DynamicImage, ImageError> {
    let mut reader = ImageReader::open(file)?;
    reader.set_format(ImageFormat::Png);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_BYTES);
    reader.limits(limits);
    let picture = reader.decode()?;
    Ok(if picture.width().max(picture.height()) > max_pixels {
        picture.thumbnail(max_pixels, max_pixels)
    } else {
        picture
    })
}
