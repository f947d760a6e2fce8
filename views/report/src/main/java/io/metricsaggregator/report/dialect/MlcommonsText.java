package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.Report;

/** {@code report.txt} of MLCommons endpoints. */
public final class MlcommonsText implements Dialect {
    @Override
    public String render(Report report) {
        CountedTokens.require(report);
        return new MlcommonsPage(report).render();
    }
}
