-- The most memory in each level or other span, for each build and platform.
SELECT
    substring(metric, 7, length(metric) - 24) AS level,
    build,
    platform,
    count(*) AS runs,
    avg(value) AS mean_bytes,
    max(value) AS most_bytes
FROM metrics
WHERE metric LIKE 'spans/%/memory-high-water'
GROUP BY metric, build, platform
ORDER BY level, build, platform
