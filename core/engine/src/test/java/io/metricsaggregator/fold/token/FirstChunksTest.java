package io.metricsaggregator.fold.token;

import static io.metricsaggregator.fold.Events.apply;
import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.row.TimeCut;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.fold.series.Slo;
import io.metricsaggregator.fold.series.Streaming;
import io.metricsaggregator.fold.series.TokenSource;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.figures.SlowSample;
import org.junit.jupiter.api.Test;

/** Samples whose first chunk belongs to an earlier attempt, or came several times. */
class FirstChunksTest {
    private static final long MILLI = 1_000_000L;

    private final Registry registry = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
    private final LoadgenFold fold = new LoadgenFold(
            registry,
            new RecordLedger(),
            new FoldOptions(
                    Streaming.ON,
                    1000,
                    1 << 20,
                    1,
                    new Slo(60 * MILLI, Slo.NONE, Slo.NONE, 0.5),
                    TimeCut.NONE,
                    true,
                    TokenSource.TOKENIZER));

    private static EventRecord at(long millis, EventType type, String id) {
        return EventRecord.sample(type, millis * MILLI, id);
    }

    private Metric metric(String name) {
        fold.refresh();
        return registry.renderExact(registry.newCopy(), false, () -> false).stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private long counter(String name) {
        return ((CounterMetric) metric(name)).value();
    }

    private SeriesMetric series(String name) {
        return (SeriesMetric) metric(name);
    }

    private long ttftMet() {
        return fold.goodput().constraints().get(0).met();
    }

    @Test
    void goodput_judges_the_time_to_first_token_that_the_series_has() {
        apply(
                fold,
                at(0, EventType.SAMPLE_ISSUED, "a"),
                at(100, EventType.SAMPLE_RECV_FIRST, "a"),
                at(150, EventType.SAMPLE_ISSUED, "a"),
                at(300, EventType.SAMPLE_COMPLETE, "a"));
        assertThat(series("ttft_ns").max()).isEqualTo(100 * MILLI);
        assertThat(ttftMet()).isZero();
        assertThat(fold.slowest())
                .filteredOn(each -> each.by().equals(SlowSample.TTFT))
                .singleElement()
                .satisfies(each -> assertThat(each.nanos()).isEqualTo(100 * MILLI))
                .satisfies(each ->
                        assertThat(each.firstNanos() - each.issuedNanos()).isEqualTo(100 * MILLI));
    }

    @Test
    void the_first_chunk_of_the_last_attempt_replaces_that_of_an_earlier_one() {
        apply(
                fold,
                at(0, EventType.SAMPLE_ISSUED, "a"),
                at(100, EventType.SAMPLE_RECV_FIRST, "a"),
                at(150, EventType.SAMPLE_ISSUED, "a"),
                at(160, EventType.SAMPLE_ISSUED, "a"),
                at(200, EventType.SAMPLE_RECV_FIRST, "a"),
                at(300, EventType.SAMPLE_COMPLETE, "a"));
        assertThat(series("ttft_ns").max()).isEqualTo(100 * MILLI);
        assertThat(series("ttft_ns").min()).isEqualTo(40 * MILLI);
        assertThat(ttftMet()).isEqualTo(1);
    }

    @Test
    void a_failure_after_a_retry_has_the_time_to_first_token_of_its_first_chunk() {
        apply(
                fold,
                at(0, EventType.SAMPLE_ISSUED, "a"),
                at(10, EventType.SAMPLE_RECV_FIRST, "a"),
                at(150, EventType.SAMPLE_ISSUED, "a"),
                at(160, EventType.SAMPLE_ISSUED, "a"),
                at(200, EventType.ERROR_CLIENT, "a"),
                at(300, EventType.SAMPLE_COMPLETE, "a"));
        assertThat(series("failed_ttft_ns").max()).isEqualTo(10 * MILLI);
        assertThat(series("failed_ttft_ns").min()).isEqualTo(10 * MILLI);
    }

    @Test
    void the_answer_of_a_sample_without_parts_has_the_time_to_first_token_of_its_attempt() {
        apply(
                fold,
                at(0, EventType.SAMPLE_ISSUED, "parts"),
                at(50, EventType.SAMPLE_RECV_FIRST, "parts").withPart(ChunkPart.OUTPUT),
                at(60, EventType.SAMPLE_COMPLETE, "parts"),
                at(0, EventType.SAMPLE_ISSUED, "a"),
                at(70, EventType.SAMPLE_RECV_FIRST, "a"),
                at(150, EventType.SAMPLE_ISSUED, "a"),
                at(300, EventType.SAMPLE_COMPLETE, "a"));
        assertThat(series("ttfo_ns").max()).isEqualTo(70 * MILLI);
    }

    @Test
    void a_row_that_is_used_again_has_nothing_of_the_sample_before() {
        apply(
                fold,
                at(0, EventType.SAMPLE_ISSUED, "a"),
                at(100, EventType.SAMPLE_RECV_FIRST, "a"),
                at(150, EventType.SAMPLE_ISSUED, "a"),
                at(160, EventType.SAMPLE_COMPLETE, "a"),
                at(200, EventType.SAMPLE_ISSUED, "b"),
                at(250, EventType.SAMPLE_RECV_FIRST, "b"),
                at(260, EventType.SAMPLE_COMPLETE, "b"));
        assertThat(ttftMet()).isEqualTo(1);
    }

    @Test
    void a_failure_with_several_chunks_of_one_time_has_chunks() {
        apply(
                fold,
                at(0, EventType.SAMPLE_ISSUED, "a"),
                at(10, EventType.SAMPLE_RECV_FIRST, "a"),
                at(10, EventType.SAMPLE_RECV_NON_FIRST, "a"),
                at(11, EventType.ERROR_CLIENT, "a"),
                at(20, EventType.SAMPLE_COMPLETE, "a"));
        assertThat(counter("tracked_samples_errored_with_chunks")).isEqualTo(1);
    }

    @Test
    void a_repeated_first_chunk_is_not_several_chunks_and_hides_none() {
        apply(
                fold,
                at(0, EventType.SAMPLE_ISSUED, "one chunk"),
                at(10, EventType.SAMPLE_RECV_FIRST, "one chunk"),
                at(12, EventType.SAMPLE_RECV_FIRST, "one chunk"),
                at(13, EventType.ERROR_CLIENT, "one chunk"),
                at(20, EventType.SAMPLE_COMPLETE, "one chunk"));
        assertThat(counter("tracked_samples_errored_with_chunks")).isZero();
        apply(
                fold,
                at(0, EventType.SAMPLE_ISSUED, "two chunks"),
                at(10, EventType.SAMPLE_RECV_FIRST, "two chunks"),
                at(11, EventType.SAMPLE_RECV_NON_FIRST, "two chunks"),
                at(12, EventType.SAMPLE_RECV_FIRST, "two chunks"),
                at(13, EventType.ERROR_CLIENT, "two chunks"),
                at(20, EventType.SAMPLE_COMPLETE, "two chunks"),
                at(0, EventType.SAMPLE_ISSUED, "no first chunk"),
                at(11, EventType.SAMPLE_RECV_NON_FIRST, "no first chunk"),
                at(13, EventType.ERROR_CLIENT, "no first chunk"),
                at(20, EventType.SAMPLE_COMPLETE, "no first chunk"));
        assertThat(counter("tracked_samples_errored_with_chunks")).isEqualTo(1);
    }

    @Test
    void the_time_between_chunks_of_a_batch_is_the_mean_of_the_gaps_that_the_series_has() {
        apply(
                fold,
                at(0, EventType.SAMPLE_ISSUED, "repeated"),
                at(10, EventType.SAMPLE_RECV_FIRST, "repeated"),
                at(30, EventType.SAMPLE_RECV_NON_FIRST, "repeated"),
                at(40, EventType.SAMPLE_RECV_FIRST, "repeated"),
                at(90, EventType.SAMPLE_RECV_NON_FIRST, "repeated"),
                at(91, EventType.SAMPLE_RECV_FIRST, "repeated"),
                at(95, EventType.SAMPLE_COMPLETE, "repeated"),
                at(0, EventType.SAMPLE_ISSUED, "late first"),
                at(10, EventType.SAMPLE_RECV_NON_FIRST, "late first"),
                at(17, EventType.SAMPLE_RECV_FIRST, "late first"),
                at(29, EventType.SAMPLE_RECV_NON_FIRST, "late first"),
                at(95, EventType.SAMPLE_COMPLETE, "late first"),
                at(0, EventType.SAMPLE_ISSUED, "no first"),
                at(10, EventType.SAMPLE_RECV_NON_FIRST, "no first"),
                at(15, EventType.SAMPLE_RECV_NON_FIRST, "no first"),
                at(95, EventType.SAMPLE_COMPLETE, "no first"));
        SeriesMetric gaps = series("chunk_delta_ns");
        assertThat(gaps.count()).isEqualTo(7);
        assertThat(fold.batches().get(0).chunkDelta())
                .isEqualTo(gaps.total().doubleValue() / gaps.count())
                .isEqualTo((81 + 19 + 5) / 7.0 * MILLI);
    }
}
