//! The pictures of the slowest frames, made small enough for a page and for a row of a table.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::Path;

use base64::prelude::{BASE64_STANDARD, Engine};
use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ImageError};
use stats_analysis::format::value_text;
use stats_analysis::insight::Hitch;
use stats_core::Unit;

use super::markup::{Markup, element, image, joined};
use super::recording::Recording;

/// The maximum width and height on the page, in pixels.
const MAX_PIXELS: u32 = 480;

/// The maximum width and height in a row of a table, in pixels. A picture of a game takes about 5 KB.
const ROW_PIXELS: u32 = 160;

/// The maximum number of rows with a picture, those of the slowest frames, so that the page stays
/// small.
const MAX_ROWS: usize = 16;

/// The quality of the JPEG images, from 1 to 100. A picture of a game takes about 30 KB.
const QUALITY: u8 = 75;

/// Returns up to `max` pictures of a run's slowest frames, in the order of frames.
pub(crate) fn figures(run: &Recording<'_>, max: usize) -> Markup {
    let times = run.frames_ms();
    let ms_of = |frame| times.at(frame).unwrap_or(f64::NAN);
    let mut pictures = run.capture.pictures();
    pictures.retain(|(frame, _)| !ms_of(*frame).is_nan());
    pictures.sort_by(|a, b| ms_of(b.0).total_cmp(&ms_of(a.0)));
    pictures.truncate(max);
    pictures.sort();
    if pictures.is_empty() {
        return Markup::default();
    }
    let figures = pictures.iter().map(|(frame, file)| {
        let ms = value_text(ms_of(*frame), Unit::Milliseconds);
        let listed = run.listed.iter().find(|hitch| hitch.frame == *frame);
        let moved = listed.map_or(String::new(), |hitch| {
            format!(": {}", run.what_moved(hitch))
        });
        figure(file, *frame, &format!("Frame {frame}, {ms}{moved}"))
    });
    element("div", &[("class", "pictures")], joined(figures))
}

/// Returns a small picture of each [listed](Recording::listed) frame that has one, by frame.
pub(super) fn of_rows(run: &Recording<'_>) -> BTreeMap<u64, Markup> {
    let files: BTreeMap<u64, _> = run.capture.pictures().into_iter().collect();
    let with_picture =
        |hitch: &Hitch| Some((hitch.frame_ms, hitch.frame, files.get(&hitch.frame)?));
    let mut rows: Vec<_> = run.listed.iter().filter_map(with_picture).collect();
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    let drawn = rows
        .into_iter()
        .take(MAX_ROWS)
        .filter_map(|(_, frame, file)| {
            // The part with the large pictures says why one cannot be read.
            let jpeg = small_jpeg(file, ROW_PIXELS).ok()?;
            Some((frame, screen(&jpeg, frame)))
        });
    drawn.collect()
}

fn screen(jpeg: &[u8], frame: u64) -> Markup {
    let source = format!("data:image/jpeg;base64,{}", BASE64_STANDARD.encode(jpeg));
    image(&source, &format!("The screen in frame {frame}"))
}

fn figure(file: &Path, frame: u64, caption: &str) -> Markup {
    let content = match small_jpeg(file, MAX_PIXELS) {
        Ok(jpeg) => screen(&jpeg, frame),
        Err(error) => {
            let text = format!("{} cannot be read: {error}.", file.display());
            element("p", &[("class", "warning")], text)
        }
    };
    let caption = element("figcaption", &[], caption);
    element("figure", &[], joined([content, caption]))
}

/// Reads a PNG file and returns it as a JPEG image of at most this width and height.
fn small_jpeg(file: &Path, max_pixels: u32) -> Result<Vec<u8>, ImageError> {
    let picture = crate::screens::read(file, max_pixels)?;
    let mut jpeg = Cursor::new(Vec::new());
    // The screen is opaque, whatever the alpha channel says.
    DynamicImage::from(picture.into_rgb8())
        .write_with_encoder(JpegEncoder::new_with_quality(&mut jpeg, QUALITY))?;
    Ok(jpeg.into_inner())
}
