//! Hostile dumps are read back unchanged, in pieces of any size, and damage does not spread.

use std::io::Write as _;

use super::{MemorySnapshot, SnapshotWriter};
use crate::dump::{DumpDamage, DumpProblem, MAX_LINE_BYTES, MAX_QUOTED_LINES};
use crate::testing::{contents, dump, entries, folded, hostile, plain, read};
use stats_testing::{Random, rounds};

/// Reads a dump in pieces of up to `most` bytes.
fn read_in_pieces(bytes: &[u8], most: u64, random: &mut Random) -> MemorySnapshot {
    let (mut writer, mut rest) = (SnapshotWriter::new(), bytes);
    while !rest.is_empty() {
        let (piece, others) = rest.split_at(rest.len().min(random.below(most) as usize + 1));
        writer.write_all(piece).unwrap();
        rest = others;
    }
    writer.finish()
}

fn assert_same(one: &MemorySnapshot, other: &MemorySnapshot) {
    assert_eq!(one.damage(), other.damage());
    assert_eq!(
        (one.bytes(), one.allocations(), one.entries()),
        (other.bytes(), other.allocations(), other.entries())
    );
    assert_eq!(contents(one), contents(other));
}

#[test]
fn entries_are_read_back_as_they_were_written() {
    let mut random = Random::new(61);
    for round in 0..rounds(5000) {
        let entries = entries(&mut random, 12, [hostile, plain][round % 2]);
        for line_end in ["\n", "\r\n"] {
            let mut text = dump(&entries, line_end);
            if round % 3 == 0 {
                text.insert(0, '\u{feff}');
            }
            if round % 5 == 0 {
                text.truncate(
                    text.len()
                        - if entries.is_empty() {
                            0
                        } else {
                            line_end.len()
                        },
                );
            }
            let snapshot = read(&text);
            assert_eq!(snapshot.damage(), &DumpDamage::default(), "{text:?}");
            assert_eq!(contents(&snapshot), folded(entries.clone()), "{text:?}");
            assert_same(
                &snapshot,
                &read_in_pieces(text.as_bytes(), 1 << random.below(7), &mut random),
            );
        }
    }
}

#[test]
fn damaged_dumps_are_read_the_same_in_pieces_of_any_size() {
    const INSERTED: [&[u8]; 12] = [
        b"\"",
        b"\n",
        b"\r\n",
        b",",
        b"\"\"",
        b"\\",
        b"|",
        b"\xff",
        b"\xef\xbb\xbf",
        b"18446744073709551616",
        b"\0",
        b",\"\n",
    ];
    let (mut random, mut damaged) = (Random::new(62), 0);
    let rounds = rounds(5000);
    for _ in 0..rounds {
        let mut bytes = dump(&entries(&mut random, 12, hostile), "\n").into_bytes();
        for _ in 0..random.below(5) {
            let at = random.below(bytes.len() as u64 + 1) as usize;
            let end = (at + random.below(40) as usize).min(bytes.len());
            match random.below(4) {
                0 if at < bytes.len() => bytes[at] = random.next() as u8,
                1 => drop(bytes.drain(at..end)),
                2 => bytes.extend_from_within(at..end),
                _ => {
                    drop(bytes.splice(at..at, INSERTED[random.below(12) as usize].iter().copied()))
                }
            }
        }
        let whole = MemorySnapshot::read(&bytes[..]).unwrap();
        damaged += usize::from(whole.damage().lines > 0);
        assert!(whole.damage().first.is_sorted_by_key(|&(line, _)| line));
        assert_same(
            &whole,
            &read_in_pieces(&bytes, 1 << random.below(7), &mut random),
        );
    }
    assert!(
        (rounds / 10..rounds).contains(&damaged),
        "{damaged} of {rounds} were damaged"
    );
}

/// Returns a valid line with this name.
fn line(name: &str) -> String {
    format!("0x1,main,g,64,a|b,{name}\n")
}

#[test]
fn each_damaged_line_is_reported_by_number_and_the_rest_is_read() {
    use DumpProblem::{Bytes, Count, Fields, Quote, Text};
    let cases: [(&[u8], DumpProblem); 9] = [
        (b"cut,off\n", Fields(2)),
        (b"0x1,a,b,64,c,d,1,2\r\n", Fields(8)),
        (b"0x1,a,b,x,c,d\n", Bytes),
        (b",,b,64,c,d,many\n", Count),
        (b"0x1,\"a,b,64,c,d\n", Quote),
        (b"0x1,\"a\"b,c,64,d,e\n", Quote),
        (b"0x1,a\"b,c,64,d,e\n", Quote),
        (b"0x1,\xff,b,64,c,d\n", Text),
        (b"0x1,\"\xff\",b,64,c,d\n", Text),
    ];
    for (damaged, problem) in cases {
        // A name of two lines comes before the damaged line, and a quoted name after it.
        let mut text = format!("{}\n{}", line("\"two\nlines\""), line("n")).into_bytes();
        text.extend_from_slice(damaged);
        text.extend_from_slice(format!("{}{}", line("n"), line("\"a,b\"")).as_bytes());
        let snapshot = MemorySnapshot::read(&text[..]).unwrap();
        assert_eq!(
            snapshot.damage(),
            &DumpDamage {
                lines: 1,
                first: vec![(5, problem)]
            }
        );
        assert_eq!(
            (snapshot.allocations(), snapshot.entries()),
            (4, 3),
            "{problem}"
        );
    }
}

/// These lines are like those of an engine whose tracker has no tags: a thread with a space in its
/// name, one outermost scope for all allocations, and default names for everything else.
#[test]
fn lines_of_an_untagged_engine_are_read() {
    let snapshot = read(
        "0x0000000071c40000,Main Thread,Unknown,120586240,GlobalScope,UnnamedAllocation\n\
         0x00000000952a0000,Main Thread,Unknown,98304,GlobalScope,UnnamedAllocation\n\
         0x00000000ac8d7f10,Main Thread,Unknown,48,GlobalScope,UnnamedTArray\n\
         0x0000000071c90000,Main Thread,UObject,120586240,GlobalScope|MeshComponent|MeshComponent,\
         ../../../../dev/Game/Content/Maps/Path/Height/Height_x2_y2.umap\n\
         0x00000000ac8d7f40,Main Thread,Unknown,48,GlobalScope|Material|M_Depth,UnnamedTArray\n",
    );
    assert_eq!(snapshot.damage(), &DumpDamage::default());
    assert_eq!(
        (snapshot.bytes(), snapshot.allocations(), snapshot.entries()),
        (241_270_880, 5, 5)
    );
    assert!(snapshot.is_per_allocation());
    let threads: Vec<_> = snapshot.threads().collect();
    assert_eq!(threads, [("Main Thread", 241_270_880)]);
    let groups: Vec<_> = snapshot.groups().collect();
    assert_eq!(groups, [("UObject", 120_586_240), ("Unknown", 120_684_640)]);
    let read = contents(&snapshot);
    assert!(read.iter().all(|entry| entry.scopes[0] == "GlobalScope"));
    let largest = &read[0];
    assert_eq!(
        (largest.group.as_str(), &largest.scopes[1..], largest.size),
        (
            "UObject",
            &["MeshComponent".to_owned(), "MeshComponent".to_owned()][..],
            Some(120_586_240)
        )
    );
    assert!(largest.name.ends_with("Height_x2_y2.umap"));
}

#[test]
fn a_header_in_the_first_line_is_not_damage() {
    let header = "address,thread,group,bytes,scope|stack,name\n";
    assert_eq!(read(&format!("{header}{}", line("n"))).damage().lines, 0);
    assert_eq!(
        read(&format!("\u{feff}{header}{}", line("n")))
            .damage()
            .lines,
        0
    );
    assert_eq!(
        read(&format!("{}{header}", line("n"))).damage().first,
        [(2, DumpProblem::Bytes)]
    );
}

#[test]
fn a_quoted_field_spans_64_lines_and_no_more() {
    for (line_ends, problem) in [
        (MAX_QUOTED_LINES - 1, None),
        (MAX_QUOTED_LINES, Some(DumpProblem::Quote)),
    ] {
        let name = "\n".repeat(line_ends as usize);
        let snapshot = read(&format!("{}{}", line(&format!("\"{name}\"")), line("n")));
        assert_eq!(
            snapshot
                .damage()
                .first
                .first()
                .map(|&(line, problem)| (line, problem)),
            problem.map(|problem| (1, problem))
        );
        // If the field is too long, its closing quote is a damaged line as well.
        assert_eq!(
            snapshot.allocations(),
            if problem.is_none() { 2 } else { 1 }
        );
        assert_eq!(
            snapshot.damage().lines,
            if problem.is_none() { 0 } else { 2 }
        );
    }
}

#[test]
fn a_line_of_1_mib_is_read_and_a_longer_one_is_damaged() {
    let mut random = Random::new(63);
    let without_name = line("").len() - 1;
    for (more, lines) in [(0, 0), (1, 1), (MAX_LINE_BYTES, 1), (5 * MAX_LINE_BYTES, 1)] {
        let text = format!(
            "{}{}{}",
            line("n"),
            line(&"x".repeat(MAX_LINE_BYTES - without_name + more)),
            line("m")
        );
        let whole = read(&text);
        assert_eq!(whole.damage().lines, lines);
        assert_eq!(whole.allocations(), 3 - lines);
        assert_eq!(
            whole.damage().first,
            [(2, DumpProblem::Long)][..lines as usize]
        );
        assert_same(
            &whole,
            &read_in_pieces(text.as_bytes(), 100_000, &mut random),
        );
        assert_same(
            &whole,
            &read_in_pieces(text.trim_end().as_bytes(), 100, &mut random),
        );
        // The same after an unclosed quote.
        let text = text.replacen("n\n", "\"n\n", 1);
        let whole = read(&text);
        assert_eq!(whole.damage().lines, 1 + lines);
        assert_same(
            &whole,
            &read_in_pieces(text.as_bytes(), 100_000, &mut random),
        );
    }
}

#[test]
fn endless_text_takes_bounded_memory() {
    let mut writer = SnapshotWriter::new();
    for piece in [&b"\""[..], b"a\n"] {
        for _ in 0..64 {
            writer.write_all(&piece.repeat(1 << 18)).unwrap();
            assert!(
                writer.reader().pending_bytes() <= 2 * MAX_LINE_BYTES + 2,
                "{}",
                writer.reader().pending_bytes()
            );
        }
    }
    assert!(writer.finish().damage().lines > 1 << 20);
}

#[test]
fn unmatched_quotes_take_linear_time() {
    // Quotes that open in each line, never close, or seem to close in each line.
    let [long, doubled] = ["b\n", "\"\"\n"].map(|line| format!("\"a\n{}", line.repeat(100)));
    for piece in [
        "\"\n",
        "\"a\n\"\"\n",
        "\"\"\"\n",
        ",\"\n,\n,\n",
        "\"\n\n",
        &long,
        &doubled,
    ] {
        let text = piece.repeat((1 << 18) / piece.len());
        // Each line is read three times: as the beginning of a record, within open quotes, and in
        // the search for what follows them.
        let most = text.len() as u64 * 3;
        let mut writer = SnapshotWriter::new();
        writer.write_all(text.as_bytes()).unwrap();
        assert!(
            (text.len() as u64 / 2..=most).contains(&writer.reader().work_bytes()),
            "{piece:?}: {}",
            writer.reader().work_bytes()
        );
        assert!(writer.finish().damage().lines > 0);
        // An incomplete record is read again with each line that arrives.
        let mut writer = SnapshotWriter::new();
        let part: Vec<&str> = text.split_inclusive('\n').take(5000).collect();
        part.iter()
            .for_each(|line| writer.write_all(line.as_bytes()).unwrap());
        let most = part.concat().len() as u64 * MAX_QUOTED_LINES;
        assert!(
            writer.reader().work_bytes() <= most,
            "{piece:?}: {}",
            writer.reader().work_bytes()
        );
    }
}

#[test]
fn the_number_of_names_and_scopes_is_not_limited() {
    let mut text = String::new();
    (0..600_000).for_each(|number| text.push_str(&line(&format!("n{number}"))));
    text.push_str(&format!(
        "0x1,main,g,64,{},n\n",
        vec!["s"; 10_000].join("|")
    ));
    let snapshot = read(&text);
    assert_eq!(
        (
            snapshot.entries(),
            snapshot.allocations(),
            snapshot.damage().lines
        ),
        (600_001, 600_001, 0)
    );
}
