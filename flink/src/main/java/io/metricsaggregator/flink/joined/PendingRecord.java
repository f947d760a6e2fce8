package io.metricsaggregator.flink.joined;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;

/**
 * A record that waits for its turn in the order of its run, and its form in the state of the run: bytes with a version of their own.
 *
 * @param node name of the node that sent it
 * @param record the record, whose node is the partition of its message
 */
record PendingRecord(String node, NodeRecord record) {
    /** The order of the joined run, as that of journals: by time, kind, name of the node, and place in its messages. */
    static final Comparator<PendingRecord> ORDER = Comparator.comparingLong(
                    (PendingRecord each) -> each.record().nanos())
            .thenComparingInt(each -> each.record().rank())
            .thenComparing(PendingRecord::node)
            .thenComparing(PendingRecord::record, NodeRecord.ORDER);

    private static final byte VERSION = 1;
    private static final int HEAD_BYTES = 1 + 4 * Long.BYTES + 2 * Integer.BYTES + 1;

    byte[] encode() {
        byte[] name = node.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(HEAD_BYTES + name.length + record.bytes().length)
                .put(VERSION)
                .putLong(record.nanos())
                .put(record.rank())
                .putInt(record.node())
                .putLong(record.position())
                .putLong(record.receivedNanos())
                .putLong(record.shiftNanos())
                .putInt(name.length)
                .put(name)
                .put(record.bytes())
                .array();
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @throws IOException if another version of this program wrote it
     */
    static PendingRecord decode(byte[] state) throws IOException {
        ByteBuffer from = ByteBuffer.wrap(state);
        byte version = from.get();
        if (version != VERSION) {
            throw new IOException("a waiting record has version " + version + ", which this job cannot read");
        }
        long nanos = from.getLong();
        byte rank = from.get();
        int partition = from.getInt();
        long position = from.getLong();
        long receivedNanos = from.getLong();
        long shiftNanos = from.getLong();
        byte[] name = new byte[from.getInt()];
        from.get(name);
        byte[] bytes = new byte[from.remaining()];
        from.get(bytes);
        return new PendingRecord(
                new String(name, StandardCharsets.UTF_8),
                new NodeRecord(nanos, rank, partition, position, receivedNanos, shiftNanos, bytes));
    }
}
