//! The summary of a lake: tables in parts, and the list of the valid parts.
//!
//! `parts.json` is replaced as a whole, after the files that it lists are complete. A file that it
//! does not list was replaced, or is left over from a killed call; the next call removes it. So the
//! summary is valid at any moment, and contains no run twice.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::rows::{RunRow, TABLES, read_hitches, read_metrics, read_runs, write_part};
use super::table::Texts;
use crate::failure::Failure;
use crate::output::write;

/// The folder of the summary in a lake.
const SUMMARY: &str = "summary";

/// The list of parts.
const PARTS: &str = "parts.json";

/// The format of the summary.
const FORMAT: u32 = 1;

/// The extension of a damaged file.
const DAMAGED: &str = "damaged";

/// A part with fewer runs counts as small.
const SMALL: usize = 256;
/// The number of small parts at which they are merged.
const MAX_SMALL: usize = 16;

/// The summary of a lake.
pub(crate) struct Summary {
    folder: PathBuf,
    parts: Vec<LakePart>,
    /// The texts of all parts.
    texts: Texts,
}

struct LakePart {
    name: String,
    runs: Vec<RunRow>,
}

/// The document `parts.json`.
#[derive(Serialize, Deserialize)]
struct Manifest {
    format: u32,
    /// The names of the parts' files, which are the same in the folder of each table.
    parts: Vec<String>,
}

/// Keeps other processes from changing a summary until the lock is dropped.
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Locks the summary of a lake, and creates its folders.
    pub(crate) fn acquire(lake: &Path) -> Result<Self, Failure> {
        let folder = lake.join(SUMMARY);
        for table in TABLES {
            let table = folder.join(table);
            fs::create_dir_all(&table).map_err(Failure::writing(&table))?;
        }
        let path = folder.join("lock");
        let file = File::create(&path).map_err(Failure::writing(&path))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(fs::TryLockError::WouldBlock) => Err(Failure::Busy(lake.to_owned())),
            Err(fs::TryLockError::Error(source)) => Err(Failure::writing(&path)(source)),
        }
    }
}

impl Summary {
    /// Returns whether a folder is a lake with a summary.
    pub(crate) fn exists(lake: &Path) -> bool {
        lake.join(SUMMARY).join(PARTS).exists()
    }

    /// Reads the runs of a summary, without their metrics and hitches. The summary is empty if the
    /// lake has none.
    pub(crate) fn read(lake: &Path) -> Result<Self, Failure> {
        let folder = lake.join(SUMMARY);
        let mut texts = Texts::default();
        let names = read_manifest(&folder)?;
        let mut parts = Vec::with_capacity(names.len());
        for name in names {
            let runs = read_runs(&folder, &name, &mut texts)?;
            parts.push(LakePart { name, runs });
        }
        Ok(Self {
            folder,
            parts,
            texts,
        })
    }

    /// Reads the parts of a summary that can be read, and writes the summary again. Returns it, and
    /// the damaged files with the reasons. Leaves out damaged parts, and renames their files to
    /// `.damaged`. The caller holds the [`Lock`].
    pub(crate) fn repair(lake: &Path) -> Result<(Self, Vec<(PathBuf, String)>), Failure> {
        let mut damages = Vec::new();
        let folder = lake.join(SUMMARY);
        let mut names = match read_manifest(&folder) {
            Ok(names) => names,
            Err(Failure::Summary { file, why }) => {
                damages.push((file, why));
                part_names(&folder)
            }
            Err(failure) => return Err(failure),
        };
        // A part with a higher number is newer, so its runs replace those of older parts.
        names.sort();
        let mut summary = Self {
            folder,
            parts: Vec::new(),
            texts: Texts::default(),
        };
        let mut runs: HashMap<Arc<str>, RunRow> = HashMap::new();
        for name in names {
            match summary.read_part(&name) {
                Ok(rows) => runs.extend(rows.into_iter().map(|row| (Arc::clone(&row.run), row))),
                Err(Failure::Summary { file, why }) => {
                    damages.push((file, why));
                    for table in TABLES {
                        let file = summary.folder.join(table).join(&name);
                        // Some files of an incomplete part may not exist.
                        let _ = fs::rename(&file, file.with_extension(DAMAGED));
                    }
                }
                Err(failure) => return Err(failure),
            }
        }
        let mut runs: Vec<RunRow> = runs.into_values().collect();
        runs.sort_by(|a, b| a.run.cmp(&b.run));
        if damages.is_empty() && runs.is_empty() {
            return Ok((summary, damages));
        }
        summary.add(runs)?;
        Ok((summary, damages))
    }

    /// Reads the runs of a part, with their metrics and hitches.
    fn read_part(&mut self, name: &str) -> Result<Vec<RunRow>, Failure> {
        let mut runs = read_runs(&self.folder, name, &mut self.texts)?;
        read_metrics(&self.folder, name, &mut self.texts, &mut runs)?;
        read_hitches(&self.folder, name, &mut self.texts, &mut runs)?;
        Ok(runs)
    }

    /// Returns the runs, part by part.
    pub(crate) fn runs(&self) -> impl Iterator<Item = &RunRow> {
        self.parts.iter().flat_map(|part| &part.runs)
    }

    /// Reads the metrics of all runs.
    pub(crate) fn with_metrics(mut self) -> Result<Vec<RunRow>, Failure> {
        for part in &mut self.parts {
            read_metrics(&self.folder, &part.name, &mut self.texts, &mut part.runs)?;
        }
        Ok(self.parts.into_iter().flat_map(|part| part.runs).collect())
    }

    /// Reads the hitches of all runs.
    pub(crate) fn with_hitches(mut self) -> Result<Vec<RunRow>, Failure> {
        for part in &mut self.parts {
            read_hitches(&self.folder, &part.name, &mut self.texts, &mut part.runs)?;
        }
        Ok(self.parts.into_iter().flat_map(|part| part.runs).collect())
    }

    pub(crate) fn files(&self, table: &str) -> Vec<PathBuf> {
        let folder = self.folder.join(table);
        self.parts
            .iter()
            .map(|part| folder.join(&part.name))
            .collect()
    }

    /// Adds runs as a new part. They replace earlier runs of the same captures. Merges small parts
    /// if there are many. The caller holds the [`Lock`].
    pub(crate) fn add(&mut self, mut runs: Vec<RunRow>) -> Result<(), Failure> {
        let new: HashSet<Arc<str>> = runs.iter().map(|new| Arc::clone(&new.run)).collect();
        let is_replaced = |row: &RunRow| new.contains(&row.run);
        let is_small = |part: &LakePart| part.runs.len() < SMALL;
        let are_joined = self.parts.iter().filter(|part| is_small(part)).count() >= MAX_SMALL;
        let (mut kept, mut rewritten) = (Vec::new(), Vec::new());
        for part in std::mem::take(&mut self.parts) {
            if (are_joined && is_small(&part)) || part.runs.iter().any(is_replaced) {
                rewritten.push(part);
            } else {
                kept.push(part);
            }
        }
        let mut others = Vec::new();
        for part in &mut rewritten {
            read_metrics(&self.folder, &part.name, &mut self.texts, &mut part.runs)?;
            read_hitches(&self.folder, &part.name, &mut self.texts, &mut part.runs)?;
            others.extend(part.runs.drain(..).filter(|row| !is_replaced(row)));
        }
        others.append(&mut runs);
        // Higher than the number of any file, so that no file is overwritten before the list is
        // replaced.
        let number = |name: &String| name.split('.').next()?.parse::<u32>().ok();
        let last = part_names(&self.folder).iter().filter_map(number).max();
        let name = format!("{:05}.parquet", last.unwrap_or(0) + 1);
        write_part(&self.folder, &name, &others)?;
        for run in &mut others {
            run.metrics = Vec::new();
            run.hitches = Vec::new();
        }
        self.parts = kept;
        self.parts.push(LakePart { name, runs: others });
        self.write_manifest()
    }

    fn write_manifest(&self) -> Result<(), Failure> {
        let manifest = Manifest {
            format: FORMAT,
            parts: self.parts.iter().map(|part| part.name.clone()).collect(),
        };
        let path = self.folder.join(PARTS);
        let text = serde_json::to_string_pretty(&manifest).map_err(io::Error::from);
        let text = text.map_err(Failure::writing(&path))?;
        write(&path, &format!("{text}\n"))
    }

    /// Removes the files that belong to no part, except damaged ones. The caller holds the
    /// [`Lock`].
    pub(crate) fn remove_unused(&self) {
        for table in TABLES {
            let Ok(entries) = fs::read_dir(self.folder.join(table)) else {
                continue;
            };
            for entry in entries.flatten() {
                let name = entry.file_name();
                let is_used = self.parts.iter().any(|part| name == part.name.as_str());
                let is_damaged = entry.path().extension() == Some(DAMAGED.as_ref());
                if !is_used && !is_damaged {
                    // If this fails, the file only takes space.
                    let _ = fs::remove_file(entry.path());
                }
            }
        }
    }
}

/// Reads the names of the parts of a summary.
fn read_manifest(folder: &Path) -> Result<Vec<String>, Failure> {
    let path = folder.join(PARTS);
    let damaged = |why: String| Failure::Summary {
        file: path.clone(),
        why,
    };
    let text = match fs::read(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(Failure::reading(&path)(source)),
    };
    let manifest: Manifest =
        serde_json::from_slice(&text).map_err(|error| damaged(error.to_string()))?;
    match manifest.format {
        FORMAT => Ok(manifest.parts),
        format => Err(Failure::NewerSummary { file: path, format }),
    }
}

/// Returns the names of all parts that have a file in the table `runs`, listed or not.
fn part_names(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder.join("runs")) else {
        return Vec::new();
    };
    let names = entries.flatten().map(|entry| entry.file_name());
    let names = names.filter_map(|name| name.into_string().ok());
    names.filter(|name| name.ends_with(".parquet")).collect()
}
