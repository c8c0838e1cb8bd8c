//! Scopes, tags and groups.

use std::thread;

use stats_memory::{Group, MAX_DEPTH, Tag, current_tag, scope};

use super::{Block, Random, TAGS, alone, dumps, times};

static ONE: Group = Group::new("scopes-one");
static TWO: Group = Group::new("scopes-two");
static ONE_AGAIN: Group = Group::new("scopes-one");

#[test]
fn leaving_a_scope_restores_the_previous_one() {
    let _alone = alone();
    let before = current_tag();
    {
        let _outer = scope!("restore-outer", group: ONE);
        let outer = current_tag();
        assert_ne!(outer, before);
        for _ in 0..3 {
            let _inner = scope!("restore-inner");
            assert_eq!(current_tag(), outer.scope("restore-inner"));
        }
        assert_eq!(current_tag(), outer);
    }
    assert_eq!(current_tag(), before);
}

/// Enters a scope at one place in the source.
fn enter_one_site() -> Tag {
    let _scope = scope!("site");
    current_tag()
}

#[test]
fn one_site_in_several_scopes_has_a_tag_in_each() {
    let _alone = alone();
    let mut random = Random::new(1);
    let parents: Vec<Tag> = (0..50)
        .map(|n| current_tag().scope(&format!("parent-{n}")))
        .collect();
    let expected: Vec<Tag> = parents.iter().map(|parent| parent.scope("site")).collect();
    thread::scope(|scope| {
        for _ in 0..3 {
            let mut random = Random::new(random.index(1000) as u64);
            let (parents, expected) = (&parents, &expected);
            scope.spawn(move || {
                for _ in 0..times(20_000) {
                    let at = random.index(parents.len());
                    let _parent = parents[at].enter();
                    assert_eq!(enter_one_site(), expected[at]);
                }
            });
        }
    });
}

#[test]
fn a_tag_is_the_same_on_every_thread() {
    let _alone = alone();
    let made: Vec<Vec<Tag>> = thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    (0..2000)
                        .map(|n| Tag::default().scope(&format!("common-{n}")))
                        .collect()
                })
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    assert!(made.iter().all(|tags| *tags == made[0]));
    let mut different = made[0].clone();
    different.sort_by_key(|tag| format!("{tag:?}"));
    different.dedup();
    assert_eq!(different.len(), 2000);
}

#[test]
fn a_tag_can_be_entered_on_another_thread() {
    let _alone = alone();
    let tag = {
        let _scope = scope!("carried", group: TWO);
        current_tag()
    };
    let blocks = thread::spawn(move || {
        let outside = Block::new(&TAGS, 1, 8);
        let _scope = tag.enter();
        let _inner = scope!("within");
        (outside, Block::new(&TAGS, 77, 8))
    });
    let blocks = blocks.join().unwrap();
    let lines = dumps::lines_of_tags();
    let line = lines
        .iter()
        .find(|line| line.scopes == ["carried", "within"])
        .unwrap();
    assert_eq!(
        (line.group.as_str(), line.bytes, line.count),
        ("scopes-two", 77, 1)
    );
    drop(blocks);
}

#[test]
fn groups_with_the_same_name_are_one_and_a_group_is_not_a_scope() {
    let _alone = alone();
    let tag = Tag::default().scope("grouped");
    assert_eq!(tag.group(&ONE), tag.group(&ONE_AGAIN));
    assert_ne!(tag.group(&ONE), tag.group(&TWO));
    let _tag = tag.group(&ONE).scope("inner").group(&TWO).enter();
    let block = Block::new(&TAGS, 99, 8);
    let lines = dumps::lines_of_tags();
    let line = lines.iter().find(|line| line.bytes == 99).unwrap();
    assert_eq!(
        (line.group.as_str(), line.scopes.join("|")),
        ("scopes-two", "grouped|inner".into())
    );
    drop(block);
}

/// Calls itself, in a scope each time.
fn call_itself(times: usize, deepest: &mut Tag) {
    let before = current_tag();
    let _scope = scope!("recursion");
    *deepest = current_tag();
    if times > 0 {
        call_itself(times - 1, deepest);
    }
    drop(_scope);
    assert_eq!(current_tag(), before);
}

#[test]
fn scopes_beyond_the_depth_limit_count_toward_the_deepest() {
    let _alone = alone();
    let mut deepest = Tag::default();
    call_itself(5000, &mut deepest);
    let mut expected = current_tag();
    (0..MAX_DEPTH).for_each(|_| expected = expected.scope("recursion"));
    assert_eq!(deepest, expected);
    assert_eq!(expected.scope("recursion"), expected);
    // A name is not a scope.
    assert_ne!(expected.name("named"), expected);
    let _deepest = deepest.enter();
    let block = Block::new(&TAGS, 31, 8);
    let lines = dumps::lines_of_tags();
    assert_eq!(
        lines.iter().find(|line| line.bytes == 31).unwrap().scopes,
        vec!["recursion"; MAX_DEPTH]
    );
    drop(block);
}

#[test]
fn unusual_scope_names_have_series_too() {
    let _alone = alone();
    for (name, series) in [
        ("", "memory/unscoped/total"),
        ("//", "memory/unscoped/total"),
        ("/odd//scope/", "memory/scopes/odd/scope/total"),
        ("odd, \"scope\"|\n", "memory/scopes/odd, \"scope\"|\n/total"),
    ] {
        let _scope = Tag::default().scope(name).enter();
        let block = Block::new(&TAGS, 1, 8);
        stats_memory::publish();
        assert!(stats_core::find(series).is_some(), "{series}");
        drop(block);
    }
}
