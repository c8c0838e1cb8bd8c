-- The share of the runs that were over each budget, for each build and platform.
SELECT
    CASE
        WHEN metric LIKE 'series/%' THEN substring(metric, 8, length(metric) - 26)
        ELSE substring(metric, 1, length(metric) - 19)
    END AS budget,
    build,
    platform,
    count(*) AS runs,
    100 * avg(CASE WHEN value > 0 THEN 1e0 ELSE 0e0 END) AS over_percent,
    avg(value) AS mean_frames_over
FROM metrics
WHERE metric = 'frame/over-budget-frames' OR metric LIKE 'series/%/over-budget-frames'
GROUP BY metric, build, platform
ORDER BY over_percent DESC, budget, build, platform
