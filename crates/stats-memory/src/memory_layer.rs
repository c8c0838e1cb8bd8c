//! The spans of `tracing` as memory scopes.

use std::cell::RefCell;
use std::fmt::Debug;

use tracing_core::Subscriber;
use tracing_core::field::{Field, Visit};
use tracing_core::span::{Attributes, Id};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

use crate::backend::{Scope, Tag, current_tag};

/// A layer of [`tracing_subscriber`] that makes each span of [tracing](tracing_core) a memory
/// scope.
///
/// ```
/// use stats_memory::MemoryLayer;
/// use tracing_subscriber::layer::SubscriberExt as _;
///
/// let subscriber = tracing_subscriber::registry().with(MemoryLayer::new().object("mesh"));
/// tracing::subscriber::with_default(subscriber, || {
///     let _span = tracing::info_span!("load", mesh = "crate").entered();
///     let vertices = vec![0_u8; 4096]; // in the scopes `load|crate`
/// #   drop(vertices);
/// });
/// ```
///
/// The scope has the name of the span. A span with the field of [`object`](Self::object) has
/// another scope inside it, named by the field's value, so that memory adds up by kind of object
/// and by object.
///
/// The scopes of a span are fixed when it is created: they are inside the scope of its parent, or
/// inside the one that the thread is in. They are left and entered with the span, so that an
/// instrumented future has its scopes on every thread, and across `.await`.
///
/// Creating a span takes 15 to 25 ns for each scope, and one allocation of the registry. Entering
/// and leaving take a look-up of the span in addition to the 3 to 4 ns of a scope.
///
/// Several layers of one subscriber, each with a field of its own, add their objects to one scope.
///
/// **Limits.** A value that is recorded after the span was created is ignored. Values that never
/// repeat, such as ids of requests, use up the [tags](crate::MAX_TAGS). Spans that a filter of the
/// layer turns off are not scopes.
#[derive(Clone, Copy, Debug, Default)]
pub struct MemoryLayer {
    object: Option<&'static str>,
}

impl MemoryLayer {
    /// Creates a layer without objects.
    #[must_use]
    pub const fn new() -> Self {
        Self { object: None }
    }

    /// Sets the field whose value names a scope inside that of its span. Default: none.
    #[must_use]
    pub const fn object(self, field: &'static str) -> Self {
        Self {
            object: Some(field),
        }
    }

    /// Returns a tag with the object of a new span inside it.
    fn with_object(&self, tag: Tag, attributes: &Attributes<'_>) -> Tag {
        let mut object = Object {
            field: self.object,
            tag,
        };
        attributes.record(&mut object);
        object.tag
    }
}

/// The tag of a span, among the registry's data about it.
#[derive(Clone, Copy)]
struct SpanTag(Tag);

thread_local! {
    /// The scopes of the spans that the thread is in, in the order of entry.
    static ENTERED: RefCell<Vec<(Id, Scope)>> = const { RefCell::new(Vec::new()) };
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for MemoryLayer {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else {
            return;
        };
        let of_other_layer = span.extensions().get().map(|SpanTag(tag)| *tag);
        if let Some(tag) = of_other_layer {
            let tag = self.with_object(tag, attributes);
            span.extensions_mut().replace(SpanTag(tag));
            return;
        }
        let parent = attributes.parent().and_then(|parent| context.span(parent));
        let around = match parent {
            _ if attributes.is_root() => Tag::default(),
            Some(parent) => parent
                .extensions()
                .get()
                .map_or_else(Tag::default, |SpanTag(tag)| *tag),
            None => current_tag(),
        };
        let tag = around.scope(attributes.metadata().name());
        let tag = self.with_object(tag, attributes);
        span.extensions_mut().insert(SpanTag(tag));
    }

    fn on_enter(&self, id: &Id, context: Context<'_, S>) {
        let tag = context
            .span(id)
            .and_then(|span| span.extensions().get().map(|SpanTag(tag)| *tag));
        if let Some(tag) = tag {
            // Fails only while the thread ends. Then there is nobody to allocate for.
            let _ = ENTERED.try_with(|entered| {
                // Makes room first, so that the list does not belong to the span.
                entered.borrow_mut().reserve(1);
                entered.borrow_mut().push((id.clone(), tag.enter()));
            });
        }
    }

    fn on_exit(&self, id: &Id, _: Context<'_, S>) {
        let _ = ENTERED.try_with(|entered| {
            let mut entered = entered.borrow_mut();
            // A span may end before one that was entered later.
            if let Some(at) = entered.iter().rposition(|(of, _)| of == id) {
                drop(entered.remove(at));
            }
        });
    }
}

/// Finds the value of a field, and puts a scope of that name into a tag.
struct Object {
    field: Option<&'static str>,
    tag: Tag,
}

impl Visit for Object {
    fn record_str(&mut self, field: &Field, value: &str) {
        if Some(field.name()) == self.field {
            self.tag = self.tag.scope(value);
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if Some(field.name()) == self.field {
            self.tag = self.tag.scope(&format!("{value:?}"));
        }
    }
}
