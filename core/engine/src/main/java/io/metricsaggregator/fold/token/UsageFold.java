package io.metricsaggregator.fold.token;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.event.DecodedUsage;
import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.event.Usage;
import io.metricsaggregator.event.UsageKey;
import io.metricsaggregator.fold.series.LateMetrics;
import io.metricsaggregator.fold.series.SuccessCounters;
import io.metricsaggregator.registry.LongCounter;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.snapshot.figures.ReportedUsage;
import io.metricsaggregator.text.PendingOutput;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Folds the {@code usage} of tracked samples: tokens as the server reports them, never mixed with counted ones. Each series is registered with
 * its first value, and the counters with the first usage or the first rejected one, so that a run without usage has neither. Belongs to the
 * thread of the fold; allocates only to register.
 */
public final class UsageFold {
    private static final UsageKey[] KEYS = UsageKey.values();

    private final Registry registry;
    private final LateMetrics metrics;
    private final SuccessCounters successes;
    private @Nullable LongCounter missing;

    private final UsageMismatch promptMismatch = new UsageMismatch("prompt");
    private final UsageMismatch outputMismatch = new UsageMismatch("completion");
    private final UsageMismatch reasoningMismatch = new UsageMismatch("reasoning");
    private final PromptJoin prompts;
    private final long[] totals = new long[UsageKey.COUNT];
    private final boolean[] seen = new boolean[UsageKey.COUNT];
    private long reported;
    private long failed;
    private long byClient;
    private long cacheReported;
    private long cachePromptTokens;
    private long cacheHitTokens;
    private long specReported;
    private long specDrafts;
    private long specDraftTokens;
    private long specAcceptedTokens;
    private final long[] specSteps = new long[Usage.HISTOGRAM_MAX];

    UsageFold(Registry registry, LateMetrics metrics, SuccessCounters successes) {
        this.prompts = new PromptJoin(promptMismatch);
        this.registry = registry;
        this.metrics = metrics;
        this.successes = successes;
    }

    /** Whether any tracked completion of the run had a usage. */
    boolean isSeen() {
        return reported > 0;
    }

    /** Compares the lengths of reasoning. */
    UsageMismatch reasonings() {
        return reasoningMismatch;
    }

    /** Compares the lengths of prompts. */
    PromptJoin prompts() {
        return prompts;
    }

    /** Compares the lengths of outputs. */
    UsageMismatch outputs() {
        return outputMismatch;
    }

    /** Counts a completion whose usage, or a part of it, breaks a rule. */
    void rejected(CounterName rule) {
        metrics.add(rule, 1);
    }

    /**
     * Records the usage of a tracked sample that completed.
     *
     * @param row its row, before it is removed
     * @param hasFailed whether the sample had an error: its tokens count in the totals only
     * @param sinceFirstNanos nanoseconds from the first chunk to the completion, or {@link PendingOutput#NO_FIRST_CHUNK}
     */
    public void completed(DecodedUsage usage, int row, boolean hasFailed, long sinceFirstNanos) {
        reported++;
        byClient += usage.isByClient() ? 1 : 0;
        for (int i = 0; i < KEYS.length; i++) {
            long count = usage.count(KEYS[i]);
            if (count != DecodedUsage.ABSENT) {
                seen[i] = true;
                totals[i] = TimestampMath.saturatedAdd(totals[i], count);
            }
        }
        if (!hasFailed && usage.has(UsageKey.PROMPT_TOKENS)) {
            prompts.completed(row, usage.count(UsageKey.PROMPT_TOKENS));
        }
        prompts.activate();
        if (hasFailed) {
            failed++;
            return;
        }
        record(usage, UsageKey.PROMPT_TOKENS, SeriesName.USAGE_PROMPT_TOKENS);
        record(usage, UsageKey.COMPLETION_TOKENS, SeriesName.USAGE_COMPLETION_TOKENS);
        record(usage, UsageKey.CACHED_TOKENS, SeriesName.USAGE_CACHED_TOKENS);
        record(usage, UsageKey.REASONING_TOKENS, SeriesName.USAGE_REASONING_TOKENS);
        recordTimePerToken(usage.count(UsageKey.COMPLETION_TOKENS), sinceFirstNanos);
        addCache(usage);
        addSpeculation(usage);
    }

    private void record(DecodedUsage usage, UsageKey key, SeriesName name) {
        if (usage.has(key)) {
            metrics.series(name).record(usage.count(key));
        }
    }

    private void recordTimePerToken(long completionTokens, long sinceFirstNanos) {
        if (completionTokens < 2 || sinceFirstNanos == PendingOutput.NO_FIRST_CHUNK) {
            return;
        }
        metrics.record(SeriesName.USAGE_TPOT_NS, (double) sinceFirstNanos / (double) (completionTokens - 1));
    }

    private void addCache(DecodedUsage usage) {
        if (usage.has(UsageKey.CACHED_TOKENS) && usage.has(UsageKey.PROMPT_TOKENS)) {
            cacheReported++;
            cachePromptTokens = TimestampMath.saturatedAdd(cachePromptTokens, usage.count(UsageKey.PROMPT_TOKENS));
            cacheHitTokens = TimestampMath.saturatedAdd(cacheHitTokens, usage.count(UsageKey.CACHED_TOKENS));
        }
    }

    private void addSpeculation(DecodedUsage usage) {
        if (usage.has(UsageKey.SPEC_DRAFTS)
                && usage.has(UsageKey.SPEC_DRAFT_TOKENS)
                && usage.has(UsageKey.SPEC_ACCEPTED_TOKENS)) {
            specReported++;
            specDrafts = TimestampMath.saturatedAdd(specDrafts, usage.count(UsageKey.SPEC_DRAFTS));
            specDraftTokens = TimestampMath.saturatedAdd(specDraftTokens, usage.count(UsageKey.SPEC_DRAFT_TOKENS));
            specAcceptedTokens =
                    TimestampMath.saturatedAdd(specAcceptedTokens, usage.count(UsageKey.SPEC_ACCEPTED_TOKENS));
            for (int i = 0; i < usage.histogramEntries(); i++) {
                specSteps[i] = TimestampMath.saturatedAdd(specSteps[i], usage.steps(i));
            }
        }
    }

    /** Updates the counter of successes without a usage; to be called before a snapshot is taken. */
    void refresh() {
        if (reported == 0) {
            return;
        }
        LongCounter counter = missing;
        if (counter == null) {
            counter = registry.counter(CounterName.USAGE_MISSING);
            missing = counter;
        }
        counter.set(successes.succeeded.value() - (reported - failed));
    }

    /** Copies the sums; null before the first usage. */
    @Nullable
    ReportedUsage summary() {
        if (reported == 0) {
            return null;
        }
        Map<UsageKey, Long> sums = new EnumMap<>(UsageKey.class);
        for (UsageKey key : KEYS) {
            if (seen[key.ordinal()]) {
                sums.put(key, totals[key.ordinal()]);
            }
        }
        return new ReportedUsage(
                reported,
                failed,
                byClient,
                sums,
                new ReportedUsage.Cache(cacheReported, cachePromptTokens, cacheHitTokens),
                new ReportedUsage.Speculation(specReported, specDrafts, specDraftTokens, specAcceptedTokens, steps()),
                mismatches());
    }

    private Map<String, Long> steps() {
        Map<String, Long> steps = new LinkedHashMap<>();
        for (int i = 0; i < specSteps.length; i++) {
            if (specSteps[i] > 0) {
                steps.put(Integer.toString(i), specSteps[i]);
            }
        }
        return steps;
    }

    /** Copies how the lengths that servers report differ from counted ones. */
    List<ReportedUsage.Mismatch> mismatches() {
        List<ReportedUsage.Mismatch> rows = new ArrayList<>(3);
        for (UsageMismatch each : List.of(promptMismatch, outputMismatch, reasoningMismatch)) {
            ReportedUsage.Mismatch row = each.summary();
            if (row != null) {
                rows.add(row);
            }
        }
        return rows;
    }
}
