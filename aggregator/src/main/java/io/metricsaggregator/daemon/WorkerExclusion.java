package io.metricsaggregator.daemon;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.IdKind;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

/**
 * Leaves workers out of a run that is computed again. A sample's records can come from several processes and name none: a first
 * look finds the samples that an excluded worker had to do with, and from then on every record of theirs is left out too.
 */
final class WorkerExclusion {
    private static final int NAME_MAX_BYTES = 256;

    private final Set<String> workers;
    private final Set<Key> samples = new HashSet<>();
    private long excluded;

    /** A sample's packed id; of a long one the text too, since two longs hold only its hash. */
    private record Key(IdKind kind, long high, long low, String text) {}

    WorkerExclusion(Set<String> workers) {
        this.workers = workers;
    }

    /** The first look: takes note of the sample of a record of an excluded worker. Answers false: nothing is applied. */
    boolean look(DecodedEvent event) {
        if (isExcluded(event) && event.idKind() != IdKind.EMPTY) {
            samples.add(key(event));
        }
        return false;
    }

    /** Whether a record is to be applied. */
    boolean keeps(DecodedEvent event) {
        if (isExcluded(event) || samples.contains(key(event))) {
            excluded++;
            return false;
        }
        return true;
    }

    /** Records left out so far. */
    long excluded() {
        return excluded;
    }

    private boolean isExcluded(DecodedEvent event) {
        if (event.hasSourceId()) {
            return workers.contains(new String(event.copySource(NAME_MAX_BYTES), StandardCharsets.UTF_8));
        }
        return event.hasWorkerId() && workers.contains(Long.toString(event.workerId()));
    }

    private static Key key(DecodedEvent event) {
        String text = event.idKind() == IdKind.LONG ? new String(event.copyIdText(), StandardCharsets.UTF_8) : "";
        return new Key(event.idKind(), event.idHigh(), event.idLow(), text);
    }
}
