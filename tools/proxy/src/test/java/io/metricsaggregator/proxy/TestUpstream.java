package io.metricsaggregator.proxy;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A server whose bytes a test decides, and that keeps all it reads and sends. */
final class TestUpstream implements Closeable {
    private final ServerSocket server;
    private final Behaviour behaviour;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    final List<Line> lines = new CopyOnWriteArrayList<>();
    final AtomicInteger ended = new AtomicInteger();

    /** What the server does on one connection. */
    interface Behaviour {
        void serve(Line line) throws IOException;
    }

    /** One connection of the server. */
    static final class Line {
        final Socket socket;
        private final InputStream in;
        private final ByteArrayOutputStream received = new ByteArrayOutputStream();
        private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

        Line(Socket socket) throws IOException {
            this.socket = socket;
            this.in = socket.getInputStream();
        }

        /** A byte of the client; -1 at its end. */
        int read() throws IOException {
            int next = in.read();
            if (next >= 0) {
                synchronized (received) {
                    received.write(next);
                }
            }
            return next;
        }

        private char next() throws IOException {
            int next = read();
            if (next < 0) {
                throw new java.io.EOFException("the client ended within a body");
            }
            return (char) next;
        }

        /** Reads up to an empty line; null at the end of the connection. */
        String head() throws IOException {
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                int next = read();
                if (next < 0) {
                    return null;
                }
                head.append((char) next);
            }
            return head.toString();
        }

        /** Reads the body that a head announces. */
        String body(String head) throws IOException {
            StringBuilder body = new StringBuilder();
            String lower = head.toLowerCase(java.util.Locale.ROOT);
            int at = lower.indexOf("content-length:");
            if (at >= 0) {
                int length = Integer.parseInt(
                        lower.substring(at + 15, lower.indexOf("\r\n", at)).strip());
                while (body.length() < length) {
                    body.append(next());
                }
            } else if (lower.contains("transfer-encoding: chunked")) {
                while (body.indexOf("0\r\n\r\n") < 0) {
                    body.append(next());
                }
            }
            return body.toString();
        }

        void send(byte[] bytes) throws IOException {
            synchronized (sent) {
                sent.writeBytes(bytes);
            }
            socket.getOutputStream().write(bytes);
        }

        void send(String text) throws IOException {
            send(text.getBytes(StandardCharsets.ISO_8859_1));
        }

        /** Ends with a reset. */
        void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }

        String received() {
            synchronized (received) {
                return received.toString(StandardCharsets.ISO_8859_1);
            }
        }

        String sent() {
            synchronized (sent) {
                return sent.toString(StandardCharsets.ISO_8859_1);
            }
        }
    }

    TestUpstream(Behaviour behaviour) throws IOException {
        this(new ServerSocket(0, 200, InetAddress.getByName("127.0.0.1")), behaviour);
    }

    TestUpstream(ServerSocket server, Behaviour behaviour) {
        this.server = server;
        this.behaviour = behaviour;
        Thread thread = new Thread(this::accept, "test-upstream");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                open.add(socket);
                Thread thread = new Thread(() -> serve(socket), "test-upstream-line");
                thread.setDaemon(true);
                thread.start();
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            Line line = new Line(socket);
            lines.add(line);
            behaviour.serve(line);
        } catch (IOException | RuntimeException e) {
            // The test sees what its client got.
        } finally {
            open.remove(socket);
            ended.incrementAndGet();
        }
    }

    int port() {
        return server.getLocalPort();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + port());
    }

    /** All bytes of requests, in the order of the connections. */
    String received() {
        StringBuilder all = new StringBuilder();
        lines.forEach(each -> all.append(each.received()));
        return all.toString();
    }

    /** All bytes of answers, in the order of the connections. */
    String sent() {
        StringBuilder all = new StringBuilder();
        lines.forEach(each -> all.append(each.sent()));
        return all.toString();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket each : open) {
            each.close();
        }
    }
}
