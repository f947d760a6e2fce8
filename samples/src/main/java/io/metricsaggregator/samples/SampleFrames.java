package io.metricsaggregator.samples;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventRecordCodec;
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

    /**
     * Starts a run.
     *
     * @param lengths counts the tokens of texts; null to leave the lengths of texts empty
     */
    public SampleFrames(SampleSink sink, @Nullable TextLengths lengths) {
        this(new SampleRows(row -> sink.sample(row.values()), lengths));
    }

    SampleFrames(SampleRows samples) {
        this.samples = samples;
    }

    /** Applies the records of a frame: its topic and payload, as a subscriber receives it. */
    public void frame(ByteBuffer buffer, int start, int length) throws IOException {
        frames.frame(buffer, start, length);
    }

    private void record(ByteBuffer buffer, int start, int length) throws IOException {
        records++;
        byte[] bytes = new byte[length];
        buffer.get(start, bytes);
        EventRecord event;
        try {
            event = codec.decode(ByteBuffer.wrap(bytes));
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
