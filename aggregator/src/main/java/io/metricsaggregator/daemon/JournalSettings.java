package io.metricsaggregator.daemon;

import io.metricsaggregator.fold.Slo;
import io.metricsaggregator.journal.JournalReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a journal says of how its run was aggregated, so that it can be computed again in the same way. */
final class JournalSettings {
    private static final String VERSION = "version";
    private static final Set<String> IDENTITY = Set.of("run_id", "started_wall_ns", JournalReader.ID_SECRET);
    /** Settings whose default depends on the heap. */
    private static final Set<String> BOUNDS = Set.of("max_keys");

    private JournalSettings() {}

    static Map<String, String> of(AggregatorOptions options) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put(VERSION, options.version());
        settings.put("streaming", options.streaming().setting());
        settings.put("early_stopping", Boolean.toString(options.earlyStopping()));
        settings.put("hdr_sig_figs", Integer.toString(options.significantFigures()));
        settings.put("n_histogram_buckets", Integer.toString(options.displayBuckets()));
        if (options.trackAll()) {
            settings.put("track", "all");
        }
        AggregatorOptions.Tokens tokens = options.tokens();
        if (tokens != null) {
            settings.put("tokenizer", tokens.source());
            settings.put("chat_template", tokens.chat().source());
            settings.put("transformers_version", tokens.chat().version().toString());
        }
        TelemetrySettings.put(settings, options.observe().options());
        Slo slo = options.objectives();
        if (slo != null) {
            limit(settings, "slo_ttft_ns", slo.ttftNanos());
            limit(settings, "slo_tpot_ns", slo.tpotNanos());
            limit(settings, "slo_latency_ns", slo.latencyNanos());
            settings.put("slo_target_share", Double.toString(slo.targetShare()));
        }
        return settings;
    }

    /**
     * How a run was aggregated otherwise than {@code now}, in words; empty if it was not. Settings that only one of two versions of
     * the program knows are no difference, nor are bounds that follow from the heap: the same flags give others on another machine.
     *
     * @param was what a journal says of its run
     * @param now from {@link #of}
     */
    static List<String> differences(Map<String, String> was, Map<String, String> now) {
        boolean sameVersion = Objects.equals(was.get(VERSION), now.get(VERSION));
        List<String> differences = new ArrayList<>();
        Set<String> names = new TreeSet<>(now.keySet());
        was.keySet().stream().filter(JournalSettings::isSetting).forEach(names::add);
        names.remove(VERSION);
        names.removeAll(BOUNDS);
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

    /** Whether a name of a journal's description is that of a setting, and not of what the run is. */
    private static boolean isSetting(String name) {
        return !IDENTITY.contains(name) && !name.startsWith(RunJournal.ENVIRONMENT);
    }

    private static void limit(Map<String, String> settings, String name, long nanos) {
        if (nanos != Slo.NONE) {
            settings.put(name, Long.toString(nanos));
        }
    }

    /** The objectives of a run; null if it had none. */
    static @Nullable Slo objectives(Map<String, String> settings) {
        if (!settings.containsKey("slo_target_share")) {
            return null;
        }
        try {
            return new Slo(
                    limit(settings.get("slo_ttft_ns")),
                    limit(settings.get("slo_tpot_ns")),
                    limit(settings.get("slo_latency_ns")),
                    Double.parseDouble(settings.get("slo_target_share")));
        } catch (IllegalArgumentException e) {
            // A journal of a version that means something else by it.
            return null;
        }
    }

    private static long limit(@Nullable String text) {
        return text == null ? Slo.NONE : Long.parseLong(text);
    }

    /** Whether every sample of a run was tracked. */
    static boolean trackAll(Map<String, String> settings) {
        return "all".equals(settings.get("track"));
    }

    static int number(@Nullable String text, int otherwise) {
        try {
            return text == null ? otherwise : Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }
}
