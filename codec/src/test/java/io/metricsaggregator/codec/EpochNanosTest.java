package io.metricsaggregator.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EpochNanosTest {
    @ParameterizedTest
    @CsvSource({
        "0, 1970-01-01T00:00:00Z",
        "1795345264100024192, 2026-11-22T11:01:04.100024192Z",
        "-1, 1969-12-31T23:59:59.999999999Z",
        "9223372036854775807, 2262-04-11T23:47:16.854775807Z"
    })
    void epochNanosecondsAndInstantsConvertBothWays(long nanos, String instant) {
        assertThat(EpochNanos.toInstant(nanos)).isEqualTo(Instant.parse(instant));
        assertThat(EpochNanos.of(Instant.parse(instant))).isEqualTo(nanos);
    }

    @Test
    void anInstantBeyond64BitsIsRejected() {
        assertThatThrownBy(() -> EpochNanos.of(Instant.parse("2262-04-11T23:47:16.854775808Z")))
                .isInstanceOf(ArithmeticException.class);
    }
}
