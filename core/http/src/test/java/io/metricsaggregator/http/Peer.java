package io.metricsaggregator.http;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** A client that sends what it is told, byte by byte if need be. */
final class Peer implements Closeable {
    final Socket socket;
    private final InputStream in;

    Peer(HttpListener listener) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), listener.port());
        socket.setSoTimeout(20_000);
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** Sends a text in which each tilde is an end of line. */
    Peer send(String text) throws IOException {
        return send(text.replace("~", "\r\n").getBytes(StandardCharsets.ISO_8859_1));
    }

    Peer send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    /** Everything until the server closes the connection. */
    String all() throws IOException {
        StringBuilder text = new StringBuilder();
        try {
            for (int c = in.read(); c >= 0; c = in.read()) {
                text.append((char) c);
            }
        } catch (SocketException reset) {
            text.append("<reset>");
        }
        return text.toString();
    }

    /** Everything up to a text, and the text. */
    String until(String end) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.indexOf(end) < 0) {
            int c = in.read();
            if (c < 0) {
                throw new AssertionError("the connection ended after: " + text);
            }
            text.append((char) c);
        }
        return text.toString();
    }

    /** The next byte; -1 at the end. */
    int read() throws IOException {
        return in.read();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
