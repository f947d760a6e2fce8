package io.metricsaggregator.snapshot;

import static io.metricsaggregator.snapshot.SnapshotOutline.key;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads workers, rows by label and slices in their usual form; null for another form. One owner: it keeps the texts of the snapshot before. */
final class UsualRows {
    private static final byte[] WORKER = key("worker");
    private static final byte[][] WORKER_COUNTS = {
        key("records"),
        key("issued"),
        key("completed"),
        key("failed"),
        key("seq_gaps"),
        key("seq_lost"),
        key("seq_repeated"),
        key("seq_unknown_start"),
        key("seq_restarts")
    };
    private static final byte[] VALUES = key("values");
    private static final byte[] SKEW = key("skew");
    private static final byte[][] LABEL_COUNTS = {
        key("issued"), key("completed"), key("failed"), key("in_flight"), key("isl_tokens"), key("osl_tokens")
    };
    private static final byte[] LATENCY = key("latency_ns");
    private static final byte[] TTFT = key("ttft_ns");
    private static final byte[] TPOT = key("tpot_ns");
    private static final byte[] GOOD = key("good");
    private static final byte[] STATE = key("state");
    private static final byte[] IDLE = key("idle_ns");
    private static final byte[][] TARGET_COUNTS = {key("longest_idle_ns"), key("endpoint_stalls"), key("stalled_ns")};
    private static final byte[][] DURATIONS = {key("count"), key("p50"), key("p90"), key("p99"), key("max")};
    private static final byte[][] SLICES = {key("start_ns"), key("width_ns"), key("outside")};
    private static final byte[] COLUMNS = key("columns");
    private static final ProgressState[] STATES = ProgressState.values();
    private static final byte[][] STATE_NAMES = stateNames();
    /** Rows that an array has room for at first: a header may declare more than the input holds of them. */
    private static final int ROWS_FIRST = 1024;

    private final UsualForm in;
    private final TextMemory workers = new TextMemory();
    private final TextMemory labels = new TextMemory();
    private final TextMemory columns = new TextMemory();
    /** Names of one map: a name that comes twice replaces the first, which is left to the general decoder. */
    private final Set<String> names = new HashSet<>();

    private final long[] counts = new long[WORKER_COUNTS.length];
    /** Entries of a row that are not read yet. */
    private int left;
    /** Whether a row has another form. */
    private boolean unusual;

    UsualRows(UsualForm in) {
        this.in = in;
    }

    private static byte[][] stateNames() {
        byte[][] names = new byte[STATES.length][];
        for (int i = 0; i < names.length; i++) {
            names[i] = key(STATES[i].wire());
        }
        return names;
    }

    /** Reads the integers of these keys into {@link #counts}. */
    private boolean counts(byte[][] keys) {
        for (int i = 0; i < keys.length; i++) {
            if (!in.integer(keys[i])) {
                return false;
            }
            counts[i] = in.number();
        }
        return true;
    }

    @Nullable
    List<SnapshotExtensions.WorkerRow> workers() {
        int size = in.arraySize();
        if (size < 0) {
            return null;
        }
        workers.rewind();
        List<SnapshotExtensions.WorkerRow> rows = new ArrayList<>(Math.min(size, ROWS_FIRST));
        for (int i = 0; i < size; i++) {
            if (in.mapSize() != 1 + WORKER_COUNTS.length || !in.exactly(WORKER) || !in.string()) {
                return null;
            }
            String worker = workers.text(in.bytes(), in.cursor());
            if (!counts(WORKER_COUNTS)) {
                return null;
            }
            rows.add(new SnapshotExtensions.WorkerRow(
                    worker, counts[0], counts[1], counts[2], counts[3], counts[4], counts[5], counts[6], counts[7],
                    counts[8]));
        }
        return in.atEnd() ? rows : null;
    }

    @Nullable
    LabelBreakdown labels() {
        int size = in.mapSize();
        labels.rewind();
        List<LabelBreakdown.Key> keys = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            if (!in.string()) {
                return null;
            }
            String name = labels.text(in.bytes(), in.cursor());
            List<LabelBreakdown.Value> values = in.mapSize() == 2 && in.exactly(VALUES) ? values() : null;
            if (values == null || !in.exactly(SKEW) || !in.skip()) {
                return null;
            }
            keys.add(new LabelBreakdown.Key(name, values));
        }
        boolean distinct =
                keys.stream().map(LabelBreakdown.Key::name).distinct().count() == keys.size();
        return size >= 0 && in.atEnd() && distinct ? new LabelBreakdown(keys) : null;
    }

    private @Nullable List<LabelBreakdown.Value> values() {
        int size = in.mapSize();
        if (size < 0) {
            return null;
        }
        List<LabelBreakdown.Value> values = new ArrayList<>(Math.min(size, ROWS_FIRST));
        names.clear();
        for (int i = 0; i < size; i++) {
            LabelBreakdown.Value value = in.string() ? value(labels.text(in.bytes(), in.cursor())) : null;
            if (value == null || !names.add(value.value())) {
                return null;
            }
            values.add(value);
        }
        return values;
    }

    private LabelBreakdown.@Nullable Value value(String name) {
        int size = in.mapSize();
        if (!counts(LABEL_COUNTS)) {
            return null;
        }
        long issued = counts[0];
        long completed = counts[1];
        long failed = counts[2];
        long inFlight = counts[3];
        long inputTokens = counts[4];
        long outputTokens = counts[5];
        left = size - LABEL_COUNTS.length;
        unusual = false;
        LabelBreakdown.Durations latency = durations(LATENCY, true);
        LabelBreakdown.Durations firstToken = durations(TTFT, true);
        LabelBreakdown.Durations perToken = durations(TPOT, false);
        Long good = good();
        Progress.Target progress = left == 0 ? null : target();
        return unusual || left != 0
                ? null
                : new LabelBreakdown.Value(
                        name,
                        issued,
                        completed,
                        failed,
                        inFlight,
                        inputTokens,
                        outputTokens,
                        latency,
                        firstToken,
                        perToken,
                        good,
                        progress);
    }

    /** Durations that are nil where there are none, or whose key is then absent. */
    private LabelBreakdown.@Nullable Durations durations(byte[] key, boolean always) {
        if (!in.exactly(key)) {
            unusual |= always;
            return null;
        }
        left--;
        if (always && in.nil()) {
            return null;
        }
        if (in.mapSize() != DURATIONS.length || !counts(DURATIONS)) {
            unusual = true;
            return null;
        }
        return new LabelBreakdown.Durations(counts[0], counts[1], counts[2], counts[3], counts[4]);
    }

    private @Nullable Long good() {
        if (left == 0 || !in.exactly(GOOD)) {
            return null;
        }
        left--;
        unusual |= !in.integer();
        return in.number();
    }

    private Progress.@Nullable Target target() {
        left -= 2 + TARGET_COUNTS.length;
        ProgressState state = in.exactly(STATE) ? state() : null;
        if (state == null || !in.exactly(IDLE)) {
            unusual = true;
            return null;
        }
        boolean waits = !in.nil();
        Long idle = waits && in.integer() ? (Long) in.number() : null;
        if ((waits && idle == null) || !counts(TARGET_COUNTS)) {
            unusual = true;
            return null;
        }
        return new Progress.Target(state, idle, counts[0], counts[1], counts[2]);
    }

    private @Nullable ProgressState state() {
        for (int i = 0; i < STATES.length; i++) {
            if (in.exactly(STATE_NAMES[i])) {
                return STATES[i];
            }
        }
        return null;
    }

    @Nullable
    Slices slices() {
        if (in.mapSize() != SLICES.length + 1 || !counts(SLICES) || !in.exactly(COLUMNS)) {
            return null;
        }
        long start = counts[0];
        long width = counts[1];
        long outside = counts[2];
        int size = in.mapSize();
        columns.rewind();
        List<Slices.Column> read = new ArrayList<>();
        int length = -1;
        names.clear();
        for (int i = 0; i < size; i++) {
            if (!in.string()) {
                return null;
            }
            String name = columns.text(in.bytes(), in.cursor());
            long[] values = column();
            if (values == null || (length >= 0 && values.length != length) || !names.add(name)) {
                return null;
            }
            length = values.length;
            read.add(new Slices.Column(name, values));
        }
        return size >= 0 && in.atEnd() ? new Slices(start, width, outside, read) : null;
    }

    private long @Nullable [] column() {
        int size = in.arraySize();
        if (size < 0) {
            return null;
        }
        long[] values = new long[size];
        for (int i = 0; i < size; i++) {
            if (in.nil()) {
                values[i] = Slices.NOT_MEASURED;
            } else if (in.integer()) {
                values[i] = in.number();
            } else {
                return null;
            }
        }
        return values;
    }
}
