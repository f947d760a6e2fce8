package io.metricsaggregator.snapshot;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MsgpackCursor;
import io.metricsaggregator.codec.MsgpackFault;
import io.metricsaggregator.codec.MsgpackSkip;
import io.metricsaggregator.codec.MsgpackType;
import io.metricsaggregator.codec.Utf8;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The places of a snapshot's metrics and of the sections of its extensions in the snapshot's bytes on the wire, which are checked to be well-formed
 * msgpack as a whole. Nothing but the head is read; {@link MsgpackSnapshotReader} reads the rest in place. Reused from snapshot to snapshot; one owner.
 */
public final class SnapshotOutline {
    private static final int HEAD = 5;
    private static final int EXTENSIONS_LAST = 6;
    private static final String CONTAINER_AS_KEY = "a map key is a container";
    private static final byte[] RUN = key("run");
    private static final byte[] RUN_ID = key("run_id");

    private final MsgpackCursor cursor = new MsgpackCursor();
    private final MsgpackSkip skip = new MsgpackSkip();
    private byte[] bytes = {};
    private ByteBuffer buffer = ByteBuffer.wrap(bytes);
    private int length;
    private long counter;
    private long timestampNanos;
    private long pendingTasks;
    private SessionState state = SessionState.INITIALIZE;
    /** Start of each metric, and the end of the last. */
    private final Places metrics = new Places();
    /** Of each section: start and end of its key, which is the start of its value, and the end of the value. */
    private final Places sections = new Places();

    private boolean extended;

    /** A growing list of places. */
    private static final class Places {
        private int[] at = new int[64];
        private int size;

        void add(int place) {
            if (size == at.length) {
                at = Arrays.copyOf(at, 2 * size);
            }
            at[size++] = place;
        }
    }

    /** A key as msgpack has it, for keys of less than 32 ASCII characters. */
    static byte[] key(String name) {
        byte[] text = name.getBytes(StandardCharsets.US_ASCII);
        byte[] key = new byte[text.length + 1];
        key[0] = (byte) (0xa0 | text.length);
        System.arraycopy(text, 0, key, 1, text.length);
        return key;
    }

    /**
     * Finds the parts of a snapshot. After an exception the outline has no snapshot.
     *
     * @param payload holds the snapshot from its first byte on, and must not change while the outline is used
     * @param size bytes of the snapshot
     * @throws MalformedMessageException if the bytes are not one msgpack value, or its head is not that of a snapshot
     */
    public void read(byte[] payload, int size) throws MalformedMessageException {
        if (bytes != payload) {
            bytes = payload;
            buffer = ByteBuffer.wrap(payload);
        }
        metrics.size = 0;
        sections.size = 0;
        extended = false;
        length = size;
        cursor.reset(buffer, 0, size);
        check(cursor.readArrayHeader());
        int parts = cursor.count();
        if (parts < HEAD) {
            throw new MalformedMessageException("snapshot has " + parts + " elements, not 5 or more");
        }
        counter = integer("counter");
        timestampNanos = integer("timestamp_ns");
        check(cursor.readString());
        state = MsgpackSnapshotCodec.state(Utf8.read(buffer, cursor.start(), cursor.length()));
        pendingTasks = integer("n_pending_tasks");
        findMetrics();
        for (int i = HEAD; i < parts; i++) {
            findSections(i);
        }
        if (cursor.remaining() > 0) {
            throw new MalformedMessageException(cursor.remaining() + " bytes after the message");
        }
    }

    private void findMetrics() throws MalformedMessageException {
        check(cursor.readArrayHeader());
        int count = cursor.count();
        metrics.add(cursor.position());
        for (int i = 0; i < count; i++) {
            skip(2);
            metrics.add(cursor.position());
        }
    }

    /** Takes the element as the extensions if it is a map with a run; a later one replaces an earlier one. */
    private void findSections(int element) throws MalformedMessageException {
        if (element > EXTENSIONS_LAST || cursor.peek() != MsgpackType.MAP) {
            skip(1);
            return;
        }
        int start = cursor.position();
        int before = sections.size;
        check(cursor.readMapHeader());
        boolean run = false;
        for (int i = cursor.count(); i > 0; i--) {
            int key = cursor.position();
            MsgpackType type = cursor.peek();
            if (type == MsgpackType.ARRAY || type == MsgpackType.MAP) {
                throw new MalformedMessageException(CONTAINER_AS_KEY);
            }
            skip(2);
            int value = cursor.position();
            skip(2);
            run |= isAt(RUN, key, value);
            sections.add(key);
            sections.add(value);
            sections.add(cursor.position());
        }
        if (!run) {
            sections.size = before;
        } else if (before > 0) {
            sections.size = 0;
            int end = cursor.position();
            cursor.position(start);
            findSections(element);
            cursor.position(end);
        }
        extended |= run;
    }

    private boolean isAt(byte[] key, int start, int end) {
        return end - start == key.length && Arrays.equals(bytes, start, end, key, 0, key.length);
    }

    private long integer(String field) throws MalformedMessageException {
        if (!cursor.readLong()) {
            MsgpackFault fault = cursor.fault();
            throw new MalformedMessageException(
                    field + " should be a 64-bit integer, but " + (fault == null ? "cannot be read" : fault.text()));
        }
        return cursor.integer();
    }

    private void skip(int depth) throws MalformedMessageException {
        int end = skip.skip(bytes, cursor.position(), length, depth);
        if (end < 0) {
            MsgpackFault fault = skip.fault();
            throw new MalformedMessageException(
                    fault == MsgpackFault.WRONG_TYPE
                            ? CONTAINER_AS_KEY
                            : "a value " + (fault == null ? "cannot be read" : fault.text()));
        }
        cursor.position(end);
    }

    private void check(boolean succeeded) throws MalformedMessageException {
        if (!succeeded) {
            MsgpackFault fault = cursor.fault();
            throw new MalformedMessageException("a value " + (fault == null ? "cannot be read" : fault.text()));
        }
    }

    /** The id of the run; null if the snapshot has none that can be read. */
    public @Nullable String runId() {
        int run = section(RUN);
        if (run < 0) {
            return null;
        }
        cursor.reset(buffer, start(run), end(run) - start(run));
        if (!cursor.readMapHeader()) {
            return null;
        }
        for (int i = cursor.count(); i > 0; i--) {
            int key = cursor.position();
            boolean found = cursor.skip() && isAt(RUN_ID, key, cursor.position());
            if (found) {
                return cursor.readString() ? Utf8.read(buffer, cursor.start(), cursor.length()) : null;
            }
            if (!cursor.skip()) {
                return null;
            }
        }
        return null;
    }

    /** Whether the snapshot has this project's extensions. */
    boolean isExtended() {
        return extended;
    }

    byte[] bytes() {
        return bytes;
    }

    ByteBuffer buffer() {
        return buffer;
    }

    long counter() {
        return counter;
    }

    long timestampNanos() {
        return timestampNanos;
    }

    SessionState state() {
        return state;
    }

    long pendingTasks() {
        return pendingTasks;
    }

    /** Number of metrics. */
    int metrics() {
        return metrics.size - 1;
    }

    /** Where a metric starts, by its index; that of the number of metrics is the end of the last. */
    int metricAt(int index) {
        return metrics.at[index];
    }

    /** A section by its key as msgpack has it; −1 if there is none. Of several with the same key the last one counts. */
    int section(byte[] key) {
        for (int i = sections.size - 3; i >= 0; i -= 3) {
            if (isAt(key, sections.at[i], sections.at[i + 1])) {
                return i;
            }
        }
        return -1;
    }

    /** Where the value of a section starts. */
    int start(int section) {
        return sections.at[section + 1];
    }

    /** Where the value of a section ends. */
    int end(int section) {
        return sections.at[section + 2];
    }
}
