package io.metricsaggregator.collect;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * An exporter to scrape.
 *
 * @param url address of the metrics, http or https
 * @param job value of the label {@code job} of its series
 * @param instance value of the label {@code instance} of its series
 * @param interval time between the starts of two scrapes, at least 100 ms
 * @param timeout limit for a whole scrape, from connecting to the last byte, at least 100 ms
 * @param labels labels that are added to each of its series
 */
public record ScrapeSpec(
        URI url, String job, String instance, Duration interval, Duration timeout, Map<String, String> labels) {
    /** The default scrape interval. */
    public static final Duration INTERVAL = Duration.ofSeconds(5);

    private static final Duration SHORTEST = Duration.ofMillis(100);
    /** Longest job or instance in characters. */
    private static final int NAME_MAX = 256;

    private static final int LABELS_MAX = 64;

    public ScrapeSpec {
        labels = Map.copyOf(labels);
        if (!("http".equals(url.getScheme()) || "https".equals(url.getScheme())) || url.getHost() == null) {
            throw new IllegalArgumentException("Invalid --scrape URL '" + UrlSecrets.maskValue(url.toString())
                    + "': expected one such as http://localhost:8000/metrics");
        }
        if (interval.compareTo(SHORTEST) < 0 || timeout.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException("Invalid interval or timeout of --scrape '"
                    + UrlSecrets.maskValue(url.toString()) + "': at least 100 ms");
        }
        if (labels.size() > LABELS_MAX || labels.keySet().stream().anyMatch(name -> name.length() > NAME_MAX)) {
            throw new IllegalArgumentException("Invalid labels of --scrape '" + UrlSecrets.maskValue(url.toString())
                    + "': more than " + LABELS_MAX + " labels, or a name of more than " + NAME_MAX + " characters");
        }
        if (job.length() > NAME_MAX || instance.length() > NAME_MAX) {
            throw new IllegalArgumentException("Invalid job or instance of --scrape '"
                    + UrlSecrets.maskValue(url.toString()) + "': more than " + NAME_MAX + " characters");
        }
    }

    /**
     * The same targets with a job and instance that no other URL has: where two have both in common, the URL joins the job. Without that their
     * series would be one, and neither could be told from the other in tables.
     */
    public static List<ScrapeSpec> distinct(List<ScrapeSpec> specs) {
        Map<List<String>, Set<URI>> urls = new HashMap<>();
        for (ScrapeSpec each : specs) {
            urls.computeIfAbsent(List.of(each.job, each.instance), any -> new HashSet<>())
                    .add(each.url);
        }
        List<ScrapeSpec> distinct = new ArrayList<>();
        for (ScrapeSpec each : specs) {
            boolean shared = urls.getOrDefault(List.of(each.job, each.instance), Set.of())
                            .size()
                    > 1;
            distinct.add(shared ? each.withJob(each.job + " " + UrlSecrets.maskValue(each.url.toString())) : each);
        }
        return distinct;
    }

    private ScrapeSpec withJob(String other) {
        String cut = other.length() > NAME_MAX ? other.substring(0, NAME_MAX) : other;
        return new ScrapeSpec(url, cut, instance, interval, timeout, labels);
    }

    /** Parses durations such as 5s or 500ms, as the command line does. */
    public interface Times {
        /**
         * Parses a duration.
         *
         * @throws Exception if the text is not a duration; the message says what is wrong
         */
        Duration read(String text) throws Exception;
    }

    /**
     * Parses {@code URL[,interval=5s][,timeout=2s][,job=NAME][,instance=NAME][,LABEL=VALUE…]}. A URL without a path gets {@code /metrics}.
     * The default job is {@code scrape}, the default instance the host and port of the URL, and the default timeout the interval, but at
     * least 5 s.
     *
     * @throws IllegalArgumentException if a part is malformed; the message names it
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
                throw new IllegalArgumentException(
                        "Invalid part " + (i + 1) + " of --scrape '" + UrlSecrets.maskValue(text)
                                + "', which commas separate: expected NAME=VALUE; a comma of the URL itself is written %2C");
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
            // Its message holds the URL as it is.
            throw new IllegalArgumentException("Invalid --scrape URL '" + UrlSecrets.maskValue(text)
                    + "': expected one such as http://localhost:8000/metrics; in a password write # ? / and blanks"
                    + " as %23 %3F %2F %20");
        }
    }

    private static Duration time(String value, String text, Times times) {
        try {
            return times.read(value);
        } catch (Exception e) {
            throw new IllegalArgumentException(
                    "Invalid --scrape '" + UrlSecrets.maskValue(text) + "': " + e.getMessage(), e);
        }
    }
}
