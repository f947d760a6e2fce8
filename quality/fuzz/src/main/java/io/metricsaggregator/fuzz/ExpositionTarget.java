package io.metricsaggregator.fuzz;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.collect.CollectedFrames;
import io.metricsaggregator.collect.ExpositionParser;
import io.metricsaggregator.event.frame.TelemetryRecord;
import io.metricsaggregator.telemetry.TelemetryFolds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Parses and folds an exporter's answer twice, a second apart: it is read to the end in memory proportional to its length, each line is a
 * sample, a comment or counted as malformed, and the folded result can be written as JSON.
 */
public final class ExpositionTarget {
    private static final int TOPIC = 40;

    private ExpositionTarget() {}

    /** Entry point of the fuzzer. */
    public static void fuzzerTestOneInput(byte[] input) throws IOException {
        if (input.length == 0) {
            return;
        }
        boolean openMetrics = (input[0] & 1) == 1;
        String text = new String(input, 1, input.length - 1, StandardCharsets.UTF_8);
        TelemetryFolds telemetry = new TelemetryFolds();
        for (int second = 1; second <= 2; second++) {
            ExpositionParser.Exposition read = ExpositionParser.parse(text, openMetrics);
            long lines = text.chars().filter(each -> each == '\n').count() + 1;
            if (read.samples().size() + read.badLines() + read.leftOut() > lines) {
                throw new IllegalStateException("more samples than lines");
            }
            List<Object> samples = new ArrayList<>();
            for (ExpositionParser.Sample each : read.samples()) {
                samples.add(List.of(each.name(), each.labels(), each.type(), each.value()));
            }
            byte[] frame = CollectedFrames.frame(Map.of(
                    "event_type", "scrape.samples",
                    "timestamp_ns", 1_000_000_000L * second,
                    "job", "j",
                    "instance", "i",
                    "samples", samples));
            TelemetryRecord observation =
                    TelemetryRecord.read(new MsgpackTree(), ByteBuffer.wrap(frame), TOPIC, frame.length - TOPIC, 0);
            if (observation == null || !telemetry.apply(observation)) {
                throw new IllegalStateException("a scrape was rejected: " + telemetry.rejected());
            }
        }
        JsonTree.read(JsonTree.write(telemetry.freeze(2_000_000_000L, true).tree()));
    }
}
