package io.metricsaggregator.fold.token;

import static io.metricsaggregator.fold.Events.apply;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.Usage;
import io.metricsaggregator.event.UsageKey;
import io.metricsaggregator.fold.Events;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.figures.ReportedUsage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The usage that servers report: its series are of successes, its totals of all tracked samples. */
class UsageFoldTest {
    private static final long MILLI = 1_000_000L;

    private final Registry registry = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
    private final RecordLedger ledger = new RecordLedger();
    private final LoadgenFold fold = new LoadgenFold(registry, ledger, new FoldOptions(true, 1000, 1 << 20, 1));

    @BeforeEach
    void track() {
        apply(
                fold,
                EventRecord.session(EventType.SESSION_STARTED, 0),
                EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, 0));
    }

    /** A sample issued at 0, streamed from 200 ms and completed at 335 ms. */
    private void sample(String id, Usage usage) {
        stream(id);
        apply(
                fold,
                EventRecord.sample(EventType.SAMPLE_COMPLETE, 335 * MILLI, id).withUsage(usage));
    }

    private void stream(String id) {
        apply(
                fold,
                EventRecord.sample(EventType.SAMPLE_ISSUED, 0, id),
                EventRecord.sample(EventType.SAMPLE_RECV_FIRST, 200 * MILLI, id));
    }

    private Map<String, Metric> metrics() {
        fold.refresh();
        Map<String, Metric> byName = new TreeMap<>();
        registry.renderExact(registry.newCopy(), false, () -> false).forEach(each -> byName.put(each.name(), each));
        return byName;
    }

    private SeriesMetric series(String name) {
        return (SeriesMetric) metrics().get(name);
    }

    private long counter(String name) {
        return ((CounterMetric) metrics().get(name)).value();
    }

    private ReportedUsage summary() {
        ReportedUsage usage = fold.optional().usage();
        assertThat(usage).isNotNull();
        return usage;
    }

    @Test
    void aRunWithoutUsageHasNeitherItsSeriesNorItsCounters() {
        stream("a");
        apply(fold, EventRecord.sample(EventType.SAMPLE_COMPLETE, 335 * MILLI, "a"));
        assertThat(metrics().keySet()).noneMatch(name -> name.startsWith("usage"));
        assertThat(fold.optional().usage()).isNull();
    }

    @Test
    void theCacheHitRatioIsOverTheSamplesThatReportCachedTokens() {
        sample("a", Usage.of(1000, 5).with(UsageKey.CACHED_TOKENS, 0));
        sample("b", Usage.of(1200, 5).with(UsageKey.CACHED_TOKENS, 1024));
        sample("c", Usage.of(800, 5));
        sample("d", Usage.of(2000, 5).with(UsageKey.CACHED_TOKENS, 1536));
        assertThat(summary().cache()).isEqualTo(new ReportedUsage.Cache(3, 4200, 2560));
        assertThat(summary().cache().hitRatio()).isEqualTo(2560.0 / 4200);
        assertThat(summary().reported()).isEqualTo(4);
        assertThat(series("usage_prompt_tokens").total()).isEqualTo(5000L);
        assertThat(series("usage_cached_tokens").count()).isEqualTo(3);
        assertThat(series("usage_cached_tokens").min()).as("0 keeps its value").isEqualTo(0L);
        assertThat(metrics()).doesNotContainKey("usage_reasoning_tokens");
    }

    @Test
    void theTimePerTokenDividesByTheReportedTokensLessOne() {
        sample("a", Usage.of(10, 8));
        sample("one token", Usage.of(10, 1));
        sample("none", Usage.of(10, 0));
        assertThat(series("usage_tpot_ns").count()).isEqualTo(1);
        assertThat(series("usage_tpot_ns").max().doubleValue()).isEqualTo(135.0 * MILLI / 7);
    }

    @Test
    void aFailedSampleCountsInTheTotalsOnly() {
        sample("a", Usage.of(10, 8));
        stream("b");
        apply(
                fold,
                EventRecord.sample(EventType.ERROR_CLIENT, 300 * MILLI, "b"),
                EventRecord.sample(EventType.SAMPLE_COMPLETE, 335 * MILLI, "b")
                        .withUsage(Usage.of(7, 2).countedByClient()));
        assertThat(summary().totals()).isEqualTo(Map.of(UsageKey.PROMPT_TOKENS, 17L, UsageKey.COMPLETION_TOKENS, 10L));
        assertThat(summary().failed()).isEqualTo(1);
        assertThat(summary().byClient()).isEqualTo(1);
        assertThat(series("usage_prompt_tokens").total()).isEqualTo(10L);
        assertThat(counter("usage_missing")).isZero();
    }

    @Test
    void successesWithoutUsageAreCountedOnceAnyUsageWasSeen() {
        stream("before");
        apply(fold, EventRecord.sample(EventType.SAMPLE_COMPLETE, 335 * MILLI, "before"));
        assertThat(metrics()).doesNotContainKey("usage_missing");
        sample("a", Usage.of(10, 8));
        assertThat(counter("usage_missing")).as("the sample before counts too").isEqualTo(1);
    }

    @Test
    void anImpossibleUsageIsCountedAndItsCompletionApplies() {
        stream("a");
        byte[] record = new EventEncoder()
                .encode(EventRecord.sample(EventType.SAMPLE_COMPLETE, 335 * MILLI, "a")
                        .withUsage(Usage.of(10, 8).with(UsageKey.CACHED_TOKENS, 9)));
        // The prompt's 10 becomes 3: cached tokens above prompt tokens.
        int at = new String(record, StandardCharsets.ISO_8859_1).indexOf("prompt_tokens") + "prompt_tokens".length();
        assertThat(record[at]).isEqualTo((byte) 10);
        record[at] = 3;
        fold.apply(new io.metricsaggregator.event.DecodedEvent[] {Events.decoded(record)}, 1);
        assertThat(counter("usage_rejected")).isEqualTo(1);
        assertThat(counter("tracked_samples_completed")).isEqualTo(1);
        assertThat(series("sample_latency_ns").max()).isEqualTo(335 * MILLI);
        assertThat(fold.optional().usage()).isNull();
        assertThat(ledger.recordsApplied.value()).isEqualTo(ledger.recordsReceived.value());
    }

    @Test
    void speculativeDecodingHasAnAcceptanceRatioAndLength() {
        assertThat(new ReportedUsage.Speculation(1, 1500, 6000, 3600, Map.of()).acceptanceRatio())
                .isEqualTo(0.6);
        assertThat(new ReportedUsage.Speculation(1, 1500, 6000, 3600, Map.of()).acceptanceLength())
                .isEqualTo(3.4);
        assertThat(new ReportedUsage.Speculation(1, 0, 0, 0, Map.of()).acceptanceLength())
                .as("no draft: unknown, not 1")
                .isNull();
        sample(
                "a",
                Usage.of(10, 8)
                        .with(UsageKey.SPEC_DRAFTS, 3)
                        .with(UsageKey.SPEC_DRAFT_TOKENS, 12)
                        .with(UsageKey.SPEC_ACCEPTED_TOKENS, 5));
        sample("without accepted tokens", Usage.of(10, 8).with(UsageKey.SPEC_DRAFTS, 3));
        assertThat(summary().speculation()).isEqualTo(new ReportedUsage.Speculation(1, 3, 12, 5, Map.of()));
    }

    /** The answer of vLLM that llama-swap 1032 shows. */
    private static final Usage SPECULATIVE = Usage.of(11742, 35)
            .with(UsageKey.SPEC_DRAFTS, 43)
            .with(UsageKey.SPEC_DRAFT_TOKENS, 129)
            .with(UsageKey.SPEC_ACCEPTED_TOKENS, 10);

    private static final List<Long> STEPS = List.of(39L, 1L, 0L, 3L);

    @Test
    void theHistogramOfSpeculativeDecodingSaysHowOftenEachPositionIsAccepted() {
        sample("a", SPECULATIVE.withSpecHistogram(STEPS));
        assertThat(summary().speculation())
                .isEqualTo(new ReportedUsage.Speculation(1, 43, 129, 10, Map.of("0", 39L, "1", 1L, "3", 3L)));
        assertThat(summary().speculation().acceptanceLength()).isCloseTo(1.23256, within(5e-6));
        assertThat(summary().speculation().acceptanceRatio()).isCloseTo(0.07752, within(5e-6));
        assertThat(summary().speculation().acceptanceByPosition()).containsExactly(4.0 / 43, 3.0 / 43, 3.0 / 43);
        sample("b", SPECULATIVE);
        sample("c", SPECULATIVE.with(UsageKey.SPEC_DRAFTS, 13).withSpecHistogram(List.of(3L, 10L, 0L, 0L, 0L)));
        assertThat(summary().speculation())
                .as("without zeros at the end")
                .isEqualTo(new ReportedUsage.Speculation(3, 99, 387, 30, Map.of("0", 42L, "1", 11L, "3", 3L)));
        assertThat(metrics()).doesNotContainKey("spec_histogram_rejected");
    }

    @Test
    void aHistogramThatContradictsTheCountsIsCountedAndTheRestOfTheUsageStays() {
        stream("a");
        byte[] record = new EventEncoder()
                .encode(EventRecord.sample(EventType.SAMPLE_COMPLETE, 335 * MILLI, "a")
                        .withUsage(SPECULATIVE.withSpecHistogram(STEPS)));
        int at = new String(record, StandardCharsets.ISO_8859_1).indexOf("spec_drafts") + "spec_drafts".length();
        assertThat(record[at]).isEqualTo((byte) 43);
        record[at] = 44;
        fold.apply(new io.metricsaggregator.event.DecodedEvent[] {Events.decoded(record)}, 1);
        assertThat(counter("spec_histogram_rejected")).isEqualTo(1);
        assertThat(metrics()).doesNotContainKey("usage_rejected");
        assertThat(summary().speculation()).isEqualTo(new ReportedUsage.Speculation(1, 44, 129, 10, Map.of()));
    }

    @Test
    void anUntrackedSampleReportsNothing() {
        apply(fold, EventRecord.session(EventType.SESSION_STOP_PERFORMANCE_TRACKING, 1));
        sample("a", Usage.of(10, 8));
        assertThat(fold.optional().usage()).isNull();
    }

    @Test
    void sumsBeyond64BitsSaturate() {
        sample("a", Usage.of(Long.MAX_VALUE, 8));
        sample("b", Usage.of(Long.MAX_VALUE, 8));
        assertThat(summary().totals()).containsEntry(UsageKey.PROMPT_TOKENS, Long.MAX_VALUE);
    }
}
