-- The longest hitches of the seven days up to the newest run, each with its culprit.
SELECT
    build,
    platform,
    scenario,
    run,
    frame,
    frame_ms,
    excess_ms,
    culprit,
    share
FROM hitches
WHERE started_at >= (SELECT max(started_at) FROM runs) - INTERVAL '7' DAY
ORDER BY excess_ms DESC, run, frame
LIMIT 20
