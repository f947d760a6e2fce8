package io.metricsaggregator.daemon;

import org.jspecify.annotations.Nullable;

/**
 * The process that started the daemon. When it ends, the kernel gives the daemon another parent: init, or the nearest process that adopts
 * orphans.
 */
final class ParentProcess {
    /** Set by the start script, which runs before the JVM: a parent that ends in between is detected, too. */
    private static final String PROPERTY = "metrics.aggregator.parent";

    private final long pid;

    private ParentProcess(long pid) {
        this.pid = pid;
    }

    /**
     * Returns the process that was the parent when the daemon started.
     *
     * @throws IllegalArgumentException if the parent is in another PID namespace
     */
    static ParentProcess atStart() {
        Long given = Long.getLong(PROPERTY);
        long pid = given == null ? currentPid() : given;
        if (pid <= 0) {
            throw new IllegalArgumentException(
                    "--exit-with-parent: the parent process is in another PID namespace and cannot be watched. Stop the"
                            + " daemon with SIGTERM instead");
        }
        return new ParentProcess(pid);
    }

    long pid() {
        return pid;
    }

    boolean isGone() {
        return currentPid() != pid;
    }

    private static long currentPid() {
        @Nullable ProcessHandle parent = ProcessHandle.current().parent().orElse(null);
        return parent == null ? 0 : parent.pid();
    }
}
