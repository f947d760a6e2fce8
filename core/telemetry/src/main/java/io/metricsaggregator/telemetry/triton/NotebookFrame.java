package io.metricsaggregator.telemetry.triton;

import io.metricsaggregator.codec.LazyTree;
import io.metricsaggregator.snapshot.telemetry.server.TritonSnapshot;
import io.metricsaggregator.telemetry.triton.TritonNotebook.Query;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The table that triton_multiuser_benchmarks' notebook makes of its queries' answers, with its faults (gaps as zeros, a sum of the wrong columns), and the Python error that
 * ends the notebook. Follows {@code get_all_queries} and {@code convert_results_to_df} at commit b7f6a3d, run on all windows at once. Belongs to the thread that applies events.
 */
final class NotebookFrame {
    private static final String NOT_ITERABLE = "TypeError: 'NoneType' object is not iterable";

    private final Map<String, Query> queries;
    private final Set<Long> ends;
    private final Map<String, Map<Long, Double>> columns = new TreeMap<>();
    /** Models with a column of rates; a model of two versions twice. */
    private final List<String> models = new ArrayList<>();

    private final List<String> tensors = new ArrayList<>();
    private @Nullable String error;

    /**
     * The table of the answers so far.
     *
     * @param queries the notebook's queries by name; a name with NUL belongs to one model, or to each GPU
     * @param ends times at which the queries were evaluated, in milliseconds
     */
    NotebookFrame(Map<String, Query> queries, Set<Long> ends) {
        this.queries = queries;
        this.ends = ends;
        boolean empty = queries.isEmpty()
                || queries.entrySet().stream()
                        .anyMatch(each -> each.getKey().indexOf('\0') < 0
                                && each.getValue().result().isEmpty());
        // A data frame of an empty result has no column of that name.
        error = empty ? "KeyError: 'timestamp'" : null;
        join();
        joinModels();
        joinGpus();
        if (models.stream().distinct().count() < models.size()) {
            fail("ValueError: columns overlap but no suffix specified");
        }
    }

    /** Records the error that ends the notebook; only the first one counts. */
    private void fail(String message) {
        error = error == null ? message : error;
    }

    private Map<Map<String, String>, Map<Long, Double>> result(String query) {
        Query known = queries.get(query);
        return known == null ? Map.of() : known.result();
    }

    private Map<Long, Double> column(String query) {
        return result(query).getOrDefault(Map.of(), Map.of());
    }

    private void join() {
        columns.put("rate", column("inf_rate_net"));
        columns.put("num_instances", column("num_instances"));
        columns.put("inf_reqs_net", column("inf_reqs_net"));
        for (String key : TritonWindow.DURATIONS.keySet()) {
            columns.put("inf_" + key + "_dur_net", column("inf_" + key + "_dur_net"));
        }
    }

    /** The label sets of the first query whose answer has series with all of these labels: the notebook learns models and GPUs from it. */
    private Set<Map<String, String>> first(List<String> of, List<String> labels) {
        for (String query : of) {
            Set<Map<String, String>> having = new LinkedHashSet<>();
            for (Map<String, String> each : result(query).keySet()) {
                if (each.keySet().containsAll(labels)) {
                    having.add(each);
                }
            }
            if (!having.isEmpty()) {
                return having;
            }
        }
        return Set.of();
    }

    /** Adds rates and instances by model. The notebook leaves out a model without instances, which is one whose requests never grew. */
    private void joinModels() {
        Set<String> versions = new LinkedHashSet<>();
        for (Map<String, String> each : first(List.of("inf_rate", "inf_reqs"), List.of("model", "version"))) {
            versions.add(each.get("model") + "\0" + each.get("version"));
        }
        if (versions.isEmpty()) {
            fail(NOT_ITERABLE);
        }
        for (String version : versions) {
            Map<Long, Double> rates = column(TritonNotebook.OF_MODEL + version);
            Map<Long, Double> instances = new TreeMap<>(column(TritonNotebook.INSTANCES_OF_MODEL + version));
            if (instances.isEmpty()) {
                continue;
            }
            // The notebook joins instances to the rates, so it loses the times that the rates lack.
            instances.keySet().retainAll(rates.keySet());
            String model = version.substring(0, version.indexOf('\0'));
            models.add(model);
            columns.put("rate_" + model, rates);
            columns.put("num_instances_" + model, instances);
        }
    }

    /** Adds activities by GPU. A GPU without either of the two ends the notebook: it searches the GPU's number in a set of names. */
    private void joinGpus() {
        Set<Map<String, String>> gpus = first(List.of("gpu_tensor_util", "gpu_dram_util"), List.of("GPU_I_ID"));
        if (gpus.isEmpty()) {
            // The notebook finds only GPUs with a slice number.
            fail(NOT_ITERABLE);
        }
        for (Map<String, String> gpu : gpus) {
            String name = String.join(
                    "/",
                    TritonNotebook.BY_GPU.stream()
                            .map(each -> gpu.getOrDefault(each, ""))
                            .toList());
            Map<Long, Double> tensor = result("gpu_tensor_util").getOrDefault(gpu, Map.of());
            Map<Long, Double> memory =
                    new TreeMap<>(result(TritonNotebook.DRAM_OF_GPU).getOrDefault(gpu, Map.of()));
            if (tensor.isEmpty() || memory.isEmpty()) {
                fail("KeyError: " + (gpus.size() == 1 ? "'0'" : "the number of " + name + " in a set"));
                continue;
            }
            memory.keySet().retainAll(tensor.keySet());
            columns.put("gpu_tensor_util[" + name + "]", tensor);
            columns.put("gpu_dram_util[" + name + "]", memory);
            tensors.add("gpu_tensor_util[" + name + "]");
        }
    }

    /**
     * The table; its rows are a view of the answers.
     *
     * @param windowsSkipped windows whose queries were not evaluated
     * @param answersLeftOut values for which there was no memory
     */
    TritonSnapshot.Frame snapshot(long windowsSkipped, long answersLeftOut) {
        Map<String, Long> rows = new LinkedHashMap<>();
        List<Double> concurrency = new ArrayList<>();
        List<Double> consistency = new ArrayList<>();
        for (long at : ends) {
            if (!columns.getOrDefault("rate", Map.of()).containsKey(at)) {
                // The notebook joins all columns to this one, so it loses the times that this one lacks.
                continue;
            }
            Map<String, Double> row = row(at);
            rows.put(Long.toString(at / 1000), at);
            double pods = number(row, "num_instances");
            if (pods > 0) {
                concurrency.add(number(row, "summed_instances") / pods);
                consistency.add(number(row, "summed_rate") / number(row, "rate"));
            }
        }
        Set<String> names = new TreeSet<>(columns.keySet());
        names.addAll(List.of("summed_rate", "summed_instances", "summed_gpu_tensor_util", "summed_gpu_dram_util"));
        return new TritonSnapshot.Frame(
                List.copyOf(names),
                LazyTree.map(rows, (second, at) -> row(at)),
                spread(concurrency),
                spread(consistency),
                error,
                windowsSkipped,
                answersLeftOut);
    }

    private Map<String, Double> row(long at) {
        Map<String, Double> row = new TreeMap<>();
        columns.forEach((name, values) -> row.put(name, values.getOrDefault(at, 0.0)));
        double rates = sum(row, models.stream().map(each -> "rate_" + each).toList());
        row.put("summed_rate", rates);
        row.put(
                "summed_instances",
                sum(row, models.stream().map(each -> "num_instances_" + each).toList()));
        row.put("summed_gpu_tensor_util", sum(row, tensors));
        // The notebook sums the columns of rates here.
        row.put("summed_gpu_dram_util", rates);
        return row;
    }

    private static double sum(Map<String, Double> row, List<String> columns) {
        return columns.stream()
                .distinct()
                .mapToDouble(each -> number(row, each))
                .sum();
    }

    private static double number(Map<String, Double> row, String column) {
        Double value = row.get(column);
        return value == null ? 0 : Double.isFinite(value) ? value : Double.NaN;
    }

    private static TritonSnapshot.@Nullable Spread spread(List<Double> values) {
        if (values.isEmpty()) {
            return null;
        }
        double mean = values.stream().mapToDouble(Double::doubleValue).sum() / values.size();
        double squares = values.stream()
                .mapToDouble(each -> (each - mean) * (each - mean))
                .sum();
        return new TritonSnapshot.Spread(
                finite(mean),
                finite(values.stream().mapToDouble(Double::doubleValue).max().orElseThrow()),
                finite(values.stream().mapToDouble(Double::doubleValue).min().orElseThrow()),
                finite(Math.sqrt(squares / values.size())));
    }

    private static @Nullable Double finite(double value) {
        return Double.isFinite(value) ? value : null;
    }
}
