//! Runs the slots against a simulated device that delays, fails, loses and reorders results: with
//! every short schedule, and with long random ones.

use super::*;

/// The next event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// A frame with passes ends.
    Frame,
    /// A frame without a pass ends.
    Empty,
    /// A frame with passes ends, but the copy cannot be recorded.
    Unresolved,
    /// A frame with passes ends, but its buffer cannot be mapped.
    Unmapped,
    /// The oldest outstanding answer arrives.
    Oldest,
    /// The newest outstanding answer arrives before the others.
    Newest,
    /// The oldest outstanding answer is an error.
    Fails,
    /// The oldest outstanding answer arrives, but the buffer cannot be read.
    Unreadable,
    /// Results are collected between frames.
    Collect,
}

const STEPS: [Step; 9] = [
    Step::Frame,
    Step::Empty,
    Step::Unresolved,
    Step::Unmapped,
    Step::Oldest,
    Step::Newest,
    Step::Fails,
    Step::Unreadable,
    Step::Collect,
];

const PATIENCE: u64 = 3;

/// A slot of the simulated device.
#[derive(Clone, Copy, Debug, Default)]
struct SimulatedSlot {
    /// The frame whose ticks the queries have.
    queries: Option<u64>,
    /// The frame whose copy is being mapped.
    requested: Option<u64>,
    answer: Option<(Answer, bool)>,
    ticks: Option<u64>,
}

#[derive(Clone, Debug, Default)]
struct Device {
    slots: Vec<SimulatedSlot>,
    can_resolve: bool,
    can_map: bool,
}

impl Backend for Device {
    type Commands = ();

    fn resolve(&mut self, slot: usize, (): &mut ()) -> bool {
        assert_eq!(
            self.slots[slot].requested, None,
            "a slot is mapped once at a time"
        );
        self.can_resolve
    }

    fn map(&mut self, slot: usize, (): &mut ()) -> bool {
        self.slots[slot].requested = self.can_map.then_some(self.slots[slot].queries).flatten();
        self.can_map
    }

    fn poll(&mut self, slot: usize) -> Answer {
        assert!(
            self.slots[slot].requested.is_some(),
            "only slots being mapped are polled"
        );
        self.slots[slot]
            .answer
            .map_or(Answer::Waiting, |(answer, _)| answer)
    }

    fn read(&mut self, slot: usize) -> bool {
        let slot = &mut self.slots[slot];
        slot.ticks = slot.requested;
        slot.answer == Some((Answer::Mapped, true))
    }

    fn release(&mut self, slot: usize, _: bool) {
        self.slots[slot] = SimulatedSlot::default();
    }
}

/// Slots, their device, and the fate of every frame.
#[derive(Clone, Debug)]
struct Run {
    slots: Slots<u64>,
    device: Device,
    begun: u64,
    frames: u64,
    skipped: u64,
    /// The fate of each frame; `None` until it is settled.
    fates: Vec<Option<Fate>>,
}

impl Run {
    fn new(slots: usize) -> Self {
        let device = Device {
            slots: vec![SimulatedSlot::default(); slots],
            can_resolve: true,
            can_map: true,
        };
        Self {
            slots: Slots::new(slots, PATIENCE),
            device,
            begun: 0,
            frames: 0,
            skipped: 0,
            fates: Vec::new(),
        }
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Frame => self.frame(true, true),
            Step::Unresolved => self.frame(false, true),
            Step::Unmapped => self.frame(true, false),
            Step::Empty => self.end(),
            Step::Oldest => self.answer(false, (Answer::Mapped, true)),
            Step::Newest => self.answer(true, (Answer::Mapped, true)),
            Step::Fails => self.answer(false, (Answer::Failed, false)),
            Step::Unreadable => self.answer(false, (Answer::Mapped, false)),
            Step::Collect => self.collect(),
        }
        self.check();
    }

    fn frame(&mut self, can_resolve: bool, can_map: bool) {
        (self.device.can_resolve, self.device.can_map) = (can_resolve, can_map);
        self.frames += 1;
        let free = self.slots.all.iter().any(|slot| slot.state == State::Free);
        // Three passes: one slot, one stamp.
        for _ in 0..3 {
            let fates = &mut self.fates;
            let slot = self.slots.slot(|| {
                fates.push(None);
                fates.len() as u64 - 1
            });
            assert_eq!(
                slot.is_some(),
                free,
                "a frame is timed if and only if a slot is free"
            );
            if let Some(slot) = slot {
                self.device.slots[slot].queries = Some(self.fates.len() as u64 - 1);
            }
        }
        self.begun += u64::from(free);
        self.end();
    }

    fn end(&mut self) {
        let fates = &mut self.fates;
        let skipped = self
            .slots
            .end(&mut self.device, &mut (), |device, slot, frame, fate| {
                settle(fates, device, slot, frame, fate);
            });
        self.skipped += u64::from(skipped);
    }

    fn collect(&mut self) {
        let fates = &mut self.fates;
        self.slots
            .collect(&mut self.device, |device, slot, frame, fate| {
                settle(fates, device, slot, frame, fate)
            });
    }

    fn answer(&mut self, newest: bool, answer: (Answer, bool)) {
        let waiting = self
            .device
            .slots
            .iter_mut()
            .filter(|slot| slot.requested.is_some() && slot.answer.is_none());
        let slot = if newest {
            waiting.max_by_key(|slot| slot.requested)
        } else {
            waiting.min_by_key(|slot| slot.requested)
        };
        if let Some(slot) = slot {
            slot.answer = Some(answer);
        }
    }

    fn check(&self) {
        let unsettled = self.fates.iter().filter(|fate| fate.is_none()).count();
        let held = self
            .slots
            .all
            .iter()
            .filter(|slot| slot.stamp.is_some())
            .count();
        assert_eq!(held, unsettled, "every stamp is in a slot or settled");
        for slot in &self.slots.all {
            assert!(
                matches!(slot.state, State::Free | State::Mapping),
                "no slot rests in {:?}",
                slot.state
            );
            assert_eq!(slot.state == State::Free, slot.stamp.is_none());
            let waits = self.slots.ended - slot.ended;
            assert!(
                slot.state == State::Free || waits <= PATIENCE,
                "no slot is stuck"
            );
        }
        assert_eq!(
            self.frames,
            self.begun + self.skipped,
            "a frame is timed or counted as skipped"
        );
        assert_eq!(self.begun, self.fates.len() as u64);
    }

    /// Checks that after enough frames every frame is settled, no matter what was lost.
    fn drain(&mut self) {
        (0..=PATIENCE).for_each(|_| self.step(Step::Empty));
        assert!(self.slots.all.iter().all(|slot| slot.state == State::Free));
        assert!(
            self.fates.iter().all(Option::is_some),
            "every frame is read or given up"
        );
    }
}

fn settle(fates: &mut [Option<Fate>], device: &mut Device, slot: usize, frame: u64, fate: Fate) {
    if matches!(fate, Fate::Read(_)) {
        assert_eq!(
            device.slots[slot].ticks,
            Some(frame),
            "ticks belong to the frame that wrote them"
        );
    }
    settle_once(fates, frame, fate);
}

fn settle_once(fates: &mut [Option<Fate>], frame: u64, fate: Fate) {
    assert_eq!(
        fates[frame as usize].replace(fate),
        None,
        "a frame is settled once"
    );
}

fn explore(run: &Run, depth: u32, visited: &mut u64) {
    *visited += 1;
    run.clone().drain();
    if depth > 0 {
        for step in STEPS {
            let mut next = run.clone();
            next.step(step);
            explore(&next, depth - 1, visited);
        }
    }
}

#[test]
fn every_short_schedule_settles_every_frame_once() {
    for slots in 1..=3 {
        let mut visited = 0;
        explore(&Run::new(slots), 5, &mut visited);
        assert_eq!(visited, 66_430);
    }
}

#[test]
fn every_longer_schedule_of_the_common_steps_settles_every_frame_once() {
    let common = [Step::Frame, Step::Oldest, Step::Newest];
    for code in 0..3_u32.pow(9) {
        let mut run = Run::new(2);
        (0..9).for_each(|at| run.step(common[(code / 3_u32.pow(at) % 3) as usize]));
        run.drain();
    }
}

#[test]
fn long_random_schedules_settle_every_frame_once() {
    let mut seed = 1_u64;
    for _ in 0..200 {
        let mut run = Run::new(1 + (seed % 5) as usize);
        for _ in 0..500 {
            // A linear congruential generator (Knuth, MMIX), whose upper bits are random enough.
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            run.step(STEPS[(seed >> 33) as usize % STEPS.len()]);
        }
        run.drain();
    }
}

#[test]
fn a_device_that_answers_loses_no_frame() {
    let mut run = Run::new(3);
    for _ in 0..100 {
        run.step(Step::Frame);
        run.step(Step::Oldest);
    }
    assert_eq!(run.skipped, 0);
    run.drain();
    // Each frame is delivered at the end of the next.
    assert!(run.fates.iter().all(|fate| *fate == Some(Fate::Read(1))));
}

#[test]
fn a_device_that_never_answers_skips_frames_and_blocks_nothing() {
    let mut run = Run::new(2);
    (0..8).for_each(|_| run.step(Step::Frame));
    // Two frames are waiting. The end of the fifth frame gives up the first, and the sixth begins
    // in its slot.
    assert!(run.skipped > 0 && run.fates.contains(&Some(Fate::GivenUp)));
    assert!(
        !run.fates
            .iter()
            .any(|fate| matches!(fate, Some(Fate::Read(_))))
    );
}

#[test]
fn answers_in_the_wrong_order_reach_their_own_frames() {
    let mut run = Run::new(2);
    [Step::Frame, Step::Frame, Step::Newest, Step::Empty]
        .into_iter()
        .for_each(|step| run.step(step));
    assert_eq!(run.fates, [None, Some(Fate::Read(1))]);
    [Step::Oldest, Step::Collect]
        .into_iter()
        .for_each(|step| run.step(step));
    assert_eq!(run.fates, [Some(Fate::Read(2)), Some(Fate::Read(1))]);
}
