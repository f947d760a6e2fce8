package io.metricsaggregator.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PrometheusServerTest {
    private final HttpClient http = HttpClient.newHttpClient();
    private volatile Supplier<@Nullable MetricsSnapshot> latest = () -> null;

    private HttpResponse<String> get(PrometheusServer server) throws IOException, InterruptedException {
        URI url = URI.create("http://127.0.0.1:" + server.port() + "/metrics");
        return http.send(HttpRequest.newBuilder(url).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void a_rendering_error_is_answered_and_counted_and_the_next_request_is_served() throws Exception {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (PrometheusServer server = new PrometheusServer(address, false, () -> latest.get())) {
            latest = () -> {
                throw new IllegalStateException("broken");
            };
            HttpResponse<String> broken = get(server);
            assertThat(broken.statusCode()).isEqualTo(500);
            assertThat(broken.body()).contains("its log says why");
            latest = () -> {
                throw new StackOverflowError();
            };
            assertThat(get(server).statusCode()).isEqualTo(500);
            assertThat(server.failures()).isEqualTo(2);
            latest = () -> null;
            HttpResponse<String> whole = get(server);
            assertThat(whole.statusCode()).isEqualTo(200);
            assertThat(whole.body()).contains("metrics_aggregator_session_state{state=\"initialize\"} 1.0");
            assertThat(server.scrapes()).isEqualTo(1);
        }
    }
}
