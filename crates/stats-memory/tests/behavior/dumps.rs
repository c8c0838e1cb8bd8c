//! The dump, read back by an independent reader.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use stats_memory::{Group, Tag, alloc_name, current_tag, dump, scope};

use super::{Block, RECORDS, Random, TAGS, alone, times};

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Line {
    pub(crate) address: u64,
    pub(crate) thread: String,
    pub(crate) group: String,
    pub(crate) bytes: u64,
    pub(crate) scopes: Vec<String>,
    pub(crate) name: String,
    pub(crate) count: i64,
}

/// Parses text in the format of RFC 4180. Returns its records.
fn parse(text: &str) -> Vec<Vec<String>> {
    let (mut records, mut record, mut field, mut is_quoted) =
        (Vec::new(), Vec::new(), String::new(), false);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if is_quoted && characters.peek() == Some(&'"') => field.extend(characters.next()),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => record.push(std::mem::take(&mut field)),
            '\n' if !is_quoted => {
                record.push(std::mem::take(&mut field));
                records.push(std::mem::take(&mut record));
            }
            _ => field.push(character),
        }
    }
    assert!(field.is_empty() && record.is_empty() && !is_quoted);
    records
}

fn split_stack(stack: &str) -> Vec<String> {
    let (mut scopes, mut characters) = (vec![String::new()], stack.chars());
    while let Some(character) = characters.next() {
        match character {
            '|' => scopes.push(String::new()),
            '\\' => scopes.last_mut().unwrap().extend(characters.next()),
            _ => scopes.last_mut().unwrap().push(character),
        }
    }
    scopes.retain(|scope| !scope.is_empty());
    scopes
}

fn read() -> Vec<Vec<String>> {
    let mut out = Vec::new();
    let lines = dump(&mut out).unwrap();
    let mut records = parse(&String::from_utf8(out).unwrap());
    assert_eq!(records.len() as u64, lines);
    without_heading(&mut records);
    records
}

/// Removes the heading, and returns its field of budgets; empty if no group has a budget.
fn without_heading(records: &mut Vec<Vec<String>>) -> String {
    if records.first().is_none_or(|first| first[0] != "address") {
        return String::new();
    }
    let heading = records.remove(0);
    assert_eq!(
        heading[..6].join(","),
        "address,thread,group,bytes,scope|stack,name"
    );
    heading[6].clone()
}

/// Returns the lines of a tracker with records.
pub(crate) fn lines() -> Vec<Line> {
    let line = |fields: Vec<String>| {
        let [address, thread, group, bytes, stack, name] = fields.try_into().unwrap();
        let address = u64::from_str_radix(address.strip_prefix("0x").unwrap(), 16).unwrap();
        Line {
            address,
            thread,
            group,
            bytes: bytes.parse().unwrap(),
            scopes: split_stack(&stack),
            name,
            count: 1,
        }
    };
    read().into_iter().map(line).collect()
}

/// Returns the lines of tags: those that `Tags` would write, even if another test of the process
/// left records.
pub(crate) fn lines_of_tags() -> Vec<Line> {
    let line = |fields: Vec<String>| {
        let [_, _, group, bytes, stack, name, count] = fields.try_into().unwrap();
        let count = count.parse().unwrap();
        Line {
            group,
            bytes: bytes.parse().unwrap(),
            scopes: split_stack(&stack),
            name,
            count,
            ..Line::default()
        }
    };
    let mut out = Vec::new();
    stats_memory::dump_tags(&mut out).unwrap();
    let mut records = parse(&String::from_utf8(out).unwrap());
    without_heading(&mut records);
    records.into_iter().map(line).collect()
}

static ODD: Group = Group::new("odd, \"group\"");
static ODD_BUDGET: Group = Group::new("a|b=\\, \"c\"").budget_bytes(7 << 40);

#[test]
fn the_first_line_lists_the_budgets_of_groups() {
    let _alone = alone();
    drop(Block::new(&TAGS, 1, 1));
    let _scope = scope!("budget", group: ODD_BUDGET);
    for dump in [dump, stats_memory::dump_tags] {
        let mut out = Vec::new();
        let lines = dump(&mut out).unwrap();
        let mut records = parse(&String::from_utf8(out).unwrap());
        assert_eq!(records.len() as u64, lines);
        let budgets = without_heading(&mut records);
        let odd = format!(r#"a\|b\=\\, "c"={}"#, 7_u64 << 40);
        assert!(
            format!("|{budgets}|").contains(&format!("|{odd}|")),
            "{budgets}"
        );
    }
}

#[test]
fn unusual_names_survive_the_dump() {
    let _alone = alone();
    let names = [
        "comma, and \"quote\"",
        "line\nend\r",
        "a|b\\c|",
        "\\|\"",
        "ä€😀",
    ];
    let mut tag = current_tag().group(&ODD);
    names.iter().for_each(|name| tag = tag.scope(name));
    let block = {
        let _tag = tag.name("the, name").enter();
        std::thread::Builder::new()
            .name("thread, one".into())
            .spawn(move || {
                let _tag = tag.name("the, name").enter();
                Block::new(&RECORDS, 123, 8)
            })
    };
    let block = block.unwrap().join().unwrap();
    let expected = Line {
        address: block.address() as u64,
        thread: "thread, one".into(),
        group: "odd, \"group\"".into(),
        bytes: 123,
        scopes: names.map(String::from).into(),
        name: "the, name".into(),
        count: 1,
    };
    assert_eq!(lines(), [expected]);
}

#[test]
fn a_name_applies_only_to_its_scope() {
    let _alone = alone();
    let _outer = scope!("dump-outer");
    let named = alloc_name!("first");
    let one = Block::new(&TAGS, 10, 8);
    let within = scope!("dump-inner");
    let two = Block::new(&TAGS, 20, 8);
    let _name = alloc_name!("second");
    let _again = alloc_name!("third");
    let three = Block::new(&TAGS, 40, 8);
    drop((within, named));
    let found: Vec<_> = lines_of_tags()
        .into_iter()
        .map(|line| (line.scopes.join("|"), line.name, line.bytes))
        .collect();
    for (scopes, name, bytes) in [
        ("dump-outer", "first", 10),
        ("dump-outer|dump-inner", "", 20),
        ("dump-outer|dump-inner", "third", 40),
    ] {
        assert!(
            found.contains(&(scopes.into(), name.into(), bytes)),
            "{found:?}"
        );
    }
    drop((one, two, three));
}

/// A writer that accepts this many bytes and no more.
struct Limited(usize);

impl Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.min(bytes.len()) {
            0 => Err(io::ErrorKind::StorageFull.into()),
            taken => {
                self.0 -= taken;
                Ok(taken)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn an_error_of_the_writer_is_returned() {
    let _alone = alone();
    let _blocks: Vec<_> = (1..400)
        .map(|bytes| Block::new(&RECORDS, bytes, 8))
        .collect();
    for room in [0, 1, 8191, 8192, 8193] {
        assert_eq!(
            dump(&mut Limited(room)).unwrap_err().kind(),
            io::ErrorKind::StorageFull
        );
    }
}

/// The dump infers the mode, which is a type, from the records.
#[test]
fn the_dump_has_the_lines_of_the_mode_from_the_first_allocation_on() {
    let _alone = alone();
    assert_eq!(read(), Vec::<Vec<String>>::new());
    let mut block = Block::new(&RECORDS, 1, 8);
    for bytes in 2..500 {
        assert_eq!(
            lines()
                .into_iter()
                .map(|line| line.bytes)
                .collect::<Vec<_>>(),
            [bytes - 1]
        );
        block.resize(bytes as usize);
    }
    drop(block);
    // Without live allocations it is still the same mode.
    assert_eq!(read(), Vec::<Vec<String>>::new());
    let _other = Block::new(&TAGS, 1, 8);
    assert_eq!(read(), Vec::<Vec<String>>::new());
}

/// Records the scope it is called in, and panics at the given call.
struct Panics(Vec<Tag>, usize);

impl Write for Panics {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.push(current_tag());
        assert!(self.0.len() < self.1, "panics on purpose");
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn only_the_writer_is_in_the_scope_of_the_tracker() {
    let _alone = alone();
    let _scope = scope!("dump-program");
    let before = current_tag();
    let _blocks: Vec<_> = (1..1000)
        .map(|bytes| Block::new(&RECORDS, bytes, 8))
        .collect();
    let mut whole = Panics(Vec::new(), usize::MAX);
    dump(&mut whole).unwrap();
    let own = {
        let _memory = stats_core::own_memory("stats-memory");
        current_tag()
    };
    assert!(
        whole.0.len() > 3 && whole.0.iter().all(|tag| *tag == own),
        "{:?}",
        whole.0
    );
    assert_eq!(current_tag(), before);
    for panics_at in 1..whole.0.len() {
        let dump = || drop(dump(&mut Panics(Vec::new(), panics_at)));
        assert!(std::panic::catch_unwind(dump).is_err());
        assert_eq!(current_tag(), before);
    }
    assert!(dump(&mut Limited(8000)).is_err());
    assert_eq!(current_tag(), before);
}

struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn a_line_dumped_while_other_threads_allocate_is_whole() {
    let _alone = alone();
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for thread in 0..3_usize {
            let is_over = &is_over;
            scope.spawn(move || {
                let (mut random, root) = (Random::new(thread as u64), current_tag());
                let mut kept = Vec::new();
                while !is_over.load(Ordering::Relaxed) {
                    let kind = random.index(50);
                    let _scope = root.scope(&format!("torn-{kind}")).enter();
                    kept.push(Block::new(&RECORDS, kind + 100, 8));
                    let at = random.index(kept.len());
                    let bytes = kept[at].bytes();
                    kept[at].resize(bytes);
                    kept.truncate(random.index(60));
                }
            });
        }
        // Ends the threads even if an assertion below fails.
        let _over = SetOnDrop(&is_over);
        let mut seen = 0;
        while seen < times(5_000) {
            for line in lines() {
                assert_eq!(line.scopes, [format!("torn-{}", line.bytes - 100)]);
                seen += 1;
            }
        }
    });
    assert_eq!(lines(), []);
}
