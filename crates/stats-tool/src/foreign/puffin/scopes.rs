//! The scopes of a recording, summed up by call path.
//!
//! A *node* is a thread and the names of the scopes around a scope, down to its own. Names may be
//! known only later, so nodes are made of numbers first.

use std::collections::HashMap;

use super::numbers::Rest;
use super::packets::Stream;

/// The depth of the tree. Deeper scopes are part of the self time of those around them.
const MAX_DEPTH: usize = 64;

/// The maximum number of nodes.
const MAX_NODES: usize = 1 << 14;

/// The maximum number of single scopes that are kept.
const MAX_SPANS: usize = 1 << 22;

/// The maximum number of threads.
const MAX_THREADS: usize = 1 << 10;

/// A scope that ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    /// The position of its frame in the recording.
    pub(super) frame: u32,
    pub(super) node: u32,
    /// The position of its thread.
    pub(super) thread: u16,
    pub(super) depth: u16,
    pub(super) begin_ns: i64,
    pub(super) end_ns: i64,
}

/// A call path.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) parent: Option<u32>,
    /// The position of a thread with its name.
    pub(super) thread: u16,
    /// The number of its name.
    pub(super) name: u32,
    /// The frames in which it ran, by position, with the nanoseconds and the calls.
    pub(super) sums: Vec<(u32, u64, u32)>,
}

/// A thread.
#[derive(Debug)]
pub(super) struct Thread {
    pub(super) name: String,
    since_ns: Option<i64>,
    /// The position of the first thread of this name.
    first: u16,
}

/// All scopes.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    pub(super) threads: Vec<Thread>,
    pub(super) nodes: Vec<Node>,
    pub(super) spans: Vec<Span>,
    /// The number of scopes that are in no span, because there are too many.
    pub(super) lost: u64,
    /// The number of streams that are damaged. What ended before the damage counts.
    pub(super) damaged: u64,
    /// Whether scopes are in no node, because there are too many, or too deep ones.
    pub(super) is_limited: bool,
    children: HashMap<(Option<u32>, u16, u32), u32>,
    /// The names of scopes whose name is in the stream, by number.
    names: HashMap<Vec<u8>, u32>,
    open: Vec<Open>,
}

/// A scope that has not ended.
#[derive(Clone, Copy, Debug)]
struct Open {
    node: Option<u32>,
    begin_ns: i64,
}

impl Scopes {
    /// Takes the streams of a frame. `has_numbers` is whether scopes have numbers instead of names.
    pub(super) fn take(&mut self, frame: u32, streams: &[u8], has_numbers: bool) {
        let mut rest = Rest(streams);
        let Some(count) = rest.number() else {
            self.damaged += 1;
            return;
        };
        for _ in 0..count {
            let Some(stream) = Stream::take(&mut rest) else {
                self.damaged += 1;
                return;
            };
            let Some(thread) = self.thread(&stream) else {
                self.is_limited = true;
                continue;
            };
            if self
                .take_stream(frame, thread, stream.bytes, has_numbers)
                .is_none()
            {
                self.damaged += 1;
            }
        }
    }

    /// Returns the position of a thread.
    fn thread(&mut self, stream: &Stream<'_>) -> Option<u16> {
        let is_name = |thread: &Thread| thread.name == stream.thread;
        let is_same = |thread: &Thread| thread.since_ns == stream.since_ns && is_name(thread);
        let known = self.threads.iter().position(is_same);
        let at = known.or_else(|| {
            let at = self.threads.len();
            let first = self.threads.iter().position(is_name).unwrap_or(at);
            (at < MAX_THREADS).then(|| {
                self.threads.push(Thread {
                    name: stream.thread.to_owned(),
                    since_ns: stream.since_ns,
                    first: first as u16,
                });
                at
            })
        });
        at.map(|at| at as u16)
    }

    /// Takes the scopes of a thread: `(`, name, begin, data and size; the scopes in it; and `)` and
    /// the end. `None` if the stream is damaged.
    fn take_stream(
        &mut self,
        frame: u32,
        thread: u16,
        stream: &[u8],
        has_numbers: bool,
    ) -> Option<()> {
        self.open.clear();
        let mut rest = Rest(stream);
        while let Ok(sign) = rest.byte().ok_or(()) {
            match sign {
                b'(' => {
                    let (name, begin_ns) = if has_numbers {
                        (rest.fixed::<4>()? as u32, rest.time_ns()?)
                    } else {
                        let begin_ns = rest.time_ns()?;
                        let name = rest.short_text()?;
                        // The place in the code.
                        rest.short_text()?;
                        (self.number_of(name), begin_ns)
                    };
                    // The data, and the size of the scopes in it.
                    let _ = (rest.short_text()?, rest.fixed::<8>()?);
                    let node = self.node(thread, name);
                    self.open.push(Open { node, begin_ns });
                }
                b')' => {
                    let end_ns = rest.time_ns()?;
                    let open = self.open.pop()?;
                    self.close(frame, thread, open, end_ns)?;
                }
                _ => return None,
            }
        }
        self.open.is_empty().then_some(())
    }

    fn number_of(&mut self, name: &[u8]) -> u32 {
        if let Some(known) = self.names.get(name) {
            return *known;
        }
        let number = self.names.len() as u32;
        self.names.insert(name.to_vec(), number);
        number
    }

    /// Returns the node of a scope that begins; `None` if there is none for it.
    fn node(&mut self, thread: u16, name: u32) -> Option<u32> {
        let depth = self.open.len();
        let parent = match self.open.last() {
            Some(around) => Some(around.node?),
            None => None,
        };
        let first = self.threads[usize::from(thread)].first;
        if let Some(known) = self.children.get(&(parent, first, name)) {
            return Some(*known);
        }
        if depth >= MAX_DEPTH || self.nodes.len() >= MAX_NODES {
            self.is_limited = true;
            return None;
        }
        let node = self.nodes.len() as u32;
        self.children.insert((parent, first, name), node);
        self.nodes.push(Node {
            parent,
            thread: first,
            name,
            sums: Vec::new(),
        });
        Some(node)
    }

    fn close(&mut self, frame: u32, thread: u16, open: Open, end_ns: i64) -> Option<()> {
        let ns = end_ns.checked_sub(open.begin_ns).filter(|ns| *ns >= 0)? as u64;
        let Some(node) = open.node else {
            return Some(());
        };
        match self.nodes[node as usize].sums.last_mut() {
            Some((of, sum_ns, calls)) if *of == frame => {
                *sum_ns = sum_ns.saturating_add(ns);
                *calls = calls.saturating_add(1);
            }
            _ => self.nodes[node as usize].sums.push((frame, ns, 1)),
        }
        if self.spans.len() == MAX_SPANS {
            self.lost += 1;
            return Some(());
        }
        self.spans.push(Span {
            frame,
            node,
            thread,
            depth: self.open.len() as u16,
            begin_ns: open.begin_ns,
            end_ns,
        });
        Some(())
    }

    /// Returns the names of scopes whose names were in the streams, by number.
    pub(super) fn names_of_streams(&mut self) -> HashMap<u32, String> {
        let names = std::mem::take(&mut self.names).into_iter();
        names
            .map(|(name, number)| (number, super::super::text::text(&name)))
            .collect()
    }
}
