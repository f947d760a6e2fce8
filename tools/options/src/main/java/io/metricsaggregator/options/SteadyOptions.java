package io.metricsaggregator.options;

import io.metricsaggregator.config.SteadySettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How the steady state is judged, in a run or its recomputation. */
@OptionGroup.In(OptionGroup.METRICS)
public final class SteadyOptions {
    @Option(
            names = "--superpass-size",
            paramLabel = "N",
            description =
                    "Judge the steady state of a complete run by super-passes of N tracked samples too, usually the size of the"
                            + " dataset, and write steady_state.json and steady_state.txt of MLCommons. Needs output tokens and"
                            + " streamed chunks. Default: the size that session.phase_start announces; none without it.")
    private @Nullable Long superPassSize;

    @Option(
            names = "--steady-min",
            paramLabel = "TIME",
            description =
                    "Shortest steady window that is certified. Default: 600s; MLPerf Endpoints requires 1200s above a"
                            + " concurrency of 32.")
    private @Nullable Duration min;

    @Option(
            names = "--warmup-blocks",
            paramLabel = "N",
            description =
                    "Super-passes to leave out at the start of the run; auto: those that are not yet at the level of the run's"
                            + " second half. Default: auto.")
    private @Nullable String warmup;

    /** Whether any of these options is given. */
    boolean areGiven() {
        return superPassSize != null || min != null || warmup != null;
    }

    /**
     * Builds the settings.
     *
     * @param defaults apply where an option is not given
     */
    public SteadySettings build(SteadySettings defaults) {
        if (superPassSize != null && superPassSize < 1) {
            throw new IllegalArgumentException("--superpass-size " + superPassSize + " is not above 0");
        }
        return new SteadySettings(
                superPassSize == null ? defaults.superPassSize() : superPassSize,
                min == null ? defaults.minNanos() : min.toNanos(),
                warmup == null ? defaults.warmupPasses() : passes(warmup));
    }

    private static int passes(String text) {
        if (text.equals("auto")) {
            return SteadySettings.AUTO;
        }
        if (!text.matches("\\d{1,6}")) {
            throw new IllegalArgumentException(
                    "--warmup-blocks '" + text + "' is neither auto nor a number of super-passes");
        }
        return Integer.parseInt(text);
    }
}
