package io.metricsaggregator.snapshot.telemetry.server;

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
            @Nullable UncachedTimes uncached) {}

    /** Mean microseconds of the compute phases per uncached request; null if every request was cached. */
    public record UncachedTimes(
            @Nullable Double inputMicros,
            @Nullable Double inferenceMicros,
            @Nullable Double outputMicros) {}

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
            @Nullable Double batch) {}

    /** Mean activity of a GPU, each 0 to 1; null if its exporter does not expose it. */
    public record Gpu(
            @Nullable Double tensorActive, @Nullable Double dramActive) {}
}
