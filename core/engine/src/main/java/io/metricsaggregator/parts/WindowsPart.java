package io.metricsaggregator.parts;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tracked windows of a run and the moments from which its durations follow. Durations of parts do not add up: the window of a run ends with the last
 * completion among its samples, whichever part has it.
 *
 * @param windows tracked windows in ascending order of their numbers
 * @param furtherNanos sum of the durations of finished windows that are not listed
 * @param firstIssue the first tracked issue, of the least position; null before it
 * @param lastIssued the sample issued last among those completed, and of such samples that with the least position; null before the first completion
 * @param succeeded from the first issue to the last completion of samples that succeeded; null before the first
 */
public record WindowsPart(
        List<Window> windows,
        long furtherNanos,
        @Nullable Issue firstIssue,
        @Nullable Completion lastIssued,
        @Nullable Span succeeded) {
    private static final int WINDOWS_MAX = 1 << 20;

    public WindowsPart {
        windows = List.copyOf(windows);
    }

    /**
     * A tracked window.
     *
     * @param number its number in the run, from 0
     * @param startNanos timestamp of its start; null in a part that has samples of it alone
     * @param lastNanos last completion among its samples; null before the first
     */
    public record Window(
            long number,
            @Nullable Long startNanos,
            @Nullable Long lastNanos) {}

    /**
     * The first tracked issue.
     *
     * @param position place of the event in the run
     */
    public record Issue(long position, long nanos) {}

    /**
     * The completion of the sample issued last.
     *
     * @param position place of the completion in the run
     */
    public record Completion(long position, long issuedNanos, long completedNanos) {}

    /** The earliest and the latest of some times. */
    public record Span(long firstNanos, long lastNanos) {}

    void write(DataOutput to) throws IOException {
        to.writeInt(windows.size());
        for (Window each : windows) {
            to.writeLong(each.number());
            PartFields.writeOptional(each.startNanos(), to);
            PartFields.writeOptional(each.lastNanos(), to);
        }
        to.writeLong(furtherNanos);
        to.writeBoolean(firstIssue != null);
        if (firstIssue != null) {
            to.writeLong(firstIssue.position());
            to.writeLong(firstIssue.nanos());
        }
        to.writeBoolean(lastIssued != null);
        if (lastIssued != null) {
            to.writeLong(lastIssued.position());
            to.writeLong(lastIssued.issuedNanos());
            to.writeLong(lastIssued.completedNanos());
        }
        to.writeBoolean(succeeded != null);
        if (succeeded != null) {
            to.writeLong(succeeded.firstNanos());
            to.writeLong(succeeded.lastNanos());
        }
    }

    static WindowsPart read(DataInput from) throws IOException {
        int size = PartFields.bounded(from.readInt(), WINDOWS_MAX, "tracked windows");
        List<Window> windows = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            windows.add(new Window(from.readLong(), PartFields.readOptional(from), PartFields.readOptional(from)));
        }
        return new WindowsPart(
                windows,
                from.readLong(),
                from.readBoolean() ? new Issue(from.readLong(), from.readLong()) : null,
                from.readBoolean() ? new Completion(from.readLong(), from.readLong(), from.readLong()) : null,
                from.readBoolean() ? new Span(from.readLong(), from.readLong()) : null);
    }
}
