//! The state of the last publication: the counts that are already in each series.

use std::collections::VecDeque;

use stats_core::{Counter, Gauge, Unit};

use super::series::Series;
use crate::live::counts::{self, Sum};
use crate::live::totals::{held, totals_of};
use crate::live::{header, tags};
use crate::{BudgetState, Crossing, GroupUsage};

static TOTAL: Gauge = Gauge::new("memory/total")
    .unit(Unit::Bytes)
    .describe("live bytes");
static PEAK: Gauge = Gauge::new("memory/peak")
    .unit(Unit::Bytes)
    .describe("the most live bytes at any time");
static ALLOCATIONS: Gauge = Gauge::new("memory/allocations").describe("live allocations");
static PEAK_ALLOCATIONS: Gauge =
    Gauge::new("memory/peak-allocations").describe("the most live allocations at any time");
static OVERHEAD: Gauge = Gauge::new("memory/overhead")
    .unit(Unit::Bytes)
    .describe("bytes that the tracker uses itself");
static TAGS: Gauge = Gauge::new("memory/tags").describe("combinations of group, scopes and name");
static REFUSED: Counter = Counter::new("memory/refused-tags")
    .describe("scopes, names and groups that were refused for lack of room");

/// The number of tags that get their series in one publication. Each takes about six microseconds.
const NEW_TAGS: usize = 256;

/// The state of the last publication.
#[derive(Debug)]
pub(super) struct Published {
    /// The number of events of each tag. Separate from the rest, so that a tag whose counts did not
    /// change touches nothing else.
    events: Vec<u64>,
    tags: Vec<PublishedTag>,
    /// Tags without series, the longest-waiting first.
    waiting: VecDeque<Waiting>,
    groups: Vec<PublishedGroup>,
    /// The groups with a changed tag, and their live bytes. Empty between publications.
    changed_groups: Vec<(u32, i64)>,
    total: Sum,
    published_total: Sum,
    published_refused: u64,
    whole: Option<Series>,
    crossings: Vec<Crossing>,
}

#[derive(Debug)]
struct PublishedTag {
    published: Sum,
    series: Option<Series>,
    is_waiting: bool,
    group: u32,
}

/// A tag whose series are to be registered.
#[derive(Debug)]
struct Waiting {
    tag: u32,
    /// The counts before the first frame.
    before: Sum,
}

#[derive(Debug, Default)]
struct PublishedGroup {
    sum: Sum,
    published: Sum,
    series: Option<Series>,
    state: BudgetState,
    worst: BudgetState,
    peak_bytes: u64,
    /// Whether it is among the changed groups.
    is_changed: bool,
    /// Whether the series knows the budget.
    has_budget: bool,
}

impl PublishedGroup {
    fn usage(&self, number: u32) -> Option<GroupUsage> {
        self.series.is_some().then(|| GroupUsage {
            group: tags::group_name(number),
            bytes: held(self.sum.live_bytes()),
            allocations: held(self.sum.live()),
            peak_bytes: self.peak_bytes,
            budget_bytes: tags::budget_bytes(number),
            state: self.state,
            worst: self.worst,
        })
    }
}

impl Published {
    /// The state before the first publication.
    pub(super) const NOTHING: Self = Self {
        events: Vec::new(),
        tags: Vec::new(),
        waiting: VecDeque::new(),
        groups: Vec::new(),
        changed_groups: Vec::new(),
        total: Sum::NONE,
        published_total: Sum::NONE,
        published_refused: 0,
        whole: None,
        crossings: Vec::new(),
    };

    /// Brings the series up to date. Returns the crossings of budgets since the last call.
    pub(super) fn update(&mut self) -> Vec<Crossing> {
        self.make_room();
        self.publish_tags();
        self.publish_groups();
        self.judge_groups();
        self.publish_whole();
        std::mem::take(&mut self.crossings)
    }

    /// Returns the usage of a group; `None` if it never had an allocation.
    pub(super) fn usage(&self, group: usize) -> Option<GroupUsage> {
        self.groups.get(group)?.usage(group as u32)
    }

    /// Returns whether anything was published before. Allocations before the first publication
    /// belong to no frame.
    fn is_frame(&self) -> bool {
        self.whole.is_some()
    }

    fn make_room(&mut self) {
        self.events.resize(tags::count(), 0);
        for tag in self.tags.len()..self.events.len() {
            self.tags.push(PublishedTag {
                published: Sum::NONE,
                series: None,
                is_waiting: false,
                group: tags::group(tag as u32),
            });
        }
        self.groups
            .resize_with(tags::group_count(), PublishedGroup::default);
        self.changed_groups.reserve(self.groups.len());
    }

    fn publish_tags(&mut self) {
        let is_frame = self.is_frame();
        let Self {
            events,
            tags,
            waiting,
            groups,
            changed_groups,
            total,
            ..
        } = self;
        counts::for_each_changed(events, |number| {
            // All indices exist: there is one tag for each event count, and a group is created
            // before its tags.
            let Some(tag) = tags.get_mut(number as usize) else {
                return;
            };
            let now = counts::of_tag(number, &tag.published);
            let change = now.since(&tag.published);
            tag.published = now;
            total.add(&change);
            if let Some(group) = groups.get_mut(tag.group as usize) {
                group.sum.add(&change);
                if !std::mem::replace(&mut group.is_changed, true) {
                    changed_groups.push((tag.group, 0));
                }
            }
            match &tag.series {
                Some(series) => series.add(&change, is_frame),
                None if !tag.is_waiting && header::has_headers() => {
                    tag.is_waiting = true;
                    waiting.push_back(Waiting {
                        tag: number,
                        before: if is_frame { Sum::NONE } else { now },
                    });
                }
                None => {}
            }
        });
        self.publish_new_tags();
    }

    /// Registers the tags that have waited longest, and adds everything counted for them so far.
    fn publish_new_tags(&mut self) {
        for _ in 0..NEW_TAGS {
            let Some(Waiting {
                tag: number,
                before,
            }) = self.waiting.pop_front()
            else {
                return;
            };
            let Some(tag) = self.tags.get_mut(number as usize) else {
                continue;
            };
            let series = tag.series.insert(Series::of_scope(number));
            series.add(&before, false);
            series.add(&tag.published.since(&before), true);
        }
    }

    fn publish_groups(&mut self) {
        if !header::has_headers() {
            return;
        }
        let is_frame = self.is_frame();
        // Their tags were read one after the other: memory that moves between them in the meantime
        // would count twice, or not at all.
        counts::live_bytes_of_all(&mut self.changed_groups);
        for (number, bytes) in self.changed_groups.drain(..) {
            // The number was an index of the same list above.
            let Some(group) = self.groups.get_mut(number as usize) else {
                continue;
            };
            group.is_changed = false;
            group.sum.set_live_bytes(bytes);
            let series = group.series.get_or_insert_with(|| Series::of_group(number));
            series.add(&group.sum.since(&group.published), is_frame);
            group.published = group.sum;
            group.peak_bytes = group.peak_bytes.max(held(bytes));
        }
    }

    /// Compares the groups with their budgets, which may be declared at any time.
    fn judge_groups(&mut self) {
        for (number, group) in (0..).zip(&mut self.groups) {
            let Some(series) = &group.series else {
                continue;
            };
            let bytes = held(group.sum.live_bytes());
            let Some(budget_bytes) = tags::budget_bytes(number) else {
                continue;
            };
            if !std::mem::replace(&mut group.has_budget, true) {
                series.set_budget(budget_bytes);
            }
            let from = group.state;
            group.state = from.next(bytes, budget_bytes);
            group.worst = group.worst.max(group.state);
            if from != group.state {
                self.crossings.push(Crossing {
                    group: tags::group_name(number),
                    from,
                    to: group.state,
                    bytes,
                    budget_bytes,
                });
            }
        }
    }

    fn publish_whole(&mut self) {
        let totals = totals_of((self.total.allocations, self.total.bytes));
        TOTAL.set(totals.bytes);
        PEAK.set(totals.peak_bytes);
        ALLOCATIONS.set(totals.allocations);
        PEAK_ALLOCATIONS.set(totals.peak_allocations);
        OVERHEAD.set(totals.overhead_bytes);
        TAGS.set(tags::count());
        let refused = tags::refused();
        REFUSED.add(refused.wrapping_sub(std::mem::replace(&mut self.published_refused, refused)));
        let is_frame = self.is_frame();
        self.whole
            .get_or_insert_with(Series::of_all)
            .add(&self.total.since(&self.published_total), is_frame);
        self.published_total = self.total;
    }
}
