//! The pictures of the slowest frames.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use stats_file::Target;

use crate::blocks::Picture;
use crate::paths::frame_of_picture;

/// The pictures of the slowest frames, as PNG files in a folder or in memory.
#[derive(Debug)]
pub(super) struct Pictures {
    place: KeptIn,
    max: usize,
    kept: Vec<Kept>,
}

#[derive(Debug)]
enum KeptIn {
    Folder(PathBuf),
    /// At most this many bytes.
    Memory(u64),
}

/// A picture that is kept.
#[derive(Debug)]
struct Kept {
    frame: u64,
    duration_ms: f64,
    /// The content of the file; empty if it is in the folder.
    png: Vec<u8>,
}

impl Pictures {
    /// Creates an empty set of pictures. The folder is created with the first picture.
    pub(super) fn new(folder: PathBuf, max: usize) -> Self {
        Self {
            place: KeptIn::Folder(folder),
            max,
            kept: Vec::new(),
        }
    }

    /// Creates an empty set of pictures that are kept in memory.
    pub(super) fn in_memory(max: usize, max_bytes: u64) -> Self {
        Self {
            place: KeptIn::Memory(max_bytes),
            max,
            kept: Vec::new(),
        }
    }

    /// Writes a picture if its frame is among the slowest, and removes the picture that it
    /// replaces. If that fails, prints one message and takes no more pictures; the capture
    /// continues.
    pub(super) fn take(&mut self, picture: &Picture) {
        if let Err(error) = self.try_take(picture) {
            match &self.place {
                KeptIn::Folder(folder) => report(folder, &error),
                KeptIn::Memory(_) => {
                    eprintln!("stats-capture: no more pictures are kept ({error})")
                }
            }
            self.max = 0;
        }
    }

    fn try_take(&mut self, picture: &Picture) -> io::Result<()> {
        if self.max == 0 || self.kept.iter().any(|kept| kept.frame == picture.frame) {
            return Ok(());
        }
        if self.kept.len() == self.max {
            let Some(at) = self.fastest() else {
                return Ok(());
            };
            if self.kept[at].duration_ms >= picture.duration_ms {
                return Ok(());
            }
            let replaced = self.kept.swap_remove(at);
            if let KeptIn::Folder(folder) = &self.place {
                std::fs::remove_file(file(folder, replaced.frame))?;
            }
        }
        let mut png = Vec::new();
        match &self.place {
            KeptIn::Folder(folder) => {
                std::fs::create_dir_all(folder)?;
                let mut file = Target::of(file(folder, picture.frame))?.begin()?;
                encode(picture, BufWriter::new(&mut file))?;
                file.complete()?;
            }
            KeptIn::Memory(_) => encode(picture, &mut png)?,
        }
        self.kept.push(Kept {
            frame: picture.frame,
            duration_ms: picture.duration_ms,
            png,
        });
        if let KeptIn::Memory(max_bytes) = self.place {
            while self.bytes() > max_bytes
                && let Some(at) = self.fastest()
            {
                self.kept.swap_remove(at);
            }
        }
        Ok(())
    }

    /// Returns the position of the picture of the fastest frame.
    fn fastest(&self) -> Option<usize> {
        let kept = self.kept.iter().enumerate();
        let fastest = kept.min_by(|(_, a), (_, b)| a.duration_ms.total_cmp(&b.duration_ms));
        fastest.map(|(at, _)| at)
    }

    /// Returns the number of bytes in memory.
    pub(super) fn bytes(&self) -> u64 {
        self.kept.iter().map(|kept| kept.png.len() as u64).sum()
    }

    /// Forgets the pictures in memory of the frames before `frame`.
    pub(super) fn forget_before(&mut self, frame: u64) {
        self.kept.retain(|kept| kept.frame >= frame);
    }

    /// Writes the pictures in memory into a folder. `first` is the frame that becomes frame 0. If that
    /// fails, prints one message.
    pub(super) fn write_to(&self, folder: &Path, first: u64) {
        let write = |frame: u64, kept: &Kept| {
            std::fs::create_dir_all(folder)?;
            let mut file = Target::of(file(folder, frame))?.begin()?;
            file.write_all(&kept.png)?;
            file.complete()
        };
        for kept in &self.kept {
            if let Some(frame) = kept.frame.checked_sub(first)
                && let Err(error) = write(frame, kept)
            {
                let folder = folder.display();
                eprintln!(
                    "stats-capture: not all pictures are in {folder} ({error}); make room on the disk"
                );
                return;
            }
        }
    }

    /// Removes the pictures of an older run from the folder, and the folder if none are left.
    pub(super) fn remove_others(&self) {
        let KeptIn::Folder(folder) = &self.place else {
            return;
        };
        let files = std::fs::read_dir(folder).into_iter().flatten();
        for file in files.flatten() {
            let frame = frame_of_picture(&file.path());
            let is_other = |frame| self.kept.iter().all(|kept| kept.frame != frame);
            if frame.is_some_and(is_other) {
                let _ = std::fs::remove_file(file.path());
            }
        }
        // Fails if the folder contains other files.
        let _ = std::fs::remove_dir(folder);
    }
}

fn encode(picture: &Picture, out: impl Write) -> io::Result<()> {
    let mut encoder = png::Encoder::new(out, picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    // This thread also writes the journal, which must not wait for long.
    encoder.set_compression(png::Compression::Fast);
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(&picture.rgba)?;
        writer.finish()
    });
    written.map_err(io::Error::other)
}

fn file(folder: &Path, frame: u64) -> PathBuf {
    folder.join(format!("frame-{frame}.png"))
}

fn report(folder: &Path, error: &io::Error) {
    let folder = folder.display();
    eprintln!(
        "stats-capture: no more pictures are written to {folder} ({error}); make room on the disk"
    );
}
