//! The pictures of the slowest frames.

use std::io::{self, BufWriter};
use std::path::PathBuf;

use stats_file::Target;

use crate::blocks::Picture;
use crate::paths::frame_of_picture;

/// The pictures of the slowest frames, as PNG files in a folder.
#[derive(Debug)]
pub(super) struct Pictures {
    folder: PathBuf,
    max: usize,
    /// The frame and the duration of each picture that is kept.
    kept: Vec<(u64, f64)>,
}

impl Pictures {
    /// Creates an empty set of pictures. The folder is created with the first picture.
    pub(super) fn new(folder: PathBuf, max: usize) -> Self {
        Self {
            folder,
            max,
            kept: Vec::new(),
        }
    }

    /// Writes a picture if its frame is among the slowest, and removes the picture that it
    /// replaces. If that fails, prints one message and takes no more pictures; the capture
    /// continues.
    pub(super) fn take(&mut self, picture: &Picture) {
        if let Err(error) = self.try_take(picture) {
            let folder = self.folder.display();
            eprintln!(
                "stats-capture: no more pictures are written to {folder} ({error}); make room on the disk"
            );
            self.max = 0;
        }
    }

    fn try_take(&mut self, picture: &Picture) -> io::Result<()> {
        if self.max == 0 || self.kept.iter().any(|kept| kept.0 == picture.frame) {
            return Ok(());
        }
        if self.kept.len() == self.max {
            let fastest = self.kept.iter().enumerate();
            let fastest = fastest.min_by(|(_, a), (_, b)| a.1.total_cmp(&b.1));
            let Some((at, &(frame, duration_ms))) = fastest else {
                return Ok(());
            };
            if duration_ms >= picture.duration_ms {
                return Ok(());
            }
            self.kept.swap_remove(at);
            std::fs::remove_file(self.file(frame))?;
        }
        std::fs::create_dir_all(&self.folder)?;
        self.write(picture)?;
        self.kept.push((picture.frame, picture.duration_ms));
        Ok(())
    }

    fn write(&self, picture: &Picture) -> io::Result<()> {
        let mut file = Target::of(self.file(picture.frame))?.begin()?;
        let mut encoder =
            png::Encoder::new(BufWriter::new(&mut file), picture.width, picture.height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        // This thread also writes the journal, which must not wait for long.
        encoder.set_compression(png::Compression::Fast);
        encoder
            .write_header()
            .and_then(|mut writer| {
                writer.write_image_data(&picture.rgba)?;
                writer.finish()
            })
            .map_err(io::Error::other)?;
        file.complete()
    }

    /// Removes the pictures of an older run from the folder, and the folder if none are left.
    pub(super) fn remove_others(&self) {
        let files = std::fs::read_dir(&self.folder).into_iter().flatten();
        for file in files.flatten() {
            let frame = frame_of_picture(&file.path());
            let is_other = |frame| self.kept.iter().all(|kept| kept.0 != frame);
            if frame.is_some_and(is_other) {
                let _ = std::fs::remove_file(file.path());
            }
        }
        // Fails if the folder contains other files.
        let _ = std::fs::remove_dir(&self.folder);
    }

    fn file(&self, frame: u64) -> PathBuf {
        self.folder.join(format!("frame-{frame}.png"))
    }
}
