//! The scopes of a recording: single ones, and summed up by call path.

use std::collections::HashMap;

use super::super::calls::Tree;
use super::numbers::Rest;
use super::packets::Stream;

/// The maximum number of single scopes that are kept.
const MAX_SPANS: usize = 1 << 22;

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

/// All scopes.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    pub(super) tree: Tree,
    pub(super) spans: Vec<Span>,
    /// The number of scopes that are in no span, because there are too many.
    pub(super) lost: u64,
    /// The number of streams that are damaged. What ended before the damage counts.
    pub(super) damaged: u64,
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
            let Some(thread) = self.tree.thread(stream.thread, stream.since_ns) else {
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
                    let around = self.open.last().map(|around| around.node);
                    let node = self.tree.node(thread, around, self.open.len(), name);
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

    fn close(&mut self, frame: u32, thread: u16, open: Open, end_ns: i64) -> Option<()> {
        let ns = end_ns.checked_sub(open.begin_ns).filter(|ns| *ns >= 0)? as u64;
        let Some(node) = open.node else {
            return Some(());
        };
        self.tree.add(node, frame, ns);
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
