package io.metricsaggregator.proxy;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;

/** A client that sends and reads bytes. */
final class TestClient implements Closeable {
    final Socket socket = new Socket();
    private final ByteArrayOutputStream read = new ByteArrayOutputStream();

    TestClient(InetSocketAddress proxy) throws IOException {
        this(proxy, 0);
    }

    TestClient(InetSocketAddress proxy, int receiveBufferBytes) throws IOException {
        if (receiveBufferBytes > 0) {
            socket.setReceiveBufferSize(receiveBufferBytes);
        }
        socket.setTcpNoDelay(true);
        socket.connect(proxy);
        socket.setSoTimeout(20_000);
    }

    TestClient send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    TestClient send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    /** Reads until what was read so far is as wanted, or the connection ends; the end is {@code <EOF>} or {@code <RST>}. */
    String readUntil(Predicate<String> wanted) throws IOException {
        byte[] buffer = new byte[65_536];
        while (!wanted.test(text())) {
            try {
                int count = socket.getInputStream().read(buffer);
                if (count < 0) {
                    return text() + "<EOF>";
                }
                read.write(buffer, 0, count);
            } catch (SocketTimeoutException e) {
                return text() + "<NOTHING>";
            } catch (SocketException e) {
                return text() + "<RST>";
            }
        }
        return text();
    }

    String readUntil(String end) throws IOException {
        return readUntil(text -> text.endsWith(end));
    }

    String readAll() throws IOException {
        return readUntil(text -> false);
    }

    String text() {
        return read.toString(StandardCharsets.ISO_8859_1);
    }

    /** Forgets what was read. */
    TestClient clear() {
        read.reset();
        return this;
    }

    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
