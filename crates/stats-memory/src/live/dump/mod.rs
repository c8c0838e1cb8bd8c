//! The dump: a line for each live allocation, or for each tag.

mod exit;
mod save;

pub use exit::dump_at_exit;
pub use save::save_dump;

use std::fmt::{self, Write as _};
use std::io::{self, Write};

use super::counts::Sum;
use super::totals::held;
use super::{counts, header, records, tags, thread_names, untracked};
use crate::Tag;

/// The number of bytes written at a time.
const BUFFER: usize = 8 * 1024;

/// Lines on their way to the writer, buffered on the stack: a dump allocates nothing.
struct Lines<'a> {
    out: &'a mut dyn Write,
    buffer: [u8; BUFFER],
    len: usize,
    error: Option<io::Error>,
    lines: u64,
}

impl Lines<'_> {
    fn flush(&mut self) -> io::Result<()> {
        let len = std::mem::take(&mut self.len);
        self.out.write_all(&self.buffer[..len])
    }
}

impl fmt::Write for Lines<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            if self.len == BUFFER
                && let Err(error) = self.flush()
            {
                self.error = Some(error);
                return Err(fmt::Error);
            }
            let room = &mut self.buffer[self.len..];
            let (now, later) = rest.split_at(rest.len().min(room.len()));
            room[..now.len()].copy_from_slice(now);
            self.len += now.len();
            rest = later;
        }
        Ok(())
    }
}

/// Writes a line for each live allocation, or for each tag, and returns the number of lines,
/// including one with the budgets of groups. The [crate's documentation](crate#the-dump) describes
/// the format.
///
/// Streams through 8 KiB on the stack and allocates nothing itself. While it runs, the thread is in
/// the scope `stats-memory`: allocations of `out` count there, not toward the program's own scope.
/// Other threads keep running; their allocations and frees during the dump may be in it or not.
/// Takes about 0.2 µs per line, plus the time of `out`.
///
/// The function can be passed on as it is:
///
/// ```
/// fn set_dump(_: impl Fn(&mut dyn std::io::Write) -> std::io::Result<u64> + Send + Sync + 'static) {}
///
/// set_dump(stats_memory::dump);
/// ```
///
/// # Errors
///
/// Returns the errors of `out`. Lines before the error have been written.
pub fn dump(out: &mut dyn Write) -> io::Result<u64> {
    stream(out, write_lines)
}

/// Writes a line for each tag, in every mode. In [`Records`](crate::Records) it summarizes what
/// [`dump`] lists line by line. Streams like [`dump`].
///
/// # Errors
///
/// Returns the errors of `out`. Lines before the error have been written.
pub fn dump_tags(out: &mut dyn Write) -> io::Result<u64> {
    stream(out, |lines| {
        write_budgets(lines)?;
        write_tags(lines, || false)?;
        write_untracked(lines)
    })
}

fn stream(
    out: &mut dyn Write,
    write: impl FnOnce(&mut Lines<'_>) -> fmt::Result,
) -> io::Result<u64> {
    // The guard leaves the tag on every way out, including a panic of the writer.
    let _own = Tag::of(tags::own()).enter();
    let mut lines = Lines {
        out,
        buffer: [0; BUFFER],
        len: 0,
        error: None,
        lines: 0,
    };
    match (write(&mut lines), lines.error.take()) {
        (_, Some(error)) => Err(error),
        (Err(fmt::Error), None) => Err(io::ErrorKind::Other.into()),
        (Ok(()), None) => {
            lines.flush()?;
            lines.out.flush()?;
            Ok(lines.lines)
        }
    }
}

/// Writes the lines of the mode, which is inferred from the records: a record exists before its
/// allocation is counted.
fn write_lines(lines: &mut Lines<'_>) -> fmt::Result {
    write_budgets(lines)?;
    if records::are_used() || !write_tags(lines, records::are_used)? {
        write_allocations(lines)?;
    }
    write_untracked(lines)
}

/// Writes the names of the fields and the budgets of groups, if any group has one.
fn write_budgets(lines: &mut Lines<'_>) -> fmt::Result {
    // A group counts as used from its first tag on; its budget is known by then.
    let groups = tags::group_count() as u32;
    let budgets = || {
        (0..groups).filter_map(|group| Some((tags::group_name(group), tags::budget_bytes(group)?)))
    };
    if budgets().next().is_none() || !header::knows_groups() {
        return Ok(());
    }
    let is_quoted = budgets().any(|(group, _)| needs_quotes(group));
    let quote = if is_quoted { "\"" } else { "" };
    write!(lines, "address,thread,group,bytes,scope|stack,name,{quote}")?;
    for (at, (group, bytes)) in budgets().enumerate() {
        lines.write_str(if at == 0 { "" } else { "|" })?;
        write_escaped(lines, group, &['|', '\\', '='])?;
        write!(lines, "={bytes}")?;
    }
    writeln!(lines, "{quote}")?;
    lines.lines += 1;
    Ok(())
}

/// Writes a line for each part of the untracked memory, as of its last sample.
fn write_untracked(lines: &mut Lines<'_>) -> fmt::Result {
    untracked::for_each_part(|part| {
        write!(lines, ",,{},{},", crate::UNTRACKED, part.bytes)?;
        write_field(lines, part.kind.name())?;
        lines.write_str(",")?;
        write_field(lines, &part.name)?;
        writeln!(lines, ",{}", part.mappings)?;
        lines.lines += 1;
        Ok(())
    })
}

fn write_allocations(lines: &mut Lines<'_>) -> fmt::Result {
    let mut buffer = thread_names::buffer();
    let mut mappings = if untracked::is_watched() {
        untracked::Mappings::read()
    } else {
        None
    };
    records::for_each(|live| {
        if let Some(mappings) = &mut mappings {
            mappings.note(live.address);
        }
        write!(lines, "0x{:016x},", live.address)?;
        write_field(lines, thread_names::name(live.thread, &mut buffer))?;
        write_tag(lines, live.tag, live.bytes)?;
        lines.write_str("\n")?;
        lines.lines += 1;
        Ok(())
    })?;
    match mappings {
        Some(mappings) => mappings.for_each_run(|pages| {
            let (start, bytes) = (pages.start, pages.end - pages.start);
            writeln!(
                lines,
                "0x{start:016x},,{},0,resident,{bytes},0",
                crate::UNTRACKED
            )?;
            lines.lines += 1;
            Ok(())
        }),
        None => Ok(()),
    }
}

/// Writes a line for each tag. Returns `false` without writing any if `is_wrong` returns `true`
/// before the first one.
fn write_tags(lines: &mut Lines<'_>, is_wrong: fn() -> bool) -> Result<bool, fmt::Error> {
    let first = lines.lines;
    for tag in 0..tags::count() as u32 {
        // While the tag changes, only what is live for certain.
        let sum = counts::of_tag(tag, &Sum::NONE);
        if sum.live_bytes() > 0 || sum.live() > 0 {
            // Called after the sum was read: this allocation may have been the first of all.
            if lines.lines == first && is_wrong() {
                return Ok(false);
            }
            lines.write_str(",")?;
            write_tag(lines, tag, held(sum.live_bytes()))?;
            writeln!(lines, ",{}", held(sum.live()))?;
            lines.lines += 1;
        }
    }
    Ok(true)
}

/// Writes the fields of a tag, and the bytes between them.
fn write_tag(lines: &mut Lines<'_>, tag: u32, bytes: u64) -> fmt::Result {
    lines.write_str(",")?;
    write_field(
        lines,
        if header::has_headers() {
            tags::group_name(tags::group(tag))
        } else {
            crate::UNGROUPED
        },
    )?;
    write!(lines, ",{bytes},")?;
    write_stack(lines, tag)?;
    lines.write_str(",")?;
    write_field(lines, tags::name(tag))
}

fn needs_quotes(text: &str) -> bool {
    text.contains([',', '"', '\n', '\r'])
}

fn write_field(lines: &mut Lines<'_>, text: &str) -> fmt::Result {
    if !needs_quotes(text) {
        return lines.write_str(text);
    }
    lines.write_str("\"")?;
    write_doubled(lines, text)?;
    lines.write_str("\"")
}

/// Writes the inside of a quoted field: each quote twice.
fn write_doubled(lines: &mut Lines<'_>, text: &str) -> fmt::Result {
    for part in text.split_inclusive('"') {
        lines.write_str(part)?;
        if part.ends_with('"') {
            lines.write_str("\"")?;
        }
    }
    Ok(())
}

/// Writes the scopes, the outermost first. A `|` or a `\` in a name gets a `\` before it.
fn write_stack(lines: &mut Lines<'_>, tag: u32) -> fmt::Result {
    let mut is_quoted = false;
    tags::for_each_scope(tag, &mut |scope| is_quoted |= needs_quotes(scope));
    let quote = if is_quoted { "\"" } else { "" };
    lines.write_str(quote)?;
    let (mut result, mut separator) = (Ok(()), "");
    tags::for_each_scope(tag, &mut |scope| {
        result = result.and_then(|()| {
            lines.write_str(separator)?;
            write_escaped(lines, scope, &['|', '\\'])
        });
        separator = "|";
    });
    result?;
    lines.write_str(quote)
}

/// Writes a text with a `\` before each of some letters, which are one byte long.
fn write_escaped(lines: &mut Lines<'_>, text: &str, letters: &[char]) -> fmt::Result {
    let mut rest = text;
    while let Some(at) = rest.find(letters) {
        write_doubled(lines, &rest[..at])?;
        lines.write_str("\\")?;
        lines.write_str(&rest[at..=at])?;
        rest = &rest[at + 1..];
    }
    write_doubled(lines, rest)
}
