package io.metricsaggregator.cli;

import io.metricsaggregator.config.DaemonConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Monitoring systems that receive snapshots. */
@OptionGroup.In(OptionGroup.EXPORT)
final class ExportOptions {
    private static final Pattern ADDRESS = Pattern.compile("(?:(.+):)?(\\d{1,5})");
    private static final int PORT_MAX = 65_535;

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

    @Option(
            names = "--otlp-interval",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "Time between OTLP pushes. Default: ${DEFAULT-VALUE}.")
    private Duration otlpInterval = Duration.ofSeconds(10);

    /**
     * Builds the settings of the exports.
     *
     * @param insecure whether the Prometheus endpoint may be reachable from other hosts
     */
    DaemonConfig.Exports build(boolean insecure) {
        return new DaemonConfig.Exports(
                prometheus == null ? null : address(prometheus, insecure),
                otlp == null ? null : url(otlp),
                otlpInterval.toNanos());
    }

    private static InetSocketAddress address(String text, boolean insecure) {
        Matcher matcher = ADDRESS.matcher(text);
        if (!matcher.matches() || Integer.parseInt(matcher.group(2)) > PORT_MAX) {
            throw new IllegalArgumentException("--prometheus '" + text + "' is not an address such as 127.0.0.1:9464");
        }
        String host = matcher.group(1) == null ? "127.0.0.1" : matcher.group(1).replaceAll("^\\[|]$", "");
        try {
            InetAddress address = InetAddress.getByName(host.equals("*") ? "0.0.0.0" : host);
            if (!address.isLoopbackAddress() && !insecure) {
                throw new IllegalArgumentException("--prometheus " + text
                        + ": not a loopback address, and /metrics has no password. Use 127.0.0.1, or --insecure-bind to"
                        + " serve anyone");
            }
            return new InetSocketAddress(address, Integer.parseInt(matcher.group(2)));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("--prometheus " + text + ": unknown host " + host, e);
        }
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
        throw new IllegalArgumentException("--otlp '" + text + "' is not a URL such as http://localhost:4318");
    }
}
