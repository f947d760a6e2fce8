package io.metricsaggregator.cli.options;

import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.options.OptionGroup;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What ends a run beside the end of its session, and what makes its exit status a failure. */
@OptionGroup.In(OptionGroup.LIFECYCLE)
public final class LifecycleOptions {
    @Option(names = "--strict", description = "Exit with status 6 if any received record was not applied.")
    private boolean strict;

    @Option(names = "--foreground", description = "End the run as INTERRUPTED on a single SIGINT (Ctrl-C).")
    private boolean foreground;

    @Option(
            names = "--exit-with-parent",
            description = "End the run as INTERRUPTED, as SIGTERM does, when the parent process exits.")
    private boolean exitWithParent;

    @Option(
            names = "--after-end",
            paramLabel = "ACTION",
            defaultValue = "exit",
            description = "What follows the end of the session. exit: the process exits; stay: it serves the result to"
                    + " subscribers and Prometheus until SIGTERM, also when it is killed and started again. For sidecars"
                    + " that are restarted when they exit. Default: ${DEFAULT-VALUE}.")
    private DaemonConfig.AfterEnd afterEnd = DaemonConfig.AfterEnd.EXIT;

    /** How soon the JVM compiles what is used often with its best compiler. */
    enum Profile {
        BALANCED,
        THROUGHPUT,
        SIDECAR
    }

    @Option(
            names = "--profile",
            paramLabel = "PROFILE",
            defaultValue = "balanced",
            description =
                    "What the JVM's compilers may cost. throughput: they begin at once, for millions of records a second;"
                            + " balanced: ten times later, about a sixth less CPU in a run of 20 s; sidecar: the best one never works, a"
                            + " quarter less, but slow at millions of records a second. The start script reads it, not the file"
                            + " of --config. Default: ${DEFAULT-VALUE}.")
    @SuppressWarnings("UnusedVariable") // for help, completion and errors: the start script acts on it
    private Profile profile = Profile.BALANCED;

    @Option(
            names = "--stall-timeout",
            paramLabel = "TIME",
            defaultValue = "30s",
            description = "Time without progress of the main loop after which the daemon writes its last snapshot as"
                    + " INTERRUPTED and exits with status 70; 0: never. Default: ${DEFAULT-VALUE}.")
    private Duration stallTimeout = Duration.ofSeconds(30);

    @Option(
            names = "--interrupt-on-stall",
            paramLabel = "TIME",
            description =
                    "End the run as INTERRUPTED, with exit status 12, after TIME without a chunk, a completion or an error while"
                            + " samples are in flight, such as 10m. Default: never.")
    private @Nullable Duration interruptOnStall;

    /**
     * Builds the settings.
     *
     * @param mlcommons whether MLCommons endpoints started the daemon
     */
    public DaemonConfig.Lifecycle build(boolean mlcommons) {
        return new DaemonConfig.Lifecycle(
                foreground, exitWithParent, mlcommons, strict, stallTimeout.toNanos(), afterEnd, interruptOnStall());
    }

    private long interruptOnStall() {
        return interruptOnStall == null ? 0 : interruptOnStall.toNanos();
    }
}
