package io.metricsaggregator.imports.journal;

import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.imports.ImportedRequest;
import io.metricsaggregator.imports.ImportedUsage;
import io.metricsaggregator.imports.ToolCheck;
import io.metricsaggregator.snapshot.figures.Imported;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Recomputes the figures of a tool from its tracked requests that succeeded, and compares both. One thread.
 */
final class Verifier {
    /** Times since 1970 in seconds of double precision are steps of 238 ns; a difference of two of them is within a microsecond. */
    private static final double EPOCH_STEPS_NANOS = 1000;

    /** Monotonic clocks reach this after 31 years. */
    static final long EPOCH_MIN_NANOS = 1_000_000_000_000_000_000L;

    private final Map<String, Values> series = new HashMap<>();
    private final Map<String, ToolCheck> checks = new java.util.LinkedHashMap<>();
    private boolean epoch;

    /** Adds the values of a request to the series of our names. */
    void add(ImportedRequest request) {
        Long end = request.endNanos();
        if (request.outcome() != ImportedRequest.Outcome.SUCCEEDED || request.isWarmup() || end == null) {
            return;
        }
        epoch |= request.issuedNanos() >= EPOCH_MIN_NANOS;
        long issued = request.issuedNanos();
        add("sample_latency_ns", (double) (end - issued));
        if (request.chunks() > 0) {
            add("ttft_ns", (double) (request.chunkNanos(0) - issued));
        }
        for (int i = 1; i < request.chunks(); i++) {
            add("chunk_delta_ns", (double) (request.chunkNanos(i) - request.chunkNanos(i - 1)));
        }
        for (int i = 0; i < request.chunks(); i++) {
            ChunkPart part = request.chunkPart(i);
            if (part != null && part != ChunkPart.REASONING) {
                add("ttfo_ns", (double) (request.chunkNanos(i) - issued));
                break;
            }
        }
        if (request.scheduledNanos() != null) {
            add("schedule_slip_ns", (double) (issued - request.scheduledNanos()));
        }
        ImportedUsage usage = request.usage();
        if (usage == null) {
            return;
        }
        if (usage.promptTokens() != null) {
            add("usage_prompt_tokens", (double) usage.promptTokens());
        }
        Long tokens = usage.completionTokens();
        if (tokens != null) {
            add("usage_completion_tokens", (double) tokens);
            if (tokens >= 2 && request.chunks() > 0) {
                add("usage_tpot_ns", (double) (end - request.chunkNanos(0)) / (tokens - 1));
            }
        }
    }

    void add(String name, double value) {
        series.computeIfAbsent(name, unused -> new Values()).add(value);
    }

    void check(ToolCheck check) {
        checks.put(check.name(), check);
    }

    /** Compares all figures, in the order of the file. */
    List<Imported.Verification> verify() {
        List<Imported.Verification> rows = new ArrayList<>();
        Values none = new Values();
        for (ToolCheck check : checks.values()) {
            Double value = series.getOrDefault(check.series(), none).statistic(check.statistic());
            Double computed = value == null ? null : (Double) (value / check.unit());
            rows.add(new Imported.Verification(
                    check.name(), check.expected(), computed, computed != null && agrees(check, computed)));
        }
        return rows;
    }

    private boolean agrees(ToolCheck check, double computed) {
        double difference = Math.abs(computed - check.expected());
        double largest = Math.max(Math.abs(computed), Math.abs(check.expected()));
        double steps = epoch ? EPOCH_STEPS_NANOS : 1;
        return difference <= check.tolerance() * largest
                || (check.series().endsWith("_ns") && difference * check.unit() <= steps);
    }
}
