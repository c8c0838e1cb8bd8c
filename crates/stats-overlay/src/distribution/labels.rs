//! Where the names of lines stand, so that none covers another.

/// Free space between two names, and between a name and its line, in points.
const GAP: f32 = 4.0;

/// The place of a name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    /// Its left edge.
    pub(crate) left: f32,
    /// Its line of text, from the top.
    pub(crate) level: usize,
}

/// Places names of these lines: `(x, width)` of each, within `left..right`, on so many lines of
/// text. A name stands right of its line, or left of it, as high as there is room; `None` where
/// there is none. Earlier ones choose first.
pub(crate) fn place<const N: usize>(
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
    fn names_never_cover_each_other_or_leave_the_plot() {
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
    fn lines_that_stand_close_have_their_names_below_each_other() {
        let names = [
            Some((300.0, 80.0)),
            Some((310.0, 80.0)),
            Some((320.0, 80.0)),
            None,
        ];
        let places = place(names, (0.0, 600.0), 3);
        let told: Vec<(f32, usize)> = places
            .iter()
            .flatten()
            .map(|place| (place.left, place.level))
            .collect();
        assert_eq!(told, [(304.0, 0), (314.0, 1), (324.0, 2)]);
    }
}
