//! Files are written as a whole, through links, and nothing else is replaced.

use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Read, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};

use stats_file::Target;
use stats_testing::Folder;

fn write(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = Target::of(path)?.begin()?;
    file.write_all(text.as_bytes())?;
    file.complete()
}

#[test]
fn a_file_is_replaced_as_a_whole_and_keeps_its_content_until_then() {
    let folder = Folder::new("file-whole");
    let path = folder.0.join("a.txt");
    write(&path, "first").unwrap();
    let mut file = Target::of(&path).unwrap().begin().unwrap();
    file.write_all(b"sec").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "first");
    assert_eq!(folder.names().len(), 2);
    // As after an error.
    drop(file);
    assert_eq!(fs::read_to_string(&path).unwrap(), "first");
    write(&path, "second").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "second");
    assert_eq!(folder.names(), ["a.txt"]);
}

#[test]
fn concurrent_writers_use_different_files() {
    let folder = Folder::new("file-concurrent");
    let path = folder.0.join("a.txt");
    let target = Target::of(&path).unwrap();
    let (mut first, mut second) = (target.begin().unwrap(), target.begin().unwrap());
    first.write_all(b"first").unwrap();
    second.write_all(b"second").unwrap();
    first.complete().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "first");
    second.complete().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "second");
}

#[test]
fn a_folder_and_a_blank_name_are_refused() {
    let folder = Folder::new("file-folder");
    let kind = |path: &Path| Target::of(path).unwrap_err().kind();
    assert_eq!(kind(&folder.0), ErrorKind::IsADirectory);
    assert_eq!(kind(&folder.0.join(".")), ErrorKind::IsADirectory);
    assert_eq!(kind(&folder.0.join("new/")), ErrorKind::IsADirectory);
    assert_eq!(kind(&folder.0.join("new/..")), ErrorKind::IsADirectory);
    assert_eq!(kind("..".as_ref()), ErrorKind::IsADirectory);
    assert_eq!(kind("".as_ref()), ErrorKind::InvalidInput);
    assert_eq!(kind(" \t".as_ref()), ErrorKind::InvalidInput);
    assert!(folder.names().is_empty());
}

#[test]
fn a_file_in_a_missing_folder_is_an_error_of_the_beginning() {
    let folder = Folder::new("file-missing");
    let target = Target::of(folder.0.join("none/a.txt")).unwrap();
    assert_eq!(target.begin().unwrap_err().kind(), ErrorKind::NotFound);
}

#[test]
fn a_read_only_file_is_refused_and_permissions_stay() {
    let folder = Folder::new("file-permissions");
    let path = folder.0.join("a.txt");
    write(&path, "first").unwrap();
    let before = fs::metadata(&path).unwrap().permissions();
    let mut locked = before.clone();
    locked.set_readonly(true);
    fs::set_permissions(&path, locked).unwrap();
    let error = Target::of(&path).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PermissionDenied);
    fs::set_permissions(&path, before).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        write(&path, "second").unwrap();
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
    }
}

#[cfg(unix)]
#[test]
fn links_lead_to_their_target_and_stay() {
    use std::os::unix::fs::symlink;

    let folder = Folder::new("file-links");
    fs::create_dir(folder.0.join("other")).unwrap();
    let at = |name: &str| folder.0.join(name);
    symlink("other/real.txt", at("first")).unwrap();
    symlink(at("first"), at("second")).unwrap();
    symlink("other", at("folder")).unwrap();
    // The first write meets a missing target, the second one a file.
    for text in ["new", "replaced"] {
        for link in ["first", "second"] {
            write(&at(link), text).unwrap();
            assert!(fs::symlink_metadata(at(link)).unwrap().is_symlink());
            assert_eq!(fs::read_to_string(at("other/real.txt")).unwrap(), text);
        }
        write(&at("folder/beside.txt"), text).unwrap();
        assert_eq!(fs::read_to_string(at("other/beside.txt")).unwrap(), text);
    }
    assert_eq!(folder.names(), ["first", "folder", "other", "second"]);
    let error = Target::of(at("folder")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::IsADirectory);
    symlink("b", at("a")).unwrap();
    symlink("a", at("b")).unwrap();
    symlink("self", at("self")).unwrap();
    for circle in ["a", "b", "self"] {
        let error = Target::of(at(circle)).unwrap_err();
        assert!(error.to_string().contains("circle"), "{error}");
        assert!(fs::symlink_metadata(at(circle)).unwrap().is_symlink());
    }
}

#[test]
fn a_pipe_is_written_to_and_stays() {
    let folder = Folder::new("file-pipe");
    let nodes = [folder.pipe("pipe"), folder.link_to_pipe("link")];
    let names = folder.names();
    for pipe in nodes.into_iter().flatten() {
        let reader = {
            let pipe = pipe.clone();
            std::thread::spawn(move || {
                let mut text = String::new();
                File::open(pipe).unwrap().read_to_string(&mut text).unwrap();
                text
            })
        };
        write(&pipe, "through").unwrap();
        assert_eq!(reader.join().unwrap(), "through");
        assert!(!fs::metadata(&pipe).unwrap().is_file());
        let error = Target::of_file(&pipe).unwrap_err();
        assert!(error.to_string().contains("device or a pipe"), "{error}");
    }
    assert_eq!(folder.names(), names);
}

#[test]
fn a_device_is_written_to_and_stays() {
    let folder = Folder::new("file-device");
    let Some(device) = folder.device("null") else {
        return;
    };
    write(&device, "through").unwrap();
    assert!(!fs::metadata(&device).unwrap().is_file());
    assert!(Target::of_file(&device).is_err());
    #[cfg(unix)]
    {
        let link = folder.0.join("link");
        std::os::unix::fs::symlink("null", &link).unwrap();
        write(&link, "through").unwrap();
        assert!(Target::of_file(&link).is_err());
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(folder.names(), ["link", "null"]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_open_file_is_appended_to_and_not_taken_from_its_process() {
    use std::os::fd::AsRawFd;

    let folder = Folder::new("file-open");
    let path = folder.0.join("log.txt");
    let mut open = File::options()
        .append(true)
        .create(true)
        .open(&path)
        .unwrap();
    open.write_all(b"before,").unwrap();
    let of_process = folder.0.join("stdout");
    let fd = format!("/proc/self/fd/{}", open.as_raw_fd());
    std::os::unix::fs::symlink(fd, &of_process).unwrap();
    write(&of_process, "through,").unwrap();
    open.write_all(b"after").unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text, "before,through,after");
    assert_eq!(folder.names(), ["log.txt", "stdout"]);
}

#[test]
fn old_parts_of_killed_processes_are_removed_and_no_others() {
    let folder = Folder::new("file-abandoned");
    let old = SystemTime::now() - Duration::from_secs(3600);
    let create = |name: &str, modified: SystemTime| {
        let file = File::create(folder.0.join(name)).unwrap();
        file.set_modified(modified).unwrap();
    };
    let others = [
        "a.json.12-x.part",
        "a.json.12.part",
        "a.json.part",
        "a.json.1-2.part.txt",
        "b.json.12-3.part",
        "a.json.-.part",
    ];
    others.iter().for_each(|name| create(name, old));
    create("a.json.12-3.part", old);
    create("a.json.4000000000-0.part", old);
    create("a.json.12-4.part", SystemTime::now());
    // Still written to, by a process that was suspended.
    create("a.json.12-5.part", old);
    let locked = File::open(folder.0.join("a.json.12-5.part")).unwrap();
    locked.lock().unwrap();
    write(&folder.0.join("a.json"), "a").unwrap();
    let mut expected: Vec<&str> = others.to_vec();
    expected.extend(["a.json", "a.json.12-4.part", "a.json.12-5.part"]);
    expected.sort_unstable();
    assert_eq!(folder.names(), expected);
}

#[test]
fn a_process_with_the_number_of_a_killed_one_uses_other_files() {
    let folder = Folder::new("file-same-number");
    let path = folder.0.join("a.txt");
    // In a container, every process has the number 1.
    let left_over = |number: u32| {
        folder
            .0
            .join(format!("a.txt.{}-{number}.part", std::process::id()))
    };
    (0..100).for_each(|number| fs::write(left_over(number), "killed").unwrap());
    write(&path, "complete").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "complete");
    for number in 0..100 {
        assert_eq!(fs::read_to_string(left_over(number)).unwrap(), "killed");
    }
}

#[test]
fn a_file_is_locked_while_it_is_written() {
    let folder = Folder::new("file-locked");
    let path = folder.0.join("a.txt");
    let file = Target::of(&path).unwrap().begin().unwrap();
    let part = File::open(folder.0.join(&folder.names()[0])).unwrap();
    assert!(matches!(part.try_lock(), Err(TryLockError::WouldBlock)));
    file.complete().unwrap();
    assert!(File::open(&path).unwrap().try_lock().is_ok());
}

#[test]
fn a_folder_is_listed_once() {
    let folder = Folder::new("file-listed-once");
    let at = |name: &str| folder.0.join(name);
    let old_part = |name: &str| {
        let old = SystemTime::now() - Duration::from_secs(3600);
        File::create(at(name)).unwrap().set_modified(old).unwrap();
    };
    old_part("b.txt.12-3.part");
    write(&at("a.txt"), "a").unwrap();
    old_part("a.txt.12-3.part");
    old_part("b.txt.12-4.part");
    for name in ["a.txt", "b.txt"] {
        write(&at(name), "new").unwrap();
    }
    assert_eq!(
        folder.names(),
        ["a.txt", "a.txt.12-3.part", "b.txt", "b.txt.12-4.part"]
    );
}

/// Several programs save numbered files into one folder at the same time.
#[test]
fn a_numbered_file_appears_complete_and_replaces_nothing() {
    let folder = Folder::new("file-numbered");
    let path = |number: u32| folder.0.join(format!("{number}.csv"));
    fs::write(path(2), "precious").unwrap();
    // A link to nothing is not replaced either.
    #[cfg(unix)]
    std::os::unix::fs::symlink("nothing", path(3)).unwrap();
    let save = |text: &str| {
        let mut file = Target::of_file(path(1))?.begin()?;
        file.write_all(text.as_bytes())?;
        file.complete_new((1..=20).map(path))
    };
    std::thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || {
                for number in 0..4 {
                    let text = format!("{thread} {number}");
                    let saved = save(&text).unwrap();
                    assert_eq!(fs::read_to_string(saved).unwrap(), text);
                }
            });
        }
    });
    assert_eq!(fs::read_to_string(path(2)).unwrap(), "precious");
    let expected = 17 + usize::from(cfg!(unix));
    assert_eq!(folder.names().len(), expected, "{:?}", folder.names());
    // The other names are taken, too.
    (18..=20).for_each(|number| fs::write(path(number), "").unwrap());
    let error = save("one too many").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AlreadyExists);
    assert!(folder.names().iter().all(|name| !name.ends_with(".part")));
}
