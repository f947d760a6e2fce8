package io.metricsaggregator.run;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.IdKind;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Leaves workers out of a recomputed run. A sample's records can come from several processes and name none: a scan of the journal
 * finds the samples that an excluded worker took part in, and the replay then leaves out every record of those samples too.
 */
final class WorkerExclusion {
    private static final int NAME_MAX_BYTES = 256;
    /** Largest number of workers that the error of an unknown worker lists. */
    private static final int OTHERS_MAX = 20;

    private final Set<String> workers;
    private final Set<Key> samples = new HashSet<>();
    private final Set<String> found = new HashSet<>();
    private final Set<String> others = new TreeSet<>();
    private long excluded;

    /** Packed id of a sample; for a long id its text too, because the two longs hold only a hash. */
    private record Key(IdKind kind, long high, long low, String text) {}

    WorkerExclusion(Set<String> workers) {
        this.workers = workers;
    }

    /** Notes the sample of a record of an excluded worker. Always returns false, because the scan applies no record. */
    boolean scan(DecodedEvent event) {
        String worker = worker(event);
        if (worker != null && workers.contains(worker)) {
            found.add(worker);
            if (event.idKind() != IdKind.EMPTY) {
                samples.add(key(event));
            }
        } else if (worker != null && others.size() < OTHERS_MAX) {
            others.add(worker);
        }
        return false;
    }

    /**
     * Checks, after the scan, that each excluded worker sent a record.
     *
     * @throws IllegalArgumentException if one did not: the result would claim to exclude a worker that it never had
     */
    void requireAllFound() {
        Set<String> missing = new TreeSet<>(workers);
        missing.removeAll(found);
        if (!missing.isEmpty()) {
            Set<String> known = new TreeSet<>(others);
            known.addAll(found);
            throw new IllegalArgumentException("--exclude-worker " + String.join(", ", missing)
                    + ": no record in the journal is of that worker; "
                    + (known.isEmpty()
                            ? "its records name no worker"
                            : "there are " + String.join(", ", known)
                                    + (others.size() < OTHERS_MAX ? "" : " and more")));
        }
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
        String worker = worker(event);
        return worker != null && workers.contains(worker);
    }

    private static @Nullable String worker(DecodedEvent event) {
        if (event.hasSourceId()) {
            return new String(event.copySource(NAME_MAX_BYTES), StandardCharsets.UTF_8);
        }
        return event.hasWorkerId() ? Long.toString(event.workerId()) : null;
    }

    private static Key key(DecodedEvent event) {
        String text = event.idKind() == IdKind.LONG ? new String(event.copyIdText(), StandardCharsets.UTF_8) : "";
        return new Key(event.idKind(), event.idHigh(), event.idLow(), text);
    }
}
