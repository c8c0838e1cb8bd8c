//! Makes a function of each sample. Its parameters are the names that samples use without declaring
//! them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The names that samples use without declaring them, with their types.
const PARAMETERS: &[(&str, &str)] = &[
    ("adapter", "wgpu::Adapter"),
    ("batch", "Vec<u8>"),
    ("camera", "Camera"),
    ("capture", "Capture"),
    ("ctx", "egui::Context"),
    ("descriptor", "wgpu::RenderPassDescriptor<'static>"),
    ("device", "wgpu::Device"),
    ("egui_state", "egui_winit::State"),
    ("encoder", "wgpu::CommandEncoder"),
    ("event", "winit::event::WindowEvent"),
    ("frames", "Vec<Frame>"),
    ("frames_ms", "Vec<f64>"),
    ("game", "Game"),
    ("host", "Host"),
    ("input", "egui::RawInput"),
    ("level", "Level"),
    ("ms", "f64"),
    ("n", "usize"),
    ("name", "String"),
    ("next_tag", "Tag"),
    ("options", "eframe::NativeOptions"),
    ("overlay", "StatsOverlay"),
    ("packet", "Vec<u8>"),
    ("pane", "SavedPane"),
    ("path", "&'static Path"),
    ("preset", "Preset"),
    ("queue", "wgpu::Queue"),
    ("recorder", "Recorder"),
    ("recordings", "Recordings"),
    ("request", "u32"),
    ("surface", "wgpu::Surface<'static>"),
    ("ui", "&mut egui::Ui"),
    ("values", "Vec<f64>"),
    ("watch", "Watch"),
    ("window", "winit::window::Window"),
];

fn main() {
    let manifest = env::var_os("CARGO_MANIFEST_DIR").expect("Cargo sets it");
    let root = Path::new(&manifest).join("../..");
    let mut pages = vec![root.join("README.md")];
    pages.extend(pages_in(&root.join("docs")));
    for library in fs::read_dir(root.join("crates")).expect("the libraries can be listed") {
        pages.extend(pages_in(&library.expect("a library can be read").path()));
    }
    let mut functions = String::new();
    for page in pages {
        println!("cargo::rerun-if-changed={}", page.display());
        let text = fs::read_to_string(&page).expect("a page can be read");
        let page = page.strip_prefix(&root).expect("it is in the root");
        add_samples(&page.to_string_lossy(), &text, &mut functions);
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("Cargo sets it")).join("samples.rs");
    fs::write(out, functions).expect("the functions can be written");
}

/// Returns the pages in a folder, but none in its folders.
fn pages_in(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = files.map(|file| file.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths
}

/// Adds a function for each sample of a page. It is called after the page and the line.
fn add_samples(page: &str, text: &str, functions: &mut String) {
    let name = page.to_ascii_lowercase();
    let name = name.replace(|letter: char| !letter.is_ascii_alphanumeric(), "_");
    let parameters = PARAMETERS
        .iter()
        .map(|(name, of)| format!("mut {name}: {of}"));
    let parameters = parameters.collect::<Vec<_>>().join(", ");
    let mut lines = text.lines().zip(1..);
    while let Some((line, number)) = lines.next() {
        if line != "```rust" {
            continue;
        }
        let sample = lines.by_ref().map(|(line, _)| line);
        let sample = sample.take_while(|line| *line != "```");
        // A program has one allocator, and the samples have several.
        let sample = sample.filter(|line| *line != "#[global_allocator]");
        let sample = sample.collect::<Vec<_>>().join("\n");
        let needs_bevy = ["StatsOverlayPlugin", "EguiContexts"];
        if page.contains("bevy") || needs_bevy.iter().any(|name| sample.contains(name)) {
            continue;
        }
        let function = format!("fn {name}_{number}({parameters}) -> Outcome");
        writeln!(functions, "{function} {{\n{sample};\nOk(())\n}}\n")
            .expect("a string can be written");
    }
}
