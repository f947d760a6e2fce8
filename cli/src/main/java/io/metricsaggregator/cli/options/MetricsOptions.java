package io.metricsaggregator.cli.options;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.SteadySettings;
import io.metricsaggregator.config.TargetSettings;
import io.metricsaggregator.fold.series.Slo;
import io.metricsaggregator.fold.series.Streaming;
import io.metricsaggregator.options.OptionGroup;
import io.metricsaggregator.options.SloConverter;
import io.metricsaggregator.options.SteadyOptions;
import io.metricsaggregator.options.TargetFlags;
import io.metricsaggregator.options.TrackingOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which samples and series {@code run} reports, and how finely. */
@OptionGroup.In(OptionGroup.METRICS)
public final class MetricsOptions {
    @Option(
            names = "--hdr-sig-figs",
            paramLabel = "N",
            defaultValue = "3",
            description =
                    "Significant decimal digits of live percentiles, 1 to 5. Final percentiles are exact. Default:"
                            + " ${DEFAULT-VALUE}.")
    private int significantFigures;

    @Option(
            names = "--n-histogram-buckets",
            paramLabel = "N",
            defaultValue = "30",
            description = "Number of histogram buckets in snapshots, 1 to 10000. Default: ${DEFAULT-VALUE}.")
    private int displayBuckets;

    @Mixin
    private TrackingOptions tracking = new TrackingOptions();

    @Option(
            names = "--early-stopping",
            description =
                    "Add MLPerf early-stopping estimates to the final snapshot: for each percentile from 50 up, the"
                            + " bound that holds with 99 %% confidence.")
    private boolean earlyStopping;

    @Option(
            names = "--slo",
            paramLabel = "LIMITS",
            converter = SloConverter.class,
            description = "Latency objectives, such as ttft=500ms,tpot=40ms,latency=10s,share=95%%. Report how many"
                    + " samples meet all limits (goodput), and whether their share reaches the target. Default of"
                    + " share: 90%%. By class: 'gold: ttft=200ms,share=99%%; *: ttft=2s' with --slo-key.")
    private @Nullable Slo objectives;

    @Option(
            names = "--slo-key",
            paramLabel = "KEY",
            description = "Label of samples whose values are the classes of --slo, such as priority.")
    private @Nullable String classKey;

    @Mixin
    private TargetFlags targets = new TargetFlags();

    @Mixin
    private SteadyOptions steady = new SteadyOptions();

    /**
     * Adds these settings to the configuration of a run.
     *
     * @param streaming applies without {@code --streaming} and {@code --no-streaming}
     */
    public void addTo(RunConfig.Builder config, Streaming streaming) {
        config.significantFigures(significantFigures)
                .displayBuckets(displayBuckets)
                .streaming(tracking.streaming(streaming))
                .trackAll(tracking.tracksAll())
                .earlyStopping(earlyStopping)
                .objectives(SloConverter.keyed(objectives, classKey))
                .targets(targets.build(TargetSettings.DEFAULT))
                .steady(steady.build(SteadySettings.DEFAULT));
    }

    /** Whether an objective limits the time per output token, which requires a tokenizer. */
    public boolean needTokens() {
        return objectives != null && objectives.limitsTpot();
    }
}
