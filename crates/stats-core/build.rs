//! Nothing to build. Cargo lets a package declare `links` only if it has a build script. With `links`,
//! Cargo refuses a program with two versions of this crate, in a sentence that names both: each would
//! have series of its own, and readers of one would not see those of the other.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
}
