package io.metricsaggregator.imports.format;

import io.metricsaggregator.imports.ImportFormat;
import io.metricsaggregator.imports.SourceHead;
import io.metricsaggregator.imports.aiperf.AiperfFormat;
import io.metricsaggregator.imports.aiperf.AiperfSummaryFormat;
import io.metricsaggregator.imports.endpoints.EndpointsFormat;
import io.metricsaggregator.imports.genaibench.GenaiBenchFormat;
import io.metricsaggregator.imports.guidellm.GuideLlmFormat;
import io.metricsaggregator.imports.inferenceperf.InferencePerfFormat;
import io.metricsaggregator.imports.k6.K6Format;
import io.metricsaggregator.imports.llmd.LlmdFormat;
import io.metricsaggregator.imports.llmperf.LlmPerfFormat;
import io.metricsaggregator.imports.loadgen.LoadgenFormat;
import io.metricsaggregator.imports.locust.LocustFormat;
import io.metricsaggregator.imports.perfanalyzer.PerfAnalyzerFormat;
import io.metricsaggregator.imports.sglang.SglangFormat;
import io.metricsaggregator.imports.vegeta.VegetaFormat;
import io.metricsaggregator.imports.vllm.VllmFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All formats that can be imported. */
public final class Formats {
    /** The formats in the order in which they are tried; one that recognises more files than it should stands last. */
    public static final List<ImportFormat> ALL = List.of(
            new EndpointsFormat(),
            new AiperfFormat(true),
            new AiperfFormat(false),
            new AiperfSummaryFormat(),
            new VllmFormat(),
            new GuideLlmFormat(),
            new SglangFormat(),
            new InferencePerfFormat(),
            new PerfAnalyzerFormat(),
            new K6Format(),
            new VegetaFormat(),
            new LocustFormat(),
            new GenaiBenchFormat(),
            new LlmPerfFormat(),
            new LlmdFormat(),
            new LoadgenFormat());

    private Formats() {}

    /** The format of a name; null if there is none. */
    public static @Nullable ImportFormat named(String name) {
        return ALL.stream().filter(each -> each.name().equals(name)).findFirst().orElse(null);
    }

    /** The first format that recognises the start of a file; null if none does. */
    public static @Nullable ImportFormat recognising(SourceHead head) {
        return ALL.stream().filter(each -> each.recognises(head)).findFirst().orElse(null);
    }
}
