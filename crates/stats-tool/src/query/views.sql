CREATE TEMPORARY VIEW runs AS
SELECT
    run, build, platform, scenario, started_at, "commit", branch, machine, frames, bytes, document
FROM summary_runs;

CREATE TEMPORARY VIEW metrics AS
SELECT
    runs.build, runs.platform, runs.scenario, runs.machine, runs.started_at, runs."commit",
    rows.run, rows.metric, rows.value, rows.unit, rows.better
FROM summary_metrics AS rows
JOIN summary_runs AS runs ON runs.run = rows.run;

CREATE TEMPORARY VIEW hitches AS
SELECT
    runs.build, runs.platform, runs.scenario, runs.machine, runs.started_at, runs."commit",
    rows.run, rows.frame, rows.frame_ms, rows.usual_ms, rows.excess_ms, rows.verdict,
    rows.culprit, rows.share
FROM summary_hitches AS rows
JOIN summary_runs AS runs ON runs.run = rows.run
