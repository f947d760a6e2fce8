package io.metricsaggregator.benchmarks;

import io.metricsaggregator.transport.Endpoint;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The minimum of ZMTP 3.0 for a peer with negligible cost: blocking channels, NULL, no validation. */
final class Wire {
    private static final int GREETING_LENGTH = 64;

    private Wire() {}

    private static SocketAddress address(Endpoint endpoint) throws IOException {
        return endpoint.scheme() == Endpoint.Scheme.IPC
                ? UnixDomainSocketAddress.of(endpoint.address())
                : new InetSocketAddress(InetAddress.getByName(endpoint.address()), endpoint.port());
    }

    static ServerSocketChannel bind(Endpoint endpoint) throws IOException {
        boolean ipc = endpoint.scheme() == Endpoint.Scheme.IPC;
        if (ipc) {
            Files.deleteIfExists(Path.of(endpoint.address()));
        }
        ServerSocketChannel server =
                ipc ? ServerSocketChannel.open(StandardProtocolFamily.UNIX) : ServerSocketChannel.open();
        return server.bind(address(endpoint));
    }

    static SocketChannel connect(Endpoint endpoint) throws IOException {
        return SocketChannel.open(address(endpoint));
    }

    /** Exchanges greetings with the peer and waits until it is ready. */
    static void handshake(SocketChannel channel, String socketType) throws IOException {
        ByteBuffer greeting = ByteBuffer.allocate(GREETING_LENGTH);
        greeting.put(0, (byte) 0xff).put(9, (byte) 0x7f).put(10, (byte) 3);
        greeting.put(12, "NULL".getBytes(StandardCharsets.US_ASCII));
        writeFully(channel, greeting);
        // Then the command, as libzmq does: JeroMQ 0.6.0 once gave no answer where both were sent at once.
        readFully(channel, GREETING_LENGTH);
        byte[] type = socketType.getBytes(StandardCharsets.US_ASCII);
        ByteBuffer ready = ByteBuffer.allocate(64);
        ready.put((byte) 4).put((byte) 0);
        ready.put((byte) 5).put("READY".getBytes(StandardCharsets.US_ASCII));
        ready.put((byte) 11).put("Socket-Type".getBytes(StandardCharsets.US_ASCII));
        ready.putInt(type.length).put(type);
        ready.put(1, (byte) (ready.position() - 2));
        writeFully(channel, ready.flip());
        int flags = readFully(channel, 1).get(0);
        int length = (flags & 2) == 0
                ? readFully(channel, 1).get(0) & 0xff
                : (int) readFully(channel, 8).getLong(0);
        readFully(channel, length);
    }

    /** Subscribes to everything with a message, as in ZMTP 3.0. */
    static void subscribe(SocketChannel channel) throws IOException {
        writeFully(channel, ByteBuffer.wrap(new byte[] {0, 1, 1}));
    }

    static void writeFully(SocketChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    static ByteBuffer readFully(SocketChannel channel, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining()) {
            if (channel.read(bytes) < 0) {
                throw new EOFException("the peer closed after " + bytes.position() + " of " + length + " bytes");
            }
        }
        return bytes;
    }
}
