//! The table as a file of comma-separated values (RFC 4180), for spreadsheets and scripts.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use stats_analysis::format::cell_text;
use stats_file::Target;

use crate::data::selection::SelectedSeries;
use crate::data::view::Data;
use crate::export::table::write_table;
use crate::path::{absolute, is_blank};

/// The maximum number of files of one range of frames in a folder.
const MAX_FILES: u32 = 10_000;

/// Saves the `frames` that the history still has in a new file. Creates the folder if it does not
/// exist.
///
/// Frames 120 to 719 are written to `stats-frames-120-719.csv`, and the next time to
/// `stats-frames-120-719-2.csv`. No file is replaced. An error says how to fix the problem.
pub(crate) fn save_csv(
    folder: &Path,
    data: &dyn Data,
    selected: &[SelectedSeries],
    frames: &[u64],
) -> Result<PathBuf, String> {
    if is_blank(folder) {
        return Err(
            "The path of the export folder is blank. Set a path such as exports with set_export_folder."
                .to_owned(),
        );
    }
    let folder = &absolute(folder);
    let held = data.frames();
    let kept = || frames.iter().copied().filter(|frame| held.contains(frame));
    let (Some(first), Some(last)) = (kept().min(), kept().max()) else {
        return Err(
            "There are no frames to save. Select frames that are still in the history.".to_owned(),
        );
    };
    let failed = |path: &Path| {
        let path = path.display().to_string();
        move |error: io::Error| match error.kind() {
            // The text of the error includes the cure.
            io::ErrorKind::Other => format!("{path} cannot be written: {error}."),
            _ => format!(
                "{path} cannot be written: {error}. Free some space, or give this user permission to write there."
            ),
        }
    };
    fs::create_dir_all(folder).map_err(failed(folder))?;
    let full = || {
        io::Error::other(format!(
            "it already has {MAX_FILES} files of these frames; move some of them away"
        ))
    };
    let mut free = names(folder, first, last).filter(|path| path.symlink_metadata().is_err());
    let free = free.next().ok_or_else(full).map_err(failed(folder))?;
    let mut file = Target::of_file(&free)
        .and_then(|target| target.begin())
        .map_err(failed(folder))?;
    let table = csv::Writer::from_writer(&mut file as &mut dyn io::Write);
    write_table(data, selected, frames, table, cell_text)
        .map_err(|error| failed(&free)(error.into()))?;
    // Another program may have taken the name since.
    file.complete_new(names(folder, first, last))
        .map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => failed(folder)(full()),
            _ => failed(&free)(error),
        })
}

/// Returns the paths of the files for a range of frames, in the order in which they are used.
fn names(folder: &Path, first: u64, last: u64) -> impl Iterator<Item = PathBuf> {
    (1..=MAX_FILES).map(move |number| {
        let suffix = match number {
            1 => String::new(),
            _ => format!("-{number}"),
        };
        folder.join(format!("stats-frames-{first}-{last}{suffix}.csv"))
    })
}

/// Frames and values for tests.
#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::data::playback::Playback;
    use crate::data::selection::{FRAME_TIME, Selection};
    use crate::testing::Values;
    use stats_testing::{Folder, Random};
    use std::ops::Range;

    /// Returns the frames from 7 on, each with its number plus a quarter as its time. There are as
    /// many as the longest series has, but at least three. Series may begin late.
    pub(crate) fn data_of(series: &[&[f64]]) -> Values {
        let longest = series.iter().map(|values| values.len()).max();
        let count = longest.unwrap_or(0).max(3);
        let late = |values: &&[f64]| (7 + (count - values.len()) as u64, values.to_vec());
        Values {
            first: 7,
            times_ms: (0..count).map(|at| at as f64 + 7.25).collect(),
            series: series.iter().map(late).collect(),
            ..Values::default()
        }
    }

    /// Returns the `frames` that the data has.
    fn held(data: &dyn Data, frames: Range<u64>) -> Vec<u64> {
        data.frames()
            .filter(|frame| frames.contains(frame))
            .collect()
    }

    fn write_csv(
        data: &dyn Data,
        selected: &[SelectedSeries],
        frames: &[u64],
        bytes: &mut Vec<u8>,
    ) -> csv::Result<()> {
        write_table(
            data,
            selected,
            frames,
            csv::Writer::from_writer(bytes as &mut dyn io::Write),
            cell_text,
        )
    }

    type Table = (Vec<String>, Vec<Vec<Option<f64>>>);

    fn read(bytes: &[u8]) -> Table {
        let mut reader = csv::Reader::from_reader(bytes);
        let heads = reader
            .headers()
            .unwrap()
            .iter()
            .map(str::to_owned)
            .collect();
        let cell = |cell: &str| (!cell.is_empty()).then(|| cell.parse().unwrap());
        let lines = reader
            .records()
            .map(|line| line.unwrap().iter().map(cell).collect())
            .collect();
        (heads, lines)
    }

    fn written(data: &Values, selection: &Selection, frames: Range<u64>) -> Table {
        let mut bytes = Vec::new();
        write_csv(data, selection.selected(), &held(data, frames), &mut bytes).unwrap();
        read(&bytes)
    }

    #[test]
    fn any_path_can_be_read_back() {
        let paths = [
            "a, b",
            "say \"yes\"",
            "two\nlines\r\n",
            "tab\t;",
            "a=1+1",
            "ü/🦀",
            " ",
            "\"",
            ",",
        ];
        let values: Vec<&[f64]> = vec![&[1.0, 2.0, 3.0]; paths.len()];
        let (heads, lines) = written(&data_of(&values), &Selection::of(paths), 0..u64::MAX);
        assert_eq!(heads[..2], ["frame", "frame time (ms)"]);
        assert_eq!(heads[2..], paths);
        assert_eq!(lines[2][2..], vec![Some(3.0); paths.len()]);
    }

    #[test]
    fn any_name_of_a_mark_can_be_read_back() {
        let names = [
            "say \"yes\"",
            "two\nlines\r\n",
            "a; b",
            " ",
            ",",
            "ü/🦀\u{202e}",
            "=1+1",
            "\t",
        ];
        let mut data = data_of(&[&[1.0, 2.0, 3.0]]);
        data.marks = names
            .map(|name| stats_core::Mark::new(name, 8..u64::MAX, false))
            .into();
        data.marks
            .push(stats_core::Mark::new("at the end", 9..10, true));
        let lines = |frames: &[u64]| {
            let mut bytes = Vec::new();
            write_csv(&data, Selection::of(["a"]).selected(), frames, &mut bytes).unwrap();
            let mut reader = csv::ReaderBuilder::new()
                .has_headers(false)
                .from_reader(&*bytes);
            reader
                .records()
                .map(Result::unwrap)
                .map(|line| line.iter().map(str::to_owned).collect::<Vec<_>>())
                .collect::<Vec<_>>()
        };
        let (all, open) = (lines(&[7, 8, 9]), names.join("; "));
        assert_eq!(
            all.iter().map(|line| line[3].as_str()).collect::<Vec<_>>(),
            ["marks", "", &open, &format!("{open}; at the end")]
        );
        // Without a marked frame, there is no such column.
        assert!(
            lines(&[7]).iter().all(|line| line.len() == 3)
                && lines(&[7, 100]).iter().all(|line| line.len() == 3)
        );
    }

    #[test]
    fn a_name_cannot_be_a_formula_in_a_header_or_a_mark() {
        for (name, cell) in [
            ("=1+1", "'=1+1"),
            ("-x", "'-x"),
            ("@x", "'@x"),
            ("=cmd|' /c calc'!A1", "'=cmd|' /c calc'!A1"),
            ("+1", "+1"),
            ("-1.5e3", "-1.5e3"),
            ("a=1", "a=1"),
        ] {
            let mut data = data_of(&[&[1.0, 2.0, 3.0]]);
            data.marks = vec![stats_core::Mark::new(name, 8..9, true)];
            let mut bytes = Vec::new();
            write_csv(&data, Selection::of([name]).selected(), &[8], &mut bytes).unwrap();
            let mut reader = csv::Reader::from_reader(&*bytes);
            assert_eq!(&reader.headers().unwrap()[2], cell);
            assert_eq!(&reader.records().next().unwrap().unwrap()[3], cell);
            let text = crate::export::tsv::tsv(&data, Selection::of([name]).selected(), &[8]);
            let expected = format!("frame\tframe time (ms)\t{cell}\tmarks\n8\t8.25\t2\t{cell}\n");
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn a_header_has_the_unit_and_values_come_from_the_recorder() {
        let received = stats_core::counter("csv test/received").unit(stats_core::Unit::Bytes);
        let (mut recorder, mut selection) = (
            stats_core::Recorder::new(),
            Selection::of(["csv test/received"]),
        );
        recorder.end_frame();
        selection.resolve(&mut recorder, &Default::default());
        selection.read_facts(&recorder, true);
        received.add(1024);
        recorder.end_frame();
        if stats_core::ENABLED {
            let selected = selection.selected();
            let mut bytes = Vec::new();
            write_csv(
                &Playback::default().data(&recorder, selected),
                selected,
                &[0, 1],
                &mut bytes,
            )
            .unwrap();
            let (heads, lines) = read(&bytes);
            assert_eq!(heads[2], "csv test/received (B)");
            assert_eq!(
                lines.iter().map(|line| line[2]).collect::<Vec<_>>(),
                [None, Some(1024.0)]
            );
        }
    }

    #[test]
    fn values_are_read_back_equal_and_missing_values_are_empty() {
        let mut random = Random::new(4);
        let odd = [
            f64::MIN_POSITIVE,
            5e-324,
            f64::MAX,
            -0.0,
            0.1,
            1.0 / 3.0,
            9_007_199_254_740_993.0,
        ];
        let whole: Vec<f64> = odd
            .into_iter()
            .chain((0..500).map(|_| f64::from_bits(random.next())))
            .filter(|value| value.is_finite())
            .collect();
        let (data, selection) = (
            data_of(&[&whole, &whole[..100], &[]]),
            Selection::of(["whole", "late", FRAME_TIME]),
        );
        let frames = data.frames();
        let (heads, lines) = written(&data, &selection, frames.clone());
        assert_eq!(heads, ["frame", "frame time (ms)", "whole", "late"]);
        assert_eq!(lines.len(), whole.len());
        for (index, line) in frames.zip(lines) {
            assert_eq!(
                line,
                [
                    Some(index as f64),
                    data.frame_times().at(index),
                    data.values(0).at(index),
                    data.values(1).at(index)
                ]
            );
        }
        let some = written(&data, &selection, 10..12).1;
        assert_eq!(
            some.iter().map(|line| line[0]).collect::<Vec<_>>(),
            [Some(10.0), Some(11.0)]
        );
    }

    #[test]
    fn no_file_is_replaced() {
        let folder = Folder::new("csv");
        let (data, selection, target) = (
            data_of(&[&[1.0, 2.0, 3.0]]),
            Selection::of(["a"]),
            folder.0.join("new"),
        );
        let name = |frames| {
            save_csv(&target, &data, selection.selected(), &held(&data, frames))
                .unwrap()
                .file_name()
                .unwrap()
                .to_owned()
        };
        assert_eq!(name(0..u64::MAX), "stats-frames-7-9.csv");
        fs::write(target.join("stats-frames-7-9.csv"), "precious").unwrap();
        assert_eq!(name(7..10), "stats-frames-7-9-2.csv");
        assert_eq!(name(7..10), "stats-frames-7-9-3.csv");
        assert_eq!(name(8..9), "stats-frames-8-8.csv");
        assert_eq!(
            fs::read(target.join("stats-frames-7-9.csv")).unwrap(),
            b"precious"
        );
        let (_, lines) = read(&fs::read(target.join("stats-frames-8-8.csv")).unwrap());
        assert_eq!(lines, [[Some(8.0), Some(8.25), Some(2.0)]]);
    }

    #[test]
    fn errors_name_the_file_and_the_cure() {
        let folder = Folder::new("csv-errors");
        let (data, selection) = (data_of(&[&[1.0]]), Selection::of(["a"]));
        let error = save_csv(&folder.0, &data, selection.selected(), &[1, 2]).unwrap_err();
        assert!(error.starts_with("There are no frames"), "{error}");
        let file = folder.0.join("file");
        fs::write(&file, "").unwrap();
        let error = save_csv(&file, &data, selection.selected(), &[7, 8]).unwrap_err();
        assert!(
            error.starts_with(&file.display().to_string()) && error.contains("Free some space"),
            "{error}"
        );
        assert_eq!(folder.names(), ["file"]);
    }
}
