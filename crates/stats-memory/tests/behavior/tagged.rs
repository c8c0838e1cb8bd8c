//! Containers with a tag of their own.

use stats_memory::{Group, Tag, Tagged, current_tag, scope};

use super::{Block, TAGS, alone, dumps};

static OWNER: Group = Group::new("tagged-owner");

/// Returns the bytes of a scope.
fn bytes_of(name: &str) -> u64 {
    let lines = dumps::lines_of_tags();
    let of_scope = lines
        .iter()
        .filter(|line| line.scopes.last().is_some_and(|last| last == name));
    of_scope.map(|line| line.bytes).sum()
}

fn block(
    bytes: usize,
) -> Block<stats_memory::TrackingAllocator<std::alloc::System, stats_memory::Tags>> {
    Block::new(&TAGS, bytes, 8)
}

#[test]
fn allocations_of_a_container_have_its_tag_in_every_scope() {
    let _alone = alone();
    let tag = Tag::default().group(&OWNER).scope("tagged-list");
    let mut list = Tagged::new(tag, Vec::new());
    let _scope = scope!("tagged-elsewhere");
    let around = current_tag();
    list.edit().push(block(100));
    assert_eq!(current_tag(), around);
    list.edit().push(block(10));
    assert_eq!(
        (bytes_of("tagged-list"), bytes_of("tagged-elsewhere")),
        (110, 0)
    );
    let copy = list.len();
    assert_eq!(copy, 2, "it is read like the container");
    drop(list);
    assert_eq!(bytes_of("tagged-list"), 0);
}

#[test]
fn reallocations_move_to_the_new_tag_of_a_renamed_container() {
    let _alone = alone();
    let mut list = Tagged::new(Tag::default().scope("tagged-one"), Vec::new());
    list.edit().extend([block(100), block(50)]);
    list.rename(Tag::default().scope("tagged-two"));
    assert_eq!((bytes_of("tagged-one"), bytes_of("tagged-two")), (150, 0));
    list.edit()[0].resize(300);
    assert_eq!((bytes_of("tagged-one"), bytes_of("tagged-two")), (50, 300));
    {
        let mut edit = list.edit();
        let _scope = scope!("tagged-inner");
        edit[1].resize(60);
    }
    assert_eq!(
        (
            bytes_of("tagged-one"),
            bytes_of("tagged-two"),
            bytes_of("tagged-inner")
        ),
        (60, 300, 0),
        "a scope inside an edit takes nothing over"
    );
}

/// Allocates by the tracker when it is cloned, as containers of the global allocator do.
struct Copied(Block<stats_memory::TrackingAllocator<std::alloc::System, stats_memory::Tags>>);

impl Clone for Copied {
    fn clone(&self) -> Self {
        Self(block(self.0.bytes()))
    }
}

#[test]
fn a_clone_has_the_tag_and_its_memory() {
    let _alone = alone();
    let mut first = Tagged::new(Tag::default().scope("tagged-first"), Copied(block(64)));
    first.rename(Tag::default().scope("tagged-second"));
    let second = first.clone();
    assert_eq!(second.tag(), first.tag());
    assert_eq!(bytes_of("tagged-second"), 64);
}
