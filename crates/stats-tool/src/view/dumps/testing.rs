//! Temporary files for tests.

use std::fs;
use std::path::PathBuf;

/// One line of a dump: an allocation of 64 bytes.
pub(super) const LINE: &str = "0x0000000000001000,main,rendering,64,Level|Load,mesh\n";

/// A temporary file for a test, removed on drop.
pub(super) struct Dump(pub(super) PathBuf);

impl Dump {
    pub(super) fn new(name: &str, text: &[u8]) -> Self {
        let file = std::env::temp_dir().join(format!("stats-view-{}-{name}", std::process::id()));
        fs::write(&file, text).unwrap();
        Self(file)
    }
}

impl Drop for Dump {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
