package io.metricsaggregator.benchmarks;

import io.metricsaggregator.transport.Endpoint;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that sends encoded frames as fast as its peers read them: {@code Blaster ENDPOINT SAMPLES IN_FLIGHT BATCH WARM_UP REPETITIONS
 * CONNECTIONS RATE TRAITS}, RATE in records per second or 0 for unlimited, TRAITS in the form of {@link Traits#parse}. Prints {@code bound} and {@code connected}. At a line on standard input it
 * sends the stream WARM_UP times and prints {@code warm}; at the next line it prints the monotonic time of the first measured byte, sends the
 * stream REPETITIONS times and the end of the session at once, and prints what it sent. How long that took says nothing of a peer that queues.
 */
final class Blaster {
    private static final int WRITE_BYTES = 256 << 10;

    private Blaster() {}

    /** Binds the endpoint, sends all repetitions and prints their times. */
    public static void main(String[] args) throws IOException {
        Endpoint endpoint = Endpoint.parse(args[0], true);
        Traits traits = Traits.parse(args[8]);
        Workload workload = new Workload(Long.parseLong(args[1]), Integer.parseInt(args[2]), traits);
        int batch = Integer.parseInt(args[3]);
        int warmUp = Integer.parseInt(args[4]);
        int repetitions = Integer.parseInt(args[5]);
        int connections = Integer.parseInt(args[6]);
        double rate = Double.parseDouble(args[7]);
        List<ByteBuffer> frames = new ArrayList<>(workload.frames(batch));
        TelemetryBeside telemetry = new TelemetryBeside(traits);
        long bytes = frames.stream().mapToLong(ByteBuffer::remaining).sum();
        List<SocketChannel> peers = new ArrayList<>();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        if (endpoint.bind()) {
            try (ServerSocketChannel server = Wire.bind(endpoint)) {
                System.out.println("bound");
                peers.add(server.accept());
            }
        } else {
            System.out.println("bound");
            in.readLine();
            for (int i = 0; i < connections; i++) {
                peers.add(Wire.connect(endpoint));
            }
        }
        for (SocketChannel peer : peers) {
            Wire.handshake(peer, "PUB");
        }
        System.out.println("connected");
        in.readLine();
        Wire.writeFully(peers.get(0), Workload.opening());
        double bytesPerNano = rate * bytes / workload.records() / 1e9;
        sendAll(frames, telemetry, peers, warmUp, 0);
        System.out.println("warm");
        in.readLine();
        long cpu = cpuNanos();
        System.out.println("first " + System.nanoTime());
        sendAll(frames, telemetry, peers, repetitions, bytesPerNano);
        if (peers.size() == 1) {
            Wire.writeFully(peers.get(0), Workload.ending());
        }
        System.out.printf("sent %d %d %d%n", workload.records(), bytes, cpuNanos() - cpu);
        in.readLine();
        if (peers.size() > 1) {
            // Behind the records of all connections: what follows the end of a session counts as late.
            Wire.writeFully(peers.get(0), Workload.ending());
            in.readLine();
        }
        for (SocketChannel peer : peers) {
            // Unread input, such as a subscription, would reset the connection on close.
            peer.configureBlocking(false);
            peer.read(ByteBuffer.allocate(WRITE_BYTES));
        }
    }

    private static long cpuNanos() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos();
    }

    private static void sendAll(
            List<ByteBuffer> frames,
            TelemetryBeside telemetry,
            List<SocketChannel> peers,
            int times,
            double bytesPerNano)
            throws IOException {
        for (int i = 0; i < times; i++) {
            for (ByteBuffer each : telemetry.next()) {
                Wire.writeFully(peers.get(0), each);
            }
            if (peers.size() == 1) {
                send(frames, peers.get(0), bytesPerNano);
            } else {
                sendInParallel(frames, peers);
            }
        }
    }

    private static void send(List<ByteBuffer> frames, SocketChannel peer, double bytesPerNano) throws IOException {
        long start = System.nanoTime();
        long sent = 0;
        for (ByteBuffer each : frames) {
            ByteBuffer left = each.duplicate();
            while (left.hasRemaining()) {
                int end = left.limit();
                left.limit(Math.min(end, left.position() + WRITE_BYTES));
                sent += peer.write(left);
                if (bytesPerNano > 0) {
                    long ahead = (long) (sent / bytesPerNano) - (System.nanoTime() - start);
                    if (ahead > 0) {
                        LockSupport.parkNanos(ahead);
                    }
                }
                left.limit(end);
            }
        }
    }

    /** Sends each peer its share of the buffers, all peers in parallel. */
    private static void sendInParallel(List<ByteBuffer> frames, List<SocketChannel> peers) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < peers.size(); i++) {
            int first = i;
            Thread thread = new Thread(() -> {
                try {
                    for (int k = first; k < frames.size(); k += peers.size()) {
                        send(List.of(frames.get(k)), peers.get(first), 0);
                    }
                } catch (IOException e) {
                    throw new IllegalStateException("a peer disconnected", e);
                }
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
