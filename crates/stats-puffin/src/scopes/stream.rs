//! Reads the stream of one thread: nested scopes in puffin's binary format.
//!
//! ```text
//!  '('  id u32  start i64  length u8  data [length]  size u64  children [size]  ')'  stop i64      little endian
//! ```
//!
//! puffin's own reader walks the children of each scope again and adds sizes without checks. This
//! reader takes one pass, keeps its stack off the call stack, and checks every value.

/// Receives the scopes of a stream, in the order in which they begin and end.
pub(super) trait Visit {
    /// A scope begins, inside all scopes that have not ended.
    fn begin(&mut self, id: u32);
    /// The innermost open scope ends. `start_ns` is at most `stop_ns`.
    fn end(&mut self, start_ns: i64, stop_ns: i64);
}

/// The stream has an error: it is truncated, sizes do not fit, or a scope ends before it begins.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Malformed;

/// A scope that has not ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    /// The position at which its children end.
    end: usize,
    start_ns: i64,
}

/// Reads a stream from its beginning. After an error, the scopes that did not end are still in
/// `open`. Pass the same `open` to every call, to reuse its memory.
pub(super) fn read(
    stream: &[u8],
    open: &mut Vec<Open>,
    visit: &mut impl Visit,
) -> Result<(), Malformed> {
    open.clear();
    let mut rest = Rest { stream, at: 0 };
    loop {
        match open.last() {
            Some(scope) if rest.at == scope.end => {
                let [sentinel] = rest.take()?;
                let stop_ns = i64::from_le_bytes(rest.take()?);
                if sentinel != b')' || stop_ns < scope.start_ns {
                    return Err(Malformed);
                }
                visit.end(scope.start_ns, stop_ns);
                open.pop();
            }
            None if rest.at == stream.len() => return Ok(()),
            parent => {
                let end = parent.map_or(stream.len(), |parent| parent.end);
                let (id, scope) = rest.scope(end)?;
                visit.begin(id);
                open.push(scope);
            }
        }
    }
}

struct Rest<'a> {
    stream: &'a [u8],
    at: usize,
}

impl Rest<'_> {
    /// Reads the head of a scope that must end before `limit`.
    fn scope(&mut self, limit: usize) -> Result<(u32, Open), Malformed> {
        let [sentinel] = self.take()?;
        let id = u32::from_le_bytes(self.take()?);
        let start_ns = i64::from_le_bytes(self.take()?);
        let [data_length] = self.take()?;
        self.at += usize::from(data_length);
        let size = usize::try_from(u64::from_le_bytes(self.take()?)).map_err(|_| Malformed)?;
        let end = self.at.checked_add(size).ok_or(Malformed)?;
        if sentinel != b'(' || id == 0 || end >= limit {
            return Err(Malformed);
        }
        Ok((id, Open { end, start_ns }))
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        // `at` does not overflow: it exceeds the length of the stream by 255 at most.
        let bytes = self
            .stream
            .get(self.at..)
            .and_then(|rest| rest.first_chunk::<N>())
            .ok_or(Malformed)?;
        self.at += N;
        Ok(*bytes)
    }
}
