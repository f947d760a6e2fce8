package io.metricsaggregator.fold;

import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.PromptData;
import io.metricsaggregator.fold.row.SlowestSamples;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The rules of the load-generator events in a second, straightforward implementation with maps of strings and unbounded integers. Tests
 * compare the real fold with it.
 */
final class FoldModel {
    final Map<String, Long> counters = new TreeMap<>();
    final Map<String, List<Long>> series = new TreeMap<>();
    /** Completed samples with their duration in nanoseconds, in the order of completion. */
    final List<Map.Entry<Long, String>> latencies = new ArrayList<>();

    final List<Map.Entry<Long, String>> firsts = new ArrayList<>();
    long received;
    long late;

    private static final class Sample {
        long issued;
        Long first;
        /** Issue of the attempt that had the first chunk. */
        long firstIssued;

        Long last;
        int block;
        boolean failed;
    }

    private static final class Block {
        long start;
        Long lastCompletion;
    }

    private final Map<String, Sample> rows = new HashMap<>();
    private final List<Block> blocks = new ArrayList<>();
    private final boolean streaming;
    private boolean tracking;
    private boolean ended;
    private Long started;
    private Long firstTrackedIssue;
    private Long lastIssued;
    private Long firstSuccess;
    private Long lastSuccess;
    private long lastIssuedCompletion;

    FoldModel(boolean streaming) {
        this.streaming = streaming;
    }

    private void count(String name) {
        counters.merge(name, 1L, Long::sum);
    }

    private void record(String name, long start, long end) {
        BigInteger value = BigInteger.valueOf(end).subtract(BigInteger.valueOf(start));
        if (value.bitLength() <= 63) {
            series.computeIfAbsent(name, key -> new ArrayList<>()).add(value.longValue());
        }
    }

    void apply(EventRecord event) {
        received++;
        if (ended) {
            late++;
            return;
        }
        long now = event.timestampNanos();
        EventType type = event.type();
        if (type == EventType.SESSION_STARTED && started == null) {
            started = now;
        }
        if (started != null) {
            BigInteger since = BigInteger.valueOf(now).subtract(BigInteger.valueOf(started));
            long capped = since.min(BigInteger.valueOf(Long.MAX_VALUE))
                    .max(BigInteger.ZERO)
                    .longValue();
            counters.merge("total_duration_ns", capped, Math::max);
        }
        String id = event.sampleUuid();
        switch (type) {
            case SESSION_STARTED, SESSION_STOP_LOADGEN, SESSION_PHASE_START, SESSION_INTERRUPTED -> {}
            case SESSION_ENDED -> ended = true;
            case SESSION_START_PERFORMANCE_TRACKING -> {
                if (!tracking) {
                    tracking = true;
                    Block block = new Block();
                    block.start = now;
                    blocks.add(block);
                }
            }
            case SESSION_STOP_PERFORMANCE_TRACKING -> tracking = false;
            case SAMPLE_ISSUED -> issued(event, id, now);
            case SAMPLE_RECV_FIRST -> receivedFirst(id, now);
            case SAMPLE_RECV_NON_FIRST -> receivedNext(id, now);
            case SAMPLE_COMPLETE -> completed(event, id, now);
            default -> {
                count("total_samples_failed");
                Sample row = rows.get(id);
                if (row != null) {
                    count("tracked_samples_failed");
                    if (!row.failed) {
                        count("tracked_samples_errored");
                        row.failed = true;
                    }
                }
            }
        }
    }

    private void issued(EventRecord event, String id, long now) {
        if (id.isEmpty()) {
            return;
        }
        count("total_samples_issued");
        Sample row = rows.get(id);
        if (row != null) {
            count("tracked_samples_issued");
            if (!tracking) {
                return;
            }
            if (row.failed) {
                counters.merge("tracked_samples_errored", -1L, Long::sum);
                row.failed = false;
            }
        } else if (tracking) {
            row = new Sample();
            rows.put(id, row);
            count("tracked_samples_issued");
        } else {
            return;
        }
        row.issued = now;
        row.block = blocks.size() - 1;
        if (firstTrackedIssue == null) {
            firstTrackedIssue = now;
        }
        if (event.data() instanceof PromptData prompt && prompt.tokenIds() != null) {
            record("isl", 0, prompt.tokenIds().size());
        }
    }

    private void receivedFirst(String id, long now) {
        Sample row = rows.get(id);
        if (row == null) {
            return;
        }
        if (streaming) {
            record("ttft_ns", row.issued, now);
            if (row.last != null) {
                record("chunk_delta_ns", row.last, now);
            }
        }
        row.first = now;
        row.firstIssued = row.issued;
        row.last = now;
    }

    private void receivedNext(String id, long now) {
        Sample row = rows.get(id);
        if (row == null) {
            return;
        }
        if (streaming && row.last != null) {
            record("chunk_delta_ns", row.last, now);
        }
        row.last = now;
    }

    private void completed(EventRecord event, String id, long now) {
        if (id.isEmpty()) {
            return;
        }
        count("total_samples_completed");
        Sample row = rows.remove(id);
        if (row == null) {
            return;
        }
        count("tracked_samples_completed");
        if (event.finishReason() != null) {
            List<String> known = List.of("stop", "length", "tool_calls", "content_filter", "function_call");
            String reason = event.finishReason();
            count("tracked_finish_reason_" + (known.contains(reason) ? reason : "other"));
        }
        record("sample_latency_ns", row.issued, now);
        if (!row.failed) {
            count("tracked_samples_succeeded");
            record("succeeded_sample_latency_ns", row.issued, now);
            firstSuccess = firstSuccess == null ? row.issued : Math.min(firstSuccess, row.issued);
            lastSuccess = lastSuccess == null ? now : Math.max(lastSuccess, now);
            if (row.first != null) {
                record("succeeded_ttft_ns", row.firstIssued, row.first);
            }
        }
        note(latencies, row.issued, now, id);
        if (row.first != null) {
            note(firsts, row.firstIssued, row.first, id);
        }
        Block block = blocks.get(row.block);
        block.lastCompletion = block.lastCompletion == null ? now : Math.max(block.lastCompletion, now);
        if (lastIssued == null || row.issued > lastIssued) {
            lastIssued = row.issued;
            lastIssuedCompletion = now;
        }
    }

    private static void note(List<Map.Entry<Long, String>> into, long start, long end, String id) {
        BigInteger value = BigInteger.valueOf(end).subtract(BigInteger.valueOf(start));
        if (value.signum() >= 0 && value.bitLength() <= 63) {
            into.add(Map.entry(value.longValue(), id));
        }
    }

    /** Returns the ids of the slowest samples, slowest first; of equal ones the first completed comes first. */
    static List<String> slowest(List<Map.Entry<Long, String>> samples) {
        return samples.stream()
                .sorted(Map.Entry.<Long, String>comparingByKey().reversed())
                .limit(SlowestSamples.ROWS)
                .map(Map.Entry::getValue)
                .toList();
    }

    /** Records durations of windows, which depend on all events; valid only for timestamps whose differences fit 64 bits. */
    void finish() {
        long tracked = 0;
        for (Block block : blocks) {
            if (block.lastCompletion != null) {
                tracked += Math.max(0, block.lastCompletion - block.start);
            }
        }
        counters.put("tracked_duration_ns", tracked);
        counters.put("succeeded_duration_ns", firstSuccess == null ? 0 : Math.max(0, lastSuccess - firstSuccess));
        counters.put(
                "legacy_loadgen_window_duration_ns",
                lastIssued == null ? 0 : Math.max(0, lastIssuedCompletion - firstTrackedIssue));
    }
}
