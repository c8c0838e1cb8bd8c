-- The share of runs with over 1 % of their frames over a budget, for each build and platform.
WITH judged AS (
    SELECT run, value AS frames
    FROM metrics
    WHERE metric = 'run/frames'
)
SELECT
    CASE
        WHEN metric LIKE 'series/%' THEN substring(metric, 8, length(metric) - 26)
        ELSE substring(metric, 1, length(metric) - 19)
    END AS budget,
    build,
    platform,
    count(*) AS runs,
    100 * avg(CASE WHEN value * 100 > frames THEN 1e0 ELSE 0e0 END) AS over_percent,
    avg(value) AS mean_frames_over
FROM metrics
JOIN judged ON metrics.run = judged.run
WHERE metric = 'frame/over-budget-frames' OR metric LIKE 'series/%/over-budget-frames'
GROUP BY metric, build, platform
ORDER BY over_percent DESC, budget, build, platform
