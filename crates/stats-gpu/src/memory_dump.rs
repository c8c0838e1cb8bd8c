//! wgpu's report of its memory as a memory dump.

#![cfg_attr(
    target_family = "wasm",
    expect(dead_code, reason = "in a browser, wgpu has no report")
)]

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::memory_names::segments;

/// The beginning of the labels that wgpu gives to its own buffers and textures.
const WGPU: &str = "(wgpu internal) ";
/// The beginning of the names of resources without a label.
const UNLABELED: &str = "Unlabeled ";

/// Returns a function that writes a dump of the memory that wgpu has allocated on a device, with a
/// line for each buffer and texture, in the format of `stats-memory`. The memory view of
/// `stats-overlay` shows it as a tree, compares two dumps, and finds what grew:
/// `overlay.set_video_memory_dump(stats_gpu::memory_dump(&device));`.
///
/// - The group is `labeled`, `unlabeled` or `wgpu`. The last one has the resources that wgpu makes for
///   itself, such as the buffers that carry data to the device. wgpu's report does not tell buffers from
///   textures, except for those without a label.
/// - The folders of a label, which end with `/`, are scopes, and the rest is the name.
/// - The address is the number of the block of memory, and the place within it in the lower 40 bits.
///   A thread is not known.
///
/// The function returns the number of lines. It keeps the device alive, takes the lock of wgpu's
/// allocator while it copies the report, and takes time and memory in proportion to the number of
/// allocations. It may be called on any thread.
///
/// # Errors
///
/// The function returns the errors of the writer, and [`Unsupported`](io::ErrorKind::Unsupported)
/// if wgpu does not report its memory: it does so with Vulkan and Direct3D 12, and not in a browser.
/// With the feature `enabled` off, the dump is empty.
///
/// ```no_run
/// # fn run(device: &wgpu::Device) -> std::io::Result<()> {
/// let dump = stats_gpu::memory_dump(device);
/// dump(&mut std::fs::File::create("video-memory.csv")?)?; // for `stats view`
/// # Ok(())
/// # }
/// ```
#[cfg(not(target_family = "wasm"))]
pub fn memory_dump(
    device: &wgpu::Device,
) -> impl Fn(&mut dyn Write) -> io::Result<u64> + Send + Sync + 'static + use<> {
    let device = stats_core::ENABLED.then(|| device.clone());
    move |out| {
        let _memory = stats_core::own_memory("stats-gpu");
        let Some(device) = &device else { return Ok(0) };
        let report = device.generate_allocator_report().ok_or_else(unsupported)?;
        let mut lines = Lines::new(out);
        for (block, of_block) in report.blocks.iter().enumerate() {
            let allocations = report.allocations.get(of_block.allocations.clone());
            for one in allocations.unwrap_or_default() {
                lines.write(block as u64, one.offset, one.size, &one.name)?;
            }
        }
        Ok(lines.count)
    }
}

/// Returns a function that writes a dump of the memory that wgpu has allocated on a device. In a
/// browser, wgpu does not report its memory, so the function returns an error.
///
/// # Errors
///
/// [`Unsupported`](io::ErrorKind::Unsupported), always.
#[cfg(target_family = "wasm")]
pub fn memory_dump(
    _: &wgpu::Device,
) -> impl Fn(&mut dyn Write) -> io::Result<u64> + Send + Sync + 'static + use<> {
    |_| Err(unsupported())
}

fn unsupported() -> io::Error {
    let text = "wgpu does not report its memory with this backend. Use Vulkan or Direct3D 12";
    io::Error::new(io::ErrorKind::Unsupported, text)
}

/// Writes the lines of a dump.
struct Lines<'a> {
    out: &'a mut dyn Write,
    line: String,
    count: u64,
}

impl<'a> Lines<'a> {
    fn new(out: &'a mut dyn Write) -> Self {
        Self {
            out,
            line: String::new(),
            count: 0,
        }
    }

    fn write(&mut self, block: u64, offset: u64, bytes: u64, label: &str) -> io::Result<()> {
        let (group, label) = group_of(label);
        let line = &mut self.line;
        line.clear();
        let address = (block << 40) | (offset & ((1 << 40) - 1));
        // Writing into a string does not fail.
        let _ = write!(line, "0x{address:016x},,{group},{bytes},");
        let mut names: Vec<&str> = segments(label).collect();
        let name = names.pop().unwrap_or_default();
        let scopes: Vec<String> = names.iter().map(|scope| escape(scope)).collect();
        push_field(line, &scopes.join("|"));
        line.push(',');
        push_field(line, name);
        line.push('\n');
        self.out.write_all(line.as_bytes())?;
        self.count += 1;
        Ok(())
    }
}

/// Returns the group of a label, and what the group leaves of it.
fn group_of(label: &str) -> (&'static str, &str) {
    if let Some(kind) = label.strip_prefix(UNLABELED) {
        ("unlabeled", kind)
    } else if let Some(what) = label.strip_prefix(WGPU) {
        ("wgpu", what)
    } else if label.is_empty() {
        ("unlabeled", label)
    } else {
        ("labeled", label)
    }
}

/// Returns a scope with a `\` before each character that separates scopes.
fn escape(scope: &str) -> String {
    scope.replace('\\', "\\\\").replace('|', "\\|")
}

/// Adds a field, quoted as in RFC 4180 if it must be.
fn push_field(line: &mut String, field: &str) {
    if field.contains([',', '"', '\n', '\r']) {
        line.push('"');
        line.push_str(&field.replace('"', "\"\""));
        line.push('"');
    } else {
        line.push_str(field);
    }
}

#[cfg(test)]
mod tests {
    use stats_testing::Random;

    use super::*;

    /// Returns the fields of records as RFC 4180 reads them.
    fn records(text: &str) -> Vec<Vec<String>> {
        let (mut records, mut fields, mut field) = (Vec::new(), Vec::new(), String::new());
        let (mut is_quoted, mut letters) = (false, text.chars().peekable());
        while let Some(letter) = letters.next() {
            match letter {
                '"' if is_quoted && letters.next_if_eq(&'"').is_some() => field.push('"'),
                '"' => is_quoted = !is_quoted,
                ',' if !is_quoted => fields.push(std::mem::take(&mut field)),
                '\n' if !is_quoted => {
                    fields.push(std::mem::take(&mut field));
                    records.push(std::mem::take(&mut fields));
                }
                letter => field.push(letter),
            }
        }
        assert!(
            field.is_empty() && fields.is_empty() && !is_quoted,
            "{text}"
        );
        records
    }

    fn scopes(stack: &str) -> Vec<String> {
        let (mut scopes, mut letters) = (vec![String::new()], stack.chars());
        while let Some(letter) = letters.next() {
            let last = scopes.last_mut().unwrap();
            match letter {
                '|' => scopes.push(String::new()),
                '\\' => last.push(letters.next().unwrap()),
                letter => last.push(letter),
            }
        }
        scopes.retain(|scope| !scope.is_empty());
        scopes
    }

    #[test]
    fn every_label_can_be_read_from_the_dump() {
        let letters: Vec<char> = "/|\\,\"\n\ré a/".chars().collect();
        let mut random = Random::new(1);
        let (mut labels, mut out) = (Vec::new(), Vec::new());
        let mut lines = Lines::new(&mut out);
        for at in 0..5_000 {
            let length = random.index(12);
            let label: String = (0..length)
                .map(|_| letters[random.index(letters.len())])
                .collect();
            lines.write(at % 7, at << 8, at, &label).unwrap();
            labels.push(label);
        }
        assert_eq!(lines.count, 5_000);
        let found = records(std::str::from_utf8(&out).unwrap());
        assert_eq!(found.len(), labels.len());
        for (at, (record, label)) in (0_u64..).zip(found.iter().zip(&labels)) {
            let [address, thread, group, bytes, stack, name] = &record[..] else {
                panic!("{record:?}")
            };
            assert_eq!(address, &format!("0x{:016x}", ((at % 7) << 40) | (at << 8)));
            assert_eq!((thread.as_str(), bytes), ("", &at.to_string()));
            let of_label = if label.is_empty() {
                "unlabeled"
            } else {
                "labeled"
            };
            assert_eq!(group, of_label);
            let mut all = scopes(stack);
            all.extend((!name.is_empty()).then(|| name.clone()));
            let expected: Vec<&str> = label.split('/').filter(|part| !part.is_empty()).collect();
            assert_eq!(all, expected, "{label:?}");
        }
    }

    #[test]
    fn resources_without_a_label_and_those_of_wgpu_have_groups_of_their_own() {
        assert_eq!(group_of("Unlabeled texture"), ("unlabeled", "texture"));
        assert_eq!(group_of("(wgpu internal) Staging"), ("wgpu", "Staging"));
        assert_eq!(group_of("terrain/heights"), ("labeled", "terrain/heights"));
        assert_eq!(group_of(""), ("unlabeled", ""));
    }
}
