package io.metricsaggregator.cli.testing;

import io.metricsaggregator.cli.console.GroupedHelp;
import io.metricsaggregator.cli.console.Version;
import io.metricsaggregator.cli.options.Endpoints;
import io.metricsaggregator.cli.options.Published;
import io.metricsaggregator.cli.options.SocketOptions;
import io.metricsaggregator.cli.options.WaitForSubscribers;
import io.metricsaggregator.collect.CollectedFrames;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.options.Needs;
import io.metricsaggregator.options.OptionGroup;
import io.metricsaggregator.producer.EventPublisher;
import io.metricsaggregator.producer.FramePublisher;
import io.metricsaggregator.producer.SyntheticLoad;
import io.metricsaggregator.producer.SyntheticTelemetry;
import io.metricsaggregator.producer.Worker;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code produce}: publishes synthetic events or telemetry, or the requests of a file that another tool writes. */
@Command(
        name = "produce",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Publish the events of a synthetic benchmark in real time: Poisson arrivals, streamed chunks, log-normal"
                    + " times, errors, several workers. With --from, publish the requests of a file that another tool writes.",
            ""
        },
        footer = {
            "",
            "Examples: metrics-aggregator produce --out bind:ipc:///tmp/events --rate 50 --duration 30s",
            "          metrics-aggregator produce --from aiperf --follow artifacts/profile_export.jsonl --out bind:ipc:///tmp/events"
        })
@OptionGroup.In(OptionGroup.LOAD)
@GroupedHelp.Usual({
    "--out",
    "--kind",
    "--rate",
    "--duration",
    "--workers",
    "--error-rate",
    "--chunks",
    "--ttft",
    "--chunk-gap",
    "--seed",
    "--fast",
    "--from",
    "--follow"
})
@GroupedHelp.Testing
public final class ProduceCommand implements Callable<Integer> {
    private static final long QUEUE_MAX_BYTES = 16L << 20;

    @OptionGroup.In(OptionGroup.ENDPOINTS)
    @Option(
            names = "--out",
            paramLabel = "ENDPOINT",
            required = true,
            description = "Endpoint to publish events on. Binds unless prefixed with connect:. Repeatable.")
    private List<String> outputs = List.of();

    /** The records to publish. */
    enum Kind {
        LOAD,
        TRANSFERS,
        OPERATIONS,
        METRICS
    }

    @Option(
            names = "--kind",
            paramLabel = "KIND",
            defaultValue = "load",
            description =
                    "Records to publish: load (a benchmark), transfers (of a KV cache), operations (of a store), or metrics"
                            + " (custom metrics of a worker). For the last three, --rate is in records per second. Default:"
                            + " ${DEFAULT-VALUE}.")
    private Kind kind = Kind.LOAD;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "20",
            description = "Mean request rate, per second. Default: ${DEFAULT-VALUE}.")
    private double rate;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "10s",
            description =
                    "Time during which requests are issued; those in flight then finish. Default: ${DEFAULT-VALUE}.")
    private Duration duration = Duration.ofSeconds(10);

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            defaultValue = "1s",
            description = "Time before performance tracking starts. Default: ${DEFAULT-VALUE}.")
    private Duration warmup = Duration.ofSeconds(1);

    @Needs("--kind=load")
    @Option(
            names = "--workers",
            paramLabel = "N",
            defaultValue = "4",
            description =
                    "Number of workers that issue requests, 1 to 1024; each numbers its records. Default: ${DEFAULT-VALUE}.")
    private int workers;

    @Needs("--kind=load")
    @Option(
            names = "--error-rate",
            paramLabel = "SHARE",
            defaultValue = "0.02",
            description = "Share of requests that fail, 0 to 1. Default: ${DEFAULT-VALUE}.")
    private double errorShare;

    @Needs("--kind=load")
    @Option(
            names = "--chunks",
            paramLabel = "N",
            defaultValue = "40",
            description = "Median number of chunks in a response, 1 to 400. Default: ${DEFAULT-VALUE}.")
    private int chunks;

    @Needs("--kind=load")
    @Option(
            names = "--ttft",
            paramLabel = "MS",
            defaultValue = "180",
            description = "Median time to first token, in milliseconds. Default: ${DEFAULT-VALUE}.")
    private double timeToFirstToken;

    @Needs("--kind=load")
    @Option(
            names = "--chunk-gap",
            paramLabel = "MS",
            defaultValue = "25",
            description = "Median time between chunks, in milliseconds. Default: ${DEFAULT-VALUE}.")
    private double betweenChunks;

    @Needs("--kind=load")
    @Option(names = "--no-streaming", description = "Return each response as a whole, without chunks.")
    private boolean whole;

    @Needs("--kind=load")
    @Option(
            names = "--optional-keys",
            description =
                    "Add conversations of up to 6 turns and the optional keys of this project to the records: labels of each"
                            + " request, the token usage of each response, and the part of the answer and the tokens of each chunk.")
    private boolean optionalKeys;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "42",
            description = "Seed of the random numbers; the same seed gives the same events. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Needs("--kind=load")
    @Option(
            names = "--batch",
            paramLabel = "N",
            defaultValue = "1000",
            description =
                    "Maximum number of records per frame; 1 sends each record on its own. Default: ${DEFAULT-VALUE}.")
    private int batchSize;

    @Option(names = "--fast", description = "Publish as fast as possible, with the timestamps of the simulated time.")
    private boolean fast;

    @Mixin
    private FileOptions file = new FileOptions();

    @Mixin
    private WaitForSubscribers subscribers = new WaitForSubscribers();

    @Mixin
    private SocketOptions sockets = new SocketOptions();

    @Override
    public Integer call() throws IOException {
        if (file.areGiven()) {
            try (FramePublisher publisher =
                    new FramePublisher(Endpoints.parse("--out", outputs, true), sockets.build(), QUEUE_MAX_BYTES)) {
                return new FilePublication(file, publisher).run(subscribers);
            }
        }
        if (kind != Kind.LOAD) {
            return telemetry();
        }
        SyntheticLoad.Shape shape = new SyntheticLoad.Shape(
                rate,
                duration.toNanos(),
                warmup.toNanos(),
                !whole,
                errorShare,
                workers,
                chunks,
                timeToFirstToken,
                betweenChunks,
                seed,
                optionalKeys);
        try (EventPublisher publisher =
                new EventPublisher(Endpoints.parse("--out", outputs, true), sockets.build(), batchSize)) {
            if (!subscribers.await(publisher::awaitSubscribers)) {
                return subscribers.reportMissing();
            }
            long records = publish(publisher, new SyntheticLoad(shape, System.nanoTime()));
            boolean handedOver = publisher.flush(Duration.ofSeconds(30));
            return Published.report("records", records, publisher.framesSent(), publisher.framesUnheard(), handedOver);
        }
    }

    private int telemetry() throws IOException {
        SyntheticTelemetry.Kind which = switch (kind) {
            case TRANSFERS -> SyntheticTelemetry.Kind.TRANSFERS;
            case OPERATIONS -> SyntheticTelemetry.Kind.OPERATIONS;
            case LOAD, METRICS -> SyntheticTelemetry.Kind.METRICS;
        };
        try (FramePublisher publisher =
                new FramePublisher(Endpoints.parse("--out", outputs, true), sockets.build(), QUEUE_MAX_BYTES)) {
            if (!subscribers.await(publisher::awaitSubscribers)) {
                return subscribers.reportMissing();
            }
            SyntheticTelemetry made = new SyntheticTelemetry(which, rate, System.nanoTime(), duration.toNanos(), seed);
            long records = 0;
            for (Map<String, Object> each = made.next(); each != null; each = made.next()) {
                long at = each.get("timestamp_ns") instanceof Long due ? due : 0;
                while (!fast && at - System.nanoTime() > 0) {
                    LockSupport.parkNanos(at - System.nanoTime());
                }
                publisher.publish(CollectedFrames.frame(each));
                records++;
            }
            boolean handedOver = publisher.flush(Duration.ofSeconds(30));
            return Published.report("records", records, records, publisher.framesUnheard(), handedOver);
        }
    }

    private long publish(EventPublisher publisher, SyntheticLoad load) throws IOException {
        Map<Long, Worker> workersByNumber = new HashMap<>();
        long records = 0;
        for (EventRecord event = load.next(); event != null; event = load.next()) {
            while (!fast && event.timestampNanos() - System.nanoTime() > 0) {
                LockSupport.parkNanos(event.timestampNanos() - System.nanoTime());
            }
            long life = event.life() == null ? 0 : event.life();
            workersByNumber
                    .computeIfAbsent(
                            event.workerId() == null ? 0L : event.workerId(), number -> publisher.worker(number, life))
                    .publish(event);
            records++;
        }
        return records;
    }
}
