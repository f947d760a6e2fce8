package io.metricsaggregator.it;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** The page that a daemon serves for Prometheus, asked for by one client, as a scraper does: a new client for each question would keep its connection. */
final class MetricsPage {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private MetricsPage() {}

    /** The page of the daemon on a port of this machine; empty while nobody answers. */
    static String get(int port) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                .header("Accept", "text/plain")
                .build();
        try {
            return CLIENT.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException notYet) {
            return "";
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
