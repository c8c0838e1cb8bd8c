//! The summary of a lake: tables in parts, and the list of the parts that count.
//!
//! `parts.json` is replaced as a whole after the files that it names are complete. A file that it
//! does not name is left from a call that was killed, or was replaced, and is removed by the next
//! call. So a summary is complete at any moment, and no run is in it twice.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::rows::{RunRow, TABLES, read_hitches, read_metrics, read_runs, write_part};
use super::table::Texts;
use crate::failure::Failure;

/// The folder of the summary in a lake.
const SUMMARY: &str = "summary";

/// The list of parts.
const PARTS: &str = "parts.json";

/// A part with fewer runs is small.
const SMALL: usize = 256;
/// The number of small parts at which they are joined.
const MAX_SMALL: usize = 16;

/// The summary of a lake.
pub(crate) struct Summary {
    folder: PathBuf,
    parts: Vec<Part>,
    /// Equal texts of all parts share their memory.
    texts: Texts,
}

struct Part {
    name: String,
    runs: Vec<RunRow>,
}

/// The document `parts.json`.
#[derive(Serialize, Deserialize)]
struct Manifest {
    format: u32,
    /// The names of the files, the same in the folder of each table.
    parts: Vec<String>,
}

/// Keeps other processes from changing a summary, until it is dropped.
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Locks the summary of a lake, and creates its folders.
    pub(crate) fn acquire(lake: &Path) -> Result<Self, Failure> {
        let folder = lake.join(SUMMARY);
        let failed = |path: &Path, source| Failure::Output {
            name: path.display().to_string(),
            source,
        };
        for table in TABLES {
            let table = folder.join(table);
            fs::create_dir_all(&table).map_err(|source| failed(&table, source))?;
        }
        let path = folder.join("lock");
        let file = File::create(&path).map_err(|source| failed(&path, source))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(fs::TryLockError::WouldBlock) => Err(Failure::Busy {
                lake: lake.to_owned(),
            }),
            Err(fs::TryLockError::Error(source)) => Err(failed(&path, source)),
        }
    }
}

impl Summary {
    /// Returns whether a folder is a lake with a summary.
    pub(crate) fn exists(lake: &Path) -> bool {
        lake.join(SUMMARY).join(PARTS).exists()
    }

    /// Reads the runs of a summary, without their metrics and hitches. A lake without a summary has
    /// an empty one.
    pub(crate) fn read(lake: &Path) -> Result<Self, Failure> {
        let folder = lake.join(SUMMARY);
        let path = folder.join(PARTS);
        let mut texts = Texts::default();
        let names = match fs::read_to_string(&path) {
            Ok(text) => match serde_json::from_str::<Manifest>(&text) {
                Ok(manifest) if manifest.format == 1 => manifest.parts,
                Ok(manifest) => {
                    let why = format!("its format is {}; use a newer `stats`", manifest.format);
                    return Err(Failure::Summary { file: path, why });
                }
                Err(error) => {
                    let why = error.to_string();
                    return Err(Failure::Summary { file: path, why });
                }
            },
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            Err(source) => {
                return Err(Failure::Input {
                    name: path.display().to_string(),
                    source,
                });
            }
        };
        let mut parts = Vec::with_capacity(names.len());
        for name in names {
            let runs = read_runs(&folder, &name, &mut texts)?;
            parts.push(Part { name, runs });
        }
        Ok(Self {
            folder,
            parts,
            texts,
        })
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

    /// Returns the files of a table.
    pub(crate) fn files(&self, table: &str) -> Vec<PathBuf> {
        let folder = self.folder.join(table);
        self.parts
            .iter()
            .map(|part| folder.join(&part.name))
            .collect()
    }

    /// Adds runs as a new part, without the runs of the same captures that are in the summary.
    /// Joins small parts if there are many. The caller has the [`Lock`].
    pub(crate) fn add(&mut self, mut runs: Vec<RunRow>) -> Result<(), Failure> {
        let new: HashSet<Arc<str>> = runs.iter().map(|new| Arc::clone(&new.run)).collect();
        let is_replaced = |row: &RunRow| new.contains(&row.run);
        let is_small = |part: &Part| part.runs.len() < SMALL;
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
        let number = |part: &Part| part.name.split('.').next()?.parse::<u32>().ok();
        let last = kept.iter().chain(&rewritten).filter_map(number).max();
        let name = format!("{:05}.parquet", last.unwrap_or(0) + 1);
        write_part(&self.folder, &name, &others)?;
        for run in &mut others {
            run.metrics = Vec::new();
            run.hitches = Vec::new();
        }
        self.parts = kept;
        self.parts.push(Part { name, runs: others });
        self.write_manifest()
    }

    fn write_manifest(&self) -> Result<(), Failure> {
        let manifest = Manifest {
            format: 1,
            parts: self.parts.iter().map(|part| part.name.clone()).collect(),
        };
        let path = self.folder.join(PARTS);
        let part = path.with_extension("part");
        let text = serde_json::to_string_pretty(&manifest).map_err(io::Error::from);
        text.and_then(|text| fs::write(&part, text + "\n"))
            .and_then(|()| fs::rename(&part, &path))
            .map_err(|source| Failure::Output {
                name: path.display().to_string(),
                source,
            })
    }

    /// Removes the files that are in no part. The caller has the [`Lock`].
    pub(crate) fn remove_unused(&self) {
        for table in TABLES {
            let Ok(entries) = fs::read_dir(self.folder.join(table)) else {
                continue;
            };
            for entry in entries.flatten() {
                let name = entry.file_name();
                let is_used = self.parts.iter().any(|part| name == part.name.as_str());
                if !is_used {
                    // It only takes space.
                    let _ = fs::remove_file(entry.path());
                }
            }
        }
    }
}
