//! The layer, which turns spans into timers and events into counters.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::{self, Write};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use foldhash::fast::FixedState;
use tracing_core::field::{Field, Visit};
use tracing_core::span::{Attributes, Id};
use tracing_core::{Event, Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

use crate::events::{count_level, count_over_limit};
use crate::places::Name;
use crate::text::keep_text;
use crate::thread::{Hot, Kind, SpanKey, name_of_text};

/// The maximum number of spans with a [name field](StatsLayer::name_field) at a time. Further ones
/// have the name of their callsite.
const MAX_NAMED: usize = 65_536;

/// Spans with a name field are looked up from all threads, so they are spread over several locks.
const SHARDS: usize = 16;

thread_local! {
    /// A buffer for the texts of names.
    static TEXT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// A layer that turns spans into timers, and events into counters; see the
/// [documentation of the crate](crate).
///
/// ```
/// use tracing_subscriber::prelude::*;
///
/// let layer = stats_tracing::StatsLayer::new().name_field("name");
/// let subscriber = tracing_subscriber::registry().with(layer);
/// tracing::subscriber::with_default(subscriber, || {
///     let system = tracing::info_span!("system", name = "move_player");
///     system.in_scope(|| {}); // `tracing/<thread>/system: move_player`
/// });
/// ```
#[derive(Debug)]
pub struct StatsLayer {
    /// Distinguishes the layers of a process.
    number: u64,
    name_field: Option<&'static str>,
    /// The events whose texts are kept.
    log: Option<Targets>,
    named: [Shard; SHARDS],
    /// The number of spans in `named`.
    named_len: AtomicUsize,
}

/// The names of spans with a name field, by id.
type Shard = Mutex<HashMap<u64, Name, FixedState>>;

impl Default for StatsLayer {
    fn default() -> Self {
        Self::new()
    }
}

impl StatsLayer {
    /// Creates a layer without a [name field](Self::name_field): spans keep their names.
    #[must_use]
    pub fn new() -> Self {
        static LAYERS: AtomicU64 = AtomicU64::new(0);
        Self {
            // Relaxed: numbers only have to differ.
            number: LAYERS.fetch_add(1, Ordering::Relaxed),
            name_field: None,
            log: None,
            named: std::array::from_fn(|_| Mutex::default()),
            named_len: AtomicUsize::new(0),
        }
    }

    /// Distinguishes spans by a field, if they have it: a span `system` whose field has the value
    /// `move_player` is called `system: move_player`. Default: no field.
    ///
    /// Bevy names the spans of its systems and schedules by the field `name`. Choose a field with
    /// few different values, since each is a place of its own, up to
    /// [`MAX_PLACES`](crate::MAX_PLACES). The value that the span is created with counts; one that
    /// is recorded later is ignored.
    ///
    /// Creating and closing a span with the field takes a lock, and so does entering it on a thread
    /// that has not just created it. 65,536 such spans can exist at the same time.
    #[must_use]
    pub fn name_field(mut self, name: &'static str) -> Self {
        self.name_field = Some(name);
        self
    }

    /// Keeps the texts of the events that a filter lets through, as [lines of the
    /// log](stats_core::LogLine): marks of the frames in which they were written. Default: none.
    ///
    /// A text is the message of an event and its fields, such as `retrying attempt=3`. The most
    /// specific target of the filter decides, so a filter such as `warn,game::net=debug` keeps
    /// warnings of all targets, and more of one. Only events that reach the layer can be kept.
    ///
    /// An event that is kept costs the formatting of its text. Apart from what its values do to be
    /// formatted, only the first one of a process allocates, and waits if another thread is doing so.
    ///
    /// ```
    /// use stats_core::{LogLine, Recorder};
    /// use tracing_subscriber::prelude::*;
    ///
    /// let layer = stats_tracing::StatsLayer::new().keep_log("warn,game::net=debug".parse()?);
    /// let mut recorder = Recorder::new();
    /// tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), || {
    ///     tracing::warn!(target: "game::level", seconds = 3, "still loading");
    ///     tracing::info!(target: "game::level", "not kept");
    /// });
    /// recorder.end_frame();
    /// # if stats_core::ENABLED {
    /// let lines: Vec<_> = recorder.marks().iter().filter_map(|mark| LogLine::of_mark(&mark.name)).collect();
    /// assert_eq!(lines[0].to_string(), "warn game::level: still loading seconds=3");
    /// assert_eq!(lines.len(), 1);
    /// # }
    /// # Ok::<(), tracing_subscriber::filter::ParseError>(())
    /// ```
    #[must_use]
    pub fn keep_log(mut self, filter: Targets) -> Self {
        self.log = Some(filter);
        self
    }

    fn key(&self, id: &Id) -> SpanKey {
        SpanKey {
            layer: self.number,
            id: id.into_u64(),
        }
    }

    fn shard(&self, id: &Id) -> MutexGuard<'_, HashMap<u64, Name, FixedState>> {
        self.named[id.into_u64() as usize % SHARDS]
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether spans of a callsite have the name field.
    #[inline]
    fn has_name_field(&self, callsite: &Metadata<'_>) -> bool {
        self.name_field
            .is_some_and(|field| callsite.fields().field(field).is_some())
    }

    /// Returns the name of a span by its field, and remembers it; `None` if the field has no value.
    #[cold]
    fn name_by_field(&self, span: &Attributes<'_>, id: &Id) -> Option<Name> {
        // Taken, and not borrowed: formatting a value runs code of the program, which may create
        // spans.
        let mut text = TEXT.try_with(RefCell::take).ok()?;
        text.clear();
        span.record(&mut Value {
            field: self.name_field?,
            name: span.metadata().name(),
            text: &mut text,
        });
        let name = (!text.is_empty()).then(|| name_of_text(&text)).flatten();
        let _ = TEXT.try_with(|buffer| buffer.replace(text));
        let name = name?;
        // Relaxed: the number only says whether there is anything to look for.
        if self.named_len.load(Ordering::Relaxed) < MAX_NAMED
            && self.shard(id).insert(id.into_u64(), name).is_none()
        {
            self.named_len.fetch_add(1, Ordering::Relaxed);
        }
        Some(name)
    }

    /// Returns the name of a span that another thread created, or that this one created long ago.
    #[cold]
    fn look_up<S>(&self, id: &Id, context: &Context<'_, S>) -> Option<Kind>
    where
        S: Subscriber + for<'a> LookupSpan<'a>,
    {
        let callsite = context.metadata(id)?;
        let named = || self.shard(id).get(&id.into_u64()).copied();
        let name = self.has_name_field(callsite).then(named).flatten();
        Some(name.map_or(Kind::Callsite(callsite), Kind::Text))
    }
}

impl<S> Layer<S> for StatsLayer
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    #[inline]
    fn on_new_span(&self, span: &Attributes<'_>, id: &Id, _: Context<'_, S>) {
        if !stats_core::ENABLED {
            return;
        }
        let callsite = span.metadata();
        let name = if self.has_name_field(callsite) {
            self.name_by_field(span, id)
        } else {
            None
        };
        let kind = name.map_or(Kind::Callsite(callsite), Kind::Text);
        Hot::with(|thread| thread.remember(self.key(id), kind));
    }

    #[inline]
    fn on_enter(&self, id: &Id, context: Context<'_, S>) {
        if !stats_core::ENABLED {
            return;
        }
        Hot::with(|thread| thread.enter(self.key(id), || self.look_up(id, &context)));
    }

    #[inline]
    fn on_exit(&self, id: &Id, _: Context<'_, S>) {
        if !stats_core::ENABLED {
            return;
        }
        Hot::with(|thread| thread.exit(self.key(id)));
    }

    #[inline]
    fn on_close(&self, id: Id, _: Context<'_, S>) {
        if !stats_core::ENABLED {
            return;
        }
        // Relaxed: the span was counted when it was created, which happens before it closes.
        if self.named_len.load(Ordering::Relaxed) > 0
            && self.shard(&id).remove(&id.into_u64()).is_some()
        {
            self.named_len.fetch_sub(1, Ordering::Relaxed);
        }
    }

    #[inline]
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        if !stats_core::ENABLED {
            return;
        }
        let callsite = event.metadata();
        count_level(*callsite.level());
        if let Some(filter) = &self.log {
            keep_text(event, filter);
        }
        // `None` only if this event comes from inside the layer.
        if let Some(target) = Hot::with(|thread| thread.target(callsite)) {
            match target {
                Some(counter) => counter.increment(),
                None => count_over_limit(),
            }
        }
    }
}

/// Writes `name: value` if it visits the field.
struct Value<'a> {
    field: &'static str,
    name: &'static str,
    text: &'a mut String,
}

impl Value<'_> {
    fn write(&mut self, field: &Field, value: fmt::Arguments<'_>) {
        if field.name() == self.field {
            // Writing into a string does not fail.
            let _ = write!(self.text, "{}: {value}", self.name);
        }
    }
}

impl Visit for Value<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.write(field, format_args!("{value}"));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.write(field, format_args!("{value:?}"));
    }
}
