-- The series whose means changed most between the two newest builds, over all machines.
WITH builds AS (
    SELECT build, row_number() OVER (ORDER BY max(started_at) DESC, build DESC) AS age
    FROM runs
    GROUP BY build
),
means AS (
    SELECT
        metrics.metric,
        metrics.unit,
        metrics.machine,
        metrics.scenario,
        builds.age,
        avg(metrics.value) AS mean
    FROM metrics
    JOIN builds ON builds.build = metrics.build
    WHERE builds.age <= 2 AND metrics.metric LIKE 'series/%/mean'
    GROUP BY metrics.metric, metrics.unit, metrics.machine, metrics.scenario, builds.age
),
pairs AS (
    SELECT newer.metric, newer.unit, older.mean AS before, newer.mean AS after
    FROM means AS newer
    JOIN means AS older
        ON older.metric = newer.metric
        AND older.machine = newer.machine
        AND older.scenario = newer.scenario
    WHERE newer.age = 1 AND older.age = 2
)
SELECT
    substring(metric, 8, length(metric) - 12) AS series,
    unit,
    count(*) AS compared,
    sum(CASE WHEN after > before THEN 1 ELSE 0 END) AS higher,
    sum(CASE WHEN after < before THEN 1 ELSE 0 END) AS lower,
    avg(before) AS before,
    avg(after) AS after,
    100 * (avg(after) - avg(before)) / nullif(abs(avg(before)), 0) AS change_percent
FROM pairs
GROUP BY metric, unit
HAVING avg(after) <> avg(before)
ORDER BY abs(avg(after) - avg(before)) / nullif(abs(avg(before)), 0) DESC NULLS LAST, metric
LIMIT 40
