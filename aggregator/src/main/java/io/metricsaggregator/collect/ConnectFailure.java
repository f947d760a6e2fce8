package io.metricsaggregator.collect;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.util.Locale;

/**
 * Why an exporter cannot be connected to. The JDK's HTTP client throws the same exception without a message for a name that is not known, a refused connection and an
 * unreachable network, so it is found out by another attempt.
 */
final class ConnectFailure {
    private static final int TIMEOUT_MILLIS = 1000;
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    private ConnectFailure() {}

    /** The reason in words, such as {@code unknown host gpu-7} or {@code connection refused}. Takes up to a second, and as long as the resolver takes. */
    static String reason(URI url) {
        int port = url.getPort() >= 0 ? url.getPort() : "https".equals(url.getScheme()) ? HTTPS_PORT : HTTP_PORT;
        InetSocketAddress address = new InetSocketAddress(url.getHost(), port);
        if (address.isUnresolved()) {
            return "unknown host " + url.getHost();
        }
        try (Socket socket = new Socket()) {
            socket.connect(address, TIMEOUT_MILLIS);
            return "the connection failed, and a second attempt succeeded";
        } catch (SocketTimeoutException e) {
            return "no connection within " + TIMEOUT_MILLIS + " ms";
        } catch (IOException e) {
            String message = e.getMessage();
            return message == null
                    ? "the connection failed"
                    : message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
        }
    }
}
