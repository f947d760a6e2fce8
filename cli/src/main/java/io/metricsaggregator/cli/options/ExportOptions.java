package io.metricsaggregator.cli.options;

import io.metricsaggregator.collect.UrlSecrets;
import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.options.Needs;
import io.metricsaggregator.options.OptionGroup;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Monitoring systems and browsers that receive snapshots. */
@OptionGroup.In(OptionGroup.EXPORT)
public final class ExportOptions {
    @Option(
            names = "--prometheus",
            paramLabel = "HOST:PORT",
            description =
                    "Address to serve the latest snapshot on for Prometheus, at http://HOST:PORT/metrics with classic and"
                            + " native histograms. HOST defaults to 127.0.0.1; one that is not a loopback address needs --insecure-bind.")
    private @Nullable String prometheus;

    @Option(
            names = "--otlp",
            paramLabel = "URL",
            description = "OTLP/HTTP collector to push the latest snapshot to, such as http://localhost:4318.")
    private @Nullable String otlp;

    @Needs("--otlp")
    @Option(
            names = "--otlp-interval",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "Time between OTLP pushes. Default: ${DEFAULT-VALUE}.")
    private Duration otlpInterval = Duration.ofSeconds(10);

    @Needs({"--otlp", "--prometheus"})
    @Option(
            names = "--otel-genai",
            description =
                    "Export the series of requests under the names of OpenTelemetry's GenAI conventions as well: gen_ai.client.operation.duration,"
                            + " .time_to_first_chunk, .time_per_output_chunk and gen_ai.client.token.usage. Attributes come from the labels model,"
                            + " operation, provider and endpoint that all requests share.")
    private boolean otelGenai;

    @Option(
            names = "--web",
            paramLabel = "HOST:PORT",
            description =
                    "Address to show the run live on in browsers, at http://HOST:PORT/; port 0: any free one, which the log names. HOST"
                            + " defaults to 127.0.0.1; one that is not a loopback address needs --insecure-bind.")
    private @Nullable String web;

    @Option(
            names = "--linger-page",
            paramLabel = "TIME",
            defaultValue = "60s",
            description =
                    "Longest time to serve the live page after the end of the run while a browser shows it; 0: end at once. SIGTERM or"
                            + " SIGINT ends it. Default: ${DEFAULT-VALUE}.")
    private Duration lingerPage = Duration.ofSeconds(60);

    /**
     * Builds the settings of the exports.
     *
     * @param insecure whether the Prometheus endpoint and the live page may be reachable from other hosts
     */
    public DaemonConfig.Exports build(boolean insecure) {
        return new DaemonConfig.Exports(
                prometheus == null ? null : ListenAddress.parse("--prometheus", prometheus, insecure, "/metrics"),
                otlp == null ? null : url(otlp),
                otlpInterval.toNanos(),
                otelGenai,
                web == null ? null : ListenAddress.parse("--web", web, insecure, "the live page"),
                lingerPage.toNanos());
    }

    private static URI url(String text) {
        try {
            URI url = URI.create(text);
            if (url.getHost() != null && ("http".equals(url.getScheme()) || "https".equals(url.getScheme()))) {
                return url;
            }
        } catch (IllegalArgumentException e) {
            // Reported below.
        }
        throw new IllegalArgumentException(
                "--otlp '" + UrlSecrets.maskValue(text)
                        + "' is not a URL such as http://localhost:4318; in a password write # ? / and blanks as %23 %3F %2F %20");
    }
}
