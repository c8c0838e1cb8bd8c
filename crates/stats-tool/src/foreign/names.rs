//! The paths of columns that only say what they measured, such as `GPUPower` or `cpu_load`.

use std::collections::HashSet;

/// Returns the path of a column of the hardware: `machine/` and its words.
pub(crate) fn machine_path(column: &str) -> String {
    format!("machine/{}", words(column))
}

/// Returns the words of a name in lower case. Camel case, underscores and the digits of an index
/// separate words; a unit in brackets is dropped.
pub(crate) fn words(name: &str) -> String {
    let mut words = String::new();
    let (name, index) = without_brackets(name);
    let chars: Vec<char> = name.chars().collect();
    for (at, char) in chars.iter().copied().enumerate() {
        let before = at.checked_sub(1).map(|at| chars[at]);
        let after = chars.get(at + 1).copied();
        let is_separator = !char.is_alphanumeric();
        // `gpuPower`, `GPUPower` (the last capital letter begins a word), and `GPU0Util`.
        let begins = before.is_some_and(|before| {
            let is_up = char.is_uppercase() && before.is_lowercase();
            let is_last_capital = char.is_uppercase()
                && before.is_uppercase()
                && after.is_some_and(char::is_lowercase);
            // The dimension in `3D` is no index.
            let is_digits = char.is_ascii_digit() != before.is_ascii_digit()
                && !(before.is_ascii_digit() && matches!(char, 'D' | 'd'));
            is_up || is_last_capital || is_digits
        });
        if (is_separator || begins) && !words.ends_with(' ') && !words.is_empty() {
            words.push(' ');
        }
        if !is_separator {
            words.extend(char.to_lowercase());
        }
    }
    let words = words.trim_end();
    if index.is_empty() {
        words.to_owned()
    } else {
        format!("{words} {index}")
    }
}

/// Splits a name from what follows in brackets: a unit, which is dropped, or an index.
fn without_brackets(name: &str) -> (&str, &str) {
    let Some((head, rest)) = name.split_once(['(', '[']) else {
        return (name, "");
    };
    let inner = rest.trim_end().trim_end_matches([')', ']']).trim();
    let is_index = !inner.is_empty() && inner.bytes().all(|byte| byte.is_ascii_digit());
    (head, if is_index { inner } else { "" })
}

/// Returns the symbol of the unit that a column of the hardware has, as far as its name tells.
pub(crate) fn machine_unit(column: &str) -> &'static str {
    let in_brackets = column
        .split_once('(')
        .map(|(_, rest)| rest.trim_end_matches(')'));
    match in_brackets.map(str::trim) {
        Some("W") => return "W",
        Some("C" | "°C") => return "°C",
        Some("MHz") => return "MHz",
        Some("%") => return "%",
        Some("MB") => return "MB",
        _ => {}
    }
    let words = words(column);
    let ends = |names: &[&str]| names.iter().any(|name| words.ends_with(name));
    if ends(&["limited"]) {
        ""
    } else if ends(&["power", "power limit"]) {
        "W"
    } else if ends(&["temp", "temperature"]) {
        "°C"
    } else if ends(&["clock", "frequency", "clk", "mhz"]) {
        "MHz"
    } else if ends(&["load", "util", "utilization"]) {
        "%"
    } else if ends(&["memory size", "memory size used"]) {
        "B"
    } else {
        ""
    }
}

/// Gives out paths, each once.
#[derive(Debug, Default)]
pub(crate) struct Paths(HashSet<String>);

impl Paths {
    /// Returns the path, with a number if it is taken already.
    pub(crate) fn take(&mut self, path: &str) -> String {
        let wanted = clean(path);
        let mut path = wanted.clone();
        for number in 2.. {
            if self.0.insert(path.clone()) {
                break;
            }
            path = format!("{wanted} {number}");
        }
        path
    }
}

/// Removes what a path cannot have: empty segments.
fn clean(path: &str) -> String {
    let segments = path
        .split('/')
        .map(str::trim)
        .filter(|segment| !segment.is_empty());
    let path = segments.collect::<Vec<_>>().join("/");
    match path.as_str() {
        "" => "unnamed".to_owned(),
        // The names of the clock.
        "frame" | "start_ns" | "duration_ns" => format!("{path} (column)"),
        _ => path,
    }
}

#[cfg(test)]
mod tests {
    use super::{Paths, machine_path, machine_unit};

    #[test]
    fn a_path_has_the_words_of_the_column() {
        for (column, path, unit) in [
            ("GPUPower", "machine/gpu power", "W"),
            ("cpu_load", "machine/cpu load", "%"),
            ("GPUTemperature", "machine/gpu temperature", "°C"),
            ("GPUFanSpeed[0]", "machine/gpu fan speed 0", ""),
            ("GPU0Util(%)", "machine/gpu 0 util", "%"),
            ("GPU0Clk(MHz)", "machine/gpu 0 clk", "MHz"),
            ("CPUCoreUtil%[ 0]", "machine/cpu core util 0", ""),
            (
                "3D/ComputeUtilization",
                "machine/3d compute utilization",
                "%",
            ),
            ("GPUPowerLimited", "machine/gpu power limited", ""),
            ("CPU Max Clock", "machine/cpu max clock", "MHz"),
            ("gpu_vram_used", "machine/gpu vram used", ""),
        ] {
            assert_eq!(machine_path(column), path);
            assert_eq!(machine_unit(column), unit, "{column}");
        }
    }

    #[test]
    fn each_path_is_given_out_once() {
        let mut paths = Paths::default();
        assert_eq!(paths.take("a//b/"), "a/b");
        assert_eq!(paths.take("a/b"), "a/b 2");
        assert_eq!(paths.take("a/b"), "a/b 3");
        assert_eq!(paths.take(" / "), "unnamed");
        assert_eq!(paths.take("frame"), "frame (column)");
    }
}
