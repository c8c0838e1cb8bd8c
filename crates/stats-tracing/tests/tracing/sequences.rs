//! Random sequences of entering and exiting spans, compared with a list.

use std::collections::BTreeMap;

use stats_testing::Random;
use stats_tracing::StatsLayer;
use tracing::span::EnteredSpan;
use tracing::{Span, info_span};

use crate::totals::{Totals, dispatch, on_thread};

const NAMES: [&str; 4] = ["s0", "s1", "s2", "s3"];

fn span(name: usize) -> Span {
    match name {
        0 => info_span!("s0"),
        1 => info_span!("s1"),
        2 => info_span!("s2"),
        _ => info_span!("s3"),
    }
}

#[test]
fn calls_of_every_path_are_those_of_a_list_of_entered_spans_in_any_order_of_exits() {
    for seed in 0..20 {
        let thread = format!("sequence {seed}");
        let mut expected = BTreeMap::<String, f64>::new();
        let subscriber = dispatch(StatsLayer::new());
        let (thread_name, calls) = (thread.as_str(), &mut expected);
        let totals = Totals::of(|| {
            on_thread(thread_name, &subscriber, || {
                let mut random = Random::new(seed);
                // The entered spans with their paths, in the order in which they were entered.
                let mut entered: Vec<(EnteredSpan, String)> = Vec::new();
                for _ in 0..2_000 {
                    let is_full = entered.len() > 6;
                    if !is_full && (entered.is_empty() || random.below(2) == 0) {
                        let name = random.index(NAMES.len());
                        let around = entered.last().map_or(thread_name, |(_, path)| path);
                        let path = format!("{around}/{}", NAMES[name]);
                        entered.push((span(name).entered(), path));
                    } else {
                        let last = entered.len() - 1;
                        // Mostly the last one.
                        let at = if random.below(4) > 0 {
                            last
                        } else {
                            random.index(last + 1)
                        };
                        let (guard, path) = entered.remove(at);
                        drop(guard);
                        *calls.entry(format!("tracing/{path}/calls")).or_default() += 1.0;
                    }
                }
                // Exits the rest, outermost first.
                for (guard, path) in entered {
                    drop(guard);
                    *calls.entry(format!("tracing/{path}/calls")).or_default() += 1.0;
                }
            });
        });
        let counted: BTreeMap<String, f64> = totals
            .below(&format!("tracing/{thread}/"))
            .into_iter()
            .filter(|(path, _)| path.ends_with("/calls"))
            .map(|(path, value)| (path.to_owned(), value))
            .collect();
        assert_eq!(counted, expected, "with seed {seed}");
    }
}
