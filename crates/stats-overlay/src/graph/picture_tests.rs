//! Checks that a picture drawn step by step equals, pixel for pixel, one drawn from scratch.

use std::collections::HashMap;

use egui::{Color32, ColorImage, Context, Rect, Shape, TextureId, pos2, vec2};
use stats_analysis::axis::Mapping;
use stats_analysis::buckets::bucket_width;
use stats_analysis::stack::Stack;
use stats_analysis::track::Track;
use stats_core::FrameSlice;
use stats_testing::{Random, ring};

use super::picture::{BUCKETS_BESIDE, Frame, NEW_PASSES, Picture, VisibleSeries};

/// The capacity of a history, in frames.
const CAPACITY: u64 = 3000;
const COLORS: [Color32; 3] = [Color32::RED, Color32::GREEN, Color32::BLUE];

/// A graphics card: the textures of a context, as a host keeps them.
#[derive(Default)]
struct Card {
    ctx: Context,
    textures: HashMap<TextureId, ColorImage>,
    uploaded: usize,
}

impl Card {
    /// Paints a picture and returns its pixels, as a host would draw them.
    fn pixels(
        &mut self,
        picture: &mut Picture,
        frame: &Frame,
        stack: Option<&Stack>,
    ) -> Vec<Color32> {
        let mut shapes = Vec::new();
        let ctx = self.ctx.clone();
        let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
            let painter = ui.ctx().debug_painter();
            let from = ui
                .ctx()
                .graphics_mut(|graphics| graphics.entry(painter.layer_id()).next_idx().0);
            picture.paint(&painter, frame, stack);
            shapes = ui.ctx().graphics_mut(|graphics| {
                let list = graphics.entry(painter.layer_id()).all_entries();
                list.skip(from)
                    .map(|clipped| clipped.shape.clone())
                    .collect()
            });
            self.upload(ui.ctx());
            let sides = self.textures.values().flat_map(|image| image.size);
            assert!(sides.max() <= Some(frame.max_side));
        });
        output.textures_delta.clear();
        let [width, height] = [frame.rect.width(), frame.rect.height()]
            .map(|points| (points * frame.pixels_per_point).round() as usize);
        let mut pixels = vec![Color32::from_gray(7); width * height];
        for shape in shapes {
            let Shape::Mesh(quad) = shape else {
                panic!("not a quad")
            };
            self.draw(&quad, frame, width, &mut pixels);
        }
        pixels
    }

    fn upload(&mut self, ctx: &Context) {
        let mut delta = ctx.tex_manager().write().take_delta();
        for id in delta.free.drain() {
            self.textures.remove(&id);
        }
        for (id, deltas) in delta.set.drain() {
            for delta in deltas {
                let egui::ImageData::Color(image) = &delta.image;
                self.uploaded += image.pixels.len();
                let Some([x, y]) = delta.pos else {
                    self.textures.insert(id, image.as_ref().clone());
                    continue;
                };
                let texture = self.textures.get_mut(&id).unwrap();
                for row in 0..image.height() {
                    for column in 0..image.width() {
                        texture[(x + column, y + row)] = image[(column, row)];
                    }
                }
            }
        }
    }

    /// Draws a quad with a transposed texture. Each pixel gets the color of the texel at its
    /// center.
    fn draw(&self, quad: &egui::epaint::Mesh, frame: &Frame, width: usize, pixels: &mut [Color32]) {
        let texture = &self.textures[&quad.texture_id];
        let (first, last) = (quad.vertices[0], quad.vertices[3]);
        let origin = (frame.rect.min.to_vec2() * frame.pixels_per_point).round();
        let [first_at, last_at] =
            [first, last].map(|vertex| vertex.pos.to_vec2() * frame.pixels_per_point - origin);
        let columns = first_at.x.round() as usize..last_at.x.round() as usize;
        for column in columns {
            let share = (column as f32 + 0.5 - first_at.x) / (last_at.x - first_at.x);
            let v = first.uv.y + share * (last.uv.y - first.uv.y);
            for row in 0..pixels.len() / width {
                let share = (row as f32 + 0.5 - first_at.y) / (last_at.y - first_at.y);
                let texel = (
                    (share * texture.width() as f32) as usize,
                    (v * texture.height() as f32) as usize,
                );
                pixels[row * width + column] = texture[texel];
            }
        }
    }
}

/// The values of a series since frame 0, and the history that keeps the newest of them.
struct Recorded {
    values: Vec<f64>,
    /// The frame of the first value.
    first: u64,
    /// The number of newest frames without a value yet.
    late: u64,
    range: (f64, f64),
    color: Color32,
}

/// Everything that a picture depends on.
struct World {
    recorded: Vec<Recorded>,
    end: u64,
    frame: Frame,
    follows: bool,
    is_stacked: bool,
}

impl World {
    fn new() -> Self {
        let recorded = COLORS.into_iter().enumerate().map(|(at, color)| Recorded {
            values: Vec::new(),
            first: [300, 700, 300][at],
            late: [0, 0, 9][at],
            range: (0.0, 100.0),
            color,
        });
        let frame = Frame {
            rect: Rect::from_min_size(pos2(10.0, 20.0), vec2(700.0, 40.0)),
            pixels_per_point: 1.0,
            max_side: 2048,
            left: 0.0,
            span: 600.0,
            mapping: Mapping::Linear,
            line_width: 1.5,
            revision: 1,
        };
        Self {
            recorded: recorded.collect(),
            end: 0,
            frame,
            follows: true,
            is_stacked: false,
        }
    }

    /// Records frames with typical values, and now and then a spike or an unknown value.
    fn advance(&mut self, frames: u64, random: &mut Random) {
        for _ in 0..frames {
            for recorded in &mut self.recorded {
                if self.end >= recorded.first {
                    let spike = if random.below(90) == 0 { 50 } else { 0 };
                    let value = (10 + random.below(30) + spike) as f64;
                    let is_known = random.below(60) > 0;
                    recorded
                        .values
                        .push(if is_known { value } else { f64::NAN });
                }
            }
            self.end += 1;
        }
        if self.follows {
            self.frame.left = self.end as f64 - self.frame.span;
        }
    }

    /// Performs a random action of a user or a program.
    fn step(&mut self, random: &mut Random) {
        match random.below(30) {
            0 => self.frame.span = (600.0 * 1.3_f64.powi(random.below(20) as i32 - 8)).max(8.0),
            1 => {
                self.follows = false;
                self.frame.left += random.below(800) as f64 / 3.0 - 130.0;
            }
            2 => self.follows = true,
            3 => self.frame.rect.max.x = 30.0 + random.below(1300) as f32 * 0.77,
            4 => self.frame.pixels_per_point = [1.0, 1.5, 2.0][random.below(3) as usize],
            5 => self.frame.revision += 1,
            6 => {
                let at = random.below(self.recorded.len() as u64) as usize;
                self.recorded[at].range.1 = 60.0 + random.below(3) as f64 * 20.0;
            }
            7 => self.recorded.rotate_left(1),
            8 => {
                self.frame.mapping = match self.frame.mapping {
                    Mapping::Linear => Mapping::Log,
                    Mapping::Log => Mapping::Linear,
                }
            }
            9 => self.recorded[0].late = random.below(40),
            10 => self.recorded[1].color = Color32::from_gray(random.below(200) as u8 + 30),
            11 => self.frame.max_side = [2048, 100, 30][random.below(3) as usize],
            12 => self.frame.rect = self.frame.rect.translate(vec2(0.4, 0.7)),
            13 => self.is_stacked = !self.is_stacked,
            // No values arrive for a few frames, or all catch up.
            14 | 15 => {
                let frames = 1 + random.below(4);
                let late = if self.recorded[0].late == 0 {
                    frames
                } else {
                    0
                };
                self.recorded
                    .iter_mut()
                    .for_each(|recorded| recorded.late = late);
                self.advance(frames, random);
            }
            _ => {
                let most = random_size(random);
                self.advance(1 + random.below(most), random);
            }
        }
        self.advance(random.below(2), random);
    }

    fn paint(&self, card: &mut Card, picture: &mut Picture) -> Vec<Color32> {
        let held: Vec<_> = self
            .recorded
            .iter()
            .map(|recorded| recorded.held())
            .collect();
        let tracks = held.iter().map(|(older, newer, start)| {
            let mut track = Track::default();
            track.update(FrameSlice::new(*start, older, newer), None, &mut 0);
            track
        });
        let tracks: Vec<Track> = tracks.collect();
        let series = held.iter().zip(&tracks).zip(&self.recorded);
        let series = series.map(|(((older, newer, start), track), recorded)| VisibleSeries {
            at: COLORS
                .iter()
                .position(|color| *color == recorded.color)
                .unwrap_or(9),
            values: FrameSlice::new(*start, older, newer),
            track: Some(track),
            color: recorded.color,
            range: recorded.range,
        });
        let mut stack = Stack::default();
        let stack = self.is_stacked.then(|| {
            self.fill_stack(&mut stack, series.clone());
            &stack
        });
        picture.read(&self.frame, series, stack);
        card.pixels(picture, &self.frame, stack)
    }

    /// Stacks the series as a graph does.
    fn fill_stack<'a>(
        &self,
        stack: &mut Stack,
        series: impl ExactSizeIterator<Item = VisibleSeries<'a>> + Clone,
    ) {
        let Frame { left, span, .. } = self.frame;
        let [start, end] = [left, left + span].map(|frame| frame.max(0.0) as u64);
        let width = bucket_width(
            span,
            f64::from(self.frame.rect.width() * self.frame.pixels_per_point),
        );
        let beside = width * BUCKETS_BESIDE;
        let held = self.end.saturating_sub(CAPACITY);
        let first = start.saturating_sub(beside).max(held);
        let frames = first..self.end.min(end + beside + 1);
        stack.fill(
            series.map(|series| (series.values, series.track)),
            frames,
            width,
        );
    }
}

impl Recorded {
    fn held(&self) -> (Vec<f64>, Vec<f64>, u64) {
        let known = self.values.len() - (self.late as usize).min(self.values.len());
        ring(
            &self.values[..known],
            self.first,
            self.first + known as u64,
            CAPACITY,
        )
    }
}

fn random_size(random: &mut Random) -> u64 {
    [2, 2, 2, 5, 40, 900][random.below(6) as usize]
}

#[test]
fn an_updated_picture_equals_one_drawn_from_scratch() {
    let mut random = Random::new(71);
    for _ in 0..8 {
        let (mut world, mut card, mut picture) =
            (World::new(), Card::default(), Picture::at_once());
        for step in 0..100 {
            world.step(&mut random);
            let pixels = world.paint(&mut card, &mut picture);
            let fresh = world.paint(&mut Card::default(), &mut Picture::at_once());
            let differ = pixels.iter().zip(&fresh).filter(|(a, b)| a != b).count();
            assert!(
                pixels == fresh,
                "{differ} pixels differ in step {step} at {:?}, {} frames",
                world.frame,
                world.end
            );
        }
    }
}

#[test]
fn a_new_picture_is_drawn_over_a_few_passes_and_never_shows_wrong_pixels() {
    let (mut random, mut world) = (Random::new(9), World::new());
    world.frame.rect.max.x = 6000.0;
    world.advance(CAPACITY, &mut random);
    let (mut card, mut picture) = (Card::default(), Picture::default());
    let mut missing = Vec::new();
    for _ in 0..NEW_PASSES {
        world.advance(1, &mut random);
        let textures = picture.texture_count();
        let pixels = world.paint(&mut card, &mut picture);
        let whole = world.paint(&mut Card::default(), &mut Picture::at_once());
        let differ = || pixels.iter().zip(&whole).filter(|(a, b)| a != b);
        // Missing pixels show the color of the screen.
        assert!(differ().all(|(pixel, _)| *pixel == Color32::from_gray(7)));
        missing.push(differ().count());
        assert!(picture.texture_count() <= textures + 1);
    }
    let least = missing.iter().position(|&count| count == 0);
    let least = least.unwrap_or(NEW_PASSES);
    assert!((2..NEW_PASSES).contains(&least), "{missing:?}");
    assert!(missing[..=least].is_sorted_by(|a, b| a > b), "{missing:?}");
}

#[test]
fn a_new_frame_uploads_a_few_columns() {
    let (mut random, mut card) = (Random::new(5), Card::default());
    for (span, is_stacked) in [
        (300.0, false),
        (600.0, false),
        (2500.0, false),
        (300.0, true),
        (2500.0, true),
    ] {
        let (mut world, mut picture) = (World::new(), Picture::at_once());
        world.frame.span = span;
        world.is_stacked = is_stacked;
        world.advance(CAPACITY + 20, &mut random);
        world.paint(&mut card, &mut picture);
        for _ in 0..30 {
            world.advance(1, &mut random);
            card.uploaded = 0;
            world.paint(&mut card, &mut picture);
            // Only the columns around the new frame, and around the newest value of the late
            // series.
            assert!(card.uploaded < 80 * 40, "{} pixels", card.uploaded);
        }
        card.uploaded = 0;
        world.paint(&mut card, &mut picture);
        assert_eq!(card.uploaded, 0, "without a new frame");
    }
}

#[test]
fn unknown_values_are_a_gap_in_their_own_place() {
    let pixels_of = |gap: std::ops::Range<usize>, span: f64| {
        let mut world = World::new();
        world.recorded.truncate(1);
        world.recorded[0].first = 0;
        world.advance(600, &mut Random::new(3));
        let values = &mut world.recorded[0].values;
        values.iter_mut().for_each(|value| *value = value.max(1.0));
        values[gap].fill(f64::NAN);
        (world.frame.span, world.frame.left) = (span, 0.0);
        world.paint(&mut Card::default(), &mut Picture::at_once())
    };
    // 700 columns: lines, then columns of one frame and of several.
    for span in [300.0, 650.0, 690.0, 1500.0] {
        let (whole, with_gap) = (pixels_of(0..0, span), pixels_of(100..200, span));
        let column = |pixels: &[Color32], at: usize| -> Vec<Color32> {
            pixels.iter().skip(at).step_by(700).copied().collect()
        };
        let place = |frame: f64| (frame * 700.0 / span) as usize;
        for at in 0..700.min(place(590.0)) {
            let (whole, with_gap) = (column(&whole, at), column(&with_gap, at));
            if (place(105.0)..place(194.0)).contains(&at) {
                let is_empty = |pixel: &Color32| *pixel == Color32::TRANSPARENT;
                assert!(with_gap.iter().all(is_empty), "column {at} of {span}");
            } else if !(place(94.0)..place(205.0)).contains(&at) {
                assert!(whole == with_gap, "column {at} of {span}");
            }
        }
    }
}

#[test]
fn a_spike_at_the_bottom_of_a_stack_leaves_the_series_above_as_thin_as_its_value() {
    // 700 columns: frames of many columns, of one and a bit, and buckets of several frames.
    for span in [30.0, 300.0, 650.0, 1500.0, 2900.0] {
        let mut world = World::new();
        (world.is_stacked, world.frame.span) = (true, span);
        world.recorded.truncate(2);
        for recorded in &mut world.recorded {
            recorded.first = 0;
        }
        world.advance(CAPACITY, &mut Random::new(3));
        world.recorded[0].values.fill(20.0);
        world.recorded[1].values.fill(5.0);
        let spike = (world.frame.left + span / 2.0) as usize;
        world.recorded[0].values[spike] = 90.0;
        let pixels = world.paint(&mut Card::default(), &mut Picture::at_once());
        let area = |column: usize, channel: fn(&Color32) -> u8| -> f32 {
            let column = pixels.iter().skip(column).step_by(700);
            column.map(|pixel| f32::from(channel(pixel)) / 255.0).sum()
        };
        // 100 units are 40 pixels.
        let heights = (0..640).map(|column| (area(column, Color32::r), area(column, Color32::g)));
        let heights: Vec<(f32, f32)> = heights.collect();
        let is_near = |a: f32, b: f32| (a - b).abs() < 0.05;
        for (column, (below, above)) in heights.iter().enumerate() {
            assert!(is_near(*above, 2.0), "{above} in column {column} of {span}");
            let is_level = is_near(*below, 8.0) || is_near(*below, 36.0);
            assert!(is_level, "{below} in column {column} of {span}");
        }
        assert!(heights.iter().any(|(below, _)| is_near(*below, 36.0)));
    }
}
