package io.metricsaggregator.daemon;

import io.metricsaggregator.collect.ProcFiles;
import java.io.File;
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

    private Descriptors() {}

    /**
     * Returns the number of connections that this process may accept: {@code wanted}, or fewer with a warning in the log. At least 1.
     *
     * @param wanted configured maximum of connections
     * @param others descriptors reserved for other uses, such as one per scraped exporter
     */
    public static int connections(int wanted, int others) {
        ProcFiles files = ProcFiles.ofThisHost();
        Long known = files.openFilesMax();
        long limit = known == null ? Integer.MAX_VALUE : known;
        long free = limit - files.openFiles() - others - jars();
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

    /** Jars beside the first of the class path: a look-up of what none has opens them all, and they stay open. */
    private static long jars() {
        String first = System.getProperty("java.class.path").split(File.pathSeparator, 2)[0];
        File folder = first.endsWith(".jar") ? new File(first).getAbsoluteFile().getParentFile() : null;
        String[] jars = folder == null ? null : folder.list((any, name) -> name.endsWith(".jar"));
        return jars == null ? 0 : jars.length;
    }

    static int connections(int wanted, long free) {
        long reserve = Math.min(RESERVE_MAX, Math.max(RESERVE_MIN, free / 4));
        return (int) Math.max(1, Math.min(wanted, free - reserve));
    }
}
