#!/usr/bin/env python3
"""Writes expected.json: data, and what SciPy and Apache Otava compute from them.

    python3 -m venv /tmp/oracle && /tmp/oracle/bin/pip install apache-otava==0.8.0 scipy==1.16.3
    /tmp/oracle/bin/python crates/stats-tool/tests/oracle/expected.py

The tests of crates/stats-tool/src/statistics compare their results with this file. The data are
random with a fixed seed, and rounded, so the file is the same on every machine.
"""

import json
import pathlib
from importlib.metadata import version

import numpy as np
from otava.analysis import compute_change_points
from scipy import stats

random = np.random.default_rng(20)


def rounded(values, digits=4):
    return [round(float(value), digits) for value in values]


def groups():
    """Pairs of groups: small, large, equal, shifted, tied, constant."""
    for n, m in [(2, 2), (3, 3), (3, 5), (5, 5), (6, 3), (8, 8), (10, 10), (12, 30), (50, 60), (150, 120)]:
        for shift, scale in [(0, 1), (1, 1), (3, 1), (0.5, 4)]:
            yield rounded(random.normal(10, 1, n)), rounded(random.normal(10 + shift, scale, m))
    for n, m in [(5, 5), (9, 12), (40, 30)]:
        yield rounded(random.integers(0, 6, n), 0), rounded(random.integers(1, 8, m), 0)


def compared(first, second):
    n, m = len(first), len(second)
    tied = len(set(first + second)) < n + m
    exact = not tied and max(n, m) <= 20
    student = stats.ttest_ind(second, first)
    welch = stats.ttest_ind(second, first, equal_var=False)
    cvm = "exact" if n * m <= 100 else "asymptotic"
    return {
        "first": first,
        "second": second,
        "t": [student.statistic, student.pvalue, student.df],
        "welch": [welch.statistic, welch.pvalue, welch.df],
        "mann_whitney": stats.mannwhitneyu(first, second, method="exact" if exact else "asymptotic").pvalue,
        "kolmogorov_smirnov": kolmogorov_smirnov(first, second),
        "cramer_von_mises": stats.cramervonmises_2samp(first, second, method=cvm).pvalue,
    }


def kolmogorov_smirnov(first, second):
    n, m = len(first), len(second)
    if n * m <= 10_000:
        return stats.ks_2samp(first, second, method="exact").pvalue
    # Kolmogorov's limit. `asymp` is another approximation.
    return float(stats.kstwobign.sf(np.sqrt(n * m / (n + m)) * stats.ks_2samp(first, second).statistic))


def shift(first, second):
    """The shift that Hodges and Lehmann estimate, and the shifts that the exact test does not reject."""
    differences = sorted(b - a for a in first for b in second)

    def rejected(at):
        between = [b - (differences[at] + differences[at + 1]) / 2 for b in second]
        return stats.mannwhitneyu(first, between, method="exact").pvalue < 0.05

    kept = [at for at in range(len(differences) - 1) if not rejected(at)]
    return {
        "first": first,
        "second": second,
        "estimate": float(np.median(differences)),
        "interval": [differences[kept[0]], differences[kept[-1] + 1]],
    }


def shifts():
    for n, m in [(4, 4), (3, 6), (5, 5), (6, 4), (8, 8), (5, 12), (20, 20)]:
        # More digits, so that no two differences are equal.
        yield shift(rounded(random.normal(10, 1, n), 12), rounded(random.normal(11, 1, m), 12))


def steps(levels, noise):
    """Runs at several levels, each given as (number, level)."""
    values = np.concatenate([np.full(number, float(level)) for number, level in levels])
    return rounded(values + random.normal(0, noise, len(values)))


def sequences():
    for length in [1, 2, 3, 8, 9, 20, 49, 50, 51, 76, 120]:
        yield f"{length} runs, no change", steps([(length, 100)], 1)
    for size in [0.5, 1, 2, 3, 5, 20]:
        for before, after in [(6, 3), (10, 5), (30, 30), (45, 10), (70, 40)]:
            yield f"{size} deviations after {before} of {before + after}", steps([(before, 100), (after, 100 + size)], 1)
    yield "up and down", steps([(30, 100), (4, 110), (30, 100)], 1)
    yield "staircase", steps([(12, 100 + 3 * step) for step in range(8)], 1)
    yield "small staircase", steps([(20, 100 + step) for step in range(10)], 1)
    yield "change at the edge of a window", steps([(50, 100), (50, 105)], 1)
    yield "change at half a window", steps([(25, 100), (75, 105)], 1)
    yield "growing noise", rounded(100 + random.normal(0, 1, 150) * np.linspace(0.1, 5, 150))
    yield "slope", rounded(np.linspace(100, 120, 90) + random.normal(0, 1, 90))
    yield "outliers", [value * (2 if at in (10, 40, 41) else 1) for at, value in enumerate(steps([(60, 100)], 1))]
    yield "whole numbers", rounded(random.poisson(4, 90), 0)
    yield "whole numbers that change", rounded(np.concatenate([random.poisson(4, 40), random.poisson(9, 30)]), 0)
    yield "constant", [5.0] * 60
    yield "constants that change", [5.0] * 30 + [6.0] * 30 + [5.0] * 8
    yield "constant but one", [5.0] * 30 + [6.0] + [5.0] * 30
    yield "zeros and a level", [0.0] * 20 + steps([(20, 3)], 0.5)
    yield "negative", steps([(20, -5), (20, 5)], 1)
    yield "400 runs, four changes", steps([(100, 10), (80, 10.5), (90, 9), (60, 9.5), (70, 12)], 0.3)
    for number in range(20):
        levels = [(int(random.integers(3, 40)), float(random.integers(0, 5))) for _ in range(int(random.integers(1, 8)))]
        yield f"random steps {number}", steps(levels, float(random.choice([0.3, 0.8, 1.5])))


def divided(name, values):
    points, _ = compute_change_points(list(values), window_len=50, max_pvalue=0.001)
    return {
        "name": name,
        "values": values,
        "points": [
            {"at": int(point.index), "before": float(point.stats.mean_1), "after": float(point.stats.mean_2), "p": float(point.stats.pvalue)}
            for point in points
        ],
    }


def quantiles():
    for degrees in [1, 2, 3.7, 8, 30, 200]:
        for probability in [0.001, 0.05, 0.5, 0.8, 0.975, 0.9999]:
            yield [probability, degrees, float(stats.t.ppf(probability, degrees))]


np.seterr(all="ignore")
expected = {
    "origin": f"written by expected.py with scipy {version('scipy')} and apache-otava {version('apache-otava')}",
    "groups": [compared(*pair) for pair in groups()],
    "sequences": [divided(name, values) for name, values in sequences()],
    "shifts": list(shifts()),
    "quantiles_of_t": list(quantiles()),
}
lines = [f'"{key}": ' + (json.dumps(part) if isinstance(part, str) else "[\n" + ",\n".join(map(json.dumps, part)) + "\n]") for key, part in expected.items()]
pathlib.Path(__file__).with_name("expected.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
