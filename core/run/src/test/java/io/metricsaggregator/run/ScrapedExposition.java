package io.metricsaggregator.run;

import io.metricsaggregator.collect.ExpositionParser;
import io.metricsaggregator.event.frame.TelemetryRecord;
import io.metricsaggregator.snapshot.telemetry.server.ServerPanel;
import io.metricsaggregator.snapshot.telemetry.server.ServerSnapshot;
import io.metricsaggregator.telemetry.promql.ScrapeOptions;
import io.metricsaggregator.telemetry.scrape.ScrapeFold;
import io.metricsaggregator.telemetry.server.ServerReference;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Applies expositions to a scrape fold as scrapes of targets, as the daemon does. */
final class ScrapedExposition {
    private static final long SECOND = 1_000_000_000L;

    final ScrapeFold fold = new ScrapeFold(ScrapeOptions.DEFAULT);

    /** Applies a scrape of a target at a second of the wall clock. */
    void scrape(String instance, long second, String text) {
        List<Object> samples = new ArrayList<>();
        for (ExpositionParser.Sample each : ExpositionParser.parse(text, false).samples()) {
            samples.add(List.of(each.name(), each.labels(), each.type(), each.value()));
        }
        Map<String, Object> fields = Map.of("job", "it", "instance", instance, "samples", samples);
        try {
            fold.apply(new TelemetryRecord("scrape.samples", second * SECOND, second * SECOND, "", "", fields));
        } catch (TelemetryRecord.Rejected e) {
            throw new AssertionError(e.reason(), e);
        }
    }

    /** Scrapes both expositions of an engine, ten seconds apart. */
    void both(String engine) {
        scrape(engine, 1000, resource(engine + "_1"));
        scrape(engine, 1010, resource(engine + "_2"));
    }

    static String resource(String name) {
        try (InputStream file = ScrapedExposition.class.getResourceAsStream("/servers/" + name + ".txt")) {
            return new String(Objects.requireNonNull(file, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    ServerSnapshot servers(ServerReference reference) {
        fold.compareWith(reference);
        return Objects.requireNonNull(fold.snapshot(true).server());
    }

    ServerPanel panel() {
        ServerSnapshot servers = servers(ServerReference.NONE);
        return servers.targets().get(0).run();
    }
}
