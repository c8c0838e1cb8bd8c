-- The machines whose median frame time differs by over 10 % from that of a build's median machine.
WITH machines AS (
    SELECT build, scenario, machine, count(*) AS runs, avg(value) AS median_ms
    FROM metrics
    WHERE metric = 'frame/median'
    GROUP BY build, scenario, machine
),
ranked AS (
    SELECT
        build,
        scenario,
        median_ms,
        row_number() OVER (PARTITION BY build, scenario ORDER BY median_ms, machine) AS place,
        count(*) OVER (PARTITION BY build, scenario) AS machines
    FROM machines
),
middle AS (
    SELECT build, scenario, min(median_ms) AS middle_ms
    FROM ranked
    WHERE place * 2 >= machines
    GROUP BY build, scenario
)
SELECT
    machines.build,
    machines.scenario,
    machines.machine,
    machines.runs,
    machines.median_ms,
    middle.middle_ms,
    100 * (machines.median_ms / nullif(middle.middle_ms, 0) - 1) AS differs_percent
FROM machines
JOIN middle ON middle.build = machines.build AND middle.scenario = machines.scenario
WHERE abs(machines.median_ms - middle.middle_ms) > 0.1 * middle.middle_ms
ORDER BY differs_percent DESC, machines.machine
