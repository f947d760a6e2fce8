package io.metricsaggregator.cli;

import io.metricsaggregator.collect.ScrapeSpec;
import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.telemetry.TelemetryOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for telemetry that the daemon collects itself, and for all telemetry. */
final class CollectOptions {
    @Option(
            names = "--host",
            description = "Look at the resources of this host: CPU by core, memory, disk, network, pressure, limits of"
                    + " its control group.")
    private boolean host;

    @Option(
            names = "--host-interval",
            paramLabel = "TIME",
            defaultValue = "1s",
            description = "Time between looks. Default: ${DEFAULT-VALUE}.")
    private Duration hostInterval = Duration.ofSeconds(1);

    @Option(
            names = "--scrape",
            paramLabel = "URL[,OPTION…]",
            description = "Scrape an exporter such as http://localhost:8000/metrics. Options: interval=5s (default),"
                    + " timeout=TIME, job=NAME, instance=NAME, and LABEL=VALUE for all of its series. May be repeated.")
    private List<String> scrapes = List.of();

    @Mixin
    private TelemetryFlags telemetry = new TelemetryFlags();

    /** Builds the settings of the telemetry folds. */
    TelemetryOptions telemetry() {
        return telemetry.build(TelemetryOptions.DEFAULT);
    }

    /** Builds the collection. */
    DaemonConfig.Collection build() {
        List<ScrapeSpec> specs = new ArrayList<>();
        for (String each : scrapes) {
            specs.add(ScrapeSpec.parse(each, new DurationConverter()::convert));
        }
        return new DaemonConfig.Collection(host ? hostInterval : null, specs);
    }

    /** Whether the daemon collects anything itself. */
    boolean collects() {
        return host || !scrapes.isEmpty();
    }
}
