package io.metricsaggregator.imports.aiperf;

import io.metricsaggregator.imports.FormatReader;
import io.metricsaggregator.imports.ImportFormat;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.SourceHead;
import io.metricsaggregator.imports.SourceKind;

/** AIPerf's {@code profile_export_aiperf.json}: the figures of a whole run. */
public final class AiperfSummaryFormat implements ImportFormat {
    @Override
    public String name() {
        return "aiperf-summary";
    }

    @Override
    public String tool() {
        return "AIPerf";
    }

    @Override
    public boolean recognises(SourceHead head) {
        return AiperfSummary.isIn(head);
    }

    @Override
    public FormatReader reader(ImportOptions options) {
        return (source, sink) -> {
            sink.kind(SourceKind.AGGREGATES);
            AiperfSummary.read(source, sink, AiperfSummary::summarise);
        };
    }
}
