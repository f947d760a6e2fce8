package io.metricsaggregator.cli;

import io.metricsaggregator.collect.CollectedFrames;
import io.metricsaggregator.collect.HostSampler;
import io.metricsaggregator.producer.FramePublisher;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A node's resources, published. */
@Command(
        name = "agent",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Publishes the resources of this host as resource.sample records, until it is stopped or --duration is over: what"
                    + " run --host does, for the daemon of another node.",
            ""
        })
final class AgentCommand implements Callable<Integer> {
    private static final long QUEUE_MAX_BYTES = 1L << 20;

    private boolean saidUnheard;

    @Option(
            names = "--out",
            paramLabel = "ENDPOINT",
            required = true,
            description = "Where samples are published; bound unless it says connect:. May be repeated.")
    private List<String> outputs = List.of();

    @Option(names = "--node", paramLabel = "NAME", description = "What this node is called. Default: its host name.")
    private @Nullable String node;

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            defaultValue = "1s",
            description = "Time between samples, from 10ms. Default: ${DEFAULT-VALUE}.")
    private Duration interval = Duration.ofSeconds(1);

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "0",
            description = "How long; 0 is until it is stopped. Default: ${DEFAULT-VALUE}.")
    private Duration duration = Duration.ZERO;

    @Mixin
    private SocketOptions sockets = new SocketOptions();

    @Override
    public Integer call() throws IOException {
        if (interval.toMillis() < 10) {
            throw new IllegalArgumentException("--interval " + interval.toMillis() + " ms is below 10 ms");
        }
        try (FramePublisher publisher =
                new FramePublisher(Endpoints.parse(outputs, true), sockets.build(), QUEUE_MAX_BYTES)) {
            HostSampler sampler = new HostSampler(Path.of("/"), node, System::nanoTime);
            System.err.printf("node %s, a sample each %d ms%n", sampler.node(), interval.toMillis());
            long start = System.nanoTime();
            long due = start;
            long samples = 0;
            while (duration.isZero() || due - start < duration.toNanos()) {
                due += interval.toNanos();
                for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                    LockSupport.parkNanos(this, left);
                }
                publisher.publish(CollectedFrames.frame(sampler.sample()));
                samples++;
                sayOnceIfUnheard(publisher);
            }
            boolean handedOver = publisher.flush(Duration.ofSeconds(5));
            return Published.say("samples", samples, samples, publisher.framesUnheard(), handedOver);
        }
    }

    private void sayOnceIfUnheard(FramePublisher publisher) {
        long unheard = publisher.framesUnheard();
        if (!saidUnheard && unheard > 0) {
            saidUnheard = true;
            System.err.println("metrics-aggregator: nobody subscribes at " + String.join(", ", outputs)
                    + ": samples are lost until a daemon does");
        }
    }
}
