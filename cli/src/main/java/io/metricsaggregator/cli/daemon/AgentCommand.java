package io.metricsaggregator.cli.daemon;

import io.metricsaggregator.cli.console.Version;
import io.metricsaggregator.cli.options.Endpoints;
import io.metricsaggregator.cli.options.Published;
import io.metricsaggregator.cli.options.SocketOptions;
import io.metricsaggregator.collect.CollectedFrames;
import io.metricsaggregator.collect.HostSampler;
import io.metricsaggregator.options.OptionGroup;
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

/** The command {@code agent}: publishes resource samples of its host. */
@Command(
        name = "agent",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Publish the resources of this host as resource.sample records, like run --host but for the daemon of"
                    + " another node.",
            ""
        },
        footer = {"", "Example: metrics-aggregator agent --out connect:tcp://10.0.0.1:5601 --node worker-1"})
@OptionGroup.In(OptionGroup.COLLECTION)
public final class AgentCommand implements Callable<Integer> {
    private static final long QUEUE_MAX_BYTES = 1L << 20;

    private boolean warnedUnheard;

    @OptionGroup.In(OptionGroup.ENDPOINTS)
    @Option(
            names = "--out",
            paramLabel = "ENDPOINT",
            required = true,
            description = "Endpoint to publish samples on. Binds unless prefixed with connect:. Repeatable.")
    private List<String> outputs = List.of();

    @Option(
            names = "--node",
            paramLabel = "NAME",
            description = "Name of this node in the samples. Default: its host name.")
    private @Nullable String node;

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            defaultValue = "1s",
            description = "Sampling interval, at least 10ms. Default: ${DEFAULT-VALUE}.")
    private Duration interval = Duration.ofSeconds(1);

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "0",
            description = "Time to sample for; 0: until stopped. Default: ${DEFAULT-VALUE}.")
    private Duration duration = Duration.ZERO;

    @Mixin
    private SocketOptions sockets = new SocketOptions();

    @Override
    public Integer call() throws IOException {
        if (interval.toMillis() < 10) {
            throw new IllegalArgumentException(
                    "--interval " + interval.toMillis() + " ms is below the minimum of 10 ms");
        }
        try (FramePublisher publisher =
                new FramePublisher(Endpoints.parse("--out", outputs, true), sockets.build(), QUEUE_MAX_BYTES)) {
            HostSampler sampler = new HostSampler(Path.of("/"), node, System::nanoTime);
            System.err.printf("sampling node=%s interval_ms=%d%n", sampler.node(), interval.toMillis());
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
                warnOnceIfUnheard(publisher);
            }
            boolean handedOver = publisher.flush(Duration.ofSeconds(5));
            return Published.report("samples", samples, samples, publisher.framesUnheard(), handedOver);
        }
    }

    private void warnOnceIfUnheard(FramePublisher publisher) {
        long unheard = publisher.framesUnheard();
        if (!warnedUnheard && unheard > 0) {
            warnedUnheard = true;
            System.err.println("metrics-aggregator: no subscriber at " + String.join(", ", outputs)
                    + "; samples are lost until a daemon subscribes");
        }
    }
}
