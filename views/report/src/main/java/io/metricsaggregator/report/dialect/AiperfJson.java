package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.Report;
import java.util.List;

/** {@code profile_export_aiperf.json} of AIPerf. */
public final class AiperfJson implements Dialect {
    @Override
    public String render(Report report) {
        return new AiperfFigures(report).json();
    }

    @Override
    public List<String> notes(Report report) {
        return new AiperfFigures(report).notes();
    }
}
