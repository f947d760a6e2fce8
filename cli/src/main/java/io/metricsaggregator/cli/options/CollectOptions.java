package io.metricsaggregator.cli.options;

import io.metricsaggregator.collect.ScrapeSpec;
import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.options.DurationConverter;
import io.metricsaggregator.options.Needs;
import io.metricsaggregator.options.OptionGroup;
import io.metricsaggregator.options.TelemetryFlags;
import io.metricsaggregator.telemetry.TelemetryOptions;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Telemetry that the daemon collects, and the settings of all telemetry. */
@OptionGroup.In(OptionGroup.COLLECTION)
public final class CollectOptions {
    @Option(
            names = "--host",
            description =
                    "Sample the resources of this host: CPU per core, memory, disk, network, pressure, energy of the processors"
                            + " (RAPL, which only root may read), and the limits of the daemon's cgroup.")
    private boolean host;

    @Needs("--host")
    @Option(
            names = "--host-interval",
            paramLabel = "TIME",
            defaultValue = "1s",
            description = "Sampling interval of --host. Default: ${DEFAULT-VALUE}.")
    private Duration hostInterval = Duration.ofSeconds(1);

    @Option(
            names = "--scrape",
            paramLabel = "URL[,OPTION…]",
            description =
                    "Scrape an exporter, such as http://localhost:8000/metrics. Options: interval=TIME (default 5s),"
                            + " timeout=TIME, job=NAME, instance=NAME, and LABEL=VALUE for all of its series. Example:"
                            + " --scrape=http://node1:9400/metrics,interval=1s,job=dcgm. Repeatable.")
    private List<String> scrapes = List.of();

    @Option(
            names = "--otlp-listen",
            paramLabel = "HOST:PORT",
            description =
                    "Address to receive OpenTelemetry traces on (OTLP/HTTP, protobuf or JSON): spans of GenAI requests become samples."
                            + " HOST defaults to 127.0.0.1; one that is not a loopback address needs --insecure-bind. Example:"
                            + " --otlp-listen=4318.")
    private @Nullable String otlpListen;

    @Mixin
    private TelemetryFlags telemetry = new TelemetryFlags();

    /** Settings of the telemetry folds. */
    public TelemetryOptions telemetry() {
        return telemetry.build(TelemetryOptions.DEFAULT);
    }

    /** Builds the settings of what the daemon samples and scrapes. */
    public DaemonConfig.Collection build() {
        List<ScrapeSpec> specs = new ArrayList<>();
        for (String each : scrapes) {
            specs.add(ScrapeSpec.parse(each, new DurationConverter()::convert));
        }
        return new DaemonConfig.Collection(host ? hostInterval : null, specs);
    }

    /**
     * The address that receives traces; null for none.
     *
     * @param insecure whether it may be reachable from other hosts
     */
    public @Nullable InetSocketAddress spans(boolean insecure) {
        return otlpListen == null
                ? null
                : ListenAddress.parse("--otlp-listen", otlpListen, insecure, "the receiver of traces");
    }

    /** Whether the daemon samples its host, scrapes an exporter or receives traces, so that it needs no input endpoint. */
    public boolean collects() {
        return host || !scrapes.isEmpty() || otlpListen != null;
    }
}
