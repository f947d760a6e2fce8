package io.metricsaggregator.daemon;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many connections a process may hold so that it always has file descriptors left: for the final file, the journal's next segment, the
 * exporters, and classes that are loaded late.
 */
final class Descriptors {
    private static final Logger LOG = LoggerFactory.getLogger(Descriptors.class);
    /** Of what is free at the start, a quarter is kept back: at least the first number, at most the second. */
    private static final int RESERVE_MIN = 8;

    private static final int RESERVE_MAX = 64;

    private Descriptors() {}

    /**
     * What {@code wanted} connections have to be reduced to.
     *
     * @param others descriptors that are needed elsewhere, such as one for each exporter that is scraped
     */
    static int connections(int wanted, int others) {
        long limit = limit();
        long free = limit - open() - others;
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

    /** The limit of this process; very many where it is not known. */
    private static long limit() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/limits"))) {
                if (line.startsWith("Max open files")) {
                    String soft =
                            line.substring("Max open files".length()).strip().replaceFirst("\\s.*", "");
                    return soft.matches("\\d{1,18}") ? Long.parseLong(soft) : Integer.MAX_VALUE;
                }
            }
        } catch (IOException e) {
            LOG.debug("the limit of file descriptors is not known", e);
        }
        return Integer.MAX_VALUE;
    }

    private static int open() {
        int count = 0;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path entry : entries) {
                count += entry.toString().isEmpty() ? 0 : 1;
            }
        } catch (IOException e) {
            LOG.debug("the open file descriptors cannot be counted", e);
        }
        return count;
    }
}
