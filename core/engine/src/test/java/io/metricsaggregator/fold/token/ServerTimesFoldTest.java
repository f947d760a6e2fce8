package io.metricsaggregator.fold.token;

import static io.metricsaggregator.fold.Events.apply;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.server.ServerKey;
import io.metricsaggregator.event.server.ServerTimes;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.figures.ServerTimeFigures;
import io.metricsaggregator.snapshot.figures.ServerTimeFigures.Composition;
import io.metricsaggregator.snapshot.figures.ServerTimeFigures.Part;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The time to first token splits into queue, prefill, KV transfer and what is outside the server. */
class ServerTimesFoldTest {
    private static final long MILLI = 1_000_000L;

    private final Registry registry = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
    private final LoadgenFold fold =
            new LoadgenFold(registry, new RecordLedger(), new FoldOptions(true, 1000, 1 << 20, 1));

    @BeforeEach
    void track() {
        apply(
                fold,
                EventRecord.session(EventType.SESSION_STARTED, 0),
                EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, 0));
    }

    private static ServerTimes times(long queueMillis, long firstMillis) {
        return ServerTimes.from(ServerTimes.Source.BODY)
                .with(ServerKey.QUEUE_NS, queueMillis * MILLI)
                .with(ServerKey.TTFT_NS, firstMillis * MILLI);
    }

    private void begin(String id, long firstMillis) {
        apply(
                fold,
                EventRecord.sample(EventType.SAMPLE_ISSUED, 0, id),
                EventRecord.sample(EventType.SAMPLE_RECV_FIRST, firstMillis * MILLI, id));
    }

    private void sample(String id, long firstMillis, ServerTimes times) {
        begin(id, firstMillis);
        apply(
                fold,
                EventRecord.sample(EventType.SAMPLE_COMPLETE, firstMillis * MILLI + 1, id)
                        .withServer(times));
    }

    private Map<String, Metric> metrics() {
        fold.refresh();
        Map<String, Metric> byName = new TreeMap<>();
        registry.renderExact(registry.newCopy(), false, () -> false).forEach(each -> byName.put(each.name(), each));
        return byName;
    }

    private @Nullable Object total(String series) {
        Metric metric = metrics().get(series);
        return metric instanceof SeriesMetric values ? values.total() : null;
    }

    private ServerTimeFigures figures() {
        return Objects.requireNonNull(fold.optional().serverTimes());
    }

    private static Composition known(@Nullable Composition composition) {
        return Objects.requireNonNull(composition);
    }

    @Test
    void outside_is_what_queue_and_first_token_of_the_server_leave() {
        sample("a", 320, times(120, 150));
        assertThat(total("server_queue_ns")).isEqualTo(120 * MILLI);
        assertThat(total("server_ttft_ns")).isEqualTo(150 * MILLI);
        assertThat(total("outside_ttft_ns")).isEqualTo(50 * MILLI);
        assertThat(metrics()).doesNotContainKeys("kv_transfer_ns", "server_rejected", "transfers_unjoined");
        Composition mean = known(figures().mean());
        assertThat(mean).isEqualTo(new Composition(1, 320e6, 120e6, 150e6, 0, 50e6));
        assertThat(figures().slowest()).isEqualTo(mean);
        assertThat(mean.largest()).isEqualTo(Part.PREFILL);
    }

    @Test
    void the_slowest_of_a_hundred_samples_is_limited_by_the_server_queue() {
        for (int i = 0; i < 99; i++) {
            sample("s" + i, 100 + i, times(10, 60));
        }
        sample("slow", 2000, times(1700, 250));
        Composition slowest = known(figures().slowest());
        assertThat(slowest.samples()).isEqualTo(1);
        assertThat(slowest.share(Part.QUEUE)).isEqualTo(0.85);
        assertThat(slowest.share(Part.PREFILL)).isEqualTo(0.125);
        assertThat(slowest.share(Part.OUTSIDE)).isEqualTo(0.025);
        assertThat(slowest.largest().title()).isEqualTo("server queue");
        Composition mean = known(figures().mean());
        assertThat(mean.samples()).isEqualTo(100);
        assertThat(mean.queueNanos()).isCloseTo((99 * 10 + 1700) * 1e4, within(1.0));
        assertThat(mean.ttftNanos()).isCloseTo((99 * 149 + 2000) * 1e4, within(1.0));
    }

    @Test
    void a_server_time_above_the_whole_is_counted_and_not_recorded() {
        sample("a", 100, times(60, 41));
        sample("b", 100, times(60, Long.MAX_VALUE / MILLI));
        assertThat(figures().negative()).isEqualTo(2);
        assertThat(figures().split()).isZero();
        assertThat(figures().mean()).isNull();
        assertThat(total("server_queue_ns")).isEqualTo(120 * MILLI);
        assertThat(metrics()).doesNotContainKey("outside_ttft_ns");
    }

    @Test
    void an_unknown_queue_is_no_queue_of_zero() {
        sample("a", 100, ServerTimes.from(ServerTimes.Source.BODY).with(ServerKey.PREFILL_NS, 60 * MILLI));
        assertThat(figures().reported()).isEqualTo(1);
        assertThat(figures().split()).isZero();
        assertThat(metrics()).doesNotContainKeys("server_queue_ns", "server_ttft_ns", "outside_ttft_ns");
    }

    @Test
    void failed_and_unstreamed_samples_are_not_split() {
        begin("failed", 100);
        apply(
                fold,
                EventRecord.sample(EventType.ERROR_CLIENT, 101 * MILLI, "failed"),
                EventRecord.sample(EventType.SAMPLE_COMPLETE, 102 * MILLI, "failed")
                        .withServer(times(10, 20)),
                EventRecord.sample(EventType.SAMPLE_ISSUED, 0, "whole"),
                EventRecord.sample(EventType.SAMPLE_COMPLETE, 102 * MILLI, "whole")
                        .withServer(times(11, 20)));
        assertThat(figures().reported()).isEqualTo(2);
        assertThat(figures().failed()).isEqualTo(1);
        assertThat(figures().split()).isZero();
        assertThat(total("server_queue_ns")).isEqualTo(11 * MILLI);
    }

    @Test
    void a_transfer_joins_its_sample_while_that_is_in_flight() {
        begin("a", 320);
        fold.transferred("a", 20 * MILLI);
        fold.transferred("a", 30 * MILLI);
        fold.transferred("unknown", 30 * MILLI);
        apply(
                fold,
                EventRecord.sample(EventType.SAMPLE_COMPLETE, 321 * MILLI, "a").withServer(times(120, 150)));
        sample("b", 320, times(120, 150));
        assertThat(total("kv_transfer_ns")).as("the longest").isEqualTo(30 * MILLI);
        assertThat(figures().transferred()).isEqualTo(1);
        assertThat(((CounterMetric) metrics().get("transfers_unjoined")).value())
                .isEqualTo(1);
        assertThat(known(figures().mean()))
                .as("b took the row of a, not its transfer")
                .isEqualTo(new Composition(2, 320e6, 120e6, 150e6, 15e6, 35e6));
        fold.transferred("b", MILLI);
        assertThat(((CounterMetric) metrics().get("transfers_unjoined")).value())
                .as("b has completed")
                .isEqualTo(2);
    }

    @Test
    void every_time_falls_into_the_bucket_that_begins_at_or_before_it() {
        long at = 0;
        for (int bucket = 0; bucket < ServerTimeFigures.Bucket.COUNT; bucket++) {
            long from = ServerTimeFigures.Bucket.from(bucket);
            assertThat(from).isGreaterThanOrEqualTo(at);
            assertThat(ServerTimeFigures.Bucket.of(from)).isEqualTo(bucket);
            if (bucket > 0) {
                assertThat(ServerTimeFigures.Bucket.of(from - 1)).isEqualTo(bucket - 1);
            }
            at = from;
        }
        assertThat(ServerTimeFigures.Bucket.of(Long.MAX_VALUE)).isEqualTo(ServerTimeFigures.Bucket.COUNT - 1);
    }
}
