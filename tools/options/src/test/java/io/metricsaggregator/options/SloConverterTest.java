package io.metricsaggregator.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.fold.series.Slo;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Objectives of classes on the command line. */
class SloConverterTest {
    private static final long MILLI = 1_000_000L;

    @Test
    void classes_have_objectives_of_their_own() {
        Slo slo = new SloConverter().convert("gold: ttft=200ms,tpot=20ms,share=99%; *: ttft=2s");
        assertThat(slo.classes())
                .isEqualTo(Map.of(
                        "gold", new Slo(200 * MILLI, 20 * MILLI, Slo.NONE, 0.99),
                        "*", new Slo(2000 * MILLI, Slo.NONE, Slo.NONE, 0.9)));
        assertThat(slo.targetShare()).isEqualTo(0.9);
        assertThat(slo.limitsTpot()).isTrue();
        assertThat(slo.limitsLatency()).isFalse();
        assertThat(SloConverter.keyed(slo, "priority").key()).isEqualTo("priority");
        assertThat(new SloConverter().convert("urn:a: ttft=1s;*:ttft=2s").classes())
                .containsKey("urn:a");
    }

    @Test
    void objectives_without_classes_are_as_before() {
        assertThat(new SloConverter().convert("ttft=1s")).isEqualTo(new Slo(1000 * MILLI, Slo.NONE, Slo.NONE, 0.9));
        assertThat(SloConverter.keyed(null, null)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gold: ttft=1s",
                "gold: ttft=1s; gold: ttft=2s; *: ttft=3s",
                ": ttft=1s; *: ttft=3s",
                "gold: ; *: ttft=3s",
                "gold: ttft=1s;",
                "gold: ttft=1s; ttft=3s",
                "gold: ttft=1; *: ttft=3s",
                "gold: share=2,ttft=1s; *: ttft=3s",
                "gold: ttft=1s,ttft=2s; *: ttft=3s",
                "a:ttft=1s;b:ttft=1s;c:ttft=1s;d:ttft=1s;e:ttft=1s;f:ttft=1s;g:ttft=1s;h:ttft=1s;i:ttft=1s;"
                        + "j:ttft=1s;k:ttft=1s;l:ttft=1s;m:ttft=1s;n:ttft=1s;o:ttft=1s;p:ttft=1s;*:ttft=1s"
            })
    void malformed_classes_are_refused(String text) {
        assertThatThrownBy(() -> new SloConverter().convert(text))
                .isInstanceOf(picocli.CommandLine.TypeConversionException.class)
                .hasMessageContaining("'");
    }

    @Test
    void a_key_needs_classes_and_classes_need_a_key() {
        Slo classes = new SloConverter().convert("gold: ttft=1s; *: ttft=2s");
        assertThatThrownBy(() -> SloConverter.keyed(classes, null)).hasMessageContaining("--slo-key");
        assertThatThrownBy(() -> SloConverter.keyed(classes, " ")).hasMessageContaining("--slo-key ' '");
        assertThatThrownBy(() -> SloConverter.keyed(null, "tier")).hasMessageContaining("'tier'");
        assertThatThrownBy(() -> SloConverter.keyed(new SloConverter().convert("ttft=1s"), "tier"))
                .hasMessageContaining("'tier'");
    }
}
