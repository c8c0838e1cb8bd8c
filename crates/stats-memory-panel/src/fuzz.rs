//! Dumps as hostile as they come: what was written is read back the same, pieces do not matter, and
//! damage stays where it is.

use std::io::Write as _;

use super::damage::{DumpDamage, DumpProblem};
use super::reader::{MAX_LINE_BYTES, MAX_QUOTED_LINES, SnapshotWriter};
use super::snapshot::MemorySnapshot;
use super::testing::{dump, entries, folded, held, hostile, plain, read};
use stats_testing::Random;

const ROUNDS: usize = 5000;

/// Reads it in pieces of up to `most` bytes.
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
    assert_eq!(held(one), held(other));
}

#[test]
fn what_was_written_is_read_back_the_same() {
    let mut random = Random::new(61);
    for round in 0..ROUNDS {
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
            assert_eq!(held(&snapshot), folded(entries.clone()), "{text:?}");
            assert_same(
                &snapshot,
                &read_in_pieces(text.as_bytes(), 1 << random.below(7), &mut random),
            );
        }
    }
}

#[test]
fn damaged_dumps_are_read_the_same_in_all_pieces() {
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
    for _ in 0..ROUNDS {
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
        (ROUNDS / 10..ROUNDS).contains(&damaged),
        "{damaged} of {ROUNDS} were damaged"
    );
}

/// A good line with this name.
fn line(name: &str) -> String {
    format!("0x1,main,g,64,a|b,{name}\n")
}

#[test]
fn each_damage_is_told_by_its_line_and_the_rest_is_read() {
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
        // With a name of two lines before it, and quotes behind.
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

#[test]
fn a_header_is_no_damage_in_the_first_line() {
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
fn quotes_span_so_many_lines_and_no_more() {
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
        // The end of the quotes is a line of its own then.
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
fn a_line_is_so_long_and_no_longer() {
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
        // Within quotes that were open, too.
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
fn text_without_an_end_takes_no_memory() {
    let mut writer = SnapshotWriter::new();
    for piece in [&b"\""[..], b"a\n"] {
        for _ in 0..64 {
            writer.write_all(&piece.repeat(1 << 18)).unwrap();
            assert!(
                writer.pending_bytes() <= 2 * MAX_LINE_BYTES + 2,
                "{}",
                writer.pending_bytes()
            );
        }
    }
    assert!(writer.finish().damage().lines > 1 << 20);
}

#[test]
fn what_never_matches_takes_no_more_work_than_by_its_length() {
    // Quotes that open in each line, or never end, or seem to end in all lines.
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
        // Each line as the beginning of a record, and within quotes that did not end; with what is
        // looked for behind them.
        let most = text.len() as u64 * 3;
        let mut writer = SnapshotWriter::new();
        writer.write_all(text.as_bytes()).unwrap();
        assert!(
            (text.len() as u64 / 2..=most).contains(&writer.work_bytes()),
            "{piece:?}: {}",
            writer.work_bytes()
        );
        assert!(writer.finish().damage().lines > 0);
        // What is not whole yet is looked at again with each line that comes.
        let mut writer = SnapshotWriter::new();
        let part: Vec<&str> = text.split_inclusive('\n').take(5000).collect();
        part.iter()
            .for_each(|line| writer.write_all(line.as_bytes()).unwrap());
        let most = part.concat().len() as u64 * MAX_QUOTED_LINES;
        assert!(
            writer.work_bytes() <= most,
            "{piece:?}: {}",
            writer.work_bytes()
        );
    }
}

#[test]
fn names_and_scopes_may_be_as_many_as_there_are() {
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
