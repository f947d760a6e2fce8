package io.metricsaggregator.collect;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/1.1 GET on a new connection, with limits on everything that the server controls: bytes of headers (those of 1xx responses
 * included), bytes of the body, and time. The connection is closed when the call returns. The JDK's client is not used because it keeps the
 * connection of a response whose headers never end. For one thread.
 */
final class HttpGet {
    private static final int HEADERS_MAX = 64 << 10;
    private static final int CHUNK_LINE_MAX = 1024;

    /** Closes connections at their deadline: reads of TLS records have no other timeout. */
    private static final ScheduledExecutorService DEADLINES = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "scrape-deadlines");
        thread.setDaemon(true);
        return thread;
    });

    private final URI url;
    private final int bodyMax;
    private int headerBytes;

    /**
     * A response.
     *
     * @param headers values by name in lower case; the last one of each name
     * @param body empty unless the status is 200
     */
    @SuppressWarnings("ArrayRecordComponent") // passed on once, never compared
    record Answer(int status, Map<String, String> headers, byte[] body) {}

    HttpGet(URI url, int bodyMax) {
        this.url = url;
        this.bodyMax = bodyMax;
    }

    /**
     * Sends the request and returns the response. Tries the addresses of the host in turn.
     *
     * @param headers request headers, each with its line end
     * @param timeoutNanos limit for the whole call, name resolution excluded
     * @throws TimeoutException if the response is not complete in time
     * @throws ConnectException if no address accepts a connection
     * @throws IOException if the response is not HTTP or exceeds a limit
     */
    Answer get(String headers, long timeoutNanos) throws IOException, TimeoutException {
        headerBytes = 0;
        long start = System.nanoTime();
        InetAddress[] addresses = InetAddress.getAllByName(host());
        for (int i = 0; ; i++) {
            long left = timeoutNanos - (System.nanoTime() - start);
            if (left <= 0) {
                throw new TimeoutException();
            }
            try (Socket socket = new Socket()) {
                Future<?> closing = DEADLINES.schedule(() -> close(socket), left, TimeUnit.NANOSECONDS);
                try {
                    return exchange(socket, addresses[i], headers);
                } catch (ConnectException | NoRouteToHostException e) {
                    if (i + 1 == addresses.length) {
                        throw e;
                    }
                } catch (IOException e) {
                    if (System.nanoTime() - start >= timeoutNanos || e instanceof SocketTimeoutException) {
                        throw timedOut(e);
                    }
                    throw e;
                } finally {
                    closing.cancel(false);
                }
            }
        }
    }

    private static TimeoutException timedOut(IOException cause) {
        TimeoutException timeout = new TimeoutException();
        timeout.initCause(cause);
        return timeout;
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // The connection is abandoned either way.
            return;
        }
    }

    private String host() {
        return url.getHost().replaceAll("^\\[|]$", "");
    }

    private boolean isTls() {
        return "https".equals(url.getScheme());
    }

    private Answer exchange(Socket plain, InetAddress address, String headers) throws IOException {
        int port = url.getPort() >= 0 ? url.getPort() : isTls() ? 443 : 80;
        plain.connect(new InetSocketAddress(address, port));
        Socket socket = isTls() ? secure(plain, port) : plain;
        String path = url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
        String name = url.getHost() + (url.getPort() < 0 ? "" : ":" + url.getPort());
        String request =
                "GET " + path + query + " HTTP/1.1\r\nHost: " + name + "\r\n" + headers + "Connection: close\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
        InputStream in = new BufferedInputStream(socket.getInputStream(), 16 << 10);
        int status = status(in);
        Map<String, String> answered = headers(in);
        while (status >= 100 && status < 200) {
            status = status(in);
            answered = headers(in);
        }
        return new Answer(status, answered, status == 200 ? body(in, answered) : new byte[0]);
    }

    /** Starts TLS on a connection and verifies the host name of the URL. Closing the plain socket closes the TLS socket. */
    private Socket secure(Socket plain, int port) throws IOException {
        SSLSocket socket =
                (SSLSocket) ((SSLSocketFactory) SSLSocketFactory.getDefault()).createSocket(plain, host(), port, false);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    private int status(InputStream in) throws IOException {
        String line = headerLine(in);
        if (!line.matches("HTTP/1\\.[01] [1-9]\\d\\d( .*)?")) {
            throw new IOException("the response is not HTTP");
        }
        return Integer.parseInt(line.substring(9, 12));
    }

    private Map<String, String> headers(InputStream in) throws IOException {
        Map<String, String> headers = new TreeMap<>();
        for (String line = headerLine(in); !line.isEmpty(); line = headerLine(in)) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                headers.put(
                        line.substring(0, colon).strip().toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).strip());
            }
        }
        return headers;
    }

    /** Reads a line of the headers or trailers, which may have {@value #HEADERS_MAX} bytes in total. */
    private String headerLine(InputStream in) throws IOException {
        String line =
                line(in, HEADERS_MAX - headerBytes, "the response has more than " + HEADERS_MAX + " bytes of headers");
        headerBytes += line.length() + 2;
        return line;
    }

    private static String line(InputStream in, int max, String tooLong) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the connection ended within the response");
            }
            if (line.size() >= max) {
                throw new IOException(tooLong);
            }
            line.write(next);
        }
        String text = line.toString(StandardCharsets.ISO_8859_1);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    private byte[] body(InputStream in, Map<String, String> headers) throws IOException {
        if ("chunked".equalsIgnoreCase(headers.get("transfer-encoding"))) {
            return chunks(in);
        }
        String length = headers.get("content-length");
        if (length == null) {
            byte[] body = in.readNBytes(bodyMax + 1);
            requireFits(body.length);
            return body;
        }
        byte[] body = in.readNBytes(requireFits(length(length, 10)));
        if (body.length < length(length, 10)) {
            throw new EOFException("the connection ended within the response");
        }
        return body;
    }

    private byte[] chunks(InputStream in) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            String line =
                    line(in, CHUNK_LINE_MAX, "the first line of a chunk has more than " + CHUNK_LINE_MAX + " bytes");
            int size = requireFits(length(line.replaceFirst(";.*", "").strip(), 16));
            if (size == 0) {
                headers(in);
                return body.toByteArray();
            }
            requireFits((long) body.size() + size);
            byte[] chunk = in.readNBytes(size);
            if (chunk.length < size) {
                throw new EOFException("the connection ended within the response");
            }
            body.writeBytes(chunk);
            line(in, 2, "a chunk is longer than its length");
        }
    }

    private static long length(@Nullable String text, int radix) throws IOException {
        if (text == null || !text.matches("[0-9a-fA-F]{1,16}")) {
            throw new IOException("the length of the response is not a number");
        }
        try {
            return Long.parseLong(text, radix);
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }

    private int requireFits(long length) throws IOException {
        if (length > bodyMax) {
            throw new IOException("the response has more than " + bodyMax + " bytes");
        }
        return (int) length;
    }
}
