package io.metricsaggregator.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.Usage;
import io.metricsaggregator.journal.RunOrigin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The tokens of single samples, as counted and as reported. */
class TokenRowsTest {
    private static String line(SampleRow row) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (TokenRows rows = new TokenRows(out)) {
            rows.sample(row);
        }
        return out.toString(StandardCharsets.UTF_8).replace(" ", "");
    }

    private static SampleRow row(@Nullable Long input, @Nullable Long output, @Nullable Usage usage) {
        SampleRow row = new SampleRow("s", RunOrigin.UNKNOWN);
        row.completed = 5L;
        row.inputTokens = input;
        row.outputTokens = output;
        row.usage = usage;
        return row;
    }

    @Test
    void theDeviationIsSignedAndRelativeToTheCount() throws IOException {
        assertThat(line(row(1000L, 100L, Usage.of(900, 111))))
                .contains("\"counted\":{\"prompt_tokens\":1000,\"completion_tokens\":100}")
                .contains("\"reported\":{\"prompt_tokens\":900,\"completion_tokens\":111,\"by\":\"server\"}")
                .contains("\"deviation\":{\"prompt\":-0.1,\"completion\":0.11}");
    }

    @Test
    void whatIsUnknownOrZeroHasNoDeviation() throws IOException {
        assertThat(line(row(null, 0L, Usage.of(900, 111))))
                .contains("\"deviation\":{\"prompt\":null,\"completion\":null}");
        assertThat(line(row(10L, 10L, null)))
                .contains("\"reported\":null", "\"deviation\":{\"prompt\":null,\"completion\":null}");
    }
}
