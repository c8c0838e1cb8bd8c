//! Pages in a real browser, if one is installed.

use std::path::PathBuf;
use std::process::Command;

use stats_testing::Folder;

use super::{page, record};

/// The widths of a desktop and of a phone, in pixels.
const WIDTHS: [u32; 2] = [1280, 390];

#[test]
fn pages_are_no_wider_than_a_desktop_or_a_phone() {
    let Some(browser) = browser() else {
        eprintln!("skipped: no Chromium is installed");
        return;
    };
    let folder = Folder::new("html-browser");
    let long = format!("html/{}", "a-very-long-name-".repeat(20));
    for (name, work) in [("a.parquet", 0), ("b.parquet", 40)] {
        record(&folder.0.join(name), 300, &["html/short", &long], work);
    }
    for line in [
        "report a.parquet",
        "compare --before a.parquet --after b.parquet",
    ] {
        let page = page(&folder.0, line);
        let file = folder.0.join("frames.html");
        std::fs::write(&file, around(&page)).expect("the folder can be written");
        let output = Command::new(&browser)
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--dump-dom",
            ])
            .arg(format!(
                "--user-data-dir={}",
                folder.0.join("profile").display()
            ))
            .arg(format!("file://{}", file.display()))
            .output()
            .expect("the browser can be started");
        let shown = String::from_utf8_lossy(&output.stdout);
        let title = shown
            .split("<title>")
            .nth(1)
            .and_then(|rest| rest.split('<').next());
        let expected = WIDTHS
            .map(|width| format!("{width} {width} sorted"))
            .join(", ");
        assert_eq!(title, Some(expected.as_str()), "{line}");
    }
}

/// Returns a page with an iframe of each width, whose title contains the width of the content. It
/// also clicks the first heading of a table, which sorts the table.
fn around(page: &str) -> String {
    let page = page.replace('&', "&amp;").replace('"', "&quot;");
    let frames = WIDTHS.map(|width| {
        format!("<iframe style=\"border:0\" width=\"{width}\" height=\"900\" srcdoc=\"{page}\"></iframe>")
    });
    let script = "onload = () => document.title = [...document.querySelectorAll('iframe')].map((frame) => {
        const inside = frame.contentDocument;
        inside.querySelector('table.sortable thead button').click();
        const sorted = inside.querySelector('[aria-sort=descending]') ? 'sorted' : 'not sorted';
        const { scrollWidth } = inside.documentElement;
        return Math.max(scrollWidth, frame.contentWindow.innerWidth) + ' ' + frame.width + ' ' + sorted;
    }).join(', ')";
    format!(
        "<!DOCTYPE html><title>none</title>{}<script>{script}</script>",
        frames.concat()
    )
}

fn browser() -> Option<PathBuf> {
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let files = names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    files.into_iter().find(|file| file.exists())
}
