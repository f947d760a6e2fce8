package io.metricsaggregator.export;

import io.metricsaggregator.snapshot.telemetry.server.ServerFigure;
import io.metricsaggregator.snapshot.telemetry.server.ServerPanel;
import io.metricsaggregator.snapshot.telemetry.server.ServerRole;
import io.metricsaggregator.snapshot.telemetry.server.ServerSnapshot;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Exports the figures of scraped inference servers by role: gauges and counters with the labels {@code target_job}, {@code target_instance}, {@code engine}. */
final class ServerExport {
    private static final String PREFIX = "server_";
    private static final int ROWS_MAX = 4000;

    private final DistinctMetrics out;
    private int rows;

    private ServerExport(DistinctMetrics out) {
        this.out = out;
    }

    static void add(@Nullable ServerSnapshot servers, DistinctMetrics out) {
        if (servers == null) {
            return;
        }
        ServerExport all = new ServerExport(out);
        for (ServerSnapshot.Target each : servers.targets()) {
            all.target(
                    each.run(),
                    Map.of("target_job", each.job(), "target_instance", each.instance(), "engine", each.engine()));
        }
        Double first = servers.run().ttftGapNanos();
        if (first != null) {
            all.gauge("ttft_gap_seconds", "mean TTFT of the client minus that of the servers", Map.of(), first * 1e-9);
        }
        Double whole = servers.run().e2eGapNanos();
        if (whole != null) {
            all.gauge(
                    "e2e_gap_seconds", "mean latency of the client minus that of the servers", Map.of(), whole * 1e-9);
        }
    }

    private void target(ServerPanel panel, Map<String, String> labels) {
        panel.figures().forEach((role, figure) -> {
            figure(role, figure, labels);
            panel.parts(role).forEach((part, each) -> part(role, part, each, labels));
        });
        panel.ratios()
                .forEach((ratio, value) -> gauge(
                        ratio.wireName(), "a ratio over the run, of scraped counters of a server", labels, value));
    }

    private void figure(ServerRole role, ServerFigure figure, Map<String, String> labels) {
        String name = name(role);
        if (figure instanceof ServerFigure.Level level) {
            gauge(name, "newest value of a scraped gauge", labels, level.last());
            gauge(name + "_run_mean", "time-weighted mean of a scraped gauge over the run", labels, level.mean());
            gauge(name + "_run_max", "highest value of a scraped gauge in the run", labels, level.max());
        } else if (figure instanceof ServerFigure.Growth growth) {
            counter(name, "growth of a scraped counter since the run began", labels, growth.total());
        } else if (figure instanceof ServerFigure.Distribution values) {
            counter(name + "_values", "values of a scraped histogram since the run began", labels, values.count());
            if (values.mean() != null) {
                gauge(name + "_run_mean", "mean of a scraped histogram over the run", labels, values.mean());
            }
        }
    }

    private void part(ServerRole role, String part, ServerFigure figure, Map<String, String> labels) {
        Map<String, String> one = new LinkedHashMap<>(labels);
        one.put("part", part);
        if (figure instanceof ServerFigure.Level level) {
            gauge(name(role) + "_part", "newest value of a part of a scraped gauge", one, level.last());
        } else if (figure instanceof ServerFigure.Growth growth) {
            counter(
                    name(role) + "_part",
                    "growth of a part of a scraped counter since the run began",
                    one,
                    growth.total());
        }
    }

    private static String name(ServerRole role) {
        return role.isTime() ? role.wireName().replaceAll("_s$", "_seconds") : role.wireName();
    }

    private void gauge(String name, String help, Map<String, String> labels, double value) {
        if (hasRoom()) {
            out.gauge(PREFIX + name, help, labels, value);
        }
    }

    private void counter(String name, String help, Map<String, String> labels, double value) {
        if (hasRoom()) {
            out.counter(PREFIX + name, help, labels, value);
        }
    }

    private boolean hasRoom() {
        if (rows < ROWS_MAX) {
            rows++;
            return true;
        }
        out.countLeftOut(1);
        return false;
    }
}
