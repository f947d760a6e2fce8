package io.metricsaggregator.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.telemetry.TelemetryKind;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DocumentedKindsTest {
    private static final Path DOCS = Path.of("../../docs");

    /** The heading of a kind in docs/telemetry.md. */
    private static String heading(TelemetryKind kind) {
        return switch (kind) {
            case TRANSFER -> "KV-cache transfers";
            case RESOURCE -> "Nodes";
            case OPERATION -> "Operations";
            case SCRAPE -> "Servers and GPUs";
            case METRIC -> "Custom metrics";
        };
    }

    @ParameterizedTest
    @EnumSource
    void every_kind_has_its_figures_in_telemetry_and_its_records_and_an_example(TelemetryKind kind) throws Exception {
        assertThat(Files.readAllLines(DOCS.resolve("telemetry.md")))
                .as("docs/telemetry.md lacks a section on %s", kind.key())
                .contains("## " + heading(kind));
        String protocol = Files.readString(DOCS.resolve("protocol.md"));
        assertThat(protocol)
                .as("docs/protocol.md lacks a table row of %s records", kind.key())
                .contains("\n| `" + kind.key() + ".");
        assertThat(Files.readString(DOCS.resolve("examples/telemetry.jsonl")))
                .as("docs/examples/telemetry.jsonl lacks a %s record", kind.key())
                .contains("{\"event_type\": \"" + kind.key() + ".");
    }
}
