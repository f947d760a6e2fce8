package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.codec.JsonTree;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One run on both ways into a real Prometheus: scraped from the daemon, and pushed over OTLP to a real OpenTelemetry Collector whose Prometheus exporter is
 * scraped. {@code OTELCOL} names the Collector; {@code otelcol.yaml} says how to build it.
 */
class CollectorIT {
    private static final String HOW = "no OpenTelemetry Collector: build it with otelcol.yaml and set OTELCOL";
    /** Labels of the way and not of the value; pushed histograms are exponential, and have other buckets. */
    private static final Set<String> OF_THE_WAY = Set.of(
            "__name__",
            "le",
            "job",
            "instance",
            "exported_job",
            "exported_instance",
            "otel_scope_name",
            "otel_scope_version",
            "otel_scope_schema_url");

    @TempDir
    Path directory;

    private final HttpClient http = HttpClient.newHttpClient();

    private static String collector() {
        String named = System.getenv("OTELCOL");
        String command = named == null || named.isEmpty() ? "otelcol-contrib" : named;
        ExportIT.require(ExportIT.runs(command, "components"), HOW);
        return command;
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    /** The part {@code data} of an answer of Prometheus' API. */
    private Object data(int port, String path) throws IOException {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/v1/" + path))
                    .build();
            byte[] body =
                    http.send(request, HttpResponse.BodyHandlers.ofByteArray()).body();
            return JsonTree.read(body).get("data");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The present values of a job by name and labels. */
    private Map<String, Map<Map<String, String>, Double>> values(int port, String job) throws IOException {
        String query =
                URLEncoder.encode("{job=\"" + job + "\",__name__=~\"metrics_aggregator_.*\"}", StandardCharsets.UTF_8);
        Map<String, Map<Map<String, String>, Double>> values = new TreeMap<>();
        if (data(port, "query?query=" + query) instanceof Map<?, ?> data) {
            for (Object each : (List<?>) data.get("result")) {
                Map<?, ?> series = (Map<?, ?>) each;
                Map<String, String> labels = new TreeMap<>();
                ((Map<?, ?>) series.get("metric")).forEach((key, value) -> labels.put((String) key, (String) value));
                String name = labels.get("__name__");
                labels.keySet().removeAll(OF_THE_WAY);
                if (series.get("value") instanceof List<?> value && name != null) {
                    values.computeIfAbsent(name, all -> new HashMap<>())
                            .put(labels, Double.valueOf((String) value.get(1)));
                }
            }
        }
        return values;
    }

    /** Type and, where it is exposed, unit of the metrics of a job. */
    private Map<String, String> types(int port, String job) throws IOException {
        Map<String, String> types = new TreeMap<>();
        String target = URLEncoder.encode("{job=\"" + job + "\"}", StandardCharsets.UTF_8);
        for (Object each : (List<?>) data(port, "targets/metadata?match_target=" + target)) {
            Map<?, ?> metric = (Map<?, ?>) each;
            String name = (String) metric.get("metric");
            if (name.startsWith("metrics_aggregator_")) {
                types.put(name.replaceFirst("_total$", ""), (String) metric.get("type"));
            }
        }
        return types;
    }

    /** The series that only one of the two jobs has, by name and labels. */
    private Set<String> differences(int port) {
        try {
            Set<String> scraped = series(port, "scraped");
            Set<String> pushed = series(port, "pushed");
            Set<String> either = new TreeSet<>(scraped);
            either.addAll(pushed);
            scraped.retainAll(pushed);
            either.removeAll(scraped);
            return either;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Set<String> series(int port, String job) throws IOException {
        Set<String> series = new TreeSet<>();
        values(port, job).forEach((name, each) -> each.keySet().forEach(labels -> series.add(name + labels)));
        return series;
    }

    private boolean has(int port, String job, String name, double value) {
        try {
            return values(port, job).getOrDefault(name, Map.of()).containsValue(value);
        } catch (IOException starting) {
            return false;
        }
    }

    @Test
    @Tag("prometheus")
    void a_collector_gives_prometheus_the_names_types_and_values_that_it_scrapes_from_the_daemon() throws IOException {
        ExportIT.require(ExportIT.runs("prometheus", "--version"), "no prometheus (install prometheus)");
        String collector = collector();
        int scraped = ExportIT.freePort();
        int otlp = ExportIT.freePort();
        int translated = ExportIT.freePort();
        int server = ExportIT.freePort();
        Path output = directory.resolve("out");
        String events = "ipc://" + directory.resolve("events");
        Path collectorConfig = file("otelcol.yml", """
                receivers: {otlp: {protocols: {http: {endpoint: '127.0.0.1:%d'}}}}
                exporters: {prometheus: {endpoint: '127.0.0.1:%d', enable_open_metrics: true}}
                service:
                  telemetry: {metrics: {level: none}}
                  pipelines: {metrics: {receivers: [otlp], exporters: [prometheus]}}
                """.formatted(otlp, translated));
        Path config = file("prometheus.yml", """
                global: {scrape_interval: 200ms, scrape_timeout: 200ms}
                scrape_configs:
                  - {job_name: scraped, static_configs: [{targets: ['127.0.0.1:%d']}]}
                  - {job_name: pushed, static_configs: [{targets: ['127.0.0.1:%d']}]}
                """.formatted(scraped, translated));
        try (RunningProcess otelcol = new RunningProcess(new ProcessBuilder(collector, "--config=" + collectorConfig));
                RunningProcess prometheus = new RunningProcess(new ProcessBuilder(
                        "prometheus",
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + directory.resolve("tsdb"),
                        "--web.listen-address=127.0.0.1:" + server));
                RunningProcess daemon = Cli.daemon(
                        output,
                        "--in",
                        "bind:" + events,
                        "--streaming",
                        "--publish-interval",
                        "50ms",
                        "--slo",
                        "ttft=1s",
                        "--prometheus",
                        "127.0.0.1:" + scraped,
                        "--otlp",
                        "http://127.0.0.1:" + otlp,
                        "--otlp-interval",
                        "100ms")) {
            ExportedRun.publish(events, ExportedRun.frames(directory, false));
            String completed = "metrics_aggregator_tracked_samples_completed_total";
            for (String job : List.of("scraped", "pushed")) {
                Await.until(
                        () -> has(server, job, completed, ExportedRun.SAMPLES),
                        () -> job + " has no " + completed + ": " + otelcol + prometheus + daemon);
            }
            // Figures such as the daemon's own cost appear later than the samples, and on one way before the other.
            Await.until(() -> differences(server).isEmpty(), () -> "not on both ways: " + differences(server));
            Map<String, Map<Map<String, String>, Double>> own = values(server, "scraped");
            Map<String, Map<Map<String, String>, Double>> pushed = values(server, "pushed");
            assertThat(own).hasSizeGreaterThan(100);
            Map<String, String> types = types(server, "pushed");
            types(server, "scraped")
                    .forEach((name, type) ->
                            assertThat(types.get(name)).as("type of %s", name).isEqualTo(type));
            own.forEach((name, series) -> {
                if (name.matches("metrics_aggregator_((total|tracked)_samples_.*|goodput_.*|.*_seconds_(count|sum))")) {
                    series.forEach(
                            (labels, value) -> assertThat(pushed.get(name).get(labels))
                                    .as("%s %s", name, labels)
                                    .isCloseTo(value, within(1e-3 * Math.abs(value))));
                }
            });
            ExportedRun.publish(events, ExportedRun.frames(directory, true));
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
    }
}
