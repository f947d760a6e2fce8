package io.metricsaggregator.benchmarks;

import io.metricsaggregator.transport.Endpoint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** The upper bound: a process that reads the same bytes with reads of the same size as the daemon, and discards them. */
final class RawReader {
    private static final int READ_BYTES = 256 << 10;

    private RawReader() {}

    /** Reads until the peer closes: {@code RawReader ENDPOINT}. */
    public static void main(String[] args) throws IOException {
        try (SocketChannel channel = Wire.connect(Endpoint.parse(args[0], false))) {
            Wire.handshake(channel, "SUB");
            Wire.subscribe(channel);
            ByteBuffer buffer = ByteBuffer.allocateDirect(READ_BYTES);
            long bytes = 0;
            long last = 0;
            int size = channel.read(buffer);
            while (size >= 0) {
                bytes += size;
                last = System.nanoTime();
                buffer.clear();
                size = channel.read(buffer);
            }
            System.out.println("last " + last);
            System.out.println("read " + bytes);
        }
    }
}
