package io.metricsaggregator.options;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.FailureLimit;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The share of failed samples that the verdict tolerates. */
@OptionGroup.In(OptionGroup.METRICS)
public final class FailureOptions {
    @Option(
            names = "--max-failed",
            paramLabel = "SHARE",
            description =
                    "Share of failed samples from which the verdict is QUESTIONABLE, such as 5%% or 0.05; 0 for any failure, at most"
                            + " 50%%, from which it is INVALID. Default: 5%%, or as the run was given.")
    private @Nullable String maxFailed;

    /** Whether the option is given. */
    boolean isGiven() {
        return maxFailed != null;
    }

    /**
     * The share, 0 to 0.5; null without the option.
     *
     * @throws IllegalArgumentException if it is not such a share
     */
    public @Nullable Double build() {
        if (maxFailed == null) {
            return null;
        }
        try {
            boolean percent = maxFailed.endsWith("%");
            double share = Double.parseDouble(percent ? maxFailed.substring(0, maxFailed.length() - 1) : maxFailed)
                    / (percent ? 100 : 1);
            if (FailureLimit.isPossible(share)) {
                return share;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new IllegalArgumentException("--max-failed '" + maxFailed
                + "' is not a share from 0 to 50%, such as 5% or 0.05: from 50% on a run is INVALID in any case");
    }

    /** The snapshot with this limit among its settings; the same snapshot without the option, or if it is of another daemon. */
    public MetricsSnapshot stateIn(MetricsSnapshot snapshot) {
        Double share = build();
        return share == null
                ? snapshot
                : StatedSettings.in(
                        snapshot, "--max-failed needs", settings -> Map.of(FailureLimit.NAME, share.toString()));
    }
}
