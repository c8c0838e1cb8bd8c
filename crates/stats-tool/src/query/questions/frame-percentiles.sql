-- Percentiles of the frame time, by frame and by time, for each build and platform.
WITH ranked AS (
    SELECT
        build,
        platform,
        duration_ns,
        row_number() OVER (PARTITION BY build, platform ORDER BY duration_ns) AS place,
        count(*) OVER (PARTITION BY build, platform) AS all_frames,
        sum(duration_ns) OVER (
            PARTITION BY build, platform ORDER BY duration_ns
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS time_ns,
        sum(duration_ns) OVER (PARTITION BY build, platform) AS all_ns
    FROM frames
)
SELECT
    build,
    platform,
    max(all_frames) AS frames,
    min(CASE WHEN place * 100 >= all_frames * 50 THEN duration_ns END) / 1e6 AS median_ms,
    min(CASE WHEN place * 100 >= all_frames * 95 THEN duration_ns END) / 1e6 AS p95_by_frame_ms,
    min(CASE WHEN place * 100 >= all_frames * 99 THEN duration_ns END) / 1e6 AS p99_by_frame_ms,
    min(CASE WHEN time_ns * 100 >= all_ns * 95 THEN duration_ns END) / 1e6 AS p95_by_time_ms,
    min(CASE WHEN time_ns * 100 >= all_ns * 99 THEN duration_ns END) / 1e6 AS p99_by_time_ms,
    max(duration_ns) / 1e6 AS high_water_ms
FROM ranked
GROUP BY build, platform
ORDER BY build, platform
