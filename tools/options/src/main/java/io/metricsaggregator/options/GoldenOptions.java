package io.metricsaggregator.options;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.ReportedUsage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The acceptance length that the verdict demands of speculative decoding. */
@OptionGroup.In(OptionGroup.METRICS)
public final class GoldenOptions {
    private static final int MAX_BYTES = 1 << 20;

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
     * @throws IOException if the file cannot be read; the message names option and file
     * @throws IllegalArgumentException if the file has no such length; the message names the file and the value
     */
    public @Nullable Double build(Map<String, String> labels) throws IOException {
        if (goldenAl == null) {
            return null;
        }
        String text = read(goldenAl);
        boolean byModel = text.startsWith("{");
        String model = labels.getOrDefault("model", "");
        try {
            Object value = byModel
                    ? JsonTree.read(text.getBytes(StandardCharsets.UTF_8)).get(model)
                    : (Object) Double.valueOf(text);
            if (value instanceof Number length && length.doubleValue() >= 1 && length.doubleValue() < 1e9) {
                return length.doubleValue();
            }
            throw new IllegalArgumentException(
                    "--golden-al " + goldenAl + ": " + value
                            + (byModel ? ", for the run's label model '" + model + "'," : "")
                            + " is not an acceptance length of at least 1, which counts the model's own token of each step (TensorRT-LLM's setting does not)");
        } catch (NumberFormatException | MalformedMessageException e) {
            throw new IllegalArgumentException(
                    "--golden-al " + goldenAl + " is neither a number nor a JSON map: " + e.getMessage(), e);
        }
    }

    private static String read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new IOException(
                    "--golden-al: " + file + (Files.exists(file) ? " cannot be read" : " does not exist"), e);
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
