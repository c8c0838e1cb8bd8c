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
    SELECT newer.metric, newer.unit, older.mean AS older_mean, newer.mean AS newer_mean
    FROM means AS newer
    JOIN means AS older
        ON older.metric = newer.metric
        AND older.machine = newer.machine
        AND older.scenario = newer.scenario
    WHERE newer.age = 1 AND older.age = 2
),
changes AS (
    SELECT
        substring(metric, 8, length(metric) - 12) AS series,
        unit,
        count(*) AS compared,
        sum(CASE WHEN newer_mean > older_mean THEN 1 ELSE 0 END) AS higher,
        sum(CASE WHEN newer_mean < older_mean THEN 1 ELSE 0 END) AS lower,
        avg(older_mean) AS before_change,
        avg(newer_mean) AS after_change
    FROM pairs
    GROUP BY metric, unit
)
SELECT
    series,
    unit,
    compared,
    higher,
    lower,
    before_change,
    after_change,
    100 * (after_change - before_change) / nullif(abs(before_change), 0) AS change_percent
FROM changes
WHERE after_change <> before_change
ORDER BY
    abs(after_change - before_change) / nullif(abs(before_change), 0) DESC NULLS LAST,
    series
LIMIT 40
