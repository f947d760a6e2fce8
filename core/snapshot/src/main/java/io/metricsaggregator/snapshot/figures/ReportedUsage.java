package io.metricsaggregator.snapshot.figures;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.event.Usage;
import io.metricsaggregator.event.UsageKey;
import io.metricsaggregator.snapshot.fields.Fields;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tokens that servers reported with the completions of tracked samples. They are kept apart from tokens that the daemon counts.
 *
 * @param reported completions of tracked samples with a valid usage, those after an error included
 * @param failed completions of {@code reported} after an error; only {@code totals} include their tokens
 * @param byClient completions of {@code reported} whose tokens the tool's own tokenizer counted
 * @param totals sum of each count over {@code reported}; a key that no completion had is absent
 * @param cache successes that reported cached tokens
 * @param speculation successes that reported speculative decoding
 * @param mismatches for each count that the daemon counted too, how the two differ
 */
public record ReportedUsage(
        long reported,
        long failed,
        long byClient,
        Map<UsageKey, Long> totals,
        Cache cache,
        Speculation speculation,
        List<Mismatch> mismatches) {

    public static final ReportedUsage BLANK =
            new ReportedUsage(0, 0, 0, Map.of(), new Cache(0, 0, 0), Speculation.NONE, List.of());

    /** The fields; see {@link Fields.Shape}. */
    public static ReportedUsage pass(Fields f, ReportedUsage v) throws MalformedMessageException {
        return new ReportedUsage(
                f.laterCount("reported", v.reported()),
                f.laterCount("failed", v.failed()),
                f.laterCount("by_client", v.byClient()),
                f.record("totals", v.totals(), ReportedUsage::passTotals, Map.of()),
                Cache.pass(f, v.cache()),
                f.group(v.speculation().reported() > 0, "spec_reported")
                        ? Speculation.pass(f, v.speculation())
                        : Speculation.NONE,
                f.group(!v.mismatches().isEmpty(), "mismatch")
                        ? f.byName("mismatch", v.mismatches(), Mismatch::kind, Mismatch::named, Mismatch::pass)
                        : List.of());
    }

    private static Map<UsageKey, Long> passTotals(Fields f, Map<UsageKey, Long> v) throws MalformedMessageException {
        Map<UsageKey, Long> totals = new EnumMap<>(UsageKey.class);
        for (UsageKey key : UsageKey.values()) {
            Long total = f.by(Fields.Merge.KNOWN_SUM).absentCount(key.wireName(), v.get(key));
            if (total != null) {
                totals.put(key, total);
            }
        }
        return totals;
    }

    public ReportedUsage {
        EnumMap<UsageKey, Long> copy = new EnumMap<>(UsageKey.class);
        copy.putAll(totals);
        totals = Collections.unmodifiableMap(copy);
        mismatches = List.copyOf(mismatches);
    }

    /** Creates the usage of a run whose daemon counted no tokens. */
    public ReportedUsage(
            long reported,
            long failed,
            long byClient,
            Map<UsageKey, Long> totals,
            Cache cache,
            Speculation speculation) {
        this(reported, failed, byClient, totals, cache, speculation, List.of());
    }

    /**
     * How a reported count differs from the daemon's own, over the successes that have both. The deviation of a sample is
     * (reported − counted) / counted.
     *
     * @param kind {@code prompt}, {@code completion} or {@code reasoning}
     * @param compared samples
     * @param mismatched samples of {@code compared} that deviate by more than a tenth
     * @param skipped samples that report a count and have none to compare it with, or one of 0
     * @param reportedTokens sum of the reported counts of {@code compared}
     * @param countedTokens sum of the daemon's counts of {@code compared}
     * @param p50 median of the absolute deviation; null in a merged run
     * @param p99 its 99th percentile; null in a merged run
     */
    public record Mismatch(
            String kind,
            long compared,
            long mismatched,
            long skipped,
            long reportedTokens,
            long countedTokens,
            @Nullable Double p50,
            @Nullable Double p99) {
        private static Mismatch named(String kind) {
            return new Mismatch(kind, 0, 0, 0, 0, 0, null, null);
        }

        /** The fields; see {@link Fields.Shape}. */
        public static Mismatch pass(Fields f, Mismatch v) throws MalformedMessageException {
            long compared = f.laterCount("compared", v.compared());
            long mismatched = f.laterCount("mismatched", v.mismatched());
            long skipped = f.laterCount("skipped", v.skipped());
            long reported = f.laterCount("reported_tokens", v.reportedTokens());
            long counted = f.laterCount("counted_tokens", v.countedTokens());
            f.derived("bias_ratio", v.biasRatio());
            return new Mismatch(
                    v.kind(),
                    compared,
                    mismatched,
                    skipped,
                    reported,
                    counted,
                    f.by(Fields.Merge.NONE).maybeReal("deviation_p50", v.p50()),
                    f.by(Fields.Merge.NONE).maybeReal("deviation_p99", v.p99()));
        }

        /** The signed deviation of the sums; null if nothing was counted. */
        public @Nullable Double biasRatio() {
            return countedTokens == 0 ? null : (double) reportedTokens / countedTokens - 1;
        }
    }

    /**
     * Successes that reported both prompt and cached tokens. A sample that reports no cached tokens is in neither sum: the server may have
     * cached and not say so.
     *
     * @param reported samples
     * @param promptTokens their prompt tokens
     * @param hitTokens those of {@code promptTokens} that came from the cache
     */
    public record Cache(long reported, long promptTokens, long hitTokens) {
        private static Cache pass(Fields f, Cache v) throws MalformedMessageException {
            Cache cache = new Cache(
                    f.laterCount("cache_reported", v.reported()),
                    f.laterCount("cache_prompt_tokens", v.promptTokens()),
                    f.laterCount("cache_hit_tokens", v.hitTokens()));
            f.derived("cache_hit_ratio", v.hitRatio());
            return cache;
        }

        /** The share of prompt tokens that came from the cache, 0 to 1; null without prompt tokens. */
        public @Nullable Double hitRatio() {
            return promptTokens == 0 ? null : (double) hitTokens / promptTokens;
        }
    }

    /**
     * Successes that reported drafts, draft tokens and accepted tokens.
     *
     * @param reported samples
     * @param drafts number of drafts
     * @param draftTokens tokens in the drafts
     * @param acceptedTokens draft tokens that the model accepted
     * @param histogram number of steps by the draft tokens that they accepted, of the samples that reported it; without zeros
     */
    public record Speculation(
            long reported, long drafts, long draftTokens, long acceptedTokens, Map<String, Long> histogram) {
        /** Setting of a run: the acceptance length that it has to show ({@code --golden-al}). */
        public static final String GOLDEN = "golden_al";

        private static final Speculation NONE = new Speculation(0, 0, 0, 0, Map.of());

        public Speculation {
            histogram = Collections.unmodifiableMap(new LinkedHashMap<>(histogram));
        }

        /** The golden length among settings, at least 1; null if none is stated, or several of a merged run. */
        public static @Nullable Double golden(Map<String, String> settings) {
            try {
                double length = Double.parseDouble(settings.getOrDefault(GOLDEN, ""));
                return length >= 1 ? (Double) length : null;
            } catch (NumberFormatException e) {
                return null;
            }
        }

        private static Speculation pass(Fields f, Speculation v) throws MalformedMessageException {
            long reported = f.laterCount("spec_reported", v.reported());
            long drafts = f.laterCount("spec_drafts", v.drafts());
            long draftTokens = f.laterCount("spec_draft_tokens", v.draftTokens());
            long accepted = f.laterCount("spec_accepted_tokens", v.acceptedTokens());
            f.derived("acceptance_ratio", v.acceptanceRatio());
            f.derived("acceptance_length", v.acceptanceLength());
            Map<String, Long> histogram = Map.of();
            if (f.group(!v.histogram.isEmpty(), Usage.SPEC_HISTOGRAM)) {
                histogram = f.counts("spec_histogram", v.histogram());
                f.derived("acceptance_by_position", v.acceptanceByPosition());
            }
            return new Speculation(reported, drafts, draftTokens, accepted, histogram);
        }

        /** Accepted tokens per draft token; null without draft tokens. */
        public @Nullable Double acceptanceRatio() {
            return draftTokens == 0 ? null : (double) acceptedTokens / draftTokens;
        }

        /** Tokens that one step yields on average: accepted tokens per draft and the model's own token; null without drafts. */
        public @Nullable Double acceptanceLength() {
            return drafts == 0 ? null : 1 + (double) acceptedTokens / drafts;
        }

        /** Share of the steps of {@code histogram} that accepted at least 1, 2, … draft tokens; empty without one. */
        public List<Double> acceptanceByPosition() {
            double all =
                    histogram.values().stream().mapToDouble(Long::doubleValue).sum();
            List<Double> shares = new ArrayList<>();
            double steps = 0;
            for (int i = Usage.HISTOGRAM_MAX - 1; i > 0; i--) {
                steps += histogram.getOrDefault(Integer.toString(i), 0L);
                if (steps > 0 && steps <= all) {
                    shares.add(0, steps / all);
                }
            }
            return shares;
        }
    }
}
