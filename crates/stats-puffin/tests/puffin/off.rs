//! Without the feature `enabled` no sink is added, and no series is registered.

use puffin::GlobalProfiler;
use stats_puffin::{Options, PuffinSource, Scopes};

#[test]
fn without_the_feature_there_is_no_series() {
    puffin::set_scopes_on(true);
    let (sender, frames) = std::sync::mpsc::channel();
    let sink = GlobalProfiler::lock().add_sink(Box::new(move |frame| drop(sender.send(frame))));
    let source = PuffinSource::install();
    {
        puffin::profile_scope!("off");
    }
    GlobalProfiler::lock().new_frame();
    let mut scopes = Scopes::new(&Options::default());
    scopes.process(scopes.issue(), &frames.recv().unwrap());
    assert!(!scopes.has_unknown());
    drop(source);
    drop(GlobalProfiler::lock().remove_sink(sink));
    let mut listed = 0;
    stats_core::for_each_series(|_| listed += 1);
    assert_eq!(listed, 0);
}
