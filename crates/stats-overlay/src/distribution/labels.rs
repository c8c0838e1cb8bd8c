//! Places the labels of lines so that none covers another.

/// The gap between two labels, and between a label and its line, in points.
const GAP: f32 = 4.0;

/// The position of a label.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    /// Its left edge.
    pub(super) left: f32,
    /// Its row, from the top.
    pub(super) level: usize,
}

/// Places a label for each line, given as `(x, width)`, within `left..right` and `levels` rows. A
/// label is placed to the right or to the left of its line, in the highest row with space. Its
/// place is `None` if no row has space. Earlier labels have priority.
pub(super) fn place<const N: usize>(
    names: [Option<(f32, f32)>; N],
    (left, right): (f32, f32),
    levels: usize,
) -> [Option<Place>; N] {
    let mut places = [None; N];
    for at in 0..N {
        let Some((x, width)) = names[at] else {
            continue;
        };
        let sides = [x + GAP, x - GAP - width]
            .into_iter()
            .filter(|&start| start >= left && start + width <= right);
        let all =
            (0..levels).flat_map(|level| sides.clone().map(move |left| Place { left, level }));
        let is_free = |place: &Place| {
            let taken = places
                .iter()
                .zip(names)
                .filter_map(|(place, name)| Some(((*place)?, name?.1)));
            let mut others = taken.filter(|(other, _): &(Place, f32)| other.level == place.level);
            others.all(|(other, of)| {
                place.left >= other.left + of + GAP || other.left >= place.left + width + GAP
            })
        };
        places[at] = all.clone().find(is_free);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    #[test]
    fn labels_never_overlap_or_leave_the_plot() {
        let (mut random, mut placed) = (Random::new(101), 0);
        for _ in 0..5000 {
            let names: [Option<(f32, f32)>; 4] = std::array::from_fn(|_| {
                Some((random.below(700) as f32, 20.0 + random.below(150) as f32))
            });
            let levels = random.below(5) as usize;
            let places = place(names, (10.0, 690.0), levels);
            let found: Vec<(Place, f32)> = places
                .iter()
                .zip(names)
                .filter_map(|(place, name)| Some(((*place)?, name?.1)))
                .collect();
            placed += found.len();
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
    }

    #[test]
    fn labels_of_close_lines_use_different_rows() {
        let names = [
            Some((300.0, 80.0)),
            Some((310.0, 80.0)),
            Some((320.0, 80.0)),
            None,
        ];
        let places = place(names, (0.0, 600.0), 3);
        let placed: Vec<(f32, usize)> = places
            .iter()
            .flatten()
            .map(|place| (place.left, place.level))
            .collect();
        assert_eq!(placed, [(304.0, 0), (314.0, 1), (324.0, 2)]);
    }
}
