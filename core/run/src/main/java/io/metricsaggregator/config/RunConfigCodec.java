package io.metricsaggregator.config;

import io.metricsaggregator.fold.series.Slo;
import io.metricsaggregator.fold.series.Streaming;
import io.metricsaggregator.fold.series.TokenSource;
import io.metricsaggregator.snapshot.figures.EnergySettings;
import io.metricsaggregator.snapshot.figures.FailureLimit;
import io.metricsaggregator.snapshot.figures.ReportedUsage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * {@link RunConfig} as named text settings, the form in which journals and snapshots hold it. Names and texts are part of both formats:
 * a journal of an earlier version is read with the defaults of what it does not name. The time cut, excluded workers and further
 * percentiles belong to a replay and have no setting.
 */
public final class RunConfigCodec {
    private static final String VERSION = "version";
    private static final String STREAMING = "streaming";
    private static final String EARLY_STOPPING = "early_stopping";
    private static final String SIGNIFICANT_FIGURES = "hdr_sig_figs";
    private static final String DISPLAY_BUCKETS = "n_histogram_buckets";
    private static final String TRACK = "track";
    private static final String TRACK_ALL = "all";
    private static final String TOKENIZER = "tokenizer";
    private static final String TOKEN_SOURCE = "token_source";
    private static final String COUNT_UNTRACKED = "count_untracked";
    private static final String CHAT_TEMPLATE = "chat_template";
    private static final String TRANSFORMERS_VERSION = "transformers_version";
    private static final String SLO_TTFT = "slo_ttft_ns";
    private static final String SLO_TPOT = "slo_tpot_ns";
    private static final String SLO_LATENCY = "slo_latency_ns";
    private static final String SLO_SHARE = "slo_target_share";
    private static final String SLO_KEY = "slo_key";
    private static final String SLO_CLASS = "slo_class ";
    private static final String SUPERPASS_SIZE = "superpass_size";
    private static final String STEADY_MIN = "steady_min_ns";
    private static final String WARMUP_BLOCKS = "warmup_blocks";
    /** Settings whose default follows from the heap: the same flags give other values on another machine. */
    private static final Set<String> HEAP_BOUNDS = Set.of(TelemetrySettings.MAX_KEYS);

    private RunConfigCodec() {}

    /** Encodes a configuration; the settings are in the order in which files show them. */
    public static Map<String, String> encode(RunConfig config) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put(VERSION, config.version());
        settings.put(STREAMING, config.tracking().streaming().setting());
        settings.put(EARLY_STOPPING, Boolean.toString(config.earlyStopping()));
        settings.put(SIGNIFICANT_FIGURES, Integer.toString(config.histograms().significantFigures()));
        settings.put(DISPLAY_BUCKETS, Integer.toString(config.histograms().displayBuckets()));
        if (config.tracking().trackAll()) {
            settings.put(TRACK, TRACK_ALL);
        }
        RunConfig.Tokenizer tokenizer = config.tokenizer();
        if (tokenizer != null) {
            settings.put(TOKENIZER, tokenizer.source());
            settings.put(CHAT_TEMPLATE, tokenizer.chatTemplate());
            settings.put(TRANSFORMERS_VERSION, tokenizer.transformersVersion());
        }
        if (config.tokenSource() != TokenSource.TOKENIZER) {
            settings.put(TOKEN_SOURCE, config.tokenSource().setting());
        }
        if (config.tracking().countUntracked()) {
            settings.put(COUNT_UNTRACKED, "true");
        }
        TelemetrySettings.encode(config.telemetry(), settings);
        config.targets().encode(settings);
        encode(config.steady(), settings);
        Slo objectives = config.objectives();
        if (objectives != null && !objectives.key().isEmpty()) {
            settings.put(SLO_KEY, objectives.key());
            objectives.classes().forEach((name, slo) -> encode(slo, SLO_CLASS + name + " ", settings));
        } else if (objectives != null) {
            encode(objectives, "", settings);
        }
        settings.putAll(config.energy().encode());
        Double maxFailed = config.maxFailed();
        if (maxFailed != null) {
            settings.put(FailureLimit.NAME, maxFailed.toString());
        }
        Double goldenLength = config.goldenLength();
        if (goldenLength != null) {
            settings.put(ReportedUsage.Speculation.GOLDEN, goldenLength.toString());
        }
        return settings;
    }

    private static void encode(Slo slo, String prefix, Map<String, String> settings) {
        putLimit(settings, prefix + SLO_TTFT, slo.ttftNanos());
        putLimit(settings, prefix + SLO_TPOT, slo.tpotNanos());
        putLimit(settings, prefix + SLO_LATENCY, slo.latencyNanos());
        settings.put(prefix + SLO_SHARE, Double.toString(slo.targetShare()));
    }

    /** Defaults are left out, so that a run without these settings is described as by earlier versions. */
    private static void encode(SteadySettings steady, Map<String, String> settings) {
        if (steady.superPassSize() != SteadySettings.DEFAULT.superPassSize()) {
            settings.put(SUPERPASS_SIZE, Long.toString(steady.superPassSize()));
        }
        if (steady.minNanos() != SteadySettings.DEFAULT.minNanos()) {
            settings.put(STEADY_MIN, Long.toString(steady.minNanos()));
        }
        if (steady.warmupPasses() != SteadySettings.AUTO) {
            settings.put(WARMUP_BLOCKS, Integer.toString(steady.warmupPasses()));
        }
    }

    private static SteadySettings steady(Map<String, String> settings) {
        return new SteadySettings(
                longNumber(settings.get(SUPERPASS_SIZE), SteadySettings.DEFAULT.superPassSize()),
                longNumber(settings.get(STEADY_MIN), SteadySettings.DEFAULT.minNanos()),
                number(settings.get(WARMUP_BLOCKS), SteadySettings.AUTO));
    }

    private static long longNumber(@Nullable String text, long missing) {
        try {
            return text == null ? missing : Long.parseLong(text);
        } catch (NumberFormatException e) {
            return missing;
        }
    }

    /**
     * Decodes the settings of a run; other names among them are ignored, and a missing or unreadable setting has its default.
     *
     * @throws IllegalArgumentException if a setting is out of range
     */
    public static RunConfig decode(Map<String, String> settings) {
        return RunConfig.builder()
                .version(settings.getOrDefault(VERSION, ""))
                .streaming(Streaming.ofSetting(settings.get(STREAMING)))
                .earlyStopping(Boolean.parseBoolean(settings.get(EARLY_STOPPING)))
                .significantFigures(number(settings.get(SIGNIFICANT_FIGURES), 3))
                .displayBuckets(number(settings.get(DISPLAY_BUCKETS), 30))
                .trackAll(TRACK_ALL.equals(settings.get(TRACK)))
                .tokenizer(tokenizer(settings))
                .tokenSource(tokenSource(settings))
                .countUntracked(countsUntracked(settings))
                .telemetry(TelemetrySettings.decode(settings))
                .targets(TargetSettings.decode(settings))
                .energy(EnergySettings.of(settings))
                .maxFailed(FailureLimit.of(settings))
                .goldenLength(ReportedUsage.Speculation.golden(settings))
                .objectives(objectives(settings))
                .steady(steady(settings))
                .build();
    }

    /**
     * The settings in which a recorded run differs from {@code now}, in words such as {@code streaming was auto and is true}; empty if
     * it can be resumed. Settings that only one of two program versions knows do not count, nor do
     * bounds that follow from the heap, stated power and price, the limit of failed samples and the golden acceptance length, which decide no measured
     * figure.
     *
     * @param was settings of the recorded run, and nothing else
     */
    public static List<String> differences(Map<String, String> was, RunConfig now) {
        return differences(was, encode(now));
    }

    static List<String> differences(Map<String, String> was, Map<String, String> now) {
        boolean sameVersion = Objects.equals(was.get(VERSION), now.get(VERSION));
        Set<String> names = new TreeSet<>(now.keySet());
        names.addAll(was.keySet());
        names.remove(VERSION);
        names.removeAll(HEAP_BOUNDS);
        names.removeAll(EnergySettings.NAMES);
        names.remove(FailureLimit.NAME);
        names.remove(ReportedUsage.Speculation.GOLDEN);
        List<String> differences = new ArrayList<>();
        for (String name : names) {
            String before = was.get(name);
            String after = now.get(name);
            boolean comparable = sameVersion || (before != null && after != null);
            if (comparable && !Objects.equals(before, after)) {
                differences.add(name + " was " + (before == null ? "not set" : before) + " and is "
                        + (after == null ? "not set" : after));
            }
        }
        return differences;
    }

    private static void putLimit(Map<String, String> settings, String name, long nanos) {
        if (nanos != Slo.NONE) {
            settings.put(name, Long.toString(nanos));
        }
    }

    /** The source of the token series, as far as it fits the other settings. */
    private static boolean countsUntracked(Map<String, String> settings) {
        return Boolean.parseBoolean(settings.get(COUNT_UNTRACKED))
                && (settings.containsKey(TOKENIZER) || tokenSource(settings) == TokenSource.USAGE);
    }

    private static TokenSource tokenSource(Map<String, String> settings) {
        TokenSource source = TokenSource.ofSetting(settings.get(TOKEN_SOURCE));
        boolean fits = (source == TokenSource.BOTH) == settings.containsKey(TOKENIZER);
        return fits ? source : TokenSource.TOKENIZER;
    }

    private static RunConfig.@Nullable Tokenizer tokenizer(Map<String, String> settings) {
        String source = settings.get(TOKENIZER);
        return source == null
                ? null
                : new RunConfig.Tokenizer(
                        source,
                        settings.getOrDefault(CHAT_TEMPLATE, ""),
                        settings.getOrDefault(TRANSFORMERS_VERSION, ""));
    }

    private static @Nullable Slo objectives(Map<String, String> settings) {
        String key = settings.get(SLO_KEY);
        try {
            if (key == null) {
                return settings.containsKey(SLO_SHARE) ? objectives(settings, "") : null;
            }
            Map<String, Slo> classes = new LinkedHashMap<>();
            for (String name : settings.keySet()) {
                if (name.startsWith(SLO_CLASS) && name.endsWith(" " + SLO_SHARE)) {
                    String prefix = name.substring(0, name.length() - SLO_SHARE.length());
                    classes.put(prefix.substring(SLO_CLASS.length()).trim(), objectives(settings, prefix));
                }
            }
            return Slo.ofClasses(key, classes);
        } catch (IllegalArgumentException e) {
            // A version that writes objectives in another form: the run is computed without them.
            return null;
        }
    }

    private static Slo objectives(Map<String, String> settings, String prefix) {
        return new Slo(
                limit(settings.get(prefix + SLO_TTFT)),
                limit(settings.get(prefix + SLO_TPOT)),
                limit(settings.get(prefix + SLO_LATENCY)),
                Double.parseDouble(settings.getOrDefault(prefix + SLO_SHARE, "")));
    }

    private static long limit(@Nullable String text) {
        return text == null ? Slo.NONE : Long.parseLong(text);
    }

    /** The number that {@code text} holds, or {@code missing} if it is null or not a number. */
    static int number(@Nullable String text, int missing) {
        try {
            return text == null ? missing : Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return missing;
        }
    }
}
