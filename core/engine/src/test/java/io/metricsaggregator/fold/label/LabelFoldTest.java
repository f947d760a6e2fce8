package io.metricsaggregator.fold.label;

import static io.metricsaggregator.fold.Events.apply;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.PromptData;
import io.metricsaggregator.event.Usage;
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
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Samples by the labels of their issue, within bounds, and how unequal the values of a key are. */
class LabelFoldTest {
    private static final long MILLI = 1_000_000L;

    private final Registry registry = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
    private final LoadgenFold fold = new LoadgenFold(
            registry,
            new RecordLedger(),
            new FoldOptions(Streaming.ON, 1000, 1 << 20, 1, null, TimeCut.NONE, true, TokenSource.USAGE));

    private static EventRecord at(long millis, EventType type, String id) {
        return EventRecord.sample(type, millis * MILLI, id);
    }

    private static EventRecord issued(String id, Map<String, String> labels) {
        return at(0, EventType.SAMPLE_ISSUED, id).withLabels(labels);
    }

    private LabelBreakdown.Value value(String key, String value) {
        return key(key).values().stream()
                .filter(each -> each.value().equals(value))
                .findFirst()
                .orElseThrow();
    }

    private LabelBreakdown.Key key(String name) {
        LabelBreakdown labels = fold.optional().labels();
        assertThat(labels).isNotNull();
        return labels.keys().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private long counter(String name) {
        for (Metric each : registry.renderExact(registry.newCopy(), false, () -> false)) {
            if (each.name().equals(name)) {
                return ((CounterMetric) each).value();
            }
        }
        return -1;
    }

    private static LabelBreakdown.Key key(long... completed) {
        List<LabelBreakdown.Value> values = new ArrayList<>();
        for (long each : completed) {
            values.add(new LabelBreakdown.Value("v" + values.size(), each, each, 0, 0, 0, 0, null, null));
        }
        values.add(new LabelBreakdown.Value(LabelBreakdown.NONE, 999, 999, 0, 0, 0, 0, null, null));
        values.add(new LabelBreakdown.Value(LabelBreakdown.OTHER, 999, 999, 0, 0, 0, 0, null, null));
        return new LabelBreakdown.Key("endpoint", values);
    }

    @Test
    void theSkewOfKnownShares() {
        assertThat(key(10, 20, 30, 40).gini()).isCloseTo(0.25, within(1e-12));
        assertThat(key(40, 10, 30, 20).maxOverMean()).isCloseTo(1.6, within(1e-12));
        assertThat(key(100, 100, 100, 100).gini()).isCloseTo(0, within(1e-12));
        assertThat(key(100, 100, 100, 100).maxOverMean()).isEqualTo(1);
        assertThat(key(0, 0, 0, 400).gini()).isCloseTo(0.75, within(1e-12));
        assertThat(key(0, 0, 0, 400).maxOverMean()).isEqualTo(4);
        assertThat(key(130, 95, 90, 85).gini()).isCloseTo(0.0875, within(1e-12));
        assertThat(key(130, 95, 90, 85).maxOverMean()).isCloseTo(1.3, within(1e-12));
        assertThat(key(7).gini()).as("one value has no skew").isNull();
        LabelBreakdown.Key hung = new LabelBreakdown.Key(
                "endpoint",
                List.of(
                        new LabelBreakdown.Value("a", 1_065, 1_065, 0, 0, 0, 0, null, null),
                        new LabelBreakdown.Value("b", 1_065, 1_064, 0, 1, 0, 0, null, null),
                        new LabelBreakdown.Value("c", 1_064, 100, 0, 964, 0, 0, null, null)));
        assertThat(hung.maxOverMean())
                .as("an endpoint that hangs had its share")
                .isCloseTo(1, within(0.001));
        assertThat(hung.gini()).isCloseTo(0, within(0.001));
        assertThat(key(0, 0).maxOverMean()).as("nothing issued").isNull();
    }

    @Test
    void samplesAreCountedByEachKeyAlone() {
        apply(
                fold,
                issued("a", Map.of("endpoint", "e1", "tenant", "t1"))
                        .withData(PromptData.ofTokenIds(List.of(1L, 2L, 3L))),
                issued("b", Map.of("endpoint", "e2", "tenant", "t1")),
                at(0, EventType.SAMPLE_ISSUED, "c"),
                at(50, EventType.SAMPLE_RECV_FIRST, "a"),
                at(100, EventType.SAMPLE_COMPLETE, "a").withUsage(Usage.of(3, 7)),
                at(60, EventType.ERROR_CLIENT, "b"),
                at(80, EventType.SAMPLE_COMPLETE, "b").withUsage(Usage.of(3, 70)));
        LabelBreakdown.Value first = value("endpoint", "e1");
        assertThat(first.issued()).isEqualTo(1);
        assertThat(first.completed()).isEqualTo(1);
        assertThat(first.inFlight()).isZero();
        assertThat(first.inputTokens()).isEqualTo(3);
        assertThat(first.outputTokens()).isEqualTo(7);
        assertThat(first.latency().maxNanos()).isEqualTo(100 * MILLI);
        assertThat(first.firstToken().maxNanos()).isEqualTo(50 * MILLI);
        assertThat(value("endpoint", "e2").failed()).isEqualTo(1);
        assertThat(value("endpoint", "e2").outputTokens())
                .as("tokens of a failed sample")
                .isZero();
        assertThat(value("tenant", "t1").completed()).isEqualTo(2);
        assertThat(value("tenant", LabelBreakdown.NONE).inFlight()).isEqualTo(1);
    }

    @Test
    void failures_of_one_value_are_in_no_duration_and_their_tokens_are_unknown() {
        apply(
                fold,
                issued("a", Map.of("endpoint", "good")),
                issued("b", Map.of("endpoint", "bad")),
                at(50, EventType.SAMPLE_RECV_FIRST, "a"),
                at(1, EventType.SAMPLE_RECV_FIRST, "b"),
                at(2, EventType.ERROR_CLIENT, "b"),
                at(3, EventType.SAMPLE_COMPLETE, "b").withUsage(Usage.of(3, 70)),
                at(100, EventType.SAMPLE_COMPLETE, "a").withUsage(Usage.of(3, 7)));
        LabelBreakdown.Value bad = value("endpoint", "bad");
        assertThat(bad.completed()).isEqualTo(1);
        assertThat(bad.succeeded()).isZero();
        assertThat(bad.failed()).isEqualTo(1);
        assertThat(bad.latency()).isNull();
        assertThat(bad.firstToken()).isNull();
        assertThat(bad.timePerToken()).isNull();
        assertThat(bad.knownOutputTokens()).isNull();
        LabelBreakdown.Value good = value("endpoint", "good");
        assertThat(good.latency())
                .isEqualTo(new LabelBreakdown.Durations(1, 100 * MILLI, 100 * MILLI, 100 * MILLI, 100 * MILLI));
        assertThat(good.firstToken().maxNanos()).isEqualTo(50 * MILLI);
        assertThat(good.knownOutputTokens()).isEqualTo(7);
    }

    @Test
    void valuesBeyondTheBoundAreOtherAndKeysBeyondItAreIgnored() {
        for (int i = 0; i < LabelKey.VALUES_MAX + 5; i++) {
            apply(fold, issued("s" + i, Map.of("endpoint", "e" + i)));
        }
        assertThat(key("endpoint").values()).hasSize(LabelKey.VALUES_MAX + 1);
        assertThat(value("endpoint", LabelBreakdown.OTHER).issued()).isEqualTo(5);
        assertThat(counter("labels_over_limit")).isEqualTo(5);
        for (int i = 0; i < LabelFold.KEYS_MAX + 2; i++) {
            apply(fold, issued("k" + i, Map.of("key" + i, "v")));
        }
        assertThat(fold.optional().labels().keys()).hasSize(LabelFold.KEYS_MAX);
        assertThat(counter("labels_over_limit")).isEqualTo(5 + 3);
    }

    @Test
    void aSampleIssuedAgainElsewhereIsInFlightThere() {
        apply(
                fold,
                issued("a", Map.of("endpoint", "e1")),
                issued("a", Map.of("endpoint", "e2")),
                at(80, EventType.SAMPLE_COMPLETE, "a"));
        assertThat(value("endpoint", "e1").inFlight()).isZero();
        assertThat(value("endpoint", "e1").completed()).isZero();
        assertThat(value("endpoint", "e2").completed()).isEqualTo(1);
        assertThat(value("endpoint", "e2").inFlight()).isZero();
    }

    @Test
    void samples_issued_before_the_first_with_a_key_do_not_have_the_key() {
        apply(
                fold,
                at(0, EventType.SAMPLE_ISSUED, "a"),
                at(10, EventType.SAMPLE_RECV_FIRST, "a"),
                at(30, EventType.SAMPLE_COMPLETE, "a").withUsage(Usage.of(3, 5)),
                at(0, EventType.SAMPLE_ISSUED, "b"),
                issued("c", Map.of("endpoint", "x")),
                at(20, EventType.SAMPLE_RECV_FIRST, "b"),
                at(60, EventType.SAMPLE_COMPLETE, "b").withUsage(Usage.of(4, 7)),
                issued("d", Map.of("tenant", "t")));
        LabelBreakdown.Value none = value("endpoint", LabelBreakdown.NONE);
        assertThat(List.of(none.issued(), none.completed(), none.inFlight())).isEqualTo(List.of(3L, 2L, 1L));
        assertThat(List.of(none.inputTokens(), none.outputTokens())).isEqualTo(List.of(7L, 12L));
        assertThat(none.latency().count()).isEqualTo(2);
        assertThat(none.firstToken().maxNanos()).isEqualTo(20 * MILLI);
        assertThat(none.timePerToken().count()).isEqualTo(2);
        assertThat(value("endpoint", "x").issued()).isEqualTo(1);
        LabelBreakdown.Value tenants = value("tenant", LabelBreakdown.NONE);
        assertThat(List.of(tenants.issued(), tenants.completed(), tenants.inFlight()))
                .isEqualTo(List.of(3L, 2L, 1L));
    }

    @Test
    void a_sample_without_the_key_leaves_and_completes_where_it_was_counted() {
        apply(
                fold,
                at(0, EventType.SAMPLE_ISSUED, "a"),
                issued("b", Map.of("endpoint", "x")),
                issued("a", Map.of("endpoint", "x")),
                at(80, EventType.SAMPLE_COMPLETE, "a"),
                at(80, EventType.SAMPLE_COMPLETE, "b"));
        assertThat(value("endpoint", LabelBreakdown.NONE).inFlight()).isZero();
        assertThat(value("endpoint", LabelBreakdown.NONE).completed()).isZero();
        assertThat(value("endpoint", "x").completed()).isEqualTo(2);
    }

    @Test
    void samples_before_the_first_named_worker_are_of_no_worker() {
        apply(
                fold,
                at(0, EventType.SAMPLE_ISSUED, "a"),
                at(30, EventType.SAMPLE_COMPLETE, "a"),
                at(0, EventType.SAMPLE_ISSUED, "b").from(3, 0));
        assertThat(value("worker", LabelBreakdown.NONE).completed()).isEqualTo(1);
        assertThat(value("worker", "3").inFlight()).isEqualTo(1);
    }

    @Test
    void aRunWithoutLabelsHasNoBreakdown() {
        apply(fold, at(0, EventType.SAMPLE_ISSUED, "a"), at(80, EventType.SAMPLE_COMPLETE, "a"));
        assertThat(fold.optional().labels()).isNull();
        assertThat(counter("labels_over_limit")).isEqualTo(-1);
        assertThat(counter("labels_rejected")).isEqualTo(-1);
    }
}
