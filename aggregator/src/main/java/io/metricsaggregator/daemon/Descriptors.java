package io.metricsaggregator.daemon;

import io.metricsaggregator.collect.ProcFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the number of connections so that this process always has file descriptors left for the final snapshot, the next journal segment,
 * the exporters, and classes that are loaded late.
 */
public final class Descriptors {
    private static final Logger LOG = LoggerFactory.getLogger(Descriptors.class);
    /** A quarter of the descriptors that are free at the start stays in reserve: at least this many, and at most {@link #RESERVE_MAX}. */
    private static final int RESERVE_MIN = 8;

    private static final int RESERVE_MAX = 64;
    /** No jar has it. */
    private static final String MISSING = "META-INF/io.metricsaggregator.missing";

    private Descriptors() {}

    /**
     * Returns the number of connections that this process may accept: {@code wanted}, or fewer with a warning in the log. At least 1.
     *
     * @param wanted configured maximum of connections
     * @param others descriptors reserved for other uses, such as one per scraped exporter
     */
    public static int connections(int wanted, int others) {
        // The first look-up of what no jar has opens all jars, at the latest for the first selector: they count.
        ClassLoader.getSystemResource(MISSING);
        ProcFiles files = ProcFiles.ofThisHost();
        Long known = files.openFilesMax();
        long limit = known == null ? Integer.MAX_VALUE : known;
        long free = limit - files.openFiles() - others;
        int allowed = connections(wanted, free);
        if (allowed < wanted) {
            LOG.warn(
                    "connections limited by the process's file descriptors connections={} descriptors={}. Raise the limit"
                            + " with ulimit -n for more",
                    allowed,
                    limit);
        }
        return allowed;
    }

    static int connections(int wanted, long free) {
        long reserve = Math.min(RESERVE_MAX, Math.max(RESERVE_MIN, free / 4));
        return (int) Math.max(1, Math.min(wanted, free - reserve));
    }
}
