package io.metricsaggregator.options;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.ReportedUsage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The acceptance length that the verdict demands of speculative decoding. */
@OptionGroup.In(OptionGroup.METRICS)
public final class GoldenOptions {
    @Option(
            names = "--golden-al",
            paramLabel = "FILE",
            description =
                    "JSON file with the acceptance length that speculative decoding must show within 2%%, else the verdict is QUESTIONABLE:"
                            + " a number, or a map by the run's label model. It counts the model's own token of each step: at least 1.")
    private @Nullable Path goldenAl;

    /**
     * The acceptance length, at least 1; null without the option.
     *
     * @param labels labels of the run, whose {@code model} chooses in a map
     * @throws IllegalArgumentException if the file has no such length; the message names the file and the value
     */
    public @Nullable Double build(Map<String, String> labels) throws IOException {
        if (goldenAl == null) {
            return null;
        }
        Object value = read(goldenAl);
        if (value instanceof Map<?, ?> byModel) {
            String model = labels.get("model");
            if (model == null || !byModel.containsKey(model)) {
                throw new IllegalArgumentException("--golden-al " + goldenAl + " has lengths for " + byModel.keySet()
                        + ", and the run " + (model == null ? "has no label model" : "is labelled model=" + model)
                        + ": set run --label model=NAME, or give a file with one number");
            }
            value = byModel.get(model);
        }
        double length = value instanceof Number number ? number.doubleValue() : Double.NaN;
        if (length >= 1 && length < Double.POSITIVE_INFINITY) {
            return length;
        }
        throw new IllegalArgumentException(
                "--golden-al " + goldenAl + ": " + value
                        + " is not an acceptance length of at least 1; it counts the model's own token of each step (TensorRT-LLM's setting does not)");
    }

    private static Object read(Path file) throws IOException {
        String text = Files.readString(file, StandardCharsets.UTF_8).strip();
        try {
            return text.startsWith("{")
                    ? JsonTree.read(text.getBytes(StandardCharsets.UTF_8))
                    : (Object) Double.parseDouble(text);
        } catch (NumberFormatException | MalformedMessageException e) {
            throw new IllegalArgumentException(
                    "--golden-al " + file + " is neither a number nor a JSON map: " + e.getMessage(), e);
        }
    }

    /** The snapshot with this length among its settings; the same snapshot without the option. */
    public MetricsSnapshot stateIn(MetricsSnapshot snapshot) throws IOException {
        Double length = build(snapshot.extensions().run().labels());
        return length == null
                ? snapshot
                : StatedSettings.in(
                        snapshot,
                        "--golden-al needs",
                        settings -> Map.of(ReportedUsage.Speculation.GOLDEN, length.toString()));
    }
}
