package io.metricsaggregator.config;

import io.metricsaggregator.fold.row.TimeCut;
import io.metricsaggregator.fold.series.Slo;
import io.metricsaggregator.fold.series.Streaming;
import io.metricsaggregator.fold.series.TokenSource;
import io.metricsaggregator.journal.NodeName;
import io.metricsaggregator.snapshot.figures.EnergySettings;
import io.metricsaggregator.telemetry.TelemetryOptions;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everything that decides a run's numbers, and its labels. Two runs over the same frames with equal configurations have equal results, so a replay
 * needs all of it. {@link RunConfigCodec} writes it into journals and snapshots.
 *
 * @param version version of the program that computes the run
 * @param histograms resolution of percentiles and histograms
 * @param tracking which samples have values in series, and which series there are
 * @param earlyStopping whether the terminal snapshot holds MLPerf's early stopping estimates
 * @param objectives limits that samples are judged by; null for none
 * @param tokenizer the tokenizer that counts texts; null if texts are not counted
 * @param tokenSource where the token series come from
 * @param telemetry settings of the telemetry folds
 * @param energy what the user states of power and price
 * @param maxFailed share of failed samples from which the verdict is questionable; null for the default
 * @param goldenLength acceptance length that speculative decoding has to show, at least 1; null to judge none
 * @param labels what the user states of the run, by {@link RunLabels}; they decide no number and are not among the settings
 * @param targets the endpoints under test
 * @param steady how the steady state is judged
 * @param node name of the node that receives the run, a valid {@link NodeName}; null for the name of the host. It decides no
 *     number and is not among the settings
 */
public record RunConfig(
        String version,
        Histograms histograms,
        Tracking tracking,
        boolean earlyStopping,
        @Nullable Slo objectives,
        @Nullable Tokenizer tokenizer,
        TokenSource tokenSource,
        TelemetryOptions telemetry,
        EnergySettings energy,
        @Nullable Double maxFailed,
        @Nullable Double goldenLength,
        Map<String, String> labels,
        TargetSettings targets,
        SteadySettings steady,
        @Nullable String node) {
    private static final int BUCKETS_MAX = 10_000;

    /**
     * Resolution of percentiles and histograms.
     *
     * @param significantFigures of HDR histograms, 1 to 5
     * @param displayBuckets buckets of a histogram in a snapshot, 1 to 10,000
     * @param percentiles percentiles of every series besides the standard ones, each above 0 and below 100
     */
    public record Histograms(int significantFigures, int displayBuckets, List<Double> percentiles) {
        public Histograms {
            percentiles = List.copyOf(percentiles);
            require(
                    significantFigures >= 1 && significantFigures <= 5,
                    "--hdr-sig-figs " + significantFigures + ": the significant figures are not 1 to 5");
            require(
                    displayBuckets >= 1 && displayBuckets <= BUCKETS_MAX,
                    "--n-histogram-buckets " + displayBuckets + " is not 1 to " + BUCKETS_MAX);
        }
    }

    /**
     * Which samples have values in series, and which series there are. A daemon tracks all of a run; only a replay cuts time or
     * leaves workers out.
     *
     * @param streaming whether the series of streamed answers exist
     * @param trackAll whether every sample is tracked from the first record on, whatever the session's events say
     * @param cut the part of the run whose samples are tracked
     * @param countUntracked whether outputs of samples issued outside the tracked windows are counted too, for {@code osl_all}
     * @param excludedWorkers workers, by number or source name, that are left out with every sample they took part in
     */
    public record Tracking(
            Streaming streaming, boolean trackAll, boolean countUntracked, TimeCut cut, Set<String> excludedWorkers) {
        public Tracking {
            excludedWorkers = Set.copyOf(excludedWorkers);
        }
    }

    /**
     * The tokenizer that counts texts, as the run's settings name it. The values are recorded text: the files may be gone.
     *
     * @param source absolute path of {@code tokenizer.json}
     * @param chatTemplate file that the chat template comes from; {@code none} without one
     * @param transformersVersion version of transformers whose rendering of chats is followed
     */
    public record Tokenizer(String source, String chatTemplate, String transformersVersion) {}

    public RunConfig {
        if (node != null) {
            NodeName.require(node);
        }
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
        require(
                tokenSource != TokenSource.USAGE || tokenizer == null,
                "--token-source usage counts no texts: leave --tokenizer out, or use --token-source both");
        require(tokenSource != TokenSource.BOTH || tokenizer != null, "--token-source both needs --tokenizer");
        require(
                !tracking.countUntracked || tokenizer != null || tokenSource == TokenSource.USAGE,
                "--count-untracked needs --tokenizer, or --token-source usage");
        if (objectives != null) {
            boolean chunks = tracking.streaming() != Streaming.OFF;
            require(chunks || !objectives.limitsTtft(), "--slo: an objective for ttft needs --streaming");
            require(chunks || !objectives.limitsTpot(), "--slo: an objective for tpot needs --streaming");
        }
    }

    static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }

    /** Starts from the defaults of the daemon. */
    public static Builder builder() {
        return new Builder();
    }

    /** Starts from this configuration, to change some of it. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.version = version;
        builder.significantFigures = histograms.significantFigures;
        builder.displayBuckets = histograms.displayBuckets;
        builder.percentiles = histograms.percentiles;
        builder.streaming = tracking.streaming;
        builder.trackAll = tracking.trackAll;
        builder.countUntracked = tracking.countUntracked;
        builder.cut = tracking.cut;
        builder.excludedWorkers = tracking.excludedWorkers;
        builder.earlyStopping = earlyStopping;
        builder.objectives = objectives;
        builder.tokenizer = tokenizer;
        builder.tokenSource = tokenSource;
        builder.telemetry = telemetry;
        builder.energy = energy;
        builder.maxFailed = maxFailed;
        builder.goldenLength = goldenLength;
        builder.labels = labels;
        builder.targets = targets;
        builder.steady = steady;
        builder.node = node;
        return builder;
    }

    /**
     * Collects a configuration; a value that is not set keeps its default. Ranges are checked by {@link #build}. Not thread-safe.
     */
    public static final class Builder {
        private String version = "";
        private int significantFigures = 3;
        private int displayBuckets = 30;
        private List<Double> percentiles = List.of();
        private Streaming streaming = Streaming.AUTO;
        private boolean trackAll;
        private boolean countUntracked;
        private TimeCut cut = TimeCut.NONE;
        private Set<String> excludedWorkers = Set.of();
        private boolean earlyStopping;
        private @Nullable Slo objectives;
        private @Nullable Tokenizer tokenizer;
        private TokenSource tokenSource = TokenSource.TOKENIZER;
        private TelemetryOptions telemetry = TelemetryOptions.DEFAULT;
        private EnergySettings energy = EnergySettings.NONE;
        private @Nullable Double maxFailed;
        private @Nullable Double goldenLength;
        private Map<String, String> labels = Map.of();
        private TargetSettings targets = TargetSettings.DEFAULT;
        private SteadySettings steady = SteadySettings.DEFAULT;
        private @Nullable String node;

        private Builder() {}

        /** Sets {@link RunConfig#version}; the default is empty. */
        public Builder version(String text) {
            version = text;
            return this;
        }

        /** Sets {@link Histograms#significantFigures}; the default is 3. */
        public Builder significantFigures(int figures) {
            significantFigures = figures;
            return this;
        }

        /** Sets {@link Histograms#displayBuckets}; the default is 30. */
        public Builder displayBuckets(int buckets) {
            displayBuckets = buckets;
            return this;
        }

        /** Sets {@link Histograms#percentiles}; there are none by default. */
        public Builder percentiles(List<Double> more) {
            percentiles = more;
            return this;
        }

        /** Sets {@link Tracking#streaming}; the default is {@link Streaming#AUTO}. */
        public Builder streaming(Streaming series) {
            streaming = series;
            return this;
        }

        /** Sets {@link Tracking#trackAll}; the default is false. */
        public Builder trackAll(boolean all) {
            trackAll = all;
            return this;
        }

        /** Sets {@link Tracking#countUntracked}; the default is false. */
        public Builder countUntracked(boolean all) {
            countUntracked = all;
            return this;
        }

        /** Sets {@link Tracking#cut}; all of the run by default. */
        public Builder cut(TimeCut part) {
            cut = part;
            return this;
        }

        /** Sets {@link Tracking#excludedWorkers}; there are none by default. */
        public Builder excludedWorkers(Set<String> workers) {
            excludedWorkers = workers;
            return this;
        }

        /** Sets {@link RunConfig#earlyStopping}; the default is false. */
        public Builder earlyStopping(boolean estimates) {
            earlyStopping = estimates;
            return this;
        }

        /** Sets {@link RunConfig#objectives}; null, the default, for none. */
        public Builder objectives(@Nullable Slo limits) {
            objectives = limits;
            return this;
        }

        /** Sets {@link RunConfig#tokenizer}; null, the default, leaves texts uncounted. */
        public Builder tokenizer(@Nullable Tokenizer counted) {
            tokenizer = counted;
            return this;
        }

        /** Sets {@link RunConfig#tokenSource}; the default is {@link TokenSource#TOKENIZER}. */
        public Builder tokenSource(TokenSource source) {
            tokenSource = source;
            return this;
        }

        /** Sets {@link RunConfig#telemetry}; the default is {@link TelemetryOptions#DEFAULT}. */
        public Builder telemetry(TelemetryOptions options) {
            telemetry = options;
            return this;
        }

        /** Sets {@link RunConfig#energy}; nothing is stated by default. */
        public Builder energy(EnergySettings stated) {
            energy = stated;
            return this;
        }

        /** Sets {@link RunConfig#maxFailed}; null, the default, for that of the verdict. */
        public Builder maxFailed(@Nullable Double share) {
            maxFailed = share;
            return this;
        }

        /** Sets {@link RunConfig#goldenLength}; null, the default, to judge none. */
        public Builder goldenLength(@Nullable Double length) {
            goldenLength = length;
            return this;
        }

        /** Sets {@link RunConfig#labels}; there are none by default. */
        public Builder labels(Map<String, String> stated) {
            labels = stated;
            return this;
        }

        /** Sets {@link RunConfig#targets}; the default is {@link TargetSettings#DEFAULT}. */
        public Builder targets(TargetSettings settings) {
            targets = settings;
            return this;
        }

        /** Sets {@link RunConfig#steady}; the default is {@link SteadySettings#DEFAULT}. */
        public Builder steady(SteadySettings settings) {
            steady = settings;
            return this;
        }

        /** Sets {@link RunConfig#node}; null, the default, for the name of the host. */
        public Builder node(@Nullable String name) {
            node = name;
            return this;
        }

        /**
         * Builds the configuration.
         *
         * @throws IllegalArgumentException if a value is out of range or contradicts another; the message names it
         */
        public RunConfig build() {
            return new RunConfig(
                    version,
                    new Histograms(significantFigures, displayBuckets, percentiles),
                    new Tracking(streaming, trackAll, countUntracked, cut, excludedWorkers),
                    earlyStopping,
                    objectives,
                    tokenizer,
                    tokenSource,
                    telemetry,
                    energy,
                    maxFailed,
                    goldenLength,
                    labels,
                    targets,
                    steady,
                    node);
        }
    }
}
