-- Questions about the samples of many runs, for DuckDB: duckdb < queries.sql, in the directory that holds rows/.
-- rows/ is what metrics-aggregator export --format parquet -o rows writes; docs/parquet.md lists its columns.

-- A view of all rows, and the percentile of reports.
CREATE VIEW samples AS FROM read_parquet('rows/run=*/node=*/part-*.parquet', hive_partitioning = false);
CREATE MACRO report_percentile(x, p) AS quantile_cont(x, p / 100);

-- 1. The figures of each run's report: rows with `tracked` and a completion are the samples it counts.
SELECT run_id, count(*) AS completed, count(*) FILTER (failed) AS failed, sum(latency_ns) AS latency_sum_ns,
  report_percentile(latency_ns, 50) AS latency_p50_ns, report_percentile(latency_ns, 99) AS latency_p99_ns,
  report_percentile(ttft_ns, 99) AS ttft_p99_ns
FROM samples WHERE tracked AND completed_ns IS NOT NULL
GROUP BY run_id ORDER BY run_id;

-- 2. Each node beside all nodes together, with exact percentiles of the union.
SELECT coalesce(node, 'all nodes') AS node, count(*) AS completed, report_percentile(latency_ns, 99) / 1e6 AS latency_p99_ms
FROM samples WHERE tracked AND completed_ns IS NOT NULL
GROUP BY GROUPING SETS ((node), ()) ORDER BY node;

-- 3. Latency over wall-clock time, all nodes on one axis. `wall_offset_ns` moves each node's monotonic clock to the wall clock.
SELECT time_bucket(INTERVAL 1 SECOND, make_timestamp_ns(issued_ns + wall_offset_ns)) AS issued_at, node,
  count(*) AS issued, report_percentile(latency_ns, 95) / 1e6 AS latency_p95_ms
FROM samples WHERE tracked
GROUP BY ALL ORDER BY issued_at, node;

-- 4. The slowest samples, with ids to look up in the server's log.
SELECT sample_uuid, node, worker, latency_ns / 1e6 AS latency_ms, ttft_ns / 1e6 AS ttft_ms, chunks, isl, error_type
FROM samples WHERE tracked AND completed_ns IS NOT NULL
ORDER BY latency_ns DESC LIMIT 20;

-- 5. Where the slowest percent comes from: its share by node and worker. Equal shares mean that no worker stands out.
WITH limits AS (SELECT report_percentile(latency_ns, 99) AS p99 FROM samples WHERE tracked AND completed_ns IS NOT NULL)
SELECT node, worker, count(*) AS completed, count(*) FILTER (latency_ns >= p99) AS slow,
  round(100 * count(*) FILTER (latency_ns >= p99) / count(*), 2) AS slow_percent
FROM samples, limits WHERE tracked AND completed_ns IS NOT NULL
GROUP BY node, worker ORDER BY slow_percent DESC, node, worker;

-- 6. Goodput by node: samples that kept every limit of `--slo`.
SELECT node, count(good) AS judged, count(*) FILTER (good) AS good, round(100 * avg(good::INTEGER), 2) AS good_percent
FROM samples WHERE tracked
GROUP BY node ORDER BY good_percent, node;

-- 7. Errors by type: how many, where, and when the first and the last of them was issued.
SELECT error_type, count(*) AS samples, list_sort(list(DISTINCT node)) AS nodes,
  make_timestamp_ns(min(issued_ns + wall_offset_ns)) AS first, make_timestamp_ns(max(issued_ns + wall_offset_ns)) AS last
FROM samples WHERE failed
GROUP BY error_type ORDER BY samples DESC;

-- 8. Time to first token by length of the prompt, in classes of powers of two. `isl` needs prompts with token ids, or `export --tokenizer`.
SELECT 2 ** floor(log2(isl)) AS isl_from, count(*) AS samples, report_percentile(ttft_ns, 50) / 1e6 AS ttft_p50_ms,
  report_percentile(ttft_ns, 99) / 1e6 AS ttft_p99_ms
FROM samples WHERE tracked AND isl > 0 AND ttft_ns IS NOT NULL
GROUP BY isl_from ORDER BY isl_from;

-- 9. Samples in flight: the peak of each node, and when.
WITH edges AS (
  SELECT node, issued_ns + wall_offset_ns AS t, 1 AS step FROM samples WHERE issued_ns IS NOT NULL AND completed_ns IS NOT NULL
  UNION ALL
  SELECT node, completed_ns + wall_offset_ns, -1 FROM samples WHERE issued_ns IS NOT NULL AND completed_ns IS NOT NULL),
flight AS (SELECT node, t, sum(step) OVER (PARTITION BY node ORDER BY t, step ROWS UNBOUNDED PRECEDING) AS in_flight FROM edges)
SELECT node, max(in_flight) AS peak, make_timestamp_ns(arg_max(t, in_flight)) AS peak_at
FROM flight GROUP BY node ORDER BY node;

-- 10. Response time from the schedule beside service time from the issue. A large difference means that the load generator issued late.
SELECT node, report_percentile(latency_ns, 99) / 1e6 AS service_p99_ms,
  report_percentile(completed_ns - scheduled_ns, 99) / 1e6 AS response_p99_ms,
  report_percentile(issued_ns - scheduled_ns, 99) / 1e6 AS slip_p99_ms
FROM samples WHERE tracked AND completed_ns IS NOT NULL AND scheduled_ns IS NOT NULL
GROUP BY node ORDER BY node;
