package io.metricsaggregator.snapshot;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import org.jspecify.annotations.Nullable;

/**
 * The session as its events announced it.
 *
 * @param started whether {@code session.started} was received
 * @param tracking whether performance tracking began: by its event, or because every sample is to be tracked
 * @param interrupted whether the producer reported that it aborted the session ({@code session.interrupted})
 * @param superPassSize samples in one pass over the dataset, as the first performance phase announced it; null if none did
 */
public record SessionInfo(
        boolean started,
        boolean tracking,
        boolean interrupted,
        @Nullable Long superPassSize) {
    static final SessionInfo BLANK = new SessionInfo(false, false, false, null);

    static SessionInfo pass(Fields f, SessionInfo v) throws MalformedMessageException {
        return new SessionInfo(
                f.flag("started", v.started()),
                f.flag("tracking", v.tracking()),
                f.flag("interrupted", v.interrupted()),
                f.maybeCount("super_pass_size", v.superPassSize()));
    }
}
