//! Places the labels of lines so that none covers another.

/// The gap between two labels, and between a label and its line, in points.
const GAP: f32 = 4.0;
/// The minimum distance from the far end of a label to the line of another one, in points. A label
/// that ended there would seem to belong to that line.
const FROM_OTHERS: f32 = 12.0;

/// The position of a label.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LabelPlace {
    /// Its left edge.
    pub(super) left: f32,
    /// Its row, from the top.
    pub(super) level: usize,
    /// Whether it is the short text.
    pub(super) is_short: bool,
}

/// A line that has a label.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named {
    pub(super) x: f32,
    /// The widths of the whole text and of the short one.
    pub(super) widths: [f32; 2],
}

impl LabelPlace {
    fn width(&self, named: Named) -> f32 {
        named.widths[usize::from(self.is_short)]
    }
}

/// Places a label for each line within `left..right` and `levels` rows. A label is placed to the right
/// or to the left of its line, in the highest row with space, and does not end at another line. If
/// there is no such place for the whole text, the short one gets one. If there is none either, the
/// label may end at another line. Its place is `None` if no row has space. Earlier labels have
/// priority.
pub(super) fn place<const N: usize>(
    names: [Option<Named>; N],
    (left, right): (f32, f32),
    levels: usize,
) -> [Option<LabelPlace>; N] {
    let mut places = [None; N];
    for at in 0..N {
        let Some(named) = names[at] else {
            continue;
        };
        let texts = [false, true].into_iter();
        let mut all = texts.flat_map(|is_short| {
            let width = named.widths[usize::from(is_short)];
            let sides = [named.x + GAP, named.x - GAP - width].into_iter();
            let sides = sides.filter(move |&start| start >= left && start + width <= right);
            (0..levels).flat_map(move |level| {
                sides.clone().map(move |left| LabelPlace {
                    left,
                    level,
                    is_short,
                })
            })
        });
        let is_free = |place: &LabelPlace| {
            let width = place.width(named);
            let taken = places.iter().zip(names);
            let taken = taken.filter_map(|(place, name)| Some((place.as_ref()?, name?)));
            let mut others =
                taken.filter(|(other, _): &(&LabelPlace, Named)| other.level == place.level);
            others.all(|(other, of)| {
                place.left >= other.left + other.width(of) + GAP
                    || other.left >= place.left + width + GAP
            })
        };
        let is_clear = |place: &LabelPlace| {
            let far = if place.left > named.x {
                place.left + place.width(named)
            } else {
                place.left
            };
            let lines = names.iter().enumerate().filter(|(other, _)| *other != at);
            let mut lines = lines.filter_map(|(_, other)| Some(other.as_ref()?.x));
            lines.all(|x| (x - far).abs() >= FROM_OTHERS)
        };
        let clear = all.clone().find(|place| is_free(place) && is_clear(place));
        places[at] = clear.or_else(|| all.find(is_free));
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    #[test]
    fn labels_never_overlap_or_leave_the_plot() {
        let (mut random, mut placed, mut unclear) = (Random::new(101), 0, 0);
        for _ in 0..5000 {
            let names: [Option<Named>; 4] = std::array::from_fn(|_| {
                let width = 20.0 + random.below(150) as f32;
                let widths = [width, width * 0.5];
                let x = random.below(700) as f32;
                Some(Named { x, widths })
            });
            let levels = random.below(5) as usize;
            let places = place(names, (10.0, 690.0), levels);
            let found: Vec<(LabelPlace, f32)> = places
                .iter()
                .zip(names)
                .filter_map(|(place, name)| Some(((*place)?, (*place)?.width(name?))))
                .collect();
            placed += found.len();
            for (place, own) in places.iter().zip(&names) {
                let (Some(place), Some(own)) = (place, own) else {
                    continue;
                };
                let ends = [place.left, place.left + place.width(*own)];
                let near = |x: f32| ends.iter().any(|end| (end - x).abs() <= GAP);
                assert!(near(own.x), "it is beside its line");
                let others = names.iter().flatten().filter(|other| other.x != own.x);
                let far = ends.iter().find(|end| (**end - own.x).abs() > GAP);
                let far = far.copied().unwrap_or(f32::MAX);
                let is_near = |x: f32| (far - x).abs() < FROM_OTHERS;
                unclear += usize::from(others.into_iter().any(|other| is_near(other.x)));
            }
            for (at, (one, width)) in found.iter().enumerate() {
                assert!(one.left >= 10.0 && one.left + width <= 690.0 && one.level < levels);
                for (other, of) in &found[..at] {
                    assert!(
                        one.level != other.level
                            || one.left >= other.left + of
                            || other.left >= one.left + width
                    );
                }
            }
        }
        assert!(placed > 12_000, "{placed}");
        assert!(unclear * 5 < placed, "{unclear} end at another line");
    }

    #[test]
    fn labels_of_close_lines_use_different_rows() {
        let of = |x| Named {
            x,
            widths: [80.0, 40.0],
        };
        let names = [Some(of(300.0)), Some(of(310.0)), Some(of(320.0)), None];
        let places = place(names, (0.0, 600.0), 3);
        let placed: Vec<(f32, usize)> = places
            .iter()
            .flatten()
            .map(|place| (place.left, place.level))
            .collect();
        assert_eq!(placed, [(304.0, 0), (314.0, 1), (324.0, 2)]);
        // Neither ends at the line of the other, and the short one fits at the right edge.
        let of = |x| Named {
            x,
            widths: [118.0, 60.0],
        };
        let names = [Some(of(1177.0)), Some(of(1300.0)), None];
        let places = place(names, (460.0, 1420.0), 3).map(|place| {
            let place = place?;
            Some((place.left, place.level, place.is_short))
        });
        let expected = [Some((1055.0, 0, false)), Some((1304.0, 0, true)), None];
        assert_eq!(places, expected);
    }
}
