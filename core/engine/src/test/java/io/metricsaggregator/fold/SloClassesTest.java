package io.metricsaggregator.fold;

import static io.metricsaggregator.fold.Events.apply;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.Usage;
import io.metricsaggregator.fold.row.TimeCut;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.fold.series.Slo;
import io.metricsaggregator.fold.series.Streaming;
import io.metricsaggregator.fold.series.TokenSource;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.snapshot.figures.ServiceClasses;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Samples are judged by the objectives of the class that their label names. */
class SloClassesTest {
    private static final long MILLI = 1_000_000L;
    private static final Slo STRICT = new Slo(Slo.NONE, 10 * MILLI, 100 * MILLI, 0.99);
    private static final Slo LOOSE = new Slo(Slo.NONE, Slo.NONE, 1000 * MILLI, 0.5);

    private static Slo classes(Map<String, Slo> named) {
        Map<String, Slo> classes = new LinkedHashMap<>(named);
        classes.put(Slo.REST, LOOSE);
        return Slo.ofClasses("tier", classes);
    }

    private static LoadgenFold fold(Slo slo, Map<String, List<String>> expected) {
        LoadgenFold fold = new LoadgenFold(
                new Registry(3, 30, new RawBudget(Long.MAX_VALUE)),
                new RecordLedger(),
                new FoldOptions(Streaming.ON, 1000, Long.MAX_VALUE, 1, slo, TimeCut.NONE, false, TokenSource.USAGE)
                        .withTargets(FoldOptions.AUTO_IDLE, expected));
        apply(fold, EventRecord.session(EventType.SESSION_STARTED, 0));
        apply(fold, EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, 0));
        return fold;
    }

    /** A sample with chunks from 10 ms on, of 20 output and 5 input tokens. */
    private static void sample(LoadgenFold fold, String id, Map<String, String> labels, long millis) {
        EventRecord issued = EventRecord.sample(EventType.SAMPLE_ISSUED, 0, id);
        apply(
                fold,
                labels.isEmpty() ? issued : issued.withLabels(labels),
                EventRecord.sample(EventType.SAMPLE_RECV_FIRST, 10 * MILLI, id).withTokens(1),
                EventRecord.sample(EventType.SAMPLE_COMPLETE, millis * MILLI, id)
                        .withUsage(Usage.of(5, 20)));
    }

    private static Map<String, ServiceClasses.Row> rows(LoadgenFold fold) {
        return fold.goodput().classes().rows().stream()
                .collect(Collectors.toMap(ServiceClasses.Row::name, each -> each));
    }

    @Test
    void each_class_has_its_own_limits_and_tokens_and_all_others_are_the_rest() {
        LoadgenFold fold = fold(classes(Map.of("gold", STRICT)), Map.of());
        sample(fold, "before labels", Map.of(), 900);
        sample(fold, "fast", Map.of("tier", "gold"), 90);
        sample(fold, "late", Map.of("tier", "gold"), 101);
        sample(fold, "other key", Map.of("tenant", "gold"), 900);
        sample(fold, "other value", Map.of("tier", "bronze"), 900);
        sample(fold, "late for all", Map.of("tier", "bronze"), 1001);
        Goodput goodput = fold.goodput();
        assertThat(goodput.judged()).isEqualTo(6);
        assertThat(goodput.good()).isEqualTo(4);
        assertThat(goodput.targetShare()).isEqualTo(0.5);
        assertThat(goodput.isMet()).as("gold misses 99 %").isFalse();
        ServiceClasses.Row gold = rows(fold).get("gold");
        assertThat(gold.goodput())
                .isEqualTo(new Goodput(
                        List.of(
                                new Goodput.Constraint("tpot", 10 * MILLI, 2),
                                new Goodput.Constraint("latency", 100 * MILLI, 1)),
                        0.99,
                        2,
                        1,
                        0));
        assertThat(gold.outputTokens()).isEqualTo(20);
        assertThat(gold.inputTokens()).isEqualTo(5);
        ServiceClasses.Row rest = rows(fold).get("*");
        assertThat(rest.goodput().judged()).isEqualTo(4);
        assertThat(rest.goodput().good()).isEqualTo(3);
        assertThat(rest.outputTokens()).isEqualTo(60);
        assertThat(rest.knownTotalTokens()).isEqualTo(75);
        assertThat(rest.latencyP50Nanos()).isBetween(900 * MILLI * 0.968, 900 * MILLI * 1.032);
    }

    @Test
    void classes_keep_their_codes_when_many_values_come_before_them() {
        LoadgenFold fold = fold(classes(Map.of("gold", STRICT)), Map.of("tier", List.of("a", "gold")));
        for (int i = 0; i < 40; i++) {
            sample(fold, "s" + i, Map.of("tier", "value" + i), 500);
        }
        sample(fold, "gold", Map.of("tier", "gold"), 50);
        assertThat(rows(fold).get("gold").goodput().judged()).isEqualTo(1);
        assertThat(rows(fold).get("*").goodput().judged()).isEqualTo(40);
    }

    @Test
    void a_failed_sample_is_bad_in_its_class() {
        LoadgenFold fold = fold(classes(Map.of("gold", STRICT)), Map.of());
        apply(
                fold,
                EventRecord.sample(EventType.SAMPLE_ISSUED, 0, "a").withLabels(Map.of("tier", "gold")),
                EventRecord.sample(EventType.ERROR_CLIENT, 1, "a"),
                EventRecord.sample(EventType.SAMPLE_COMPLETE, 2, "a").withUsage(Usage.of(5, 20)));
        assertThat(rows(fold).get("gold").goodput().judged()).isEqualTo(1);
        assertThat(rows(fold).get("gold").outputTokens()).isZero();
        assertThat(rows(fold).get("gold").latencyP50Nanos()).isNull();
    }

    @Test
    void classes_without_room_beside_expected_values_are_refused() {
        List<String> values = IntStream.range(0, 32).mapToObj(i -> "v" + i).toList();
        assertThatThrownBy(() -> fold(classes(Map.of("gold", STRICT)), Map.of("tier", values)))
                .hasMessageContaining("tier=gold")
                .hasMessageContaining("--expect-label");
    }
}
