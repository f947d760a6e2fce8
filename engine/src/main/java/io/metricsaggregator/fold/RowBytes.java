package io.metricsaggregator.fold;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * Writes the row of a sample in flight as bytes, with what the folds of optional keys keep beside it, and restores it in another table, of another process
 * too: 35 to 130 bytes, whatever the length of the id. Codes of labels are those of the run. For one thread.
 */
final class RowBytes {
    private static final byte VERSION = 1;
    private static final int MAX_BYTES = 160;
    /** Place of the key: after the version and the flags. */
    private static final int KEY_START = 2;

    private static final int KEY_END = KEY_START + 1 + 2 * Long.BYTES;

    // Flags of what follows the row.
    private static final int HAS_LABELS = 1;
    private static final int HAS_CHUNKS = 1 << 1;
    private static final int HAS_PROMPT = 1 << 2;
    private static final int HAS_REPEATS = 1 << 3;

    private final InFlightTable table;
    private final WindowSums windows;
    private final LabelFold labels;
    private final ChunkFold chunks;
    private final PromptJoin prompts;
    private final SampleFold samples;
    private final FirstChunks firstChunks;
    private final ByteBuffer buffer = ByteBuffer.allocate(MAX_BYTES);

    RowBytes(InFlightTable table, WindowSums windows, OptionalFolds optional, SampleFold samples) {
        this.table = table;
        this.windows = windows;
        this.labels = optional.labels;
        this.chunks = optional.chunks;
        this.prompts = optional.usage.prompts();
        this.samples = samples;
        this.firstChunks = samples.firstChunks;
    }

    /** Writes a row of the table, which is to be removed from it. */
    byte[] write(SampleKey key, int row) {
        long word = labels.labelsOf(row);
        int chunkState = chunks.state(row);
        long prompt = prompts.length(row);
        ByteBuffer to = buffer.clear();
        to.put(VERSION);
        to.put((byte) ((word == 0 ? 0 : HAS_LABELS)
                | (chunkState == 0 ? 0 : HAS_CHUNKS)
                | (prompt == 0 ? 0 : HAS_PROMPT)
                | (firstChunks.isUsual(row) ? 0 : HAS_REPEATS)));
        to.put(key.kind()).putLong(key.high()).putLong(key.low());
        table.write(row, to);
        if (table.isTracked(row)) {
            int slot = table.window(row);
            to.putLong(windows.number(slot)).putLong(windows.start(slot));
        }
        if (word != 0) {
            to.putLong(word);
        }
        if (chunkState != 0) {
            to.putInt(chunkState);
        }
        if (prompt != 0) {
            to.putLong(prompt);
        }
        if (!firstChunks.isUsual(row)) {
            firstChunks.write(row, to);
        }
        byte[] bytes = new byte[to.position()];
        to.flip().get(bytes);
        return bytes;
    }

    /**
     * Evicts the sample of a row that {@link #write} gave, as the daemon does with the oldest one when its table is full.
     *
     * @param row a new row, the only one of the table; removed, unless this throws
     * @throws PartitionFormatException as of {@link #restore}
     */
    void evict(byte[] bytes, int row) throws PartitionFormatException {
        if (bytes.length < KEY_END) {
            throw new PartitionFormatException("the row of a sample ends after " + bytes.length + " bytes");
        }
        ByteBuffer from = ByteBuffer.wrap(bytes).position(KEY_START);
        restore(bytes, new SampleKey(from.get(), from.getLong(), from.getLong()), row);
        samples.evictOldest(0);
    }

    /**
     * Restores a row for a sample that has none in the table.
     *
     * @param row a new row, whose state is undefined and has to be removed if this throws
     * @throws PartitionFormatException if the bytes are of another version or sample, cut short, or altered so that no table writes them
     */
    void restore(byte[] bytes, SampleKey key, int row) throws PartitionFormatException {
        try {
            ByteBuffer from = ByteBuffer.wrap(bytes);
            byte version = from.get();
            if (version != VERSION) {
                throw new PartitionFormatException("the row of a sample has version " + version + ", not " + VERSION);
            }
            int flags = from.get();
            if (from.get() != key.kind() || from.getLong() != key.high() || from.getLong() != key.low()) {
                throw new PartitionFormatException("the row is of another sample");
            }
            table.restore(row, from);
            long number = 0;
            long start = 0;
            if (table.isTracked(row)) {
                number = from.getLong();
                start = from.getLong();
            }
            long word = (flags & HAS_LABELS) == 0 ? 0 : from.getLong();
            int chunkState = (flags & HAS_CHUNKS) == 0 ? 0 : from.getInt();
            long prompt = (flags & HAS_PROMPT) == 0 ? 0 : from.getLong();
            long retriedNanos = (flags & HAS_REPEATS) == 0 ? 0 : from.getLong();
            long leadNanos = (flags & HAS_REPEATS) == 0 ? 0 : from.getLong();
            int repeats = (flags & HAS_REPEATS) == 0 ? 0 : from.getInt();
            if (from.hasRemaining()
                    || repeats < 0
                    || number < 0
                    || !LabelCodes.isValid(word)
                    || LabelCodes.withoutWorker(word) != word
                    || !ChunkFold.isState(chunkState)
                    || prompt < 0) {
                throw new PartitionFormatException("the row of a sample holds what no fold writes");
            }
            labels.restore(row, word);
            chunks.restore(row, chunkState);
            prompts.restore(row, prompt);
            firstChunks.restore(row, retriedNanos, leadNanos, repeats);
            if (table.isTracked(row)) {
                table.track(row, windows.restored(number, start), table.worker(row));
            }
        } catch (BufferUnderflowException e) {
            throw new PartitionFormatException("the row of a sample ends after " + bytes.length + " bytes");
        }
    }
}
