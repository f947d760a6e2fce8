package io.metricsaggregator.conformance;

import io.metricsaggregator.event.EventType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Judges the order of records within a session and within its samples ({@link Level#LIFE}), and that timestamps of a sample do not decrease.
 * Keeps at most {@value #SAMPLES_MAX} samples; records of forgotten ones are not judged. One owner at a time.
 */
final class LifeRules {
    private static final int SAMPLES_MAX = 600_000;
    private static final Set<String> REASONS =
            Set.of("stop", "length", "tool_calls", "content_filter", "function_call");

    private static final class Sample {
        private boolean issued;
        /** Whether its first record seen was not its issue. */
        private boolean orphan;

        private boolean first;
        private boolean complete;
        private long lastNanos = Long.MIN_VALUE;
    }

    private final Tally tally;
    private final Map<String, Sample> samples = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Sample> eldest) {
            forgotten |= size() > SAMPLES_MAX;
            return size() > SAMPLES_MAX;
        }
    };
    private final boolean watching;
    /** Whether the session may have begun before the subscription. */
    private boolean startUnknown;
    /** Whether records may be missing, so that a record without its predecessor is not judged. */
    private boolean lossy;

    private boolean forgotten;
    private boolean any;
    private boolean started;
    private boolean tracking;
    private boolean issuedTracked;
    private boolean issuedUntracked;
    private long ended;
    private @Nullable SeenRecord last;

    /**
     * Creates rules.
     *
     * @param watching whether the session may have begun before, and may end after the subscription
     * @param lossy whether records may be missing
     */
    LifeRules(Tally tally, boolean watching, boolean lossy) {
        this.tally = tally;
        this.watching = watching;
        this.startUnknown = watching;
        this.lossy = lossy;
    }

    void record(SeenRecord record) {
        EventType type = record.type();
        if (type == null) {
            return; // Telemetry has no place in the session.
        }
        session(record, type);
        String reason = record.text("finish_reason");
        if (record.fields().containsKey("finish_reason")) {
            tally.judge(
                    Rule.FINISH_REASON,
                    type == EventType.SAMPLE_COMPLETE && REASONS.contains(reason),
                    () -> record.where() + " has the finish_reason " + reason);
        }
        if (!record.sample().isEmpty() && !type.isSession()) {
            sample(record, type, samples.computeIfAbsent(record.sample(), id -> new Sample()));
        }
        last = record;
    }

    private void session(SeenRecord record, EventType type) {
        if (type == EventType.SESSION_STARTED) {
            tally.judge(Rule.STARTED_FIRST, !any && !started, () -> record.where() + " is not the first record");
            startUnknown &= any;
            started = true;
        } else if (!any) {
            if (startUnknown || lossy) {
                // Tracking may have begun before.
                issuedTracked = true;
            } else {
                tally.breach(Rule.STARTED_FIRST, record.where() + " precedes session.started, or that is missing");
            }
        }
        any = true;
        if (type == EventType.SESSION_ENDED) {
            ended++;
            tally.judge(Rule.ENDED_LAST, ended == 1, () -> record.where() + " is sent twice");
        } else if (ended > 0) {
            tally.breach(Rule.ENDED_LAST, record.where() + " follows session.ended");
        }
        tracking |= type == EventType.SESSION_START_PERFORMANCE_TRACKING;
        if (type == EventType.SAMPLE_ISSUED) {
            issuedTracked |= tracking;
            issuedUntracked |= !tracking;
        }
    }

    private void sample(SeenRecord record, EventType type, Sample sample) {
        if (type == EventType.SAMPLE_ISSUED) {
            tally.judge(Rule.ISSUED_ONCE, !sample.issued, () -> record.where() + " is sent twice");
            sample.issued = true;
        } else if (!sample.issued && !sample.orphan) {
            boolean unknown = startUnknown || lossy || forgotten;
            tally.judge(
                    Rule.ISSUED_FIRST, unknown, () -> record.where() + " precedes sample.issued, or that is missing");
            sample.orphan = true;
            sample.first = true;
        } else {
            tally.keep(Rule.ISSUED_FIRST);
            judgeOrder(record, type, sample);
            sample.first |= type == EventType.SAMPLE_RECV_FIRST;
        }
        sample.complete |= type == EventType.SAMPLE_COMPLETE;
        Long time = record.integer("timestamp_ns");
        if (time != null) {
            long before = sample.lastNanos;
            tally.judge(
                    Rule.NOT_DECREASING,
                    time >= before,
                    () -> record.where() + " is " + (before - time) + " ns before the record that precedes it");
            sample.lastNanos = Math.max(time, before);
        }
    }

    private void judgeOrder(SeenRecord record, EventType type, Sample sample) {
        switch (type) {
            case SAMPLE_RECV_FIRST -> {
                tally.judge(Rule.ONE_RECV_FIRST, !sample.first, () -> record.where() + " is sent twice");
                judgeOpen(record, sample);
            }
            case SAMPLE_RECV_NON_FIRST -> {
                tally.judge(
                        Rule.RECV_FIRST_FIRST,
                        sample.first || lossy,
                        () -> record.where() + " precedes sample.recv_first, or that is missing");
                judgeOpen(record, sample);
            }
            case SAMPLE_COMPLETE -> judgeOpen(record, sample);
            case ERROR_GENERIC, ERROR_LOADGEN, ERROR_SESSION, ERROR_CLIENT ->
                tally.judge(
                        Rule.ERROR_FIRST,
                        !sample.complete,
                        () -> record.where() + " follows the sample.complete of its sample");
            case SAMPLE_ISSUED,
                    SESSION_STARTED,
                    SESSION_ENDED,
                    SESSION_STOP_LOADGEN,
                    SESSION_START_PERFORMANCE_TRACKING,
                    SESSION_PHASE_START,
                    SESSION_INTERRUPTED,
                    SESSION_STOP_PERFORMANCE_TRACKING -> {}
        }
    }

    private void judgeOpen(SeenRecord record, Sample sample) {
        tally.judge(
                Rule.NOTHING_AFTER,
                !sample.complete,
                () -> record.where() + " follows the sample.complete of its sample");
    }

    /** Records from now on may have lost predecessors. */
    void interrupted() {
        lossy = true;
    }

    /** Whether session.ended was received. */
    boolean hasEnded() {
        return ended > 0;
    }

    /** Judges what only the end shows. */
    void finish() {
        if (!watching && !lossy) {
            tally.judge(
                    Rule.ENDED_LAST,
                    ended > 0,
                    () -> "session.ended is missing; the last record is " + (last == null ? "none" : last.where()));
            if (!any) {
                tally.breach(Rule.STARTED_FIRST, "no record was received");
            }
        }
        if (issuedTracked || issuedUntracked) {
            tally.judge(
                    Rule.TRACKED,
                    issuedTracked,
                    () -> "every sample was issued before session.start_performance_tracking, or that is missing");
        }
    }
}
