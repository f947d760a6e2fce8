package io.metricsaggregator.report.submission;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MalformedMessageException;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Reads and writes the JSON and YAML files of a submission. */
public final class SubmissionFiles {
    private static final int BYTES_MAX = 16 << 20;

    private SubmissionFiles() {}

    /**
     * The mapping of a file: YAML if its name ends in {@code .yaml} or {@code .yml}, JSON otherwise.
     *
     * @throws IOException if it cannot be read, is larger than 16 MiB, or holds no mapping; the message names it
     */
    public static Map<?, ?> read(Path file) throws IOException {
        if (Files.size(file) > BYTES_MAX) {
            throw new IOException(file + " is larger than " + BYTES_MAX + " bytes");
        }
        byte[] bytes = Files.readAllBytes(file);
        String name = file.toString();
        try {
            return name.endsWith(".yaml") || name.endsWith(".yml")
                    ? yaml(new String(bytes, StandardCharsets.UTF_8))
                    : JsonTree.read(bytes);
        } catch (MalformedMessageException | YamlEngineException | IllegalArgumentException e) {
            String reason = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            throw new IOException(file + " is not valid: " + reason, e);
        }
    }

    /** The mapping of a YAML text; numbers beyond 64 bits stay whole. */
    static Map<?, ?> yaml(String text) {
        LoadSettings limits = LoadSettings.builder()
                .setCodePointLimit(BYTES_MAX)
                .setMaxAliasesForCollections(50)
                .setAllowRecursiveKeys(false)
                .build();
        if (new Load(limits).loadFromString(text) instanceof Map<?, ?> map) {
            return map;
        }
        throw new IllegalArgumentException("it holds no mapping");
    }

    static String json(Map<String, ?> tree) {
        return new String(JsonTree.write(tree), StandardCharsets.UTF_8) + "\n";
    }

    /** A mapping as YAML that readers of versions 1.1 and 1.2 read alike: texts are quoted, and no number has an exponent. */
    static String writeYaml(Map<?, ?> tree) {
        StringBuilder out = new StringBuilder();
        block(tree, "", out);
        return out.toString();
    }

    private static void block(Map<?, ?> tree, String indent, StringBuilder out) {
        tree.forEach((key, value) -> {
            String name = String.valueOf(key);
            out.append(indent).append(name.matches("[a-z][a-z0-9_]*") ? name : scalar(name));
            out.append(':');
            if (value instanceof Map<?, ?> map && !map.isEmpty()) {
                out.append('\n');
                block(map, indent + "  ", out);
            } else if (value instanceof List<?> list && !list.isEmpty()) {
                out.append('\n');
                list.forEach(each ->
                        out.append(indent).append("- ").append(scalar(each)).append('\n'));
            } else {
                out.append(' ').append(scalar(value)).append('\n');
            }
        });
    }

    /** A value in one line; collections in the notation of JSON. */
    private static String scalar(@Nullable Object value) {
        if (value instanceof Double number) {
            return Double.isFinite(number) ? new BigDecimal(number.toString()).toPlainString() : "null";
        }
        return value == null ? "null" : new String(JsonTree.writeLine(value), StandardCharsets.UTF_8).strip();
    }
}
