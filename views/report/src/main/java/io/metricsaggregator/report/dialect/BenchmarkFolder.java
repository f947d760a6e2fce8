package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.BenchmarkSettings;
import io.metricsaggregator.analysis.ThroughputWindow;
import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MalformedMessageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads the settings in the report folder of a run of MLCommons endpoints: {@code config.yaml} with the settings the run was started with, and
 * {@code result_summary.json} with the tool's revision. The tool keeps snapshots in a sub-folder {@code metrics}.
 */
public final class BenchmarkFolder {
    private static final String CONFIG = "config.yaml";
    private static final String SUMMARY = "result_summary.json";
    private static final int MAX_BYTES = 4 << 20;
    private static final String[] SEEDS = {"scheduler_random_seed", "dataloader_random_seed"};

    private BenchmarkFolder() {}

    /**
     * Finds the settings that belong to a final snapshot.
     *
     * @param snapshotFile the snapshot; its folder is searched and, if that is called {@code metrics}, the folder above
     * @return the settings; {@link BenchmarkSettings#NONE} if there are none
     * @throws IOException if a settings file exists but is not readable or not valid; the message names it
     */
    public static BenchmarkSettings settings(Path snapshotFile) throws IOException {
        Path folder = snapshotFile.toAbsolutePath().normalize().getParent();
        if (folder == null) {
            return BenchmarkSettings.NONE;
        }
        BenchmarkSettings found = read(folder);
        Path above = folder.getParent();
        return found.equals(BenchmarkSettings.NONE) && above != null && folder.endsWith("metrics")
                ? read(above)
                : found;
    }

    private static BenchmarkSettings read(Path folder) throws IOException {
        Map<String, @Nullable Object> config = config(folder.resolve(CONFIG));
        Map<String, @Nullable Object> summary = summary(folder.resolve(SUMMARY));
        Map<String, @Nullable Object> settings = map(config.get("settings"));
        Map<String, @Nullable Object> pattern = map(settings.get("load_pattern"));
        Map<String, @Nullable Object> runConfig = runConfig(settings, pattern);
        if (runConfig == null && summary.get("run_config") != null) {
            runConfig = map(summary.get("run_config"));
            pattern = map(runConfig.get("load_pattern"));
        }
        return new BenchmarkSettings(
                window(pattern), runConfig, summary.get("git_sha") instanceof String sha ? sha : null);
    }

    /** The tool's rule: LoadGen's window for Poisson load unless that is switched off, the tracked windows for all other load. */
    private static ThroughputWindow window(Map<String, @Nullable Object> pattern) {
        if (!(pattern.get("type") instanceof String type)) {
            return ThroughputWindow.UNSTATED;
        }
        boolean loadgen =
                type.equals("poisson") && !Boolean.FALSE.equals(pattern.get("use_legacy_loadgen_qps_metrics"));
        return loadgen ? ThroughputWindow.LOADGEN : ThroughputWindow.TRACKED;
    }

    /** The part of the settings that the tool writes into its summary: nothing of endpoints or keys. */
    private static @Nullable Map<String, @Nullable Object> runConfig(
            Map<String, @Nullable Object> settings, Map<String, @Nullable Object> pattern) {
        if (pattern.isEmpty()) {
            return null;
        }
        Map<String, @Nullable Object> runConfig = new LinkedHashMap<>();
        runConfig.put("load_pattern", pattern);
        if (settings.get("warmup") != null) {
            runConfig.put("warmup", map(settings.get("warmup")));
        }
        Map<String, @Nullable Object> runtime = map(settings.get("runtime"));
        for (String seed : SEEDS) {
            runConfig.put(seed, runtime.get(seed));
        }
        return runConfig;
    }

    /** The report folder that a final snapshot belongs to: its folder, or the one above if that is called {@code metrics}. */
    public static Path of(Path snapshotFile) {
        Path folder = snapshotFile.toAbsolutePath().normalize().resolveSibling("");
        Path above = folder.getParent();
        return above != null && folder.endsWith("metrics") ? above : folder;
    }

    private static Map<String, @Nullable Object> config(Path file) throws IOException {
        String text = text(file);
        if (text == null) {
            return Map.of();
        }
        try {
            LoadSettings limits = LoadSettings.builder()
                    .setCodePointLimit(MAX_BYTES)
                    .setMaxAliasesForCollections(50)
                    .setAllowRecursiveKeys(false)
                    .setLabel(file.toString())
                    .build();
            return map(new Load(limits).loadFromString(text));
        } catch (YamlEngineException | IllegalArgumentException e) {
            // The library does not check the digits of an escape that is cut.
            throw new IOException(file + " is not valid YAML: " + firstLine(e), e);
        }
    }

    private static Map<String, @Nullable Object> summary(Path file) throws IOException {
        String text = text(file);
        if (text == null) {
            return Map.of();
        }
        try {
            return JsonTree.read(text.getBytes(StandardCharsets.UTF_8));
        } catch (MalformedMessageException e) {
            throw new IOException(file + " is not valid JSON: " + firstLine(e), e);
        }
    }

    /** The text of a file; null if there is no such file. */
    private static @Nullable String text(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            return null;
        }
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException(file + " is larger than " + MAX_BYTES + " bytes");
        }
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }

    private static String firstLine(Exception error) {
        String message = error.getMessage();
        return message == null
                ? error.getClass().getSimpleName()
                : message.lines().findFirst().orElse("");
    }

    /** The entries with string keys, values as plain JSON types; empty if it is not a map. */
    private static Map<String, @Nullable Object> map(@Nullable Object value) {
        Map<String, @Nullable Object> entries = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, each) -> {
                if (key instanceof String name) {
                    entries.put(name, plain(each));
                }
            });
        }
        return entries;
    }

    private static @Nullable Object plain(@Nullable Object value) {
        if (value instanceof Map<?, ?>) {
            return map(value);
        }
        if (value instanceof Integer number) {
            return number.longValue();
        }
        if (value == null
                || value instanceof String
                || value instanceof Boolean
                || value instanceof Long
                || value instanceof Double) {
            return value;
        }
        return value instanceof Iterable<?> list ? list(list) : value.toString();
    }

    private static List<@Nullable Object> list(Iterable<?> values) {
        List<@Nullable Object> list = new ArrayList<>();
        values.forEach(each -> list.add(plain(each)));
        return list;
    }
}
