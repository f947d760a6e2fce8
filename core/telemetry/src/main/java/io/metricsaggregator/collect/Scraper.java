package io.metricsaggregator.collect;

import io.metricsaggregator.codec.EpochNanos;
import java.io.IOException;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scrapes one exporter. Each scrape yields a record: {@code scrape.samples}, or {@code scrape.failed} if no response arrived in time, or the
 * response was too large or held no metrics. For one thread.
 */
public final class Scraper {
    /** Largest body of a response, in bytes. */
    public static final int BYTES_MAX = 16 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(Scraper.class);
    /** Redirects within the host of the URL that one scrape follows. */
    private static final int REDIRECTS_MAX = 5;

    private static final String HEADERS = String.join(
            "\r\n",
            "Accept: text/plain;version=0.0.4;q=1,application/openmetrics-text;version=1.0.0;q=0.5,*/*;q=0.1",
            "User-Agent: metrics-aggregator",
            "");
    private static final int ERROR_MAX = 200;
    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

    /** Reasons of failures that are logged. */
    private static final int REASONS_MAX = 8;

    private static final double MIB = 1 << 20;

    private final ScrapeSpec spec;
    private final String source;
    private final int bodyMaxBytes;
    private final String headers;
    /** Differs after each start, so that the sequence numbers of an earlier process are not taken for losses of this one. */
    private final long life = System.nanoTime() & Long.MAX_VALUE;

    private long sequence;
    private final Set<String> loggedFailures = new HashSet<>();
    private boolean loggedBadLine;

    /** A scraper that has not scraped yet, of a target that is the only one with its job and instance. */
    public Scraper(ScrapeSpec spec) {
        this(spec, source(spec), BYTES_MAX);
    }

    /**
     * A scraper that has not scraped yet.
     *
     * @param source {@code source_id} of its records, which no other scraper of this process has: records are numbered by source
     * @param bodyMaxBytes a longer response is a failed scrape; at most {@link #BYTES_MAX} counts
     */
    Scraper(ScrapeSpec spec, String source, int bodyMaxBytes) {
        this.spec = spec;
        this.source = source;
        this.bodyMaxBytes = Math.min(BYTES_MAX, bodyMaxBytes);
        String authorization = UrlSecrets.authorization(spec.url());
        this.headers = authorization == null ? HEADERS : HEADERS + "Authorization: " + authorization + "\r\n";
    }

    /** The name of a target as a source of records. */
    static String source(ScrapeSpec spec) {
        return "scrape:" + spec.job() + "/" + spec.instance();
    }

    /**
     * Scrapes once and returns the fields of the record. Blocks up to the timeout of the {@link ScrapeSpec}. Samples get the time of the
     * request, as in Prometheus.
     */
    public Map<String, Object> scrape() {
        long start = System.nanoTime();
        Map<String, Object> fields = new LinkedHashMap<>();
        Instant wall = Instant.now();
        fields.put("event_type", "scrape.samples");
        fields.put("timestamp_ns", start);
        fields.put("wall_ns", EpochNanos.of(wall));
        fields.put("source_id", source);
        fields.put("seq", sequence++);
        fields.put("life", life);
        fields.put("job", spec.job());
        fields.put("instance", spec.instance());
        fields.put("labels", spec.labels());
        try {
            HttpGet.Answer answer = get(start);
            fields.put("scrape_duration_ns", System.nanoTime() - start);
            if (answer.status() != 200) {
                return failed(fields, status(answer));
            }
            String type = answer.headers().getOrDefault("content-type", "");
            return samples(
                    fields, answer.body(), type.toLowerCase(Locale.ROOT).startsWith("application/openmetrics-text"));
        } catch (TimeoutException e) {
            fields.put("scrape_duration_ns", System.nanoTime() - start);
            return failed(fields, "no answer within " + spec.timeout().toMillis() + " ms");
        } catch (IOException | RuntimeException e) {
            fields.put("scrape_duration_ns", System.nanoTime() - start);
            return failed(fields, words(e));
        }
    }

    /** Requests the URL, and what it redirects to within its host. */
    private HttpGet.Answer get(long start) throws IOException, TimeoutException {
        URI url = spec.url();
        for (int i = 0; ; i++) {
            long left = spec.timeout().toNanos() - (System.nanoTime() - start);
            HttpGet.Answer answer = new HttpGet(url, bodyMaxBytes).get(headers, left);
            URI next = redirected(url, answer);
            if (next == null || i == REDIRECTS_MAX || !isSameHost(url, next)) {
                return answer;
            }
            url = next;
        }
    }

    /** The URL that an answer redirects to; null if it does not, or to what is no URL. */
    private static @Nullable URI redirected(URI url, HttpGet.Answer answer) {
        String location = answer.headers().get("location");
        if (location == null || !REDIRECTS.contains(answer.status())) {
            return null;
        }
        try {
            URI next = url.resolve(location);
            return next.getHost() == null ? null : next;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Whether two URLs have the same scheme, host and port: password and position of a request are for that host alone. */
    private static boolean isSameHost(URI one, URI two) {
        return one.getScheme().equalsIgnoreCase(two.getScheme())
                && one.getHost().equalsIgnoreCase(two.getHost())
                && one.getPort() == two.getPort();
    }

    private static String status(HttpGet.Answer answer) {
        String location = answer.headers().get("location");
        String where = location == null || !REDIRECTS.contains(answer.status())
                ? ""
                : ", redirected to " + UrlSecrets.maskValue(location) + ": redirects are followed within the host, "
                        + REDIRECTS_MAX + " of them";
        String words = "HTTP status " + answer.status() + where;
        return words.length() > ERROR_MAX ? words.substring(0, ERROR_MAX) : words;
    }

    /**
     * The record of a failed scrape in the place of one that the daemon would not take.
     *
     * @param record of {@link #scrape}
     * @param bytes its size
     * @param maxBytes the limit
     */
    Map<String, Object> tooLarge(Map<String, ?> record, long bytes, long maxBytes) {
        Map<String, Object> fields = new LinkedHashMap<>(record);
        fields.keySet().removeAll(List.of("samples", "bad_lines", "samples_left_out"));
        return failed(
                fields,
                String.format(
                        Locale.ROOT,
                        "the samples take %.1f MiB, more than the limit of %.1f MiB for this heap; raise it with -Xmx",
                        bytes / MIB,
                        maxBytes / MIB));
    }

    private static String words(Throwable cause) {
        String message = cause.getMessage() == null ? "the connection failed" : cause.getMessage();
        if (cause instanceof UnknownHostException) {
            message = "unknown host " + message.replaceFirst(":.*", "");
        } else if (cause instanceof SSLException) {
            message = "TLS: " + message;
        } else if (cause instanceof SocketException) {
            message = message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
        }
        String shown = UrlSecrets.mask(message);
        return shown.length() > ERROR_MAX ? shown.substring(0, ERROR_MAX) : shown;
    }

    private Map<String, Object> samples(Map<String, Object> fields, byte[] body, boolean openMetrics) {
        ExpositionParser.Exposition exposition =
                ExpositionParser.parse(new String(body, StandardCharsets.UTF_8), openMetrics);
        if (exposition.samples().isEmpty() && exposition.badLines() > 0) {
            return failed(fields, "the response holds no metrics: " + exposition.firstBadLine());
        }
        if (exposition.badLines() > 0 && !loggedBadLine) {
            loggedBadLine = true;
            LOG.warn(
                    "malformed lines in a scrape url={} first={}. Later ones are only counted",
                    UrlSecrets.mask(spec.url().toString()),
                    exposition.firstBadLine());
        }
        List<Object> samples = new ArrayList<>(exposition.samples().size());
        for (ExpositionParser.Sample each : exposition.samples()) {
            List<Object> one = new ArrayList<>(5);
            one.add(each.name());
            one.add(each.labels());
            one.add(each.type());
            one.add(each.value());
            if (each.millis() != null) {
                one.add(each.millis());
            }
            samples.add(one);
        }
        fields.put("ok", true);
        fields.put("bad_lines", (long) exposition.badLines());
        fields.put("samples_left_out", (long) exposition.leftOut());
        fields.put("samples", samples);
        return fields;
    }

    /** A reason without its numbers, which differ from scrape to scrape. */
    private static String reason(String why) {
        return why.replaceAll("[0-9.]+", "0");
    }

    private Map<String, Object> failed(Map<String, Object> fields, String why) {
        if (loggedFailures.size() < REASONS_MAX && loggedFailures.add(reason(why))) {
            String url = UrlSecrets.mask(spec.url().toString());
            LOG.warn("scrape failed url={} error={}. Later failures for this reason are only counted", url, why);
        }
        fields.put("event_type", "scrape.failed");
        fields.put("ok", false);
        fields.put("error", why);
        return fields;
    }
}
