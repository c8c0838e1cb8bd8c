//! Budgets of groups.

use std::sync::{Arc, Mutex};

use stats_memory::BudgetState::{self, Near, Ok, Over};
use stats_memory::{
    Group, ReserveError, Tag, UNGROUPED, for_each_group, groups_over_budget, on_crossing, publish,
    scope,
};

use super::{Block, TAGS, alone};

static BUDGETED: Group = Group::new("budgeted").budget_bytes(1000);

#[test]
fn each_crossing_is_reported_once_at_the_end_of_its_frame() {
    let _alone = alone();
    let reported = Arc::new(Mutex::new(Vec::<(BudgetState, BudgetState, u64)>::new()));
    let seen = reported.clone();
    on_crossing(move |crossing| {
        if crossing.group == "budgeted" {
            // A callback may publish and allocate.
            publish();
            seen.lock()
                .unwrap()
                .push((crossing.from, crossing.to, crossing.bytes));
        }
    });
    let _scope = scope!("budgets", group: BUDGETED);
    let mut blocks = Vec::new();
    let mut frame = |bytes: &[usize], kept: usize| {
        blocks.truncate(kept);
        blocks.extend(bytes.iter().map(|bytes| Block::new(&TAGS, *bytes, 8)));
        publish();
        publish();
    };
    frame(&[900], 0);
    frame(&[1], 1);
    frame(&[99, 1], 2);
    frame(&[], 2);
    frame(&[5000], 2);
    frame(&[], 2);
    frame(&[], 0);
    drop(blocks);
    on_crossing(|_| {});
    assert_eq!(
        *reported.lock().unwrap(),
        [
            (Ok, Near, 901),
            (Near, Over, 1001),
            (Over, Near, 901),
            (Near, Over, 5901),
            (Over, Near, 901),
            (Near, Ok, 0)
        ]
    );
    let mut found = None;
    for_each_group(|group| found = found.or((group.group == "budgeted").then_some(*group)));
    let found = found.unwrap();
    assert_eq!(
        (
            found.worst,
            found.state,
            found.peak_bytes,
            found.budget_bytes
        ),
        (Over, Ok, 5901, Some(1000))
    );
    assert_eq!(
        found.to_string(),
        "the group 'budgeted' held up to 5901 bytes; its budget is 1000 bytes"
    );
    // A group that was over its budget once stays in the list.
    assert!(groups_over_budget().contains(&found));
}

static NEARLY: Group = Group::new("nearly-over").budget_bytes(1000);

#[test]
fn a_group_within_its_budget_in_every_frame_does_not_fail_the_run() {
    let _alone = alone();
    let _scope = scope!("nearly", group: NEARLY);
    let block = Block::new(&TAGS, 1000, 8);
    publish();
    // Usage between two frames is not judged.
    drop(Block::new(&TAGS, 1, 8));
    publish();
    drop(block);
    publish();
    let (mut found, mut has_published) = (None, false);
    for_each_group(|group| {
        // The function that is called may publish.
        publish();
        has_published = true;
        found = found.or((group.group == "nearly-over").then_some(*group));
    });
    assert!(
        has_published
            && !groups_over_budget()
                .iter()
                .any(|group| group.group == "nearly-over")
    );
    assert_eq!(
        (found.unwrap().worst, found.unwrap().peak_bytes),
        (Near, 1000)
    );
}

/// Sets another callback when it is dropped.
struct Replaces;

impl Drop for Replaces {
    fn drop(&mut self) {
        on_crossing(|_| {});
    }
}

#[test]
fn dropping_a_replaced_callback_may_set_another_one() {
    let _alone = alone();
    let replaces = Replaces;
    on_crossing(move |_| {
        let _ = &replaces;
    });
    on_crossing(|_| {});
}

static HARD: Group = Group::new("hard").budget_bytes(4096);
static FREE: Group = Group::new("free");

#[test]
fn a_hard_limit_binds_only_code_that_checks_it() {
    let _alone = alone();
    let scope = scope!("hard", group: HARD);
    let block = Block::new(&TAGS, 4000, 8);
    drop(scope);
    assert_eq!(HARD.check(96), Result::Ok(()));
    let over = ReserveError::OverBudget {
        held_bytes: 4000,
        asked_bytes: 97,
        budget_bytes: 4096,
    };
    assert_eq!(HARD.check(97), Err(over));
    assert_eq!(HARD.try_vec::<u8>(97), Err(over));
    assert!(HARD.check(usize::MAX).is_err());
    assert!(HARD.try_vec::<u64>(12).unwrap().capacity() >= 12);
    assert!(matches!(
        FREE.try_vec::<u8>(usize::MAX),
        Err(ReserveError::OutOfMemory { .. })
    ));
    assert_eq!(FREE.check(usize::MAX), Result::Ok(()));
    drop(block);
    assert_eq!(HARD.check(4096), Result::Ok(()));
}

static NAMELESS: Group = Group::new("");
static NONE: Group = Group::new(UNGROUPED).budget_bytes(1 << 40);
static INNER: Group = Group::new("ungrouped-inner");

#[test]
fn the_group_called_ungrouped_covers_ungrouped_memory() {
    let _alone = alone();
    let plain = Tag::default().scope("ungrouped-plain");
    let block = {
        let _scope = plain.enter();
        Block::new(&TAGS, 3000, 8)
    };
    publish();
    let before = NONE.check(1 << 40);
    let Err(ReserveError::OverBudget {
        held_bytes,
        budget_bytes,
        ..
    }) = before
    else {
        panic!("{before:?}")
    };
    assert!(held_bytes >= 3000 && budget_bytes == 1 << 40);
    // Leaving the group leads back to ungrouped memory.
    assert_eq!(Tag::default().group(&NAMELESS), Tag::default().group(&NONE));
    let out = {
        let _scope = plain.group(&INNER).group(&NAMELESS).enter();
        Block::new(&TAGS, 500, 8)
    };
    publish();
    let mut found = Vec::new();
    for_each_group(|group| {
        found.extend((group.group == UNGROUPED || group.group.is_empty()).then_some(*group))
    });
    assert_eq!(found.len(), 1, "{found:?}");
    let held = found[0].bytes;
    assert!(held >= 3500 && found[0].budget_bytes == Some(1 << 40) && found[0].worst == Ok);
    // The budget was declared after the series was created, and the series still has it.
    let id = stats_core::find("memory/groups/ungrouped/total").unwrap();
    let mut budget = None;
    stats_core::for_each_series(|series| {
        budget = budget.or(series.budget.filter(|_| series.id == id))
    });
    assert_eq!(budget, Some((1_u64 << 40) as f64));
    drop((block, out));
    publish();
    let mut now = None;
    for_each_group(|group| now = now.or((group.group == UNGROUPED).then_some(group.bytes)));
    assert_eq!(now, Some(held - 3500));
}
