package io.metricsaggregator.collect;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks one exporter for its metrics: a {@code scrape.samples} for each answer, a {@code scrape.failed} for each that did not come, was no metrics, or was
 * too much. For one thread.
 */
public final class Scraper {
    /** An answer may have as many. */
    public static final int BYTES_MAX = 16 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(Scraper.class);
    private static final String ACCEPT =
            "text/plain;version=0.0.4;q=1,application/openmetrics-text;version=1.0.0;q=0.5,*/*;q=0.1";
    private static final int ERROR_MAX = 200;

    private final ScrapeSpec spec;
    private final HttpClient client;
    private final HttpRequest request;
    /** Another after each start: the numbers of an earlier process are no losses of this one. */
    private final long life = System.nanoTime() & Long.MAX_VALUE;

    private long sequence;
    private boolean loggedFailure;
    private boolean loggedBadLine;

    /** An answer as it comes, up to a bound. */
    private static final class Body implements HttpResponse.BodySubscriber<byte[]> {
        private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private Flow.@Nullable Subscription subscription;

        @Override
        public CompletionStage<byte[]> getBody() {
            return whole;
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            given.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> parts) {
            for (ByteBuffer part : parts) {
                if (bytes.size() + part.remaining() > BYTES_MAX) {
                    if (subscription != null) {
                        subscription.cancel();
                    }
                    whole.completeExceptionally(new IOException("the answer has more than " + BYTES_MAX + " bytes"));
                    return;
                }
                byte[] copy = new byte[part.remaining()];
                part.get(copy);
                bytes.writeBytes(copy);
            }
        }

        @Override
        public void onError(Throwable cause) {
            whole.completeExceptionally(cause);
        }

        @Override
        public void onComplete() {
            whole.complete(bytes.toByteArray());
        }
    }

    /**
     * A scraper.
     *
     * @param client may be shared
     */
    public Scraper(ScrapeSpec spec, HttpClient client) {
        this.spec = spec;
        this.client = client;
        this.request = HttpRequest.newBuilder(spec.url())
                .timeout(spec.timeout())
                .header("Accept", ACCEPT)
                .header("User-Agent", "metrics-aggregator")
                .GET()
                .build();
    }

    /** A client for scrapers: it follows no redirection to where it was not sent. */
    public static HttpClient client() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    /** Asks once; answers the record. Times are of the moment of asking, as Prometheus has them. */
    public Map<String, Object> scrape() throws InterruptedException {
        long start = System.nanoTime();
        Map<String, Object> fields = new LinkedHashMap<>();
        Instant wall = Instant.now();
        fields.put("event_type", "scrape.samples");
        fields.put("timestamp_ns", start);
        fields.put("wall_ns", wall.getEpochSecond() * 1_000_000_000L + wall.getNano());
        fields.put("source_id", "scrape:" + spec.instance());
        fields.put("seq", sequence++);
        fields.put("life", life);
        fields.put("job", spec.job());
        fields.put("instance", spec.instance());
        fields.put("labels", spec.labels());
        CompletableFuture<HttpResponse<byte[]>> answer = client.sendAsync(request, info -> new Body());
        try {
            HttpResponse<byte[]> response = answer.get(spec.timeout().toNanos(), TimeUnit.NANOSECONDS);
            fields.put("scrape_duration_ns", System.nanoTime() - start);
            if (response.statusCode() != 200) {
                return failed(fields, "HTTP status " + response.statusCode());
            }
            String type = response.headers().firstValue("Content-Type").orElse("");
            return samples(
                    fields, response.body(), type.toLowerCase(Locale.ROOT).startsWith("application/openmetrics-text"));
        } catch (TimeoutException e) {
            answer.cancel(true);
            return failed(fields, "no answer within " + spec.timeout().toMillis() + " ms");
        } catch (ExecutionException e) {
            return failed(fields, words(e.getCause() == null ? e : e.getCause()));
        }
    }

    private String words(Throwable cause) {
        String message = cause instanceof ConnectException
                ? ConnectFailure.reason(spec.url())
                : cause.getMessage() == null ? "the connection failed" : cause.getMessage();
        return message.length() > ERROR_MAX ? message.substring(0, ERROR_MAX) : message;
    }

    private Map<String, Object> samples(Map<String, Object> fields, byte[] body, boolean openMetrics) {
        ExpositionParser.Exposition exposition =
                ExpositionParser.parse(new String(body, StandardCharsets.UTF_8), openMetrics);
        if (exposition.samples().isEmpty() && exposition.badLines() > 0) {
            return failed(fields, "the answer is no metrics: " + exposition.firstBadLine());
        }
        if (exposition.badLines() > 0 && !loggedBadLine) {
            loggedBadLine = true;
            LOG.warn(
                    "{} answers with lines that are no samples (counted from now on): {}",
                    spec.url(),
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

    private Map<String, Object> failed(Map<String, Object> fields, String why) {
        if (!loggedFailure) {
            loggedFailure = true;
            LOG.warn("{} cannot be scraped (counted from now on): {}", spec.url(), why);
        }
        fields.put("event_type", "scrape.failed");
        fields.put("ok", false);
        fields.put("error", why);
        return fields;
    }
}
