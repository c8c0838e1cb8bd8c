//! A running game in a browser: `stats view --serve`.

use std::env;
use std::io::{self, IsTerminal};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::path::{Path, PathBuf};

use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;
use stats_remote::{DEFAULT_PAGE_PORT, Page, PageServer};

use super::games;
use crate::failure::{Failure, Outcome};
use crate::output::{print, say};

/// The folder of the page, beside the command.
const FOLDER: &str = "stats-page";

/// What a person has to know who lets other machines reach the page.
const NOT_ENCRYPTED: &str = "nothing is encrypted: whoever listens in the network reads the values and the \
                             token";

/// Hands out the page of a game until the process ends. `place` is where: an address, a port, both, or
/// nothing.
pub(super) fn run(argument: &str, place: &str) -> Result<Outcome, Failure> {
    let game = games::address(argument)?;
    let (address, port) = listens_on(place)?;
    let command = env::current_exe().unwrap_or_default();
    let page = page(&folders(&command))?;
    // As for a window, errors are found first.
    let program = games::Games::connect(&[argument.to_owned()])?.program();
    let server = PageServer::start(game, page, address, port);
    let server = server.map_err(|error| Failure::Game(format!("{error}: --serve=PORT")))?;
    let hosts = match address.is_unspecified() {
        true => [Some(server.listens_on().ip()), of_network()],
        false => [Some(server.listens_on().ip()), None],
    };
    for host in hosts.into_iter().flatten() {
        let address = server.address(host);
        print(format!("{address}\n"))?;
        // A phone reaches only other addresses than those of this machine to itself.
        if !host.is_loopback() && io::stderr().is_terminal() {
            say(code(&address).unwrap_or_default());
        }
    }
    say(format!(
        "{program} is shown to browsers that open this address, with all of it; Ctrl+C ends it"
    ));
    if !address.is_loopback() {
        say(NOT_ENCRYPTED);
    }
    loop {
        std::thread::park();
    }
}

/// Returns a text as a QR code for a dark terminal; `None` if it is too long.
fn code(text: &str) -> Option<String> {
    let code = QrCode::new(text).ok()?;
    let mut picture = code.render::<Dense1x2>();
    let picture = picture.dark_color(Dense1x2::Light);
    Some(picture.light_color(Dense1x2::Dark).build())
}

/// Reads where to listen.
fn listens_on(place: &str) -> Result<(IpAddr, u16), Failure> {
    let loopback = IpAddr::from(Ipv4Addr::LOCALHOST);
    if place.is_empty() {
        return Ok((loopback, DEFAULT_PAGE_PORT));
    }
    if let Ok(place) = place.parse::<SocketAddr>() {
        return Ok((place.ip(), place.port()));
    }
    if let Ok(address) = place.parse() {
        return Ok((address, DEFAULT_PAGE_PORT));
    }
    let port = place.parse().map_err(|_| {
        Failure::Usage(format!(
            "--serve={place}: give an address of this machine, a port, or both: --serve=0.0.0.0, \
             --serve=9000, --serve=10.0.0.5:9000"
        ))
    })?;
    Ok((loopback, port))
}

/// Returns the folders where the page may be: beside the command, and for a command that a clone built,
/// where `scripts/page` builds it. No other folder above the command: it may belong to somebody else,
/// whose page would get the token.
fn folders(command: &Path) -> Vec<PathBuf> {
    let beside = command.parent().unwrap_or(Path::new(""));
    let is_of_profile = ["debug", "release"].map(|name| beside.ends_with(name));
    let target = beside.parent().filter(|target| {
        // Cargo marks its target folders with this file.
        is_of_profile.contains(&true) && target.join("CACHEDIR.TAG").is_file()
    });
    let folders = [Some(beside), target].into_iter().flatten();
    folders.map(|folder| folder.join(FOLDER)).collect()
}

/// Reads the page from the first of these folders that has one.
fn page(folders: &[PathBuf]) -> Result<Page, Failure> {
    for folder in folders {
        match Page::read(folder) {
            Ok(page) => return Ok(page),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                return Err(Failure::Game(format!(
                    "the page in {} cannot be read: {error}. Build it again with scripts/page",
                    folder.display()
                )));
            }
        }
    }
    let folder = folders.first().map_or(Path::new(FOLDER), PathBuf::as_path);
    Err(Failure::Game(format!(
        "the page is not built. In a clone of the project, run: scripts/page '{}'",
        folder.display()
    )))
}

/// Returns the address by which other machines of the network reach this one. Sends nothing: the system
/// is asked which of its addresses it would use.
fn of_network() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // An address of documents, which nobody has.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    let address = socket.local_addr().ok()?.ip();
    (!address.is_unspecified() && !address.is_loopback()).then_some(address)
}

#[cfg(test)]
mod tests {
    use stats_testing::Folder;

    use super::*;

    #[test]
    fn the_place_is_an_address_a_port_or_both_and_nothing_else() {
        let of = |place| listens_on(place).ok().map(|(a, b)| (a.to_string(), b));
        let some = |address: &str, port| Some((address.to_owned(), port));
        assert_eq!(of(""), some("127.0.0.1", DEFAULT_PAGE_PORT));
        assert_eq!(of("9000"), some("127.0.0.1", 9000));
        assert_eq!(of("0.0.0.0"), some("0.0.0.0", DEFAULT_PAGE_PORT));
        assert_eq!(of("[::1]:9000"), some("::1", 9000));
        for wrong in ["localhost", "70000", "127.0.0.1:", "-1", " "] {
            let error = listens_on(wrong).map(|_| ()).expect_err(wrong).to_string();
            assert!(error.contains("--serve=9000"), "{error}");
        }
    }

    #[test]
    fn the_code_of_an_address_is_a_square_of_light_and_dark_with_a_margin() {
        let address = format!(
            "http://192.168.100.100:8776/#{}",
            "0123456789abcdef".repeat(2)
        );
        let code = code(&address).expect("it fits");
        let lines: Vec<Vec<char>> = code.lines().map(|line| line.chars().collect()).collect();
        // Version 4 has 33 modules on each side, and a margin of 4. A line has two rows of them.
        assert_eq!(lines.len(), 41_usize.div_ceil(2), "{code}");
        assert!(lines.iter().all(|line| line.len() == 41), "{code}");
        // The margin is light, which a dark terminal shows as blocks, and so is what surrounds the dark
        // square in the middle of the mark at the upper left.
        let is_light = |x: usize, y: usize| match lines[y / 2][x] {
            '█' => true,
            '▀' => y.is_multiple_of(2),
            '▄' => !y.is_multiple_of(2),
            _ => false,
        };
        let of_mark = |y: usize| (3..12).map(|x| is_light(x, y)).collect::<Vec<bool>>();
        let light = |places: &[usize]| (0..9).map(|x| places.contains(&x)).collect::<Vec<bool>>();
        assert_eq!(of_mark(3), light(&[0, 1, 2, 3, 4, 5, 6, 7, 8]));
        assert_eq!(of_mark(4), light(&[0, 8]));
        assert_eq!(of_mark(5), light(&[0, 2, 3, 4, 5, 6, 8]));
        assert_eq!(of_mark(7), light(&[0, 2, 6, 8]));
        assert!(super::code(&"x".repeat(5000)).is_none());
    }

    #[test]
    fn the_page_of_a_folder_above_is_taken_only_in_a_target_folder_of_cargo() {
        let folder = Folder::new("view-serve-above");
        let count = |beside: &str| folders(&folder.0.join(beside).join("stats")).len();
        assert_eq!([count("debug"), count("release"), count("bin")], [1, 1, 1]);
        std::fs::write(folder.0.join("CACHEDIR.TAG"), "").expect("the folder can be written");
        assert_eq!([count("debug"), count("release"), count("bin")], [2, 2, 1]);
        let above = folders(&folder.0.join("debug/stats"));
        let expected = ["debug/stats-page", "stats-page"].map(|path| folder.0.join(path));
        assert_eq!(above, expected);
    }

    #[test]
    fn a_page_that_is_missing_or_damaged_is_said_with_the_command_that_builds_it() {
        let folder = Folder::new("view-serve");
        let (missing, other) = (folder.0.join("missing"), folder.0.join("other"));
        let folders = [missing.clone(), other.clone()];
        let said = |folders: &[PathBuf]| page(folders).map(|_| ()).map_err(|e| e.to_string());
        let why = said(&folders).expect_err("there is none");
        let command = format!("scripts/page '{}'", missing.display());
        assert!(why.contains(&command), "{why}");
        std::fs::create_dir(&other).expect("the folder can be written");
        assert!(said(&folders).is_err());
        std::fs::write(other.join("index.html.gz"), "").expect("the folder can be written");
        assert_eq!(said(&folders), Ok(()));
    }
}
