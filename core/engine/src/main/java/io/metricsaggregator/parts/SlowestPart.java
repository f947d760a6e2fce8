package io.metricsaggregator.parts;

import io.metricsaggregator.snapshot.figures.SlowSample;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The slowest samples of a part, each with its place in the run.
 *
 * @param rows by latency, then by time to first token; each slowest first
 */
public record SlowestPart(List<Row> rows) {
    /** Samples of each kind at most. */
    public static final int ROWS = 10;

    private static final int TEXT_MAX_BYTES = 4096;
    private static final int TRACE_ID_BYTES = 32;

    public SlowestPart {
        rows = List.copyOf(rows);
    }

    /**
     * A slow sample.
     *
     * @param position place of its completion in the run, or its number among the slow samples of a whole run
     */
    public record Row(SlowSample sample, long position) {}

    /** The samples, slowest first by latency, then by time to first token. */
    public List<SlowSample> samples() {
        return rows.stream().map(Row::sample).toList();
    }

    void write(DataOutput to) throws IOException {
        to.writeByte(rows.size());
        for (Row row : rows) {
            SlowSample sample = row.sample();
            to.writeLong(row.position());
            to.writeBoolean(sample.by().equals(SlowSample.TTFT));
            PartFields.writeText(sample.id(), to);
            PartFields.writeText(sample.worker(), to);
            to.writeLong(sample.nanos());
            to.writeBoolean(sample.failed());
            PartFields.writeOptional(sample.scheduledNanos(), to);
            to.writeLong(sample.issuedNanos());
            PartFields.writeOptional(sample.firstNanos(), to);
            PartFields.writeOptional(sample.lastNanos(), to);
            to.writeLong(sample.completedNanos());
            PartFields.writeText(sample.traceId() == null ? "" : sample.traceId(), to);
            PartFields.writeText(sample.spanId() == null ? "" : sample.spanId(), to);
        }
    }

    static SlowestPart read(DataInput from) throws IOException {
        int size = PartFields.bounded(from.readUnsignedByte(), 2 * ROWS, "slow samples");
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            long position = from.readLong();
            rows.add(new Row(
                    new SlowSample(
                            from.readBoolean() ? SlowSample.TTFT : SlowSample.LATENCY,
                            PartFields.readText(from, TEXT_MAX_BYTES, "a sample id"),
                            PartFields.readText(from, TEXT_MAX_BYTES, "a worker"),
                            from.readLong(),
                            from.readBoolean(),
                            PartFields.readOptional(from),
                            from.readLong(),
                            PartFields.readOptional(from),
                            PartFields.readOptional(from),
                            from.readLong(),
                            id(from),
                            id(from)),
                    position));
        }
        return new SlowestPart(rows);
    }

    private static @Nullable String id(DataInput from) throws IOException {
        String id = PartFields.readText(from, TRACE_ID_BYTES, "an id of a trace");
        return id.isEmpty() ? null : id;
    }
}
