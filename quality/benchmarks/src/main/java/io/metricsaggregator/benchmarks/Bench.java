package io.metricsaggregator.benchmarks;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.SelfCost;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.subscriber.SnapshotSubscriber;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Runs one case: a sender, a reader, and subscribers of the daemon. Sender and reader are processes, subscribers are threads. */
final class Bench {
    private static final long SETTLE_NANOS = 1_500_000_000L;
    private static final long IDLE_NANOS = 400_000_000L;
    private static final int CALM_INTERVALS = 20;

    private static final long CONNECT_SECONDS = 20;
    private static final long CONNECT_SECONDS_MAX = 300;

    private final Path launcher;
    private final Path work;
    private final List<String> moreArguments;
    private final String javaOptions;
    private int runs;

    /**
     * Creates a bench.
     *
     * @param launcher the daemon's start script
     * @param work a private directory for sockets and results
     */
    Bench(Path launcher, Path work) {
        this(launcher, work, List.of(), "");
    }

    /** Creates a bench that passes more arguments to the daemon and more options to its JVM. */
    Bench(Path launcher, Path work, List<String> moreArguments, String javaOptions) {
        this.launcher = launcher;
        this.work = work;
        this.moreArguments = moreArguments;
        this.javaOptions = javaOptions;
    }

    /** Measures a case. A reader that does not connect is started again once: JeroMQ 0.6.0 sometimes leaves the sender's greeting without an answer. */
    Measured run(Case what) throws IOException {
        if (what.reader() != Case.Reader.JEROMQ) {
            return runOnce(what, CONNECT_SECONDS_MAX);
        }
        try {
            return runOnce(what, CONNECT_SECONDS);
        } catch (IllegalStateException e) {
            System.err.println("not connected, or ended early: started again");
            return runOnce(what, CONNECT_SECONDS_MAX);
        }
    }

    private Measured runOnce(Case what, long connectSeconds) throws IOException {
        Path place = Files.createDirectory(work.resolve("run" + ++runs));
        String address = what.tcp() ? "tcp://127.0.0.1:" + freePort() : "ipc://" + place.resolve("events");
        boolean daemonBinds = what.producers() > 1;
        try (Child sender = Child.java(
                place.resolve("sender.err"),
                List.of("-XX:MaxDirectMemorySize=16g"),
                Blaster.class,
                (daemonBinds ? "connect:" : "bind:") + address,
                what.samples(),
                what.inFlight(),
                what.batch(),
                what.warmUp(),
                what.repetitions(),
                what.producers(),
                what.rate(),
                what.traits().text())) {
            sender.await("bound");
            try (Child reader = reader(what, place, (daemonBinds ? "bind:" : "connect:") + address)) {
                if (daemonBinds) {
                    awaitFile(place.resolve("out/.ready"), reader);
                    sender.say("connect");
                }
                sender.await("connected", connectSeconds);
                return measure(what, place, sender, reader);
            }
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket any = new ServerSocket(0)) {
            return any.getLocalPort();
        }
    }

    private Measured measure(Case what, Path place, Child sender, Child reader) throws IOException {
        AtomicBoolean over = new AtomicBoolean();
        if (what.reader() == Case.Reader.DAEMON) {
            for (int i = 0; i < what.subscribers(); i++) {
                subscribe(Endpoint.parse("connect:ipc://" + place.resolve("metrics"), false), over);
            }
        }
        LockSupport.parkNanos(SETTLE_NANOS);
        sender.say("warm");
        sender.await("warm");
        awaitIdle(reader);
        long cpuBefore = reader.cpuNanos();
        sender.say("go");
        long first = Long.parseLong(sender.await("first"));
        String[] sent = sender.await("sent").split(" ", -1);
        if (what.producers() > 1) {
            awaitIdle(reader);
            sender.say("end");
        }
        Figures before = Figures.of(reader, cpuBefore);
        if (what.reader() == Case.Reader.RAW) {
            sender.say("bye");
        }
        Figures figures = before.untilExit(reader);
        long exited = System.nanoTime();
        int status = reader.awaitExit();
        over.set(true);
        if (status != 0) {
            throw new IllegalStateException(
                    what + " ended with " + status + ": " + Files.readString(place.resolve("reader.err")));
        }
        long records = Long.parseLong(sent[0]);
        long measured = records * what.repetitions();
        long all = records * (what.repetitions() + what.warmUp());
        MetricsSnapshot last = finalSnapshot(what, place);
        if (what.reader() == Case.Reader.DAEMON) {
            check(
                    last,
                    all + TelemetryBeside.records(what.traits()) * (what.repetitions() + what.warmUp()),
                    what.producers() == 1);
        }
        long applied = last == null ? Long.parseLong(reader.await("last")) : last.timestampNanos();
        SelfCost self = last == null ? null : last.extensions().self();
        double allocated = self == null ? Double.NaN : (double) self.eventsAllocatedBytes() / all;
        return new Measured(
                (double) (applied - first) / measured,
                Double.parseDouble(sent[1]) / records,
                (double) figures.cpuNanos() / measured,
                Double.parseDouble(sent[2]) / measured,
                figures.highestKib() == null ? Double.NaN : figures.highestKib() / 1024.0,
                allocated,
                exited - applied,
                measured,
                last);
    }

    /** CPU time since a moment, and peak memory, of a process that may end at any time: the last figures that could be read. */
    private record Figures(
            long since, long cpuNanos, @Nullable Long highestKib) {
        private static final long STEP_NANOS = 2_000_000;

        static Figures of(Child child, long cpuBefore) {
            return new Figures(cpuBefore, child.cpuNanos() - cpuBefore, child.statusKib("VmHWM"));
        }

        Figures untilExit(Child child) {
            Figures latest = this;
            while (child.isAlive()) {
                Figures next = of(child, since);
                if (next.highestKib() != null && next.cpuNanos() >= latest.cpuNanos()) {
                    latest = next;
                }
                LockSupport.parkNanos(STEP_NANOS);
            }
            return latest;
        }
    }

    /**
     * Waits until a process has used less than a quarter of a core for some time, or, as what its snapshots cost may exceed that, less than two thirds for
     * some {@value #CALM_INTERVALS} times as long: it has applied what was sent.
     */
    private static void awaitIdle(Child child) {
        long cpu = child.cpuNanos();
        int calm = 0;
        while (child.isAlive()) {
            LockSupport.parkNanos(IDLE_NANOS);
            long next = child.cpuNanos();
            calm = next - cpu < IDLE_NANOS * 2 / 3 ? calm + 1 : 0;
            if (next - cpu < IDLE_NANOS / 4 || calm == CALM_INTERVALS) {
                return;
            }
            cpu = next;
        }
    }

    /** The file that the daemon or the reference wrote; its timestamp follows the last record. Null for the other readers. */
    private static @Nullable MetricsSnapshot finalSnapshot(Case what, Path place) throws IOException {
        return what.reader() == Case.Reader.DAEMON || what.reader() == Case.Reader.REFERENCE
                ? FinalSnapshotFile.read(place.resolve("out"))
                : null;
    }

    /** Checks that a run lost nothing; figures of a run with losses are meaningless. */
    private static void check(@Nullable MetricsSnapshot last, long records, boolean inOrder) {
        if (last == null) {
            throw new IllegalStateException("the daemon wrote no final snapshot");
        }
        // Several connections split the stream: records of a sample may then arrive before its first one.
        long applied = last.counter(inOrder ? CounterName.RECORDS_APPLIED : CounterName.RECORDS_RECEIVED);
        if (applied != records + 3) {
            throw new IllegalStateException("sent " + (records + 3) + " records, but applied " + applied);
        }
    }

    private Child reader(Case what, Path place, String events) {
        String bare = events.substring(events.indexOf(':') + 1);
        Path errors = place.resolve("reader.err");
        // A batch of 1000 is 233 kB: a high-water mark of many batches would take much memory, and time after the end.
        int highWaterMark = what.batch() == 1 ? 20_000 : 50;
        return switch (what.reader()) {
            case RAW -> Child.java(errors, List.of(), RawReader.class, events);
            case JEROMQ -> Child.java(errors, List.of(), JeromqFold.class, bare, highWaterMark);
            case PYTHON ->
                new Child(
                        List.of(
                                required("METRICS_AGGREGATOR_PYTHON"),
                                launcher.resolveSibling("quality/benchmarks/src/main/python/aggregator.py")
                                        .toString(),
                                bare,
                                Integer.toString(highWaterMark)),
                        errors,
                        List.of());
            case REFERENCE -> reference(place, errors);
            case DAEMON -> {
                List<String> command = new ArrayList<>(List.of(
                        launcher.toString(),
                        "run",
                        "--in",
                        events,
                        "--out",
                        "bind:ipc://" + place.resolve("metrics"),
                        "--output-dir",
                        place.resolve("out").toString(),
                        "--publish-interval",
                        Double.toString(1.0 / what.tickHz()),
                        "--streaming"));
                command.addAll(moreArguments);
                yield new Child(
                        command,
                        errors,
                        List.of("METRICS_AGGREGATOR_NO_BUILD=1", "METRICS_AGGREGATOR_JAVA_OPTS=" + javaOptions));
            }
        };
    }

    /** Starts the reference, which takes its sockets from a directory where the sender binds. */
    private static Child reference(Path place, Path errors) {
        String checkout = required("MLCOMMONS_ENDPOINTS");
        try {
            // It does not make its output directory.
            Files.createDirectories(place.resolve("out"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Child(
                List.of(
                        required("METRICS_AGGREGATOR_PYTHON"),
                        "-m",
                        "inference_endpoint.async_utils.services.metrics_aggregator",
                        "--socket-dir",
                        place.toString(),
                        "--socket-name",
                        "events",
                        "--metrics-socket",
                        "metrics",
                        "--metrics-output-dir",
                        place.resolve("out").toString(),
                        "--streaming"),
                errors,
                List.of("PYTHONPATH=" + checkout + "/src"));
    }

    static String required(String variable) {
        String value = System.getenv(variable);
        if (value == null || value.isEmpty()) {
            throw new IllegalStateException(variable + " is not set");
        }
        return value;
    }

    private static void awaitFile(Path file, Child child) {
        while (!Files.exists(file) && child.isAlive()) {
            LockSupport.parkNanos(5_000_000);
        }
    }

    private static void subscribe(Endpoint endpoint, AtomicBoolean over) {
        Thread thread = new Thread(() -> {
            try (SnapshotSubscriber subscriber = new SnapshotSubscriber(
                    List.of(endpoint), TransportOptions.builder().build(), SnapshotSubscriber.Mode.LATEST)) {
                @Nullable MetricsSnapshot snapshot;
                do {
                    snapshot = subscriber.next(Duration.ofMillis(200));
                } while (!over.get() && (snapshot == null || !snapshot.state().isTerminal()));
            } catch (IOException e) {
                System.err.println("a subscriber failed: " + e.getMessage());
            }
        });
        thread.setDaemon(true);
        thread.start();
    }
}
