use super::*;
use stats_testing::Random;

#[test]
fn the_rows_of_a_list_have_two_decimals_and_small_times_a_smaller_unit() {
    let text = |unit, value: f64| {
        let whole = value.fract() == 0.0;
        NumberStyle::steady_row(None, unit, (0.0, value), whole, 11).text(value)
    };
    for (value, expected) in [
        (412.3, "412.30 ms"),
        (16.0, "16.00 ms"),
        (0.0312, "0.03 ms"),
        (0.01, "0.01 ms"),
        (0.0099, "9.90 µs"),
        (0.000_012, "12.00 ns"),
        (0.0, "0.00 ms"),
    ] {
        assert_eq!(text(Unit::Milliseconds, value), expected);
    }
    assert_eq!(text(Unit::Count, 1030.75), "1,030.75");
    assert_eq!(text(Unit::Count, 23.0), "23");
    assert_eq!(text(Unit::Bytes, 55.7 * 1024.0), "55.70 KiB");
    assert_eq!(text(Unit::Degrees, 12.5), "12.50°");
    assert_eq!(text(Unit::Count, 0.003), "0.003000");
}

#[test]
fn values_are_easy_to_read() {
    let cases = [
        (0.0, Unit::Count, "0"),
        (-0.0, Unit::Milliseconds, "0.00 ms"),
        (1234567.0, Unit::Count, "1,234,567"),
        (-1234.0, Unit::Count, "-1,234"),
        (-123.0, Unit::Count, "-123"),
        (0.5, Unit::Count, "0.500"),
        (16.666, Unit::Milliseconds, "16.67 ms"),
        (0.0123, Unit::Milliseconds, "0.0123 ms"),
        (782.0, Unit::Bytes, "782 B"),
        (1024.0, Unit::Bytes, "1.00 KiB"),
        (1023.99 * 1024.0, Unit::Bytes, "1.00 MiB"),
        (3.25 * 1024.0 * 1024.0, Unit::Bytes, "3.25 MiB"),
        (300.0 * 1024.0, Unit::Bytes, "300.0 KiB"),
        (-2048.0, Unit::Bytes, "-2.00 KiB"),
        (90.0, Unit::Degrees, "90.0°"),
        (99.95, Unit::Percent, "100.0 %"),
        (1e15, Unit::Count, "1.00 P"),
        (1e300, Unit::Count, "> 999 Q"),
        (-1e300, Unit::Count, "< -999 Q"),
        (f64::MAX, Unit::Bytes, "> 999 EiB"),
        (0.000_000_51, Unit::Count, "0.000001"),
        (0.000_000_5, Unit::Count, "500 n"),
        (1e-9, Unit::Count, "1.00 n"),
        (-1e-12, Unit::Count, "-1.00 p"),
        (9e-13, Unit::Count, "0.000000"),
        (2e-6, Unit::Milliseconds, "2.00 ns"),
        (f64::MIN_POSITIVE, Unit::Milliseconds, "0.0000 ms"),
    ];
    for (value, unit, text) in cases {
        assert_eq!(value_text(value, unit), text, "{value} {unit:?}");
    }
}

#[test]
fn a_number_of_things_has_its_noun() {
    let runs = |count| count_text(count, "run", "runs");
    assert_eq!(
        [0, 1, 2, 1000].map(runs),
        ["0 runs", "1 run", "2 runs", "1,000 runs"]
    );
}

#[test]
fn no_value_is_printed_in_scientific_notation() {
    for exponent in -320..=308 {
        for sign in [1.0, -1.0] {
            let value = sign * 10f64.powi(exponent);
            for unit in [
                Unit::Count,
                Unit::Bytes,
                Unit::Milliseconds,
                Unit::Custom("gold"),
            ] {
                let text = value_text(value, unit);
                assert!(
                    text.len() < 40 && !text.contains("e-") && !text.contains("inf"),
                    "{text}"
                );
                let text = exact_text(value, unit);
                assert!(
                    text.len() < 60 && !text.contains("e-") && !text.contains("inf"),
                    "{text}"
                );
            }
        }
    }
}

#[test]
fn exact_values_keep_their_digits() {
    assert_eq!(exact_text(16.666_5, Unit::Milliseconds), "16.6665 ms");
    assert_eq!(exact_text(3.0, Unit::Count), "3");
    assert_eq!(exact_text(4e-7, Unit::Seconds), "0.0000004 s");
    assert_eq!(exact_text(-1.25e-9, Unit::Count), "-0.00000000125");
    assert_eq!(exact_text(f64::MIN_POSITIVE, Unit::Count), "> 0");
    assert_eq!(exact_text(100.0, Unit::Count), "100");
    assert_eq!(exact_text(2048.0, Unit::Bytes), "2,048 B (2.00 KiB)");
    let far = exact_text(1.7e15 + 1.0, Unit::Count);
    assert_eq!(far, "1,700,000,000,000,001 (1.70 P)");
    assert_eq!(exact_text(2e18, Unit::Count), "2.00 E");
}

#[test]
fn a_column_keeps_its_style_while_its_range_varies_a_little() {
    let first = NumberStyle::steady(None, Unit::Bytes, (0.0, 1100.0), true);
    let second = NumberStyle::steady(Some(first), Unit::Bytes, (0.0, 1000.0), true);
    assert_eq!(first, second, "1000 B is near enough to stay in KiB");
    let third = NumberStyle::steady(Some(second), Unit::Bytes, (0.0, 10.0), true);
    assert_eq!(third.symbol(), "B");
}

#[test]
fn a_column_with_fractions_keeps_its_decimals_when_all_values_are_whole() {
    let style = |previous, whole| NumberStyle::steady(previous, Unit::Count, (0.0, 12.0), whole);
    let first = style(None, false);
    assert_eq!(style(Some(first), true).number(12.0), "12.00");
    assert_eq!(style(None, true).number(12.0), "12");
    assert_eq!(style(Some(style(None, true)), false), first);
}

#[test]
fn numbers_take_no_more_than_the_width_of_their_column() {
    let mut random = Random::new(61);
    for round in 0..20_000 {
        let unit = [Unit::Count, Unit::Bytes, Unit::Milliseconds, Unit::Percent][round % 4];
        // Below a thousand of the greatest prefix: 10³³, and 10³ EiB.
        let max_exponent = if unit == Unit::Bytes { 20 } else { 33 };
        let hi = 10f64.powf(random.below(100 * max_exponent) as f64 / 100.0);
        let whole = round % 3 == 0;
        let style = NumberStyle::steady_within(None, unit, (-hi, hi), whole, 11);
        for value in [-hi, hi * 0.7, 0.0] {
            let text = style.number(value);
            assert!(text.len() <= 11, "{text} of {hi} {unit:?}");
        }
        let larger = NumberStyle::steady_within(Some(style), unit, (0.0, hi * 1.4), whole, 11);
        if larger == style {
            let text = style.number(-hi * 1.4);
            assert!(text.len() <= 13, "{text} of {hi} {unit:?}");
        }
    }
    let style = |hi| NumberStyle::steady_within(None, Unit::Count, (0.0, hi), true, 11);
    assert_eq!(style(9e8).number(9e8), "900,000,000");
    assert_eq!(
        (style(1.2e10).number(1.2e10), style(1.2e10).symbol()),
        ("12.0".to_owned(), "G".to_owned())
    );
}

#[test]
fn a_figure_shows_three_significant_digits() {
    for (value, unit, text) in [
        (3.2, Unit::Milliseconds, "3.20 ms"),
        (0.0123, Unit::Milliseconds, "0.0123 ms"),
        (0.001_234, Unit::Milliseconds, "1.23 µs"),
        (0.000_45, Unit::Milliseconds, "450 ns"),
        (0.002, Unit::Seconds, "2.00 ms"),
        (0.000_012, Unit::Count, "12.0 µ"),
        (0.000_12, Unit::Count, "0.000120"),
        (1.234, Unit::Percent, "1.23 %"),
        (1e30, Unit::Count, "1.00 Q"),
        (0.0, Unit::Count, "0"),
        (1.5 * 1024.0, Unit::Bytes, "1.50 KiB"),
        (-16.666, Unit::Milliseconds, "-16.67 ms"),
    ] {
        let style = NumberStyle::steady_figure(None, unit, value, false);
        assert_eq!(style.text(value), text);
    }
    for exponent in -120..=330 {
        for part in [1.0, 2.34567, 9.9949] {
            let value = part * 10f64.powf(f64::from(exponent) / 10.0);
            for unit in [
                Unit::Count,
                Unit::Bytes,
                Unit::Milliseconds,
                Unit::Seconds,
                Unit::Hertz,
            ] {
                let text = NumberStyle::steady_figure(None, unit, value, false).number(value);
                let digits = text.trim_start_matches(['0', '.']);
                let digits = digits.chars().filter(char::is_ascii_digit).count();
                assert!(digits >= 3, "{value} {unit:?}: {text}");
            }
        }
    }
}

#[test]
fn the_label_of_a_grid_line_is_its_exact_value() {
    let mut marks = 0;
    for exponent in 0..60 {
        let top = 2f64.powi(exponent);
        for finer in 0..6 {
            let step = top / 2f64.powi(finer);
            let style = NumberStyle::new(Unit::Bytes, top, false).for_step(step);
            let read: f64 = style.number(step * 3.0).replace(',', "").parse().unwrap();
            assert_eq!(read * style.divisor, step * 3.0, "{top} {step}");
            marks += 1;
        }
    }
    assert_eq!(marks, 360);
    assert_eq!(
        1024 % NumberStyle::new(Unit::Bytes, 1e6, false).grid_base(),
        0
    );
    assert_eq!(
        NumberStyle::new(Unit::Milliseconds, 20.0, false).grid_base(),
        10
    );
}

#[test]
fn the_numbers_of_a_narrow_axis_far_from_zero_differ_and_add_up_with_the_offset() {
    let style = |unit, lo, hi| NumberStyle::for_axis(unit, (lo, hi), 9);
    let far = style(Unit::Count, 1.7e15 - 10.0, 1.7e15 + 10.0).for_step(10.0);
    let numbers = [-10.0, 0.0, 10.0].map(|near| far.text(1.7e15 + near));
    assert_eq!(numbers, ["-10", "0", "10"]);
    assert_eq!(far.offset_text().unwrap(), "+1,700,000,000,000,000");
    const MIB: f64 = 1024.0 * 1024.0;
    let memory = style(Unit::Bytes, 24e9, 24e9 + 8.0 * MIB).for_step(MIB);
    assert_eq!(memory.offset_text().unwrap(), "+22,896 MiB");
    assert_eq!(memory.text(22_890.0 * MIB), "-6 MiB");
    let below = style(Unit::Milliseconds, -1e6 - 9e-4, -1e6).for_step(5e-4);
    assert_eq!(below.offset_text().unwrap(), "-1,000,000 ms");
    assert_eq!(below.text(-1e6 - 5e-4), "-0.0005 ms");
    for (lo, hi) in [(0.0, 1.7e15), (-5.0, 1e12), (900.0, 1000.0), (1.0, 1.01)] {
        assert_eq!(style(Unit::Count, lo, hi).offset_text(), None, "{lo} {hi}");
    }
    // Whatever the axis, numbers a step apart differ, and the sum with the offset is the value.
    let mut random = Random::new(12);
    for round in 0..20_000 {
        let unit = [Unit::Count, Unit::Bytes, Unit::Milliseconds][round % 3];
        let sign = if round % 2 == 0 { 1.0 } else { -1.0 };
        let lo = 10f64.powf(random.below(2000) as f64 / 100.0 - 3.0) * sign;
        let span = lo.abs() * 10f64.powf(-(random.below(1400) as f64) / 100.0);
        let base: f64 = if unit == Unit::Bytes { 2.0 } else { 10.0 };
        let step = base.powf((span / 10.0).log(base).floor());
        // Steps below that of the floats themselves have no numbers.
        if unit == Unit::Bytes && step < 1.0 || step < 1e-9 || step < lo.abs() * 1e-14 {
            continue;
        }
        let style = style(unit, lo, lo + span).for_step(step);
        let first = (lo / step).ceil();
        let values = [first * step, (first + 1.0) * step];
        let numbers = values.map(|value| style.number(value));
        assert!(numbers[0] != numbers[1], "{lo} {span}: {numbers:?}");
        assert!(numbers[0].len() <= 14, "{lo} {span}: {numbers:?}");
        let number = |text: &str| -> f64 {
            let digits = text.replace([',', '+'], "");
            digits.split(' ').next().unwrap().parse().unwrap()
        };
        let offset = style.offset_text().map_or(0.0, |text| number(&text));
        let sum = (number(&numbers[1]) + offset) * style.divisor;
        let error = step * 1e-3 + lo.abs() * 1e-15;
        assert!((sum - values[1]).abs() <= error, "{lo} {span}: {sum}");
    }
}

#[test]
fn an_axis_has_as_many_decimals_as_its_step_needs() {
    let style = NumberStyle::new(Unit::Milliseconds, 20.0, true);
    assert_eq!(style.for_step(5.0).text(15.0), "15 ms");
    assert_eq!(style.for_step(0.5).text(1.5), "1.5 ms");
    assert_eq!(style.for_step(0.25).text(1.25), "1.25 ms");
    assert_eq!(style.for_step(1e-7).text(3e-7), "0.0000003 ms");
    assert_eq!(style.for_step(1000.0).text(2000.0), "2,000 ms");
}

#[test]
fn a_share_is_whole_percent_and_never_minus_0() {
    for (share, expected) in [
        (0.0, "0 %"),
        (-0.0, "0 %"),
        (-0.004, "0 %"),
        (0.004, "0 %"),
        (0.006, "1 %"),
        (0.124, "12 %"),
        (1.0, "100 %"),
        (-0.31, "-31 %"),
    ] {
        assert_eq!(percent_text(share), expected);
    }
}

#[test]
fn a_number_within_a_width_keeps_the_unit_of_its_style() {
    let style = NumberStyle::steady_row(None, Unit::Milliseconds, (0.0, 0.002), false, 11);
    for (ms, text) in [
        (0.0021, "2.10"),
        (12.3456789, "12,345.68"),
        (1_234.567, "1,234,567.0"),
        (123_456.7, "123,456,700"),
        (1_234_567.0, "1.2e9"),
        (-1e30, "-1.0e33"),
        (0.0, "0.00"),
    ] {
        let number = style.number_within(ms, 11);
        assert_eq!(number, text);
        assert!(number.len() <= 11);
    }
}
