package io.metricsaggregator.cli;

import io.metricsaggregator.collect.ScrapeSpec;
import io.metricsaggregator.daemon.AggregatorOptions;
import io.metricsaggregator.telemetry.TelemetryOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the daemon gets by itself. */
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
    private ObservationFlags flags = new ObservationFlags();

    AggregatorOptions.Observe build() {
        List<ScrapeSpec> specs = new ArrayList<>();
        for (String each : scrapes) {
            specs.add(ScrapeSpec.parse(each, new DurationConverter()::convert));
        }
        return new AggregatorOptions.Observe(flags.build(TelemetryOptions.DEFAULT), host ? hostInterval : null, specs);
    }

    /** Whether the daemon gets anything by itself. */
    boolean collects() {
        return host || !scrapes.isEmpty();
    }
}
