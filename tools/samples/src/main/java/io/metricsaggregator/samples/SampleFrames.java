package io.metricsaggregator.samples;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventRecordCodec;
import io.metricsaggregator.journal.RunOrigin;
import io.metricsaggregator.tokens.TextLengths;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Assembles the rows of samples from the frames of one run, in the order of their receipt. A sample's row is handed on when it completes;
 * rows of samples without a completion stay in memory until {@link #end}. Malformed records are skipped. Not thread-safe.
 */
public final class SampleFrames {
    private final FrameRecords frames = new FrameRecords(this::record);
    private final EventRecordCodec codec = new EventRecordCodec();
    private final SampleRows samples;
    private long records;
    private long receivedNanos;

    /**
     * Starts a run of which nothing is known.
     *
     * @param lengths counts the tokens of texts; null to leave the lengths of texts empty
     */
    public SampleFrames(SampleSink sink, @Nullable TextLengths lengths) {
        this(SampleRun.UNKNOWN, sink, lengths);
    }

    /**
     * Starts a run.
     *
     * @param run decides which samples are tracked and good
     * @param lengths counts the tokens of texts; null to leave the lengths of texts empty
     */
    public SampleFrames(SampleRun run, SampleSink sink, @Nullable TextLengths lengths) {
        this(new SampleRows(run, row -> sink.sample(row.values()), lengths));
    }

    SampleFrames(SampleRows samples) {
        this.samples = samples;
    }

    /**
     * Sets when and where frames from now on were received.
     *
     * @param nanos the node's monotonic clock: the time of records that carry none
     * @param origin id, node and clock; those of the run unless another process resumed it
     */
    public void received(long nanos, RunOrigin origin) {
        receivedNanos = nanos;
        samples.origin(origin);
    }

    /** Applies the records of a frame: its topic and payload, as a subscriber receives it. */
    public void frame(ByteBuffer buffer, int start, int length) throws IOException {
        frames.frame(buffer, start, length);
    }

    private void record(ByteBuffer buffer, int start, int length) throws IOException {
        byte[] bytes = new byte[length];
        buffer.get(start, bytes);
        records++;
        EventRecord event;
        try {
            event = codec.decode(ByteBuffer.wrap(bytes), receivedNanos);
        } catch (MalformedMessageException e) {
            // Telemetry, a malformed record, or one with a number that EventRecord cannot hold: it has no part in a
            // row.
            return;
        }
        samples.apply(event, bytes);
    }

    /** Hands on the rows of samples that never completed. */
    public void end() throws IOException {
        samples.end();
    }

    /** Returns the number of records in the frames, of any kind. */
    public long records() {
        return records;
    }
}
