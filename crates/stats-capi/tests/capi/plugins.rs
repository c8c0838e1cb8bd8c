//! The plugin of the examples, loaded, replaced while it runs, and unloaded.
#![expect(unsafe_code, reason = "loading a plugin runs its code")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, SystemTime};

use stats_capi::{LoadError, LoadedPlugin, take_marks};
use stats_core::{Recorder, VERSION, find};
use stats_testing::alone;

/// Builds the plugin of the examples.
fn built() -> PathBuf {
    let plugin = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/plugin");
    build(plugin, &["--lib"]).join(libloading::library_filename("plugin"))
}

/// Builds targets of the package in a folder. Returns the folder of what is built.
fn build(package: &str, targets: &[&str]) -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let status = Command::new(env!("CARGO"))
        .args(["build", "--locked", "--target-dir"])
        .arg(target)
        .args(targets)
        .current_dir(package)
        .status();
    assert!(status.is_ok_and(|status| status.success()));
    target.join("debug")
}

/// Returns the marks that wait.
fn marks() -> Vec<String> {
    let mut marks = Vec::new();
    take_marks(|name, _| marks.push(name.to_owned()));
    marks
}

/// Sets the time at which a file was changed.
fn touch(file: &Path, seconds: u64) {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000 + seconds);
    let file = fs::File::options().append(true).open(file);
    assert!(file.and_then(|file| file.set_modified(time)).is_ok());
}

/// Checks the file like a game, until it was reloaded or cannot be.
fn reload(plugin: &mut LoadedPlugin) -> Result<(), LoadError> {
    loop {
        // SAFETY: it is the plugin of the examples or no library, and nothing else runs its code.
        if unsafe { plugin.reload_if_changed() }? {
            return Ok(());
        }
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_plugin_counts_into_its_hosts_registry_and_its_series_outlive_it() {
    let _alone = alone();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("plugins");
    fs::create_dir_all(&folder).expect("a temporary folder can be created");
    let file = folder.join("a-plugin");
    fs::copy(built(), &file).expect("the plugin is built");
    touch(&file, 0);
    // SAFETY: it is the plugin of the examples, and nothing else runs its code.
    let mut plugin = unsafe { LoadedPlugin::load(&file) }.expect("it is a plugin");
    let mut recorder = Recorder::new();
    let watch_of =
        |recorder: &mut Recorder, path| recorder.watch(find(path).expect("it is registered"));
    let drops = watch_of(&mut recorder, "plugin/rain-drops");
    let loads = watch_of(&mut recorder, "plugin/loads");
    let wind = watch_of(&mut recorder, "plugin/wind");
    let frame = |recorder: &mut Recorder, plugin: &LoadedPlugin| {
        plugin.frame();
        recorder.end_frame();
    };
    frame(&mut recorder, &plugin);
    frame(&mut recorder, &plugin);
    // SAFETY: as above.
    assert!(!unsafe { plugin.reload_if_changed() }.expect("it can be read"));
    touch(&file, 10);
    reload(&mut plugin).expect("it can be loaded");
    frame(&mut recorder, &plugin);
    // A file that is no plugin leaves the loaded plugin in place.
    fs::write(&file, "no library").expect("it can be written");
    touch(&file, 20);
    let broken = reload(&mut plugin);
    assert!(matches!(broken, Err(LoadError::Library(..))), "{broken:?}");
    // SAFETY: as above.
    let again = unsafe { plugin.reload_if_changed() };
    assert!(matches!(again, Ok(false)), "reported once: {again:?}");
    frame(&mut recorder, &plugin);
    drop(plugin);
    recorder.end_frame();
    let values = |watch| recorder.history(watch, 10).iter().collect::<Vec<f64>>();
    let first = values(&drops);
    assert_eq!(first.len(), 5);
    assert!(
        first[..4].iter().all(|drops| *drops >= 100.0) && first[4] == 0.0,
        "{first:?}"
    );
    assert_eq!(
        first[0], first[2],
        "the new plugin begins with its first frame"
    );
    // The first load was before the recorder.
    assert_eq!(values(&loads), [0.0, 0.0, 1.0, 0.0, 0.0]);
    let level = values(&wind);
    assert_eq!(level[3], level[4], "the level persists");
    assert_eq!(marks(), [""; 0], "its series are those of the host");
}

#[test]
fn a_plugin_that_counts_into_its_own_core_says_so_once() {
    let _alone = alone();
    let folder = build(env!("CARGO_MANIFEST_DIR"), &["--example", "own_counter"]);
    let file = folder
        .join("examples")
        .join(libloading::library_filename("own_counter"));
    marks();
    // SAFETY: it is a plugin, and nothing else runs its code.
    let plugin = unsafe { LoadedPlugin::load(&file) }.expect("it is a plugin");
    plugin.frame();
    assert_eq!(marks(), [""; 0], "it has only used a series of the host");
    plugin.frame();
    let sentence = format!(
        "a plugin has 2 series in its own stats-core {VERSION}, not in the host's, so nobody sees \
         them: create each with `Host::counter` or the like. The first: own/hits"
    );
    assert_eq!(marks(), [sentence]);
    plugin.frame();
    assert_eq!(marks(), [""; 0], "once");
    assert!(find("own/loads").is_some() && find("own/hits").is_none());
}

/// Each prefix is what a compiler or `cp` has written after a while. To load one would end this
/// process.
#[test]
fn a_plugin_that_is_partly_written_is_never_loaded() {
    let _alone = alone();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("partly-written");
    fs::create_dir_all(&folder).expect("a temporary folder can be created");
    let (built, file) = (built(), folder.join("a-plugin"));
    let image = fs::read(&built).expect("the plugin is built");
    let write = |len: usize| fs::write(&file, &image[..len]).expect("it can be written");
    for len in (0..120).map(|part| image.len() * part / 120) {
        write(len);
        // SAFETY: nothing is loaded.
        let partly = unsafe { LoadedPlugin::load(&file) };
        assert!(
            matches!(partly, Err(LoadError::Incomplete(_))),
            "{len}: {partly:?}"
        );
    }
    write(image.len());
    // SAFETY: it is the plugin of the examples, and nothing else runs its code.
    let mut plugin = unsafe { LoadedPlugin::load(&file) }.expect("it is complete");
    // Written again and again, like `cp` in a loop: the plugin is not reloaded, and nothing is
    // said.
    for round in 0..30 {
        for len in [0, image.len() / 3, image.len() - 1] {
            write(len);
            touch(&file, round);
            // SAFETY: as above.
            let reloaded = unsafe { plugin.reload_if_changed() };
            assert!(matches!(reloaded, Ok(false)), "{len}: {reloaded:?}");
            plugin.frame();
        }
    }
    // The last one stays, which is reported.
    let lasting = reload(&mut plugin);
    assert!(
        matches!(lasting, Err(LoadError::Incomplete(_))),
        "{lasting:?}"
    );
    fs::remove_file(&file).expect("it can be removed");
    let missing = reload(&mut plugin);
    assert!(matches!(missing, Err(LoadError::File(..))), "{missing:?}");
    write(image.len());
    reload(&mut plugin).expect("it is complete");
    plugin.frame();
}

#[test]
fn a_file_that_is_not_a_plugin_is_an_error_that_names_it() {
    // SAFETY: nothing is loaded.
    let missing = unsafe { LoadedPlugin::load(Path::new("/no/such/plugin")) };
    let message = missing.expect_err("there is no such file").to_string();
    assert!(
        message.starts_with("cannot read the plugin /no/such/plugin: "),
        "{message}"
    );
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    // SAFETY: it is not a library, so it runs no code.
    let other = unsafe { LoadedPlugin::load(&file) };
    assert!(matches!(other, Err(LoadError::Library(..))));
}
