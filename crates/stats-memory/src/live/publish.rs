//! What is counted, as series, once a frame.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use stats_core::{Counter, Gauge, Unit};

use super::cell::Sum;
use super::series::Series;
use super::shard;
use super::{groups, local, mode, own, tags};
use crate::{BudgetState, Crossing, GroupUsage, Tag, Totals};

static TOTAL: Gauge = Gauge::new("memory/total")
    .unit(Unit::Bytes)
    .describe("bytes held");
static PEAK: Gauge = Gauge::new("memory/peak")
    .unit(Unit::Bytes)
    .describe("the most bytes held at a time");
static ALLOCATIONS: Gauge = Gauge::new("memory/allocations").describe("allocations held");
static PEAK_ALLOCATIONS: Gauge = Gauge::new("memory/peak-allocations")
    .describe("the most allocations held at the end of a frame");
static OVERHEAD: Gauge = Gauge::new("memory/overhead")
    .unit(Unit::Bytes)
    .describe("bytes that the tracker takes for itself");
static TAGS: Gauge =
    Gauge::new("memory/tags").describe("groups, scopes and names that were told apart");
static REFUSED: Counter = Counter::new("memory/refused-tags")
    .describe("scopes, names and groups that could not be told apart, for want of room");

/// How many tags get their series in one publication: each takes some six microseconds.
const NEW_TAGS: usize = 256;

/// What was published last.
#[derive(Debug)]
struct Published {
    /// How often anything was counted, by tag. Apart from the rest: a tag of which nothing changed
    /// touches nothing else.
    events: Vec<u64>,
    tags: Vec<PublishedTag>,
    /// Tags that have no series yet, the one that waits longest first.
    waiting: VecDeque<Waiting>,
    groups: Vec<PublishedGroup>,
    total: Sum,
    total_told: Sum,
    peak_allocations: u64,
    refused_told: u64,
    whole: Option<Series>,
    crossings: Vec<Crossing>,
}

#[derive(Debug)]
struct PublishedTag {
    told: Sum,
    series: Option<Series>,
    is_waiting: bool,
    group: u32,
}

/// A tag whose series are to be registered.
#[derive(Debug)]
struct Waiting {
    tag: u32,
    /// What was counted before the first frame.
    before: Sum,
}

#[derive(Debug, Default)]
struct PublishedGroup {
    sum: Sum,
    told: Sum,
    series: Option<Series>,
    state: BudgetState,
    worst: BudgetState,
    peak_bytes: u64,
    /// Whether the series has the budget.
    has_budget: bool,
}

type Callback = Arc<dyn Fn(&Crossing) + Send + Sync>;

static CALLBACK: Mutex<Option<Callback>> = Mutex::new(None);

static PUBLISHED: Mutex<Published> = Mutex::new(Published {
    events: Vec::new(),
    tags: Vec::new(),
    waiting: VecDeque::new(),
    groups: Vec::new(),
    total: Sum::NONE,
    total_told: Sum::NONE,
    peak_allocations: 0,
    refused_told: 0,
    whole: None,
    crossings: Vec::new(),
});

/// Nothing in here is left half done by a panic that would matter: the next frame catches up.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A number that a moment of two threads may show below zero.
pub(crate) fn held(number: i64) -> u64 {
    number.max(0) as u64
}

/// Brings the series up to date. Once a frame, before the recorder's `end_frame`.
///
/// Takes time for the tags: 1 ns for each and each thread that allocated under it or its
/// neighbours, and 10 ns for one that changed. What is new is registered, which allocates, as
/// `stats-memory`; otherwise nothing is allocated. At most 256 new tags are registered at a time,
/// so that no frame takes long by it: of further ones all that was counted until then stands in the
/// later frame in which they are. Totals and groups are never late. Group budgets are judged, and
/// [`on_crossing`] is called. The first call begins frame 0: what was allocated before is held, and
/// no frame's. What several threads do at once stands in the frame of the one that published.
pub fn publish() {
    let own = Tag::of(tags::own()).enter();
    let mut published = lock(&PUBLISHED);
    published.make_room();
    published.tell_tags();
    published.tell_groups();
    published.tell_whole();
    let crossings = std::mem::take(&mut published.crossings);
    drop(published);
    drop(own);
    // Without the lock, so that the callback may publish, or look at the groups.
    let callback = lock(&CALLBACK).clone();
    if let Some(callback) = callback {
        crossings.iter().for_each(|crossing| callback(crossing));
    }
}

/// Says what to do when a group comes near its budget, goes over it, or comes back. Called by
/// [`publish`], on its thread, once for each crossing, and never from within an allocation.
/// Replaces what was said before.
pub fn on_crossing(callback: impl Fn(&Crossing) + Send + Sync + 'static) {
    // Without the lock: what was said before may have a destructor that comes here.
    drop(replace_callback(Arc::new(callback)));
}

fn replace_callback(callback: Callback) -> Option<Callback> {
    lock(&CALLBACK).replace(callback)
}

/// Calls `visit` with every group that held anything, and its budget, as of the last [`publish`].
/// It may do what it likes.
pub fn for_each_group(mut visit: impl FnMut(&GroupUsage)) {
    for number in 0..crate::MAX_GROUPS {
        // One at a time, so that the lock is not held meanwhile.
        let used = lock(&PUBLISHED)
            .groups
            .get(number)
            .and_then(|group| group.used(number as u32));
        if let Some(used) = used {
            visit(&used);
        }
    }
}

impl PublishedGroup {
    fn used(&self, number: u32) -> Option<GroupUsage> {
        self.series.is_some().then(|| GroupUsage {
            group: groups::name(number),
            bytes: held(self.sum.live_bytes()),
            allocations: held(self.sum.live()),
            peak_bytes: self.peak_bytes,
            budget_bytes: groups::budget_bytes(number),
            state: self.state,
            worst: self.worst,
        })
    }
}

/// What the process holds now. Takes microseconds: it reads the totals of all threads.
#[must_use]
pub fn totals() -> Totals {
    totals_of(&local::total())
}

fn totals_of(sum: &Sum) -> Totals {
    Totals {
        bytes: held(sum.live_bytes()),
        allocations: held(sum.live()),
        allocated_bytes: sum.bytes,
        allocations_made: sum.allocations,
        peak_bytes: held(shard::KNOWN.peak(sum.live_bytes())),
        overhead_bytes: own::taken() as u64 + mode::header_bytes() * held(sum.live()),
    }
}

/// Begins [`Totals::peak_bytes`] anew from what is held now: for the peak of a level, say.
pub fn reset_peak() {
    shard::KNOWN.reset_peak(local::total().live_bytes());
}

/// The budget of a group that can be kept to, by its number; `None` in a mode that knows no groups.
pub(crate) fn budget_bytes(group: u32) -> Option<u64> {
    groups::budget_bytes(group).filter(|_| mode::knows_groups())
}

/// What a group holds now.
pub(crate) fn held_bytes(group: u32) -> u64 {
    let mut bytes = 0;
    for tag in (0..tags::count() as u32).filter(|tag| tags::group(*tag) == group) {
        bytes += local::sum(tag).live_bytes();
    }
    held(bytes)
}

impl Published {
    /// Whether anything was published before: what the program allocated until the first time is no
    /// frame's.
    fn is_frame(&self) -> bool {
        self.whole.is_some()
    }

    fn make_room(&mut self) {
        self.events.resize(tags::count(), 0);
        for tag in self.tags.len()..self.events.len() {
            self.tags.push(PublishedTag {
                told: Sum::NONE,
                series: None,
                is_waiting: false,
                group: tags::group(tag as u32),
            });
        }
        self.groups
            .resize_with(groups::count(), PublishedGroup::default);
    }

    fn tell_tags(&mut self) {
        let is_frame = self.is_frame();
        let Self {
            events,
            tags,
            waiting,
            groups,
            total,
            ..
        } = self;
        local::for_each_changed(events, |number, now| {
            // All indices are there: there are as many as events, and a group is made before its
            // tags.
            let Some(tag) = tags.get_mut(number as usize) else {
                return;
            };
            let change = now.since(&tag.told);
            tag.told = now;
            total.add(&change);
            if let Some(group) = groups.get_mut(tag.group as usize) {
                group.sum.add(&change);
            }
            match &tag.series {
                Some(series) => series.add(&change, is_frame),
                None if !tag.is_waiting && mode::has_headers() => {
                    tag.is_waiting = true;
                    waiting.push_back(Waiting {
                        tag: number,
                        before: if is_frame { Sum::NONE } else { now },
                    });
                }
                None => {}
            }
        });
        self.tell_new_tags();
    }

    /// Registers those that wait longest, and tells all that was counted of them so far.
    fn tell_new_tags(&mut self) {
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
            series.add(&tag.told.since(&before), true);
        }
    }

    fn tell_groups(&mut self) {
        if !mode::has_headers() {
            return;
        }
        let is_frame = self.is_frame();
        for (number, group) in (0..).zip(&mut self.groups) {
            if group.series.is_none() && group.sum == Sum::NONE {
                continue;
            }
            let series = group.series.get_or_insert_with(|| Series::of_group(number));
            series.add(&group.sum.since(&group.told), is_frame);
            group.told = group.sum;
            let bytes = held(group.sum.live_bytes());
            group.peak_bytes = group.peak_bytes.max(bytes);
            let Some(budget_bytes) = groups::budget_bytes(number) else {
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
                    group: groups::name(number),
                    from,
                    to: group.state,
                    bytes,
                    budget_bytes,
                });
            }
        }
    }

    fn tell_whole(&mut self) {
        let totals = totals_of(&self.total);
        TOTAL.set(totals.bytes);
        PEAK.set(totals.peak_bytes);
        ALLOCATIONS.set(totals.allocations);
        self.peak_allocations = self.peak_allocations.max(totals.allocations);
        PEAK_ALLOCATIONS.set(self.peak_allocations);
        OVERHEAD.set(totals.overhead_bytes);
        TAGS.set(tags::count());
        let refused = tags::refused();
        REFUSED.add(refused.wrapping_sub(std::mem::replace(&mut self.refused_told, refused)));
        let is_frame = self.is_frame();
        self.whole
            .get_or_insert_with(Series::of_all)
            .add(&self.total.since(&self.total_told), is_frame);
        self.total_told = self.total;
    }
}
