use super::measure::OFTEN;
use super::*;

#[test]
fn a_much_larger_hitch_soon_after_another_one_is_noticed() {
    let mut trigger = Trigger::default();
    let mut judge = |ms: f64| {
        let times = Times {
            frame: ms,
            ..Times::default()
        };
        trigger.judge(times, || 0.0, || 0.0)
    };
    for frame in 0..300 {
        assert_eq!(judge(2.0 + f64::from(frame % 7) / 10.0), Judgment::Usual);
    }
    assert_eq!(judge(12.0), Judgment::Noticed);
    assert_eq!(judge(2.0), Judgment::Usual);
    assert_eq!(
        judge(16.0),
        Judgment::Long,
        "less than 1.5 times the excess"
    );
    assert_eq!(judge(2.0), Judgment::Usual);
    assert_eq!(judge(40.0), Judgment::Noticed);
    assert_eq!(judge(50.0), Judgment::Long);
}

/// A trigger that has learned frames of `usual_ms`, which vary by 3 %.
fn learned(usual_ms: f64) -> Trigger {
    let mut trigger = Trigger::default();
    assert_eq!(play(&mut trigger, usual_ms, 300), 0);
    trigger
}

/// Plays frames that vary by 3 %, and returns how many are noticed.
fn play(trigger: &mut Trigger, usual_ms: f64, frames: u32) -> usize {
    let judgments = (0..frames).map(|at| {
        let times = Times {
            frame: usual_ms * (1.0 + f64::from(at * 7 % 11 % 7) / 200.0),
            ..Times::default()
        };
        trigger.judge(times, || 0.0, || 0.0)
    });
    let noticed = |judgment: &Judgment| *judgment == Judgment::Noticed;
    judgments.filter(noticed).count()
}

#[test]
fn equal_stalls_are_hitches_each_however_fast_the_game_is() {
    for usual_ms in [1.0, 2.0, 4.2, 8.3, 16.7, 33.3] {
        for period in [DEAD_FRAMES + 1, 20, 45, 60] {
            let mut trigger = learned(usual_ms);
            for stall in 0..8 {
                let noticed = play(&mut trigger, usual_ms + 50.0, 1);
                assert_eq!(noticed, 1, "stall {stall} of {usual_ms} ms, every {period}");
                assert_eq!(play(&mut trigger, usual_ms, period - 1), 0);
            }
        }
    }
}

#[test]
fn hitches_are_noticed_right_after_the_warm_up_even_if_frames_in_it_load() {
    for load_ms in [0.0, 500.0, 5000.0] {
        for loads in [0..1, 1..2, 3..4, 9..12, 20..21, 40..45, 59..60] {
            let mut trigger = Trigger::default();
            for frame in 0..WARM_UP_FRAMES {
                let load_ms = if loads.contains(&frame) { load_ms } else { 0.0 };
                assert_eq!(play(&mut trigger, 16.6 + load_ms, 1), 0);
            }
            assert_eq!(play(&mut trigger, 33.3, 1), 1, "{load_ms} {loads:?}");
            assert_eq!(play(&mut trigger, 16.6, 100), 0, "{load_ms} {loads:?}");
        }
    }
    // One long frame in every two, three or six is usual from the beginning, as in a game at
    // 50 Hz on a display of 60 Hz.
    for one_in in [2, 3, 6] {
        let mut trigger = Trigger::default();
        let ms = |frame: usize| {
            if frame.is_multiple_of(one_in) {
                33.3
            } else {
                16.6
            }
        };
        let noticed = (0..2_400).map(|frame| play(&mut trigger, ms(frame), 1));
        assert_eq!(noticed.sum::<usize>(), 0, "{one_in}");
    }
}

#[test]
fn a_new_level_is_one_hitch_and_hitches_are_noticed_soon_after_it() {
    for (before, after) in [(16.0, 33.0), (33.0, 16.0), (16.0, 100.0), (5.0, 8.0)] {
        for frames in [13, 14, 20, 60, 120, 400] {
            let mut trigger = learned(before);
            let rises = usize::from(after > before);
            assert_eq!(play(&mut trigger, after, frames), rises);
            assert_eq!(play(&mut trigger, 3.0 * after, 1), 1, "{after} {frames}");
            assert_eq!(play(&mut trigger, after, 60), 0);
            // Return to the earlier level.
            let mut trigger = learned(before);
            play(&mut trigger, after, frames);
            assert_eq!(play(&mut trigger, before, 13), 1 - rises);
            assert_eq!(play(&mut trigger, before, 60), 0);
            assert_eq!(play(&mut trigger, 3.0 * before, 1), 1, "{before} {frames}");
        }
        // Right before the level is known, and in the frame in which it becomes known.
        for frames in 1..=12 {
            let mut trigger = learned(before);
            play(&mut trigger, after, frames);
            assert_eq!(play(&mut trigger, 9.0 * after, 1), 1, "{after} {frames}");
            play(&mut trigger, after, 30);
            assert_eq!(play(&mut trigger, 9.0 * after, 1), 1, "{after} {frames}");
        }
    }
}

#[test]
fn an_hour_of_frames_that_vary_by_up_to_14_percent_has_no_hitch_but_a_slow_scope_is_one() {
    let mut random = stats_testing::Random::new(11);
    let mut normal = || {
        let sum: u64 = (0..12).map(|_| random.below(1_000_000)).sum();
        sum as f64 / 1e6 - 6.0
    };
    let mut noticed = 0;
    for noise in [0.05, 0.08, 0.11, 0.14] {
        let mut trigger = Trigger::default();
        let mut judge = |ms: f64, new_ms: f64| {
            let times = Times {
                frame: ms,
                scopes: ms,
                ..Times::default()
            };
            trigger.judge(times, || new_ms, || 0.0)
        };
        for _ in 0..54_000 {
            let judgment = judge(16.6 * f64::exp(noise * normal()), 0.0);
            noticed += usize::from(judgment == Judgment::Noticed);
        }
        let ms = 16.6 * (1.0 + 4.5 * noise);
        if ms > 1.3 * 16.6 {
            assert_eq!(judge(ms, 0.0), Judgment::Usual, "{noise}");
            let new_ms = 3.7 * noise * 16.6;
            assert_eq!(judge(ms, new_ms), Judgment::Noticed, "{noise}");
        }
    }
    assert!(noticed <= 1, "{noticed}");
}

/// Returns the numbers of noticed frames of a game whose frames vary in some ways, each for 20,000
/// frames: with normal and exponential noise, and with waves of it.
fn noticed_in_noise(usual_ms: f64, noise: f64) -> [usize; 3] {
    [0, 1, 2].map(|kind| {
        let mut random = stats_testing::Random::new(41 + kind);
        let mut trigger = Trigger::default();
        let mut wave = 0.0;
        let noticed = (0..20_000).filter(|_| {
            let mut uniform = || (random.below(1_000_000) + 1) as f64 / 1e6;
            let normal = (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
            let far = match kind {
                0 => normal,
                1 => -uniform().ln() - 1.0,
                _ => {
                    wave = 0.8 * wave + 0.6 * normal;
                    wave
                }
            };
            let ms = usual_ms * (1.0 + noise * far);
            let times = Times {
                frame: ms,
                scopes: ms,
                ..Times::default()
            };
            trigger.judge(times, || 0.0, || 0.0) == Judgment::Noticed
        });
        noticed.count()
    })
}

#[test]
fn noise_with_peaks_near_the_smallest_hitch_again_and_again_is_no_hitch() {
    for usual_ms in [8.0, 16.7, 33.3, 66.7] {
        for noise in [0.002, 0.01, 0.03] {
            for one_in in [10, 30, 60, 120] {
                let mut random = stats_testing::Random::new(7);
                let mut uniform = || (random.below(1_000_000) + 1) as f64 / 1e6;
                let mut trigger = Trigger::default();
                let (mut peaks, mut noticed) = (0, 0);
                for frame in 0..24_000 {
                    let normal = (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
                    let is_peak = frame % one_in == 5;
                    let peak = f64::from(u8::from(is_peak)) * (0.9 + 0.15 * uniform());
                    let ms = usual_ms * (1.0 + noise * normal) + peak * least_ms(usual_ms);
                    let times = Times {
                        frame: ms,
                        scopes: ms,
                        ..Times::default()
                    };
                    let is_noticed = trigger.judge(times, || 0.0, || 0.0) == Judgment::Noticed;
                    if frame >= 12_000 {
                        peaks += usize::from(is_peak);
                        noticed += usize::from(is_noticed);
                    }
                }
                println!("{usual_ms} ms, {noise}, 1 in {one_in}: {noticed} of {peaks}");
                assert!(
                    noticed * 8 <= peaks,
                    "{usual_ms} {noise} {one_in}: {noticed} of {peaks}"
                );
                // They hide no peak that is larger, unless the noise is.
                let ms = usual_ms + 1.4 * least_ms(usual_ms);
                if usual_ms < 40.0 && noise == 0.002 && one_in >= 30 {
                    let times = Times {
                        frame: ms,
                        scopes: ms,
                        ..Times::default()
                    };
                    trigger.skip(1e3);
                    assert_eq!(trigger.judge(times, || 0.0, || 0.0), Judgment::Noticed);
                }
            }
        }
    }
}

#[test]
fn noise_of_slow_frames_is_no_hitch() {
    for usual_ms in [8.0, 16.7, 33.3, 50.0, 100.0] {
        for noise in [0.005, 0.02, 0.05, 0.1, 0.14] {
            let noticed = noticed_in_noise(usual_ms, noise);
            println!("{usual_ms} ms, {noise}: {noticed:?}");
            assert!(
                noticed.iter().all(|count| *count <= 1),
                "{usual_ms} {noise}"
            );
        }
    }
}

#[test]
fn a_peak_that_a_player_sees_is_noticed_at_any_frame_rate_and_again_after_a_smaller_one() {
    for usual_ms in [8.0, 16.7, 33.3, 66.7] {
        let learned = || {
            let mut trigger = Trigger::default();
            for frame in 0..300_u32 {
                let noise_ms = f64::from(frame * 7 % 11) / 30.0;
                assert_eq!(
                    play_exact(&mut trigger, usual_ms + noise_ms),
                    Judgment::Usual
                );
            }
            trigger
        };
        let least_ms = least_ms(usual_ms + 0.2);
        for more in [1.15, 1.3, 1.9] {
            let mut trigger = learned();
            let peak = play_exact(&mut trigger, usual_ms + more * least_ms);
            assert_eq!(peak, Judgment::Noticed, "{usual_ms} {more}");
            // A peak that is just too small is usual, and hides no other one.
            let mut trigger = learned();
            let small = play_exact(&mut trigger, usual_ms + 0.9 * least_ms);
            assert_eq!(small, Judgment::Usual, "{usual_ms} {more}");
            let peak = play_exact(&mut trigger, usual_ms + more * least_ms);
            assert_eq!(
                peak,
                Judgment::Noticed,
                "{usual_ms} {more} after a smaller one"
            );
        }
    }
    // A frame of 41.5 ms at 30 Hz.
    let mut trigger = Trigger::default();
    for _ in 0..80 {
        play_exact(&mut trigger, 33.3);
    }
    assert_eq!(play_exact(&mut trigger, 41.47), Judgment::Noticed);
}

fn play_exact(trigger: &mut Trigger, ms: f64) -> Judgment {
    let times = Times {
        frame: ms,
        ..Times::default()
    };
    trigger.judge(times, || 0.0, || 0.0)
}

#[test]
fn frames_that_are_often_long_are_usual_after_a_while() {
    for one_in in [2, 3, 4, 20, 60] {
        let mut trigger = learned(16.6);
        let mut noticed = [0; 2];
        for frame in 0..3600 {
            let ms = if frame % one_in == 0 { 33.3 } else { 16.6 };
            noticed[frame / 1800] += play(&mut trigger, ms, 1);
        }
        if one_in < OFTEN as usize {
            assert!(noticed[0] < 30 && noticed[1] == 0, "{one_in} {noticed:?}");
        } else {
            assert_eq!(noticed, [1800 / one_in; 2], "{one_in}");
        }
        assert_eq!(play(&mut trigger, 16.6, 600), 0);
        assert_eq!(play(&mut trigger, 150.0, 1), 1, "{one_in}");
    }
}

#[test]
fn a_frame_that_is_shorter_than_usual_is_no_hitch() {
    let mut trigger = Trigger::default();
    let mut judge = |frame: f64, waits: f64| {
        let times = Times {
            frame,
            waits,
            scopes: frame - waits,
            system: None,
        };
        trigger.judge(times, || 0.0, || 0.0)
    };
    for _ in 0..300 {
        assert_eq!(judge(6.0, 4.0), Judgment::Usual);
    }
    assert_eq!(judge(4.5, 0.5), Judgment::Long, "less waiting, more work");
    assert_eq!(
        judge(6.0, 1.0),
        Judgment::Noticed,
        "the wait hides the work"
    );
}

#[test]
fn a_hitch_is_compared_with_the_excess_of_the_same_measure() {
    let mut trigger = Trigger::default();
    // The display's refresh hides the first one.
    let mut judge = |frame: f64, work: f64| {
        let times = Times {
            frame,
            waits: frame - work,
            scopes: work,
            system: None,
        };
        trigger.judge(times, || 0.0, || 0.0)
    };
    for _ in 0..300 {
        assert_eq!(judge(16.0, 4.0), Judgment::Usual);
    }
    assert_eq!(judge(16.0, 13.0), Judgment::Noticed);
    assert_eq!(judge(16.0, 4.0), Judgment::Usual);
    assert_eq!(judge(32.0, 20.0), Judgment::Noticed, "16 ms longer, not 0");
}

#[test]
fn a_frame_that_ran_for_longer_is_noticed_however_long_it_waited_for_a_processor() {
    let judge = |trigger: &mut Trigger, running: f64, ready: f64| {
        let times = Times {
            frame: running + ready,
            waits: 0.0,
            scopes: running + ready,
            system: Some((running, ready)),
        };
        trigger.judge(times, || 0.0, || 0.0)
    };
    let mut learned = Trigger::default();
    for frame in 0..600 {
        // Every third frame loses the processor.
        let ready = f64::from(frame % 3 / 2 * (50 + frame % 50));
        judge(&mut learned, 8.0 + f64::from(frame % 7) / 40.0, ready);
    }
    for ready in [0.0, 10.0, 60.0, 90.0] {
        let mut trigger = learned.clone();
        assert_eq!(
            judge(&mut trigger, 23.0, ready),
            Judgment::Noticed,
            "{ready}"
        );
        let mut trigger = learned.clone();
        assert_eq!(judge(&mut trigger, 8.1, ready), Judgment::Usual, "{ready}");
    }
}

#[test]
fn frames_whose_running_time_is_not_known_hide_no_later_one() {
    let judge = |trigger: &mut Trigger, running: f64, ready: f64, is_known: bool| {
        let times = Times {
            frame: running + ready,
            waits: 0.0,
            scopes: running + ready,
            system: is_known.then_some((running, ready)),
        };
        trigger.judge(times, || 0.0, || 0.0)
    };
    let mut trigger = Trigger::default();
    for frame in 0..4_000 {
        let ready = f64::from(frame % 3 / 2 * (50 + frame % 50));
        let running = 8.0 + f64::from(frame % 7) / 40.0;
        judge(&mut trigger, running, ready, !(600..3_000).contains(&frame));
    }
    assert_eq!(judge(&mut trigger, 23.0, 60.0, true), Judgment::Noticed);
}

#[test]
fn equal_frames_are_of_one_kind() {
    let mut trigger = Trigger::default();
    for _ in 0..WARM_UP_FRAMES + 10 {
        let times = Times {
            frame: 8.0,
            ..Times::default()
        };
        trigger.judge(times, || 0.0, || 0.0);
        assert_eq!(trigger.is_longer_kind(), None);
    }
}

#[test]
fn a_frame_whose_time_in_scopes_is_unknown_is_of_the_kind_of_its_duration() {
    let mut trigger = Trigger::default();
    let mut judge = |frame: f64, scopes: f64| {
        let times = Times {
            frame,
            scopes,
            ..Times::default()
        };
        trigger.judge(times, || 0.0, || 0.0);
        trigger.is_longer_kind()
    };
    for _ in 0..200 {
        judge(10.0, 10.0);
        judge(23.0, 23.0);
    }
    assert_eq!(judge(10.0, f64::NAN), Some(false));
    assert_eq!(judge(23.0, f64::NAN), Some(true));
}

#[test]
fn frames_that_other_programs_make_longer_are_no_kind() {
    for (ran_ms, ready_ms, kind) in [(0.0, 12.0, None), (12.0, 0.0, Some(true))] {
        let mut trigger = Trigger::default();
        for frame in 0..400 {
            let longer = f64::from(frame % 2);
            let (running, ready) = (8.0 + longer * ran_ms, longer * ready_ms);
            let times = Times {
                frame: running + ready,
                waits: 0.0,
                scopes: running + ready,
                system: Some((running, ready)),
            };
            trigger.judge(times, || 0.0, || 0.0);
        }
        assert_eq!(trigger.is_longer_kind(), kind, "{ran_ms} {ready_ms}");
    }
}
