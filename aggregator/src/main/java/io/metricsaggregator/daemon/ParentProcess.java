package io.metricsaggregator.daemon;

import org.jspecify.annotations.Nullable;

/**
 * The process that started the daemon. When it ends, the kernel gives the daemon another parent: init, or the nearest process that adopts
 * orphans.
 */
final class ParentProcess {
    /** Set by the start script, which runs earlier than the JVM: a parent that ends in between is noticed, too. */
    private static final String PROPERTY = "metrics.aggregator.parent";

    private final long pid;

    private ParentProcess(long pid) {
        this.pid = pid;
    }

    /**
     * The parent as it was when the daemon was started.
     *
     * @throws IllegalArgumentException if it cannot be seen from here, as in a PID namespace of its own
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
