//! The size and the limits of the scopes of a frame.

use stats_testing::Random;

use crate::wire::bytes::{put_number, zigzag};
use crate::wire::scopes::{Call, FrameScopes, MAX_LANES, MAX_NS, MAX_SCOPES};
use crate::wire::to_viewer::*;

/// Returns a frame that is full of scopes: 5,000 in two threads, nested three deep. Most take microseconds,
/// some take hundreds of them.
fn full_frame(random: &mut Random) -> FrameScopes {
    let (mut scopes, frame_ns) = (Vec::new(), 16_666_667);
    for lane in 0..2 {
        let mut at = 0;
        while scopes.len() < 2500 * (usize::from(lane) + 1) {
            // The time of three scopes on one of two threads.
            let ns = (3 * frame_ns / 2500) / 2 + random.below(3 * frame_ns as u64 / 2500) as i64;
            for depth in 0..3 {
                let inside = ns / 20 * depth;
                scopes.push(Call {
                    lane,
                    series: 40 + random.below(200) as u32,
                    depth: depth as u8,
                    is_wait: false,
                    begin_ns: at + inside,
                    end_ns: Some(at + ns - inside),
                });
            }
            at += ns + random.below(300) as i64;
        }
    }
    FrameScopes {
        index: 1_000_000,
        duration_ns: frame_ns,
        lost: 0,
        scopes,
    }
}

#[test]
fn a_scope_takes_less_than_eight_bytes() {
    let mut random = Random::new(13);
    let (mut bytes, mut scopes) = (0, 0);
    for _ in 0..20 {
        let frame = full_frame(&mut random);
        let message = encode_scopes(&frame);
        (bytes, scopes) = (bytes + message.len(), scopes + frame.scopes.len());
        assert_eq!(ToViewer::decode(&message), Ok(ToViewer::Scopes(frame)));
    }
    let of_scope = bytes as f64 / scopes as f64;
    println!(
        "{of_scope} bytes a scope, {} KiB a second",
        of_scope * 5e3 * 60.0 / 1024.0
    );
    assert!(of_scope < 8.0, "{of_scope}");
}

#[test]
fn a_frame_with_the_most_scopes_fits_into_a_message() {
    let scopes = (0..MAX_SCOPES as u32).map(|at| Call {
        lane: (at % 2) as u16 * (MAX_LANES - 1) as u16,
        series: at % 2 * u32::MAX,
        depth: (at % 3 * 127) as u8,
        is_wait: true,
        begin_ns: if at % 2 == 0 { -MAX_NS } else { MAX_NS },
        end_ns: Some(MAX_NS),
    });
    let frame = FrameScopes {
        scopes: scopes.collect(),
        ..FrameScopes::default()
    };
    let message = encode_scopes(&frame);
    assert!(message.len() <= MAX_MESSAGE, "{}", message.len());
    assert!(ToViewer::decode(&message).is_ok());
}

/// A viewer adds up the times of scopes.
#[test]
fn times_of_scopes_far_from_their_frame_are_cut_or_refused() {
    let scope = |begin_ns, end_ns| Call {
        begin_ns,
        end_ns,
        ..Call::default()
    };
    let frame = |begin_ns, end_ns| FrameScopes {
        scopes: vec![scope(begin_ns, end_ns)],
        duration_ns: i64::MAX,
        ..FrameScopes::default()
    };
    let read = |frame: &FrameScopes| ToViewer::decode(&encode_scopes(frame));
    let cut = read(&frame(i64::MIN, Some(i64::MAX)));
    let expected = FrameScopes {
        duration_ns: MAX_NS,
        ..frame(-MAX_NS, Some(0))
    };
    assert_eq!(cut, Ok(ToViewer::Scopes(expected)));
    let bytes = |begin: i64, duration: i64| {
        let mut bytes = vec![12, 0, 0, 0, 1, 0, 0];
        put_number(&mut bytes, zigzag(begin));
        put_number(&mut bytes, duration as u64);
        ToViewer::decode(&bytes).is_ok()
    };
    assert!(bytes(0, MAX_NS) && bytes(-MAX_NS, MAX_NS));
    assert!(!bytes(1, MAX_NS) && !bytes(-MAX_NS - 1, 0) && !bytes(0, -1));
    assert!(!bytes(i64::MAX, i64::MAX) && !bytes(i64::MIN, 0));
}
