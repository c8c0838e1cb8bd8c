//! Pages in a real browser, if one is installed.

use std::path::{Path, PathBuf};
use std::process::Command;

use stats_testing::Folder;

use super::{page, pages_below, record, record_site};

/// The widths of a desktop and of a phone, in pixels.
const WIDTHS: [u32; 2] = [1280, 390];

#[test]
fn pages_are_no_wider_than_a_desktop_or_a_phone() {
    let Some(browser) = browser() else { return };
    let folder = Folder::new("html-browser");
    let long = format!("html/{}", "a-very-long-name-".repeat(20));
    for (name, work) in [("a.parquet", 0), ("b.parquet", 40)] {
        record(&folder.0.join(name), 300, &["html/short", &long], work);
    }
    for line in [
        "report a.parquet",
        "compare --before a.parquet --after b.parquet",
    ] {
        fits(&browser, &folder, &page(&folder.0, line), line);
    }
}

#[test]
fn a_run_of_nine_seconds_prints_on_four_pages() {
    let Some(browser) = browser() else { return };
    let folder = Folder::new("html-print");
    let paths: Vec<String> = (0..400)
        .map(|at| format!("html/system-{}/series-{at}", at % 9))
        .collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    record(&folder.0.join("run.parquet"), 540, &paths, 0);
    page(&folder.0, "report run.parquet");
    let printed = folder.0.join("page.pdf");
    let output = Command::new(browser)
        .args(["--headless=new", "--no-sandbox", "--disable-gpu"])
        .arg(format!(
            "--user-data-dir={}",
            folder.0.join("profile").display()
        ))
        .arg(format!("--print-to-pdf={}", printed.display()))
        .arg(format!("file://{}", folder.0.join("page.html").display()))
        .output()
        .expect("the browser can be started");
    let pdf = std::fs::read(printed).unwrap_or_else(|_| panic!("{output:?}"));
    let pages = String::from_utf8_lossy(&pdf)
        .matches("/Type /Page\n")
        .count();
    assert!((1..=4).contains(&pages), "{pages} pages");
}

#[test]
fn pages_of_a_site_are_no_wider_than_a_desktop_or_a_phone() {
    let Some(browser) = browser() else { return };
    let folder = Folder::new("html-browser-site");
    record_site(&folder.0);
    let site = folder.0.join("site");
    let mut pages = pages_below(&site);
    // One of the reports is enough.
    let mut reports = 0;
    pages.retain(|page| {
        reports += usize::from(page.parent() != Some(site.as_path()));
        page.parent() == Some(site.as_path()) || reports == 1
    });
    for page in pages {
        let text = std::fs::read_to_string(&page).expect("it was written");
        fits(&browser, &folder, &text, &page.display().to_string());
    }
}

/// Asserts that a page is as wide as the window, shows its verdicts and, on a phone, its hitches
/// without scrolling, requests nothing, sorts its tables, and zooms.
fn fits(browser: &Path, folder: &Folder, page: &str, name: &str) {
    let file = folder.0.join("frames.html");
    std::fs::write(&file, around(page)).expect("the folder can be written");
    let output = Command::new(browser)
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
        .map(|width| format!("{width} {width} sorted, 0 requests"))
        .join("; ");
    assert_eq!(title, Some(expected.as_str()), "{name}");
}

/// Returns a page that shows `page` in an iframe of each width. Its script sorts a table, zooms
/// into the frame times and back, and writes the width of the content and other results into its
/// title.
fn around(page: &str) -> String {
    let page = page.replace('&', "&amp;").replace('"', "&quot;");
    let frames = WIDTHS.map(|width| {
        format!("<iframe style=\"border:0\" width=\"{width}\" height=\"900\" srcdoc=\"{page}\"></iframe>")
    });
    let script = "onload = () => document.title = [...document.querySelectorAll('iframe')].map((frame) => {
        const inside = frame.contentDocument;
        inside.querySelector('table.sortable thead button').click();
        const sorted = inside.querySelector('[aria-sort=descending]') ? 'sorted' : 'not sorted';
        const strip = inside.querySelector('.zoom');
        if (strip) {
            const picture = () => strip.querySelector('svg').getAttribute('viewBox');
            const labels = () => strip.querySelector('.ticks')?.textContent;
            const press = (name) => [...strip.querySelectorAll('button')].find((one) => one.textContent === name).click();
            const whole = [picture(), labels()].join();
            press('Zoom in');
            press('Later');
            const part = picture();
            press('Whole run');
            for (const one of strip.querySelectorAll('[aria-disabled=true]')) {
                one.focus();
                if (inside.activeElement !== one) return 'the focus is lost';
            }
            if (strip.querySelectorAll('[aria-disabled=true]').length !== 4) return 'not disabled';
            if (part !== '550 0 550 400' || [picture(), labels()].join() !== whole) return 'not zoomed: ' + part;
        }
        const is_verdict = (title) => title.textContent.trim() === 'verdict';
        const verdicts = [...inside.querySelectorAll('thead th')].filter(is_verdict);
        if (verdicts.some((title) => title.getBoundingClientRect().right > frame.width)) return 'a verdict is off the screen';
        const is_off = (table) => frame.width === '390' && table.getBoundingClientRect().right > 390;
        if ([...inside.querySelectorAll('table.stacked')].some(is_off)) return 'a hitch is off the screen';
        const { scrollWidth } = inside.documentElement;
        const { innerWidth, performance } = frame.contentWindow;
        const requests = performance.getEntriesByType('resource').length + ' requests';
        return Math.max(scrollWidth, innerWidth) + ' ' + frame.width + ' ' + sorted + ', ' + requests;
    }).join('; ')";
    format!(
        "<!DOCTYPE html><title>none</title>{}<script>{script}</script>",
        frames.concat()
    )
}

/// Returns the installed browser, or prints that there is none.
fn browser() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&folders).collect();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let mut files = names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let found = files.find(|file| file.exists());
    if found.is_none() {
        eprintln!("skipped: no Chromium is installed");
    }
    found
}
