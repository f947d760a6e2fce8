package io.metricsaggregator.runs;

import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Outage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Workers, kinds of error, reasons and outages of several runs in one table each, with the bounds of a daemon: rows beyond a bound are summed in the
 * row {@code other}, or in the last outage.
 */
final class MergedRows {
    static final int WORKERS_MAX = 1024;
    static final int ERRORS_MAX = 100;
    static final int REASONS_MAX = 256;
    static final int OUTAGES_MAX = 64;

    private static final String OTHER = "other";

    private final List<SnapshotExtensions> runs;
    private final SaturatingSums sums;

    MergedRows(List<SnapshotExtensions> runs, SaturatingSums sums) {
        this.runs = runs;
        this.sums = sums;
    }

    /** The worker rows of all runs in their order. A worker name of two runs is prefixed with the run id. */
    List<SnapshotExtensions.WorkerRow> workers() {
        Map<String, Integer> uses = new HashMap<>();
        runs.forEach(run -> run.workers().forEach(row -> uses.merge(row.worker(), 1, Integer::sum)));
        List<SnapshotExtensions.WorkerRow> rows = new ArrayList<>();
        SnapshotExtensions.WorkerRow others = new SnapshotExtensions.WorkerRow(OTHER, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        boolean anyOthers = false;
        for (SnapshotExtensions run : runs) {
            for (SnapshotExtensions.WorkerRow row : run.workers()) {
                if (row.worker().equals(OTHER) || rows.size() >= WORKERS_MAX) {
                    others = sum(others, row);
                    anyOthers = true;
                } else {
                    rows.add(named(
                            row,
                            uses.getOrDefault(row.worker(), 0) > 1 ? run.run().runId() : ""));
                }
            }
        }
        if (anyOthers) {
            rows.add(others);
        }
        return rows;
    }

    private static SnapshotExtensions.WorkerRow named(SnapshotExtensions.WorkerRow row, String runId) {
        if (runId.isEmpty()) {
            return row;
        }
        return new SnapshotExtensions.WorkerRow(
                runId + "/" + (row.worker().isEmpty() ? "unnamed" : row.worker()),
                row.records(),
                row.issued(),
                row.completed(),
                row.failed(),
                row.sequenceGaps(),
                row.sequenceLost(),
                row.sequenceRepeated(),
                row.sequenceUnknownStart(),
                row.sequenceRestarts());
    }

    private SnapshotExtensions.WorkerRow sum(SnapshotExtensions.WorkerRow a, SnapshotExtensions.WorkerRow b) {
        return sums.adder("a figure of the workers beyond " + WORKERS_MAX, false)
                .add(a, b, SnapshotExtensions.WorkerRow::pass);
    }

    /** The error rows, in the order of their first run; beyond the bound the most frequent are kept. */
    List<SnapshotExtensions.ErrorRow> errors() {
        Map<List<String>, SnapshotExtensions.ErrorRow> rows = new LinkedHashMap<>();
        for (SnapshotExtensions run : runs) {
            for (SnapshotExtensions.ErrorRow row : run.errors()) {
                rows.merge(List.of(row.event(), row.type()), row, this::sum);
            }
        }
        List<SnapshotExtensions.ErrorRow> kept = new ArrayList<>(rows.values());
        SnapshotExtensions.ErrorRow others = rows.get(List.of(OTHER, ""));
        kept.remove(others);
        List<SnapshotExtensions.ErrorRow> rarest = kept.stream()
                .sorted(Comparator.comparingLong(SnapshotExtensions.ErrorRow::count))
                .limit(Math.max(0, kept.size() - ERRORS_MAX))
                .toList();
        kept.removeAll(rarest);
        for (SnapshotExtensions.ErrorRow row : rarest) {
            SnapshotExtensions.ErrorRow renamed =
                    new SnapshotExtensions.ErrorRow(OTHER, "", row.count(), "", row.firstNanos(), row.lastNanos());
            others = others == null ? renamed : sum(others, renamed);
        }
        if (others != null) {
            kept.add(others);
        }
        return kept;
    }

    private SnapshotExtensions.ErrorRow sum(SnapshotExtensions.ErrorRow a, SnapshotExtensions.ErrorRow b) {
        return sums.adder("errors " + a.event(), false).add(a, b, SnapshotExtensions.ErrorRow::pass);
    }

    /** The counts of malformed records by reason. */
    List<SnapshotExtensions.MalformedRow> malformed() {
        Map<String, Long> rows = new LinkedHashMap<>();
        for (SnapshotExtensions run : runs) {
            for (SnapshotExtensions.MalformedRow row : run.malformed()) {
                String reason = rows.containsKey(row.reason()) || rows.size() < REASONS_MAX ? row.reason() : OTHER;
                rows.merge(reason, row.count(), (a, b) -> sums.add("malformed " + reason, a, b));
            }
        }
        return rows.entrySet().stream()
                .map(each -> new SnapshotExtensions.MalformedRow(each.getKey(), each.getValue()))
                .toList();
    }

    /** The outages of all runs in chronological order; those beyond the bound extend the last one. */
    List<Outage> outages() {
        List<Outage> all = runs.stream()
                .flatMap(run -> run.outages().stream())
                .sorted(Comparator.comparingLong(Outage::fromWallNanos))
                .toList();
        if (all.size() <= OUTAGES_MAX) {
            return all;
        }
        List<Outage> bounded = new ArrayList<>(all.subList(0, OUTAGES_MAX - 1));
        bounded.add(all.subList(OUTAGES_MAX - 1, all.size()).stream()
                .reduce(this::sum)
                .orElseThrow());
        return bounded;
    }

    private Outage sum(Outage a, Outage b) {
        return sums.adder("samples of outages", false).add(a, b, Outage::pass);
    }
}
