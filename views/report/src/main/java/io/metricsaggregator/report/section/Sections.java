package io.metricsaggregator.report.section;

import io.metricsaggregator.analysis.Report;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The sections of a report in the order of the page: the only list of them, which every format renders. */
public final class Sections {
    private Sections() {}

    /** The sections that the run has figures for. */
    public static List<Section> of(Report report) {
        Stream<@Nullable Section> ofSamples = Stream.of(
                RunLabelSection.of(report),
                NodeSection.of(report),
                GoodputSection.of(report),
                SteadySection.of(report),
                SteadySection.window(report),
                StallSection.of(report),
                InteractivitySection.of(report),
                EnergySection.of(report),
                ServerTimesSection.of(report),
                UsageSection.of(report),
                ConversationSection.of(report),
                JobSection.of(report),
                LabelSection.of(report),
                SlowestSection.of(report),
                ServerSection.of(report));
        return Stream.concat(ofSamples.filter(Objects::nonNull), TelemetrySections.of(report.snapshot()).stream())
                .toList();
    }
}
