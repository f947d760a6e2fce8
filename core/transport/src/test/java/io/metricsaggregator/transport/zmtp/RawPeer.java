package io.metricsaggregator.transport.zmtp;

import io.metricsaggregator.transport.Endpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** A peer on a bare socket that can send bytes which no library would send. */
final class RawPeer implements AutoCloseable {
    final SocketChannel channel;

    RawPeer(Endpoint endpoint) throws IOException {
        channel = endpoint.scheme() == Endpoint.Scheme.IPC
                ? SocketChannel.open(StandardProtocolFamily.UNIX)
                : SocketChannel.open();
        channel.connect(
                endpoint.scheme() == Endpoint.Scheme.IPC
                        ? UnixDomainSocketAddress.of(Path.of(endpoint.address()))
                        : new InetSocketAddress(endpoint.address(), endpoint.port()));
        channel.configureBlocking(false);
    }

    /** Sends the greeting and the handshake without waiting for the other side. */
    RawPeer shake(String type) throws IOException {
        send(ZmtpEngineTest.greeting(1, "NULL"));
        send(ZmtpEngineTest.ready(type));
        return this;
    }

    void send(byte[] bytes) throws IOException {
        ByteBuffer out = ByteBuffer.wrap(bytes);
        while (out.hasRemaining()) {
            if (channel.write(out) == 0) {
                throw new IOException("the socket is full");
            }
        }
    }

    /** Reads and discards available bytes; returns false after the other side has closed. */
    boolean isOpen() {
        try {
            ByteBuffer in = ByteBuffer.allocate(1 << 16);
            int size = channel.read(in);
            while (size > 0) {
                in.clear();
                size = channel.read(in);
            }
            return size == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
