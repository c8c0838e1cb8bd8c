//! The map of pages in the memory view.

use egui::{Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

use super::dumps::game;
use super::memory::{names, opened, opened_in, settle};
use crate::host::{Host, click, value_of};

const BASE: u64 = 0x7f00_0000_0000;

/// Returns a dump with these allocations: an offset, a group, a number of bytes and a name.
fn dump(blocks: &[(u64, &str, u64, &str)]) -> String {
    let line = |&(at, group, bytes, name): &(u64, &str, u64, &str)| {
        format!("0x{:016x},main,{group},{bytes},Level,{name}\n", BASE + at)
    };
    blocks.iter().map(line).collect()
}

/// Returns the dump of 100 full pages, and of ten with one small block.
fn scattered() -> String {
    let mut blocks = vec![(0, "rendering", 100 << 12, "meshes")];
    blocks.extend((100..110).map(|page| (page << 12, "ai", 64, "node")));
    dump(&blocks)
}

fn has_map(harness: &Harness<'_, Host>) -> bool {
    harness.query_by_label("Largest free run").is_some()
}

/// Moves the pointer to a place of the map, from its corner, and waits for the tooltip.
fn hover(harness: &mut Harness<'_, Host>, place: Vec2) {
    let holder = harness.get_by_label("holds nearly empty pages").rect();
    // A click hides tooltips until the pointer moves a while later.
    harness.run_steps(20);
    harness.hover_at(holder.left_bottom() + vec2(0.0, 8.0) + place);
    harness.run_steps(40);
}

#[test]
fn a_map_shows_the_free_bytes_between_allocations_and_who_holds_nearly_empty_pages() {
    let (mut harness, program) = opened("memory-pages", &scattered());
    assert!(!has_map(&harness), "it is shown on demand");
    click(&mut harness, "Pages");
    // (4,096 − 64) × 10 bytes of 110 pages.
    assert_eq!(
        value_of(&harness, "Free in touched pages"),
        "39.4 KiB of 440.0 KiB (8.9 %)"
    );
    assert_eq!(value_of(&harness, "Largest free run"), "3.94 KiB");
    assert_eq!(value_of(&harness, "Nearly empty pages"), "10");
    assert_eq!(
        value_of(&harness, "holds nearly empty pages"),
        "10 pages, 640 B: ai, Level, node"
    );
    assert!(
        names(&harness).contains(&"thread main".to_owned()),
        "beside the rows"
    );
    hover(&mut harness, vec2(3.0, 3.0));
    for line in [
        "4.00 KiB from 0x7f0000000000",
        "4.00 KiB in use (100.0 %)",
        "most of it: group rendering",
    ] {
        harness.get_by_label(line);
    }
    // Another snapshot has another map.
    program.set(&dump(&[(0, "ai", 4096, "node")]));
    click(&mut harness, "Take snapshot");
    settle(&mut harness);
    assert_eq!(
        value_of(&harness, "Free in touched pages"),
        "0 B of 4.00 KiB (0.0 %)"
    );
    click(&mut harness, "Pages");
    assert!(!has_map(&harness));
}

#[test]
fn a_narrow_view_shows_the_map_in_place_of_the_rows() {
    let (mut harness, _) = opened_in("memory-pages-narrow", &scattered(), vec2(640.0, 480.0), 1.0);
    assert!(!names(&harness).is_empty());
    click(&mut harness, "Pages");
    assert!(has_map(&harness));
    assert_eq!(names(&harness), Vec::<String>::new());
    click(&mut harness, "Pages");
    assert!(!names(&harness).is_empty());
}

#[test]
fn a_dump_whose_addresses_cannot_be_right_has_no_map() {
    // All its allocations are at one address.
    let (harness, _) = opened("memory-no-pages", &game(0));
    assert!(harness.query_by_label("Pages").is_none());
}
