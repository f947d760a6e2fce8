package io.metricsaggregator.collect;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * An exporter to be scraped.
 *
 * @param url http or https
 * @param job what its series are labelled with, as is {@code instance}
 * @param interval between scrapes
 * @param timeout for a scrape, whole
 * @param labels that its series have beside their own
 */
public record ScrapeSpec(
        URI url, String job, String instance, Duration interval, Duration timeout, Map<String, String> labels) {
    /** Between scrapes, where nothing else is said. */
    public static final Duration INTERVAL = Duration.ofSeconds(5);

    private static final Duration SHORTEST = Duration.ofMillis(100);

    public ScrapeSpec {
        labels = Map.copyOf(labels);
        if (!("http".equals(url.getScheme()) || "https".equals(url.getScheme())) || url.getHost() == null) {
            throw new IllegalArgumentException("'" + url + "' is no URL such as http://localhost:8000/metrics");
        }
        if (interval.compareTo(SHORTEST) < 0 || timeout.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException("an interval or a timeout of '" + url + "' is below 100 ms");
        }
    }

    /** Reads a time such as 5s or 500ms. */
    public interface Times {
        /**
         * Reads it.
         *
         * @throws Exception if it is none
         */
        Duration read(String text) throws Exception;
    }

    /**
     * Reads {@code URL[,interval=5s][,timeout=2s][,job=NAME][,instance=NAME][,LABEL=VALUE…]}. A URL without a path is one with /metrics.
     *
     * @throws IllegalArgumentException if it is none, with what is wrong
     */
    public static ScrapeSpec parse(String text, Times times) {
        String[] parts = text.split(",", -1);
        URI url = url(parts[0]);
        Duration interval = INTERVAL;
        Duration timeout = null;
        String job = "scrape";
        String instance = url.getHost() + (url.getPort() < 0 ? "" : ":" + url.getPort());
        Map<String, String> labels = new TreeMap<>();
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            String name = equals < 0 ? "" : parts[i].substring(0, equals);
            String value = parts[i].substring(equals + 1);
            if (!name.matches("[a-zA-Z_][a-zA-Z0-9_]*") || value.isEmpty()) {
                throw new IllegalArgumentException("'" + parts[i] + "' of --scrape '" + text + "' is no NAME=VALUE");
            }
            switch (name) {
                case "interval" -> interval = time(value, text, times);
                case "timeout" -> timeout = time(value, text, times);
                case "job" -> job = value;
                case "instance" -> instance = value;
                default -> labels.put(name, value);
            }
        }
        Duration patience = timeout != null ? timeout : interval.compareTo(INTERVAL) < 0 ? INTERVAL : interval;
        return new ScrapeSpec(url, job, instance, interval, patience, labels);
    }

    private static URI url(String text) {
        try {
            URI url = URI.create(text);
            String path = url.getPath();
            return path == null || path.isEmpty() ? URI.create(text + "/metrics") : url;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + text + "' is no URL such as http://localhost:8000/metrics", e);
        }
    }

    private static Duration time(String value, String text, Times times) {
        try {
            return times.read(value);
        } catch (Exception e) {
            throw new IllegalArgumentException("--scrape '" + text + "': " + e.getMessage(), e);
        }
    }
}
