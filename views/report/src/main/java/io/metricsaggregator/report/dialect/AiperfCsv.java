package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.Report;
import java.util.List;

/** {@code profile_export_aiperf.csv} of AIPerf. */
public final class AiperfCsv implements Dialect {
    @Override
    public String render(Report report) {
        return new AiperfFigures(report).csv();
    }

    @Override
    public List<String> notes(Report report) {
        return new AiperfFigures(report).notes();
    }
}
