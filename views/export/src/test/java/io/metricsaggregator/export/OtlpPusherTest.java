package io.metricsaggregator.export;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OtlpPusherTest {
    @Test
    void user_and_password_of_the_url_are_sent_as_basic_authentication() throws Exception {
        CompletableFuture<String> sent = new CompletableFuture<>();
        HttpServer collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/v1/metrics", exchange -> {
            sent.complete(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        collector.start();
        URI url = URI.create("http://Aladdin:open%20sesame@127.0.0.1:"
                + collector.getAddress().getPort());
        OtlpPusher pusher = new OtlpPusher(url, TimeUnit.MILLISECONDS.toNanos(20), false, ExportFixture::snapshot);
        try {
            // The example of RFC 7617, section 2.
            assertThat(sent.get(1, TimeUnit.MINUTES)).isEqualTo("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
        } finally {
            pusher.close();
            collector.stop(0);
        }
    }
}
