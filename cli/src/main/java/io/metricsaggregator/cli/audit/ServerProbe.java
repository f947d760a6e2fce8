package io.metricsaggregator.cli.audit;

import io.metricsaggregator.imports.ToolCheck.Statistic;
import io.metricsaggregator.imports.journal.Values;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Asks the server for its health every 10 ms, and keeps how long the answers took: what it cannot note itself of a busy machine, such as a late
 * read of a request. A figure that differs by less is not the tool's fault. Times count from the schedule. Thread {@code audit-probe}.
 */
final class ServerProbe implements Closeable {
    private static final long EVERY_NANOS = 10_000_000;
    private static final double EXTREME_PERCENT = 90;
    private static final int READ_MILLIS = 10_000;
    private static final byte[] REQUEST =
            "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final List<long[]> answers = new ArrayList<>();
    private final Thread thread;
    private volatile boolean closed;

    ServerProbe(int port) {
        thread = new Thread(() -> probe(port), "audit-probe");
        thread.setDaemon(true);
        thread.start();
    }

    private void probe(int port) {
        byte[] answer = new byte[4096];
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(READ_MILLIS);
            InputStream in = socket.getInputStream();
            for (long due = System.nanoTime(); !closed; due += EVERY_NANOS) {
                for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                socket.getOutputStream().write(REQUEST);
                if (in.read(answer) < 0) {
                    return;
                }
                synchronized (answers) {
                    answers.add(new long[] {due, System.nanoTime() - due});
                }
            }
        } catch (IOException e) {
            // The server was closed: what was measured until then counts.
        }
    }

    /**
     * How late a figure may be: twice the slowest answer for extreme values, 99 % of the answers for others; 0 without a measurement.
     *
     * @param since begin of the load, on the clock of {@link System#nanoTime}
     */
    double nanos(Statistic statistic, long since) {
        boolean isExtreme = isExtreme(statistic);
        Values nanos = new Values();
        synchronized (answers) {
            answers.stream().filter(each -> each[0] >= since).forEach(each -> nanos.add((double) each[1]));
        }
        Double value = nanos.statistic(isExtreme ? Statistic.Simple.MAX : new Statistic.Linear(99));
        return value == null ? 0 : isExtreme ? 2 * value : value;
    }

    /** Whether a few late answers change a statistic: the highest and lowest values. */
    static boolean isExtreme(Statistic statistic) {
        double percent = statistic instanceof Statistic.Linear linear
                ? linear.percent()
                : statistic instanceof Statistic.FirstReached first ? first.percent() : EXTREME_PERCENT / 2;
        return statistic == Statistic.Simple.MAX
                || statistic == Statistic.Simple.MIN
                || percent >= EXTREME_PERCENT
                || percent <= 100 - EXTREME_PERCENT;
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join(READ_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
