package io.metricsaggregator.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.FinishReason;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CatalogueTest {
    private static final List<CounterName> COUNTERS = List.of(CounterName.values());
    private static final List<SeriesName> SERIES = List.of(SeriesName.values());

    @Test
    void aWireNameIdentifiesOneCounterOrSeries() {
        assertThat(Stream.concat(
                        COUNTERS.stream().map(CounterName::wire),
                        SERIES.stream().map(SeriesName::wire)))
                .doesNotHaveDuplicates();
        assertThat(SERIES.stream().map(SeriesName::key)).doesNotHaveDuplicates();
        assertThat(SERIES.stream().map(SeriesName::title)).doesNotHaveDuplicates();
    }

    @Test
    void aConstantIsItsWireNameInCapitals() {
        assertThat(COUNTERS)
                .allSatisfy(
                        each -> assertThat(each.name()).isEqualTo(each.wire().toUpperCase(Locale.ROOT)));
        assertThat(SERIES)
                .allSatisfy(
                        each -> assertThat(each.name()).isEqualTo(each.wire().toUpperCase(Locale.ROOT)));
    }

    @Test
    void aNameIsFoundByItsWireNameAndAnUnknownNameIsNot() {
        assertThat(COUNTERS)
                .allSatisfy(each -> assertThat(CounterName.ofWire(each.wire())).isSameAs(each));
        assertThat(SERIES)
                .allSatisfy(each -> assertThat(SeriesName.ofWire(each.wire())).isSameAs(each));
        assertThat(CounterName.ofWire("another_daemons_counter")).isNull();
        assertThat(SeriesName.ofWire("total_samples_issued")).isNull();
    }

    @Test
    void aNameEndsWithNsIfAndOnlyIfItsUnitIsNanoseconds() {
        assertThat(COUNTERS)
                .allSatisfy(each -> assertThat(each.wire().endsWith("_ns")).isEqualTo(each.unit() == Unit.NANOSECONDS));
        assertThat(SERIES)
                .allSatisfy(each -> assertThat(each.wire().endsWith("_ns")).isEqualTo(each.isDuration()));
    }

    @Test
    void aFinishReasonHasACounterOfItsName() {
        assertThat(FinishReason.values())
                .allSatisfy(each -> assertThat(CounterName.ofFinishReason(each).wire())
                        .isEqualTo("tracked_finish_reason_" + each.wireName()));
    }

    @Test
    void aMeaningIsAPhraseAndATitleFitsATable() {
        Stream<String> meanings = Stream.concat(
                COUNTERS.stream().map(CounterName::meaning), SERIES.stream().map(SeriesName::meaning));
        assertThat(meanings)
                .allSatisfy(each -> assertThat(each)
                        .hasSizeGreaterThan(10)
                        .doesNotEndWith(".")
                        .doesNotContain("|", "\n"));
        assertThat(SERIES).allSatisfy(each -> assertThat(each.title()).hasSizeLessThanOrEqualTo(25));
    }

    @Test
    void everyCounterIsInAGroupAndEveryGroupHasCounters() {
        assertThat(Arrays.stream(CounterGroup.values()).flatMap(group -> CounterName.of(group).stream()))
                .containsExactlyElementsOf(COUNTERS);
        assertThat(CounterGroup.values())
                .allSatisfy(group -> assertThat(CounterName.of(group)).isNotEmpty());
    }

    @Test
    void aPercentileHasAKeyAndALabel() {
        assertThat(Percentile.P99.key()).isEqualTo("99.0");
        assertThat(Percentile.P99.label()).isEqualTo("p99");
        assertThat(Percentile.P99_9.key()).isEqualTo("99.9");
        assertThat(Percentile.P99_9.label()).isEqualTo("p99.9");
        assertThat(Percentile.label("99.95")).isEqualTo("p99.95");
    }
}
