package io.metricsaggregator.snapshot.telemetry.server;

import static io.metricsaggregator.snapshot.fields.TreeFields.finite;

import io.metricsaggregator.codec.LazyTree;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.TreeFields;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Maps {@link ScrapeWindow} to and from the tree {@code observations.scrape.windows.SECOND}. */
final class ScrapeWindowCodec {
    private ScrapeWindowCodec() {}

    static Map<String, @Nullable Object> of(ScrapeWindow window) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("inference_rate", finite(window.inferenceRate()));
        tree.put("request_rate", finite(window.requestRate()));
        tree.put("inference_rate_prom3", finite(window.inferenceRateProm3()));
        tree.put("request_rate_prom3", finite(window.requestRateProm3()));
        tree.put("instances_observed", window.instancesObserved());
        tree.put("instances_active", window.instancesActive());
        tree.put("requests", finite(window.requests()));
        tree.put("inferences", finite(window.inferences()));
        times(tree, window.times());
        tree.put("models", LazyTree.map(window.models(), (name, model) -> model(model)));
        tree.put("summed_instances", window.summedInstances());
        tree.put("concurrency", finite(window.concurrency()));
        tree.put("consistency", finite(window.consistency()));
        tree.put("gpus", LazyTree.map(window.gpus(), (name, gpu) -> gpu(gpu)));
        tree.put("summed_tensor_active", finite(window.tensorActive()));
        tree.put("summed_dram_active", finite(window.dramActive()));
        tree.put("counter_resets", window.counterResets());
        return tree;
    }

    private static Map<String, @Nullable Object> model(ScrapeWindow.Model model) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("instances_active", model.instancesActive());
        tree.put("inference_rate", finite(model.inferenceRate()));
        tree.put("requests", finite(model.requests()));
        times(tree, model.times());
        tree.put("avg_batch", finite(model.batch()));
        return tree;
    }

    private static void times(Map<String, @Nullable Object> tree, ScrapeWindow.RequestTimes times) {
        tree.put("req_us_per_request", finite(times.requestMicros()));
        tree.put("que_us_per_request", finite(times.queueMicros()));
        tree.put("inp_us_per_request", finite(times.inputMicros()));
        tree.put("inf_us_per_request", finite(times.inferenceMicros()));
        tree.put("out_us_per_request", finite(times.outputMicros()));
        ScrapeWindow.UncachedTimes uncached = times.uncached();
        if (uncached != null) {
            tree.put("inp_us_per_uncached_request", finite(uncached.inputMicros()));
            tree.put("inf_us_per_uncached_request", finite(uncached.inferenceMicros()));
            tree.put("out_us_per_uncached_request", finite(uncached.outputMicros()));
        }
    }

    private static Map<String, @Nullable Object> gpu(ScrapeWindow.Gpu gpu) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        if (gpu.tensorActive() != null) {
            tree.put("tensor_active", finite(gpu.tensorActive()));
        }
        if (gpu.dramActive() != null) {
            tree.put("dram_active", finite(gpu.dramActive()));
        }
        return tree;
    }

    static ScrapeWindow read(String path, @Nullable Object value) throws MalformedMessageException {
        return read(TreeFields.of(path, value));
    }

    static ScrapeWindow read(TreeFields fields) throws MalformedMessageException {
        return new ScrapeWindow(
                fields.real("inference_rate"),
                fields.real("request_rate"),
                fields.real("inference_rate_prom3"),
                fields.real("request_rate_prom3"),
                fields.integer("instances_observed"),
                fields.integer("instances_active"),
                fields.real("requests"),
                fields.real("inferences"),
                readTimes(fields),
                fields.byName("models", ScrapeWindowCodec::readModel),
                fields.integer("summed_instances"),
                fields.real("concurrency"),
                fields.real("consistency"),
                fields.byName("gpus", ScrapeWindowCodec::readGpu),
                fields.real("summed_tensor_active"),
                fields.real("summed_dram_active"),
                fields.integer("counter_resets"));
    }

    private static ScrapeWindow.Model readModel(String path, @Nullable Object value) throws MalformedMessageException {
        TreeFields fields = TreeFields.of(path, value);
        return new ScrapeWindow.Model(
                fields.integer("instances_active"),
                fields.real("inference_rate"),
                fields.real("requests"),
                readTimes(fields),
                fields.real("avg_batch"));
    }

    private static ScrapeWindow.Gpu readGpu(String path, @Nullable Object value) throws MalformedMessageException {
        TreeFields fields = TreeFields.of(path, value);
        return new ScrapeWindow.Gpu(fields.real("tensor_active"), fields.real("dram_active"));
    }

    private static ScrapeWindow.RequestTimes readTimes(TreeFields fields) throws MalformedMessageException {
        boolean uncached = fields.names().contains("inp_us_per_uncached_request");
        return new ScrapeWindow.RequestTimes(
                fields.real("req_us_per_request"),
                fields.real("que_us_per_request"),
                fields.real("inp_us_per_request"),
                fields.real("inf_us_per_request"),
                fields.real("out_us_per_request"),
                uncached
                        ? new ScrapeWindow.UncachedTimes(
                                fields.real("inp_us_per_uncached_request"),
                                fields.real("inf_us_per_uncached_request"),
                                fields.real("out_us_per_uncached_request"))
                        : null);
    }
}
