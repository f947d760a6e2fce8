package io.metricsaggregator.snapshot.telemetry.server;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.fields.Forms;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Triton's models and DCGM's GPUs in one window. Null is not measured, 0 is measured and nothing.
 *
 * @param inferenceRate inferences per second
 * @param requestRate requests per second
 * @param inferenceRateProm3 the same as Prometheus 3 extrapolates it, likewise the next
 * @param instancesObserved instances (pods) with a sample
 * @param instancesActive instances whose requests grew
 * @param requests requests completed
 * @param inferences inferences completed
 * @param times durations over all models
 * @param models by name and version
 * @param summedInstances active instances, summed over models
 * @param concurrency models to an active instance
 * @param consistency rates summed over models ÷ rate of the whole
 * @param gpus by instance, device and slice
 * @param tensorActive tensor activity summed over GPUs, each 0 to 1
 * @param dramActive memory activity summed over GPUs, each 0 to 1
 * @param counterResets counters that started from zero
 */
public record ScrapeWindow(
        @Nullable Double inferenceRate,
        @Nullable Double requestRate,
        @Nullable Double inferenceRateProm3,
        @Nullable Double requestRateProm3,
        long instancesObserved,
        long instancesActive,
        @Nullable Double requests,
        @Nullable Double inferences,
        RequestTimes times,
        Map<String, Model> models,
        long summedInstances,
        @Nullable Double concurrency,
        @Nullable Double consistency,
        Map<String, Gpu> gpus,
        @Nullable Double tensorActive,
        @Nullable Double dramActive,
        long counterResets) {
    static final ScrapeWindow BLANK = new ScrapeWindow(
            null,
            null,
            null,
            null,
            0,
            0,
            null,
            null,
            RequestTimes.BLANK,
            Map.of(),
            0,
            null,
            null,
            Map.of(),
            null,
            null,
            0);
    static final Fields.Form<Map<String, ScrapeWindow>> BY_SECOND = Forms.map(ScrapeWindow::pass, BLANK);

    static ScrapeWindow pass(Fields f, ScrapeWindow v) throws MalformedMessageException {
        return new ScrapeWindow(
                f.maybeReal("inference_rate", v.inferenceRate),
                f.maybeReal("request_rate", v.requestRate),
                f.maybeReal("inference_rate_prom3", v.inferenceRateProm3),
                f.maybeReal("request_rate_prom3", v.requestRateProm3),
                f.laterCount("instances_observed", v.instancesObserved),
                f.laterCount("instances_active", v.instancesActive),
                f.maybeReal("requests", v.requests),
                f.maybeReal("inferences", v.inferences),
                RequestTimes.pass(f, v.times),
                f.form("models", v.models, Model.BY_NAME),
                f.laterCount("summed_instances", v.summedInstances),
                f.maybeReal("concurrency", v.concurrency),
                f.maybeReal("consistency", v.consistency),
                f.form("gpus", v.gpus, Gpu.BY_NAME),
                f.maybeReal("summed_tensor_active", v.tensorActive),
                f.maybeReal("summed_dram_active", v.dramActive),
                f.laterCount("counter_resets", v.counterResets));
    }

    /** The same with other models. */
    public ScrapeWindow withModels(Map<String, Model> others) {
        return with(others, gpus);
    }

    /** The same with other models and GPUs. */
    public ScrapeWindow with(Map<String, Model> otherModels, Map<String, Gpu> otherGpus) {
        return new ScrapeWindow(
                inferenceRate,
                requestRate,
                inferenceRateProm3,
                requestRateProm3,
                instancesObserved,
                instancesActive,
                requests,
                inferences,
                times,
                otherModels,
                summedInstances,
                concurrency,
                consistency,
                otherGpus,
                tensorActive,
                dramActive,
                counterResets);
    }

    /**
     * Mean microseconds per request, of the whole and of each phase.
     *
     * @param uncached the compute phases per request that was not answered from the cache; null if none was
     */
    public record RequestTimes(
            @Nullable Double requestMicros,
            @Nullable Double queueMicros,
            @Nullable Double inputMicros,
            @Nullable Double inferenceMicros,
            @Nullable Double outputMicros,
            @Nullable UncachedTimes uncached) {
        static final RequestTimes BLANK = new RequestTimes(null, null, null, null, null, null);

        static RequestTimes pass(Fields f, RequestTimes v) throws MalformedMessageException {
            return new RequestTimes(
                    f.maybeReal("req_us_per_request", v.requestMicros),
                    f.maybeReal("que_us_per_request", v.queueMicros),
                    f.maybeReal("inp_us_per_request", v.inputMicros),
                    f.maybeReal("inf_us_per_request", v.inferenceMicros),
                    f.maybeReal("out_us_per_request", v.outputMicros),
                    UncachedTimes.pass(f, v.uncached));
        }
    }

    /** Mean microseconds of the compute phases per uncached request; null if every request was cached. */
    public record UncachedTimes(
            @Nullable Double inputMicros,
            @Nullable Double inferenceMicros,
            @Nullable Double outputMicros) {
        private static final String INPUT = "inp_us_per_uncached_request";
        private static final String INFERENCE = "inf_us_per_uncached_request";
        private static final String OUTPUT = "out_us_per_uncached_request";
        private static final Fields.Keys KEYS =
                Forms.keys((key, tree) -> key.equals(INPUT) || key.equals(INFERENCE) || key.equals(OUTPUT));

        /** All three keys, or none. */
        static @Nullable UncachedTimes pass(Fields f, @Nullable UncachedTimes v) throws MalformedMessageException {
            Map<String, @Nullable Double> times = new LinkedHashMap<>();
            if (v != null) {
                times.put(INPUT, v.inputMicros);
                times.put(INFERENCE, v.inferenceMicros);
                times.put(OUTPUT, v.outputMicros);
            }
            times = f.others(times, KEYS, Forms.REAL);
            return times.isEmpty()
                    ? null
                    : new UncachedTimes(times.get(INPUT), times.get(INFERENCE), times.get(OUTPUT));
        }
    }

    /**
     * One model and version.
     *
     * @param batch inferences to an execution
     */
    public record Model(
            long instancesActive,
            @Nullable Double inferenceRate,
            @Nullable Double requests,
            RequestTimes times,
            @Nullable Double batch) {
        static final Fields.Form<Map<String, Model>> BY_NAME =
                Forms.map(Model::pass, new Model(0, null, null, RequestTimes.BLANK, null));

        static Model pass(Fields f, Model v) throws MalformedMessageException {
            return new Model(
                    f.laterCount("instances_active", v.instancesActive),
                    f.maybeReal("inference_rate", v.inferenceRate),
                    f.maybeReal("requests", v.requests),
                    RequestTimes.pass(f, v.times),
                    f.maybeReal("avg_batch", v.batch));
        }
    }

    /** Mean activity of a GPU, each 0 to 1; null if its exporter does not expose it. */
    public record Gpu(
            @Nullable Double tensorActive, @Nullable Double dramActive) {
        static final Fields.Form<Map<String, Gpu>> BY_NAME = Forms.map(Gpu::pass, new Gpu(null, null));

        static Gpu pass(Fields f, Gpu v) throws MalformedMessageException {
            return new Gpu(f.absentReal("tensor_active", v.tensorActive), f.absentReal("dram_active", v.dramActive));
        }
    }
}
