use stats_core::{
    Counter, DeferredSource, FRAME_TIME, Problem, SeriesId, SeriesInfo, SeriesKind, Timer, Unit,
    budget_changes, budget_set_for, counter, find, for_each_change, for_each_series, generation,
    set_budget, set_budgets, set_unavailable, timer,
};

fn listed(path: &str) -> Vec<SeriesInfo<'static>> {
    let mut found = Vec::new();
    for_each_series(|info| found.extend((info.path == path).then_some(info)));
    found
}

#[test]
fn a_series_is_listed_once_with_the_facts_of_its_static() {
    static DRAW_CALLS: Counter = Counter::new("test/listing/draw-calls")
        .unit(Unit::Custom("calls"))
        .budget(2_000.0)
        .describe("Calls to draw.");
    assert_eq!(
        listed("test/listing/draw-calls"),
        [],
        "an unused static is not listed"
    );
    let id = DRAW_CALLS.id();
    let _same = counter("test/listing/draw-calls");
    let [info] = listed("test/listing/draw-calls")[..] else {
        panic!("once")
    };
    assert_eq!(
        (info.id, info.kind, info.unit),
        (id, SeriesKind::Counter, Unit::Custom("calls"))
    );
    assert_eq!(
        (info.budget, info.description, info.calls),
        (Some(2_000.0), Some("Calls to draw."), None)
    );
    assert_eq!(find("test/listing/draw-calls"), Some(id));
    assert_eq!(find("test/listing/nothing"), None);
}

#[test]
fn a_timer_is_listed_once_in_milliseconds_with_the_id_of_its_calls() {
    static PATHS: Timer = Timer::new("test/listing/timer").budget(2.0);
    PATHS.record_ms(1);
    let [info] = listed("test/listing/timer")[..] else {
        panic!("once")
    };
    assert_eq!(
        (info.kind, info.unit, info.budget),
        (SeriesKind::Timer, Unit::Milliseconds, Some(2.0))
    );
    assert_eq!((info.id, info.calls), (PATHS.id(), Some(PATHS.calls_id())));
}

#[test]
fn facts_can_be_given_in_any_order_and_the_first_of_each_is_kept() {
    let handle = counter("test/listing/facts");
    let handle = handle
        .describe(&format!("made at {}", "run time"))
        .unit(Unit::Bytes);
    assert_eq!(handle.budget(3.0).budget(3.0), handle);
    let [info] = listed("test/listing/facts")[..] else {
        panic!("once")
    };
    assert_eq!(
        (info.unit, info.budget, info.description),
        (Unit::Bytes, Some(3.0), Some("made at run time"))
    );
}

#[test]
fn an_unavailable_series_has_a_reason_until_it_is_available() {
    let id = counter("test/listing/unavailable").id();
    let listed = || listed("test/listing/unavailable")[0];
    assert_eq!(listed().unavailable, None);
    for reason in [Some("no such device"), Some("switched off"), None] {
        let before = generation();
        set_unavailable(id, reason);
        assert_eq!(listed().unavailable, reason);
        assert_ne!(generation(), before);
        let mut changed = false;
        for_each_change(before, |info| changed |= info == listed());
        assert!(changed);
    }
    set_unavailable(SeriesId::new(u32::MAX), Some("no such series"));
    set_unavailable(SeriesId::new(0), Some("a slot without a series"));
}

// One test, since budgets are set for the whole program.
#[test]
fn budgets_are_set_by_path_for_registered_and_for_later_series() {
    let under = "test/listing/budgets/";
    let series = |name: &str| counter(&format!("{under}{name}"));
    let budget = |name: &str| listed(&format!("{under}{name}"))[0].budget;
    let own = series("own").budget(3.0).id();
    series("none");
    let before = generation();
    set_budgets(move |path, _| {
        Ok(match path.strip_prefix(under) {
            Some("own" | "later") => Some(7.0),
            Some("later-own") => Some(f64::INFINITY),
            _ => None,
        })
    });
    assert_eq!((budget("own"), budget("none")), (Some(7.0), None));
    let mut changed = Vec::new();
    for_each_change(before, |info| {
        changed.extend(info.path.starts_with(under).then_some(info.id));
    });
    assert_eq!(changed, [own], "only what changed is listed again");
    series("later");
    series("later-own").budget(5.0);
    assert_eq!(
        (budget("later"), budget("later-own")),
        (Some(7.0), Some(5.0))
    );
    assert_eq!(stats_core::frame_budget_ms(), None);
    set_budgets(|path, _| Ok((path == "frame").then_some(8.5)));
    assert_eq!(stats_core::frame_budget_ms(), Some(8.5));
    set_budgets(|_, _| Ok(None));
    assert_eq!(stats_core::frame_budget_ms(), None);
    assert_eq!((budget("own"), budget("later")), (Some(3.0), None));
    // A unit that is given after the registration counts, and a problem concerns the series before
    // it, too.
    let problem = || Problem::BadBudget {
        path: "test/listing/budgets/*".into(),
    };
    let (mut first, mut found) = (None, false);
    set_budgets(move |path, unit| {
        if found {
            return Ok(None);
        }
        if !path.starts_with(under) {
            return Ok((path == "frame").then_some(9.0));
        }
        found = *first.get_or_insert(unit) != unit;
        if found { Err(problem()) } else { Ok(Some(9.0)) }
    });
    let is_reported = || stats_core::problems().contains(&problem());
    assert_eq!((budget("own"), is_reported()), (Some(9.0), false));
    assert_eq!(stats_core::frame_budget_ms(), Some(9.0));
    series("count");
    assert_eq!((budget("count"), is_reported()), (Some(9.0), false));
    series("bytes").unit(Unit::Bytes);
    assert_eq!((budget("bytes"), budget("own")), (None, Some(3.0)));
    assert!(is_reported());
    assert_eq!(stats_core::frame_budget_ms(), None);
    // A budget of a single path replaces all others, and is kept for later series.
    set_budgets(move |path, _| Ok(path.starts_with(under).then_some(7.0)));
    let by_hand = |name: &str, set| {
        let (listed, changes) = (generation(), budget_changes());
        set_budget(&format!("{under}{name}"), set);
        let mut changed = Vec::new();
        for_each_change(listed, |info| {
            changed.extend(info.path.strip_prefix(under).map(str::to_owned));
        });
        (changed, budget_changes() - changes)
    };
    let own_alone = || vec!["own".to_owned()];
    assert_eq!(by_hand("own", Some(4.0)), (own_alone(), 1));
    assert_eq!((budget("own"), budget("none")), (Some(4.0), Some(7.0)));
    assert_eq!(by_hand("own", Some(4.0)), (vec![], 0), "it is the same");
    assert_eq!(
        by_hand("hand", Some(2.0)),
        (vec![], 1),
        "not registered yet"
    );
    series("hand").unit(Unit::Bytes).budget(5.0);
    assert_eq!(budget("hand"), Some(2.0));
    set_budgets(|_, _| Ok(None));
    assert_eq!((budget("own"), budget("hand")), (Some(4.0), Some(2.0)));
    assert_eq!(budget_set_for("test/listing/budgets/hand"), Some(2.0));
    by_hand("own", Some(f64::NAN));
    by_hand("hand", None);
    assert_eq!((budget("own"), budget("hand")), (Some(3.0), Some(5.0)));
    assert_eq!(budget_set_for("test/listing/budgets/own"), None);
    set_budget(FRAME_TIME, Some(12.0));
    assert_eq!(stats_core::frame_budget_ms(), Some(12.0));
    set_budget(FRAME_TIME, None);
    assert_eq!(stats_core::frame_budget_ms(), None);
    set_budget("", Some(1.0));
    set_budget("", None);
}

#[test]
fn the_generation_changes_with_every_registration_and_every_new_fact() {
    let handle = counter("test/listing/generation");
    let changes: [&dyn Fn() -> SeriesId; 5] = [
        &|| counter("test/listing/generation-2").id(),
        &|| handle.unit(Unit::Bytes).id(),
        &|| handle.budget(1.0).id(),
        &|| timer("test/listing/generation-timer").id(),
        &|| stats_core::counter!("test/listing/generation-site").id(),
    ];
    for change in changes {
        let before = generation();
        let _id = change();
        assert_ne!(generation(), before);
    }
}

#[test]
fn a_visitor_may_register_series_which_are_visited_too() {
    let (mut registered, mut visited) = (false, false);
    for_each_series(|info| {
        if !std::mem::replace(&mut registered, true) {
            let _new = counter("test/listing/visitor");
        }
        visited |= info.path == "test/listing/visitor";
    });
    assert!(visited);
}

#[test]
fn changes_since_a_generation_are_listed_and_older_ones_are_not() {
    let older = counter("test/changes/older");
    let described = counter("test/changes/described");
    let before = generation();
    let new = counter("test/changes/new");
    described.unit(Unit::Bytes);
    let mut seen = Vec::new();
    for_each_change(before, |info| seen.push((info.id, info.unit)));
    assert!(
        seen.contains(&(new.id(), Unit::Count)) && seen.contains(&(described.id(), Unit::Bytes))
    );
    assert!(!seen.iter().any(|&(id, _)| id == older.id()));
    // Read, then described: listed once more.
    let before = generation();
    new.budget(3.0);
    let mut budget = None;
    for_each_change(before, |info| {
        budget = if info.id == new.id() {
            info.budget
        } else {
            budget
        }
    });
    assert_eq!(budget, Some(3.0));
}

#[test]
fn changes_since_the_beginning_are_the_whole_listing() {
    let (mut changes, mut listed) = (Vec::new(), Vec::new());
    for_each_series(|info| listed.push(info.id));
    for_each_change(0, |info| changes.push(info.id));
    changes.sort_unstable();
    changes.dedup();
    assert!(listed.iter().all(|id| changes.binary_search(id).is_ok()));
}

#[test]
fn a_listing_tells_deferred_series_from_others() {
    let source = DeferredSource::new();
    let _deferred = source.timer("test/listing/deferred");
    let _immediate = counter("test/listing/immediate");
    let listed = listed("test/listing/deferred");
    assert!(listed.iter().all(|info| info.is_deferred) && listed.len() == 1);
    assert!(!self::listed("test/listing/immediate")[0].is_deferred);
}
