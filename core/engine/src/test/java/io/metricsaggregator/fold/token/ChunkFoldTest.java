package io.metricsaggregator.fold.token;

import static io.metricsaggregator.fold.Events.apply;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.ModelText;
import io.metricsaggregator.event.TextModelOutput;
import io.metricsaggregator.event.Usage;
import io.metricsaggregator.event.UsageKey;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.row.TimeCut;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.fold.series.Streaming;
import io.metricsaggregator.fold.series.TokenSource;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.figures.ReportedUsage;
import io.metricsaggregator.text.LimitsMet;
import io.metricsaggregator.text.OutputDetail;
import io.metricsaggregator.text.PendingOutput;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The parts and tokens of chunks: time to the first answer, thinking, and the time between tokens as other tools have it. */
class ChunkFoldTest {
    private static final long MILLI = 1_000_000L;

    private final Registry registry = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
    private final LoadgenFold fold = new LoadgenFold(
            registry,
            new RecordLedger(),
            new FoldOptions(Streaming.ON, 1000, 1 << 20, 1, null, TimeCut.NONE, true, TokenSource.USAGE));

    private static EventRecord at(long millis, EventType type, String id) {
        return EventRecord.sample(type, millis * MILLI, id);
    }

    private static EventRecord next(long millis, String id) {
        return at(millis, EventType.SAMPLE_RECV_NON_FIRST, id);
    }

    private Map<String, Metric> metrics() {
        fold.refresh();
        Map<String, Metric> byName = new TreeMap<>();
        registry.renderExact(registry.newCopy(), false, () -> false).forEach(each -> byName.put(each.name(), each));
        return byName;
    }

    private SeriesMetric series(String name) {
        assertThat(metrics()).containsKey(name);
        return (SeriesMetric) metrics().get(name);
    }

    private long counter(String name) {
        return metrics().get(name) instanceof CounterMetric counter ? counter.value() : -1;
    }

    /** Chunks at 200, 240, 320 and 330 ms with 1, 2, 4 and 1 tokens of 8, the first two reasoning; the stream ends at 335 ms. */
    private void request(String id, int firstTokens) {
        apply(
                fold,
                at(0, EventType.SAMPLE_ISSUED, id),
                at(200, EventType.SAMPLE_RECV_FIRST, id)
                        .withPart(ChunkPart.REASONING)
                        .withTokens(firstTokens),
                next(240, id).withPart(ChunkPart.REASONING).withTokens(2),
                next(320, id).withPart(ChunkPart.OUTPUT).withTokens(4),
                next(330, id).withPart(ChunkPart.OUTPUT).withTokens(1),
                at(335, EventType.SAMPLE_COMPLETE, id).withUsage(Usage.of(12, 8)));
    }

    @Test
    void oneRequestHasTheTimesOfEveryTool() {
        request("a", 1);
        SeriesMetric even = series("itl_even_ns");
        assertThat(even.count()).isEqualTo(7);
        assertThat(even.total().doubleValue()).isEqualTo(130.0 * MILLI);
        assertThat(even.max().doubleValue()).isEqualTo(20.0 * MILLI);
        assertThat(even.min().doubleValue()).isEqualTo(10.0 * MILLI);
        assertThat(even.percentile("25.0")).isEqualTo(20.0 * MILLI);
        assertThat(series("itl_request_ns").max().doubleValue()).isCloseTo(18_571_428.6, within(0.1));
        assertThat(series("tpot_ns").max().doubleValue()).isCloseTo(19_285_714.3, within(0.1));
        assertThat(series("latency_per_token_ns").max().doubleValue()).isEqualTo(41.875 * MILLI);
        assertThat(series("ttfo_ns").max()).isEqualTo(320 * MILLI);
        assertThat(series("thinking_ns").max()).isEqualTo(120 * MILLI);
        assertThat(series("ttft_ns").max()).isEqualTo(200 * MILLI);
    }

    @Test
    void theTokensOfTheFirstChunkAreLeftOutOfTheTimePerToken() {
        request("a", 3);
        assertThat(series("tpot_ns").max().doubleValue()).isEqualTo(27.0 * MILLI);
        assertThat(series("tpot_by_osl_ns").max().doubleValue()).isCloseTo(135.0 * MILLI / 7, within(0.1));
    }

    @Test
    void aSampleIssuedAgainForgetsTheChunksOfItsFirstAttempt() {
        apply(
                fold,
                at(0, EventType.SAMPLE_ISSUED, "a"),
                at(100, EventType.SAMPLE_RECV_FIRST, "a")
                        .withPart(ChunkPart.OUTPUT)
                        .withTokens(5));
        request("a", 1);
        assertThat(series("ttfo_ns").count()).isEqualTo(2);
        assertThat(series("tpot_ns").max().doubleValue()).isCloseTo(135.0 * MILLI / 7, within(0.1));
    }

    @Test
    void aSampleWithoutPartsHasItsFirstChunkAsAnswerUnlessItReasons() {
        request("with parts", 1);
        apply(
                fold,
                at(0, EventType.SAMPLE_ISSUED, "plain"),
                at(50, EventType.SAMPLE_RECV_FIRST, "plain"),
                at(90, EventType.SAMPLE_COMPLETE, "plain")
                        .withData(new TextModelOutput(new ModelText.Whole("answer"), new ModelText.Whole(""), null)),
                at(0, EventType.SAMPLE_ISSUED, "reasons"),
                at(50, EventType.SAMPLE_RECV_FIRST, "reasons"),
                at(90, EventType.SAMPLE_COMPLETE, "reasons")
                        .withData(new TextModelOutput(
                                new ModelText.Whole("answer"), new ModelText.Whole("since"), null)));
        assertThat(series("ttfo_ns").count()).isEqualTo(2);
        assertThat(series("ttfo_ns").min()).isEqualTo(50 * MILLI);
        assertThat(counter("ttfo_unknown")).isEqualTo(1);
        assertThat(metrics()).doesNotContainKey("answers_missing");
    }

    @Test
    void a_completion_without_data_has_the_reasoning_of_no_other_record() {
        apply(
                fold,
                at(0, EventType.SAMPLE_ISSUED, "plain"),
                at(1, EventType.SAMPLE_RECV_FIRST, "plain").withPart(ChunkPart.OUTPUT),
                at(2, EventType.SAMPLE_COMPLETE, "plain"),
                at(3, EventType.SAMPLE_ISSUED, "reasons"),
                at(4, EventType.SAMPLE_RECV_FIRST, "reasons").withPart(ChunkPart.REASONING),
                next(5, "reasons").withPart(ChunkPart.OUTPUT),
                at(6, EventType.SAMPLE_COMPLETE, "reasons")
                        .withData(new TextModelOutput(new ModelText.Whole("hi"), new ModelText.Whole("why"), null)),
                at(7, EventType.SAMPLE_ISSUED, "no part, no data"),
                at(8, EventType.SAMPLE_RECV_FIRST, "no part, no data"),
                at(9, EventType.SAMPLE_COMPLETE, "no part, no data"));
        assertThat(series("ttfo_ns").count()).isEqualTo(3);
        assertThat(metrics()).doesNotContainKey("ttfo_unknown");
    }

    @Test
    void a_failure_without_parts_has_its_first_chunk_as_answer_too() {
        request("with parts", 1);
        apply(
                fold,
                at(0, EventType.SAMPLE_ISSUED, "fails"),
                at(50, EventType.SAMPLE_RECV_FIRST, "fails"),
                at(60, EventType.ERROR_CLIENT, "fails"),
                at(90, EventType.SAMPLE_COMPLETE, "fails"),
                at(0, EventType.SAMPLE_ISSUED, "fails while reasoning"),
                at(50, EventType.SAMPLE_RECV_FIRST, "fails while reasoning").withPart(ChunkPart.REASONING),
                at(60, EventType.ERROR_CLIENT, "fails while reasoning"),
                at(90, EventType.SAMPLE_COMPLETE, "fails while reasoning"));
        assertThat(series("ttfo_ns").count()).isEqualTo(2);
        assertThat(series("ttfo_ns").min()).isEqualTo(50 * MILLI);
        assertThat(metrics()).doesNotContainKeys("ttfo_unknown", "answers_missing");
    }

    @Test
    void a_completion_whose_usage_has_reasoning_tokens_has_no_known_answer_without_parts() {
        request("with parts", 1);
        for (long reasoning : new long[] {0, 2}) {
            String id = "reasoning " + reasoning;
            apply(
                    fold,
                    at(400, EventType.SAMPLE_ISSUED, id),
                    at(450, EventType.SAMPLE_RECV_FIRST, id),
                    at(490, EventType.SAMPLE_COMPLETE, id)
                            .withUsage(new Usage(
                                    Map.of(UsageKey.COMPLETION_TOKENS, 8L, UsageKey.REASONING_TOKENS, reasoning),
                                    false)));
        }
        assertThat(series("ttfo_ns").count()).isEqualTo(2);
        assertThat(counter("ttfo_unknown")).isEqualTo(1);
    }

    @Test
    void aSampleCutWithinItsReasoningHasNoAnswer() {
        apply(
                fold,
                at(0, EventType.SAMPLE_ISSUED, "cut"),
                at(50, EventType.SAMPLE_RECV_FIRST, "cut").withPart(ChunkPart.REASONING),
                at(90, EventType.SAMPLE_COMPLETE, "cut"));
        assertThat(counter("answers_missing")).isEqualTo(1);
        assertThat(metrics()).doesNotContainKeys("ttfo_ns", "ttfo_unknown", "itl_even_ns");
    }

    @Test
    void aRunWithoutTheKeysHasNoneOfTheirSeries() {
        apply(
                fold,
                at(0, EventType.SAMPLE_ISSUED, "a"),
                at(50, EventType.SAMPLE_RECV_FIRST, "a"),
                next(60, "a"),
                at(90, EventType.SAMPLE_COMPLETE, "a"));
        assertThat(metrics())
                .doesNotContainKeys(
                        "ttfo_ns",
                        "thinking_ns",
                        "itl_even_ns",
                        "itl_request_ns",
                        "latency_per_token_ns",
                        "ttfo_unknown");
    }

    @Test
    void theTokensOfChunksWithoutNewTokensRecordNothing() {
        apply(
                fold,
                at(0, EventType.SAMPLE_ISSUED, "a"),
                at(50, EventType.SAMPLE_RECV_FIRST, "a").withTokens(0),
                next(60, "a").withTokens(0),
                at(90, EventType.SAMPLE_COMPLETE, "a").withUsage(Usage.of(1, 2)));
        assertThat(metrics()).doesNotContainKey("itl_even_ns");
        assertThat(series("tpot_ns").max().doubleValue()).isEqualTo(20.0 * MILLI);
    }

    @Test
    void countedReasoningIsComparedWithTheReportedOne() {
        request("a", 1);
        OutputDetail detail =
                new OutputDetail(OutputDetail.ABSENT, 12, OutputDetail.NO_TIME, OutputDetail.NO_TIME, 0, true);
        fold.tokenCounts()
                .partsCounted(
                        new PendingOutput(PendingOutput.NO_FIRST_CHUNK, 0, MILLI, LimitsMet.JUDGED, detail), 10, 30);
        OptionalFigures figures = fold.optional();
        assertThat(figures.usage()).isNotNull();
        assertThat(figures.usage().mismatches())
                .filteredOn(each -> each.kind().equals("reasoning"))
                .singleElement()
                .extracting(ReportedUsage.Mismatch::reportedTokens, ReportedUsage.Mismatch::countedTokens)
                .containsExactly(12L, 10L);
        assertThat(series("osl_reasoning").max()).isEqualTo(10L);
        assertThat(series("osl_answer").max()).isEqualTo(30L);
    }
}
