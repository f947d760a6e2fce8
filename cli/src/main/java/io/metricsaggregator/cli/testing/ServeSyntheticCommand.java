package io.metricsaggregator.cli.testing;

import io.metricsaggregator.cli.console.GroupedHelp;
import io.metricsaggregator.cli.console.StandardOutput;
import io.metricsaggregator.cli.console.Version;
import io.metricsaggregator.cli.options.ListenAddress;
import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.options.OptionGroup;
import io.metricsaggregator.synthetic.ReportedTimes;
import io.metricsaggregator.synthetic.ServerBehaviour;
import io.metricsaggregator.synthetic.ServerQuirks;
import io.metricsaggregator.synthetic.SyntheticServer;
import java.io.IOException;
import java.io.PrintStream;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code serve-synthetic}: an OpenAI-compatible server without a model. */
@Command(
        name = "serve-synthetic",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Serve an OpenAI-compatible API without a model, to try load generators and clients with: chat completions,"
                    + " completions, models, health, version, and metrics under the names of vLLM. The answers are made-up"
                    + " words, streamed or whole, at the times that the options set; a chat that offers a tool has it called first.",
            ""
        },
        footer = {
            "",
            "Example: metrics-aggregator serve-synthetic --listen 127.0.0.1:8000 --ttft 200ms --chunk-interval 20ms --jitter 0.2"
        })
@OptionGroup.In(OptionGroup.LOAD)
@GroupedHelp.Testing
public final class ServeSyntheticCommand implements Callable<Integer> {
    @OptionGroup.In(OptionGroup.ENDPOINTS)
    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:8000",
            description =
                    "Address to listen on; port 0: any free one. The address is printed when the server accepts requests. A host that"
                            + " is not a loopback address needs --insecure-bind. Default: ${DEFAULT-VALUE}.")
    private String listen = "";

    @OptionGroup.In(OptionGroup.SECURITY)
    @Option(
            names = "--insecure-bind",
            description = "Listen on an address that other hosts can reach. Anyone there may send requests.")
    private boolean insecureBind;

    @Option(
            names = "--ttft",
            paramLabel = "TIME",
            defaultValue = "200ms",
            description = "Mean time from a request to its first token. Default: ${DEFAULT-VALUE}.")
    private Duration timeToFirstToken = Duration.ZERO;

    @Option(
            names = "--chunk-interval",
            paramLabel = "TIME",
            defaultValue = "20ms",
            description = "Mean time between two chunks. Default: ${DEFAULT-VALUE}.")
    private Duration chunkInterval = Duration.ZERO;

    @Option(
            names = "--jitter",
            paramLabel = "SHARE",
            defaultValue = "0",
            description =
                    "Standard deviation of these times as a share of their mean, 0 to 2; the times are log-normal. Default:"
                            + " ${DEFAULT-VALUE}.")
    private double jitter;

    @Option(
            names = "--tokens",
            paramLabel = "N",
            defaultValue = "64",
            description =
                    "Tokens of an answer, 1 to 131072. max_tokens of a request limits them, min_tokens raises them, and with"
                            + " ignore_eos the answer has max_tokens. Default: ${DEFAULT-VALUE}.")
    private int tokens;

    @Option(
            names = "--tokens-per-chunk",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Tokens in each chunk, 1 to 64, as speculative decoding sends them. Default: ${DEFAULT-VALUE}.")
    private int tokensPerChunk;

    @Option(
            names = "--reasoning-tokens",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "First tokens of a chat answer that are sent as reasoning_content. Default: ${DEFAULT-VALUE}.")
    private int reasoningTokens;

    @Option(
            names = "--cached-share",
            paramLabel = "SHARE",
            defaultValue = "0",
            description =
                    "Share of the prompt's tokens that the usage reports as cached, 0 to 1. Default: ${DEFAULT-VALUE}.")
    private double cachedShare;

    @Option(
            names = "--error-share",
            paramLabel = "SHARE",
            defaultValue = "0",
            description = "Share of requests that are answered with status 500, 0 to 1. Default: ${DEFAULT-VALUE}.")
    private double errorShare;

    @Option(
            names = "--abort-share",
            paramLabel = "SHARE",
            defaultValue = "0",
            description = "Share of answers whose connection is closed half way, 0 to 1. Default: ${DEFAULT-VALUE}.")
    private double abortShare;

    @Option(
            names = "--early-role",
            description =
                    "Send the chunk with the role of a chat answer at once, not with the first token. A client that takes it for"
                            + " the first token then measures a TTFT near 0.")
    private boolean earlyRole;

    @Option(
            names = "--empty-chunks",
            paramLabel = "N",
            defaultValue = "0",
            description = "Chunks without text before each chunk with text, 0 to 8. Default: ${DEFAULT-VALUE}.")
    private int emptyChunks;

    @Option(
            names = "--usage",
            paramLabel = "HOW",
            defaultValue = "sent",
            description =
                    "Usage of an answer. sent: the tokens that were sent; absent: none; doubled: twice the tokens. Default:"
                            + " ${DEFAULT-VALUE}.")
    private Usage usage = Usage.SENT;

    @Option(names = "--whole", description = "Answer a request for a stream with one JSON document.")
    private boolean isWhole;

    @Option(names = "--close", description = "Close the connection after each answer.")
    private boolean isClosing;

    @Option(
            names = "--freeze",
            paramLabel = "TIME",
            defaultValue = "0",
            description = "Time for which no answer makes progress, once; 0: never. Default: ${DEFAULT-VALUE}.")
    private Duration freeze = Duration.ZERO;

    @Option(
            names = "--freeze-after",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "Time from the first request of the load to the freeze. Default: ${DEFAULT-VALUE}.")
    private Duration freezeAfter = Duration.ZERO;

    @Option(
            names = "--server-times",
            paramLabel = "FORM",
            defaultValue = "none",
            description =
                    "Report where each request spent its time, as other servers do: vllm (metrics of the body, for a stream with its"
                            + " usage), llama.cpp (timings of the body), header (Server-Timing), or none. Default: ${DEFAULT-VALUE}.")
    private ReportedTimes.Form serverTimes = ReportedTimes.Form.NONE;

    @Option(
            names = "--model",
            paramLabel = "NAME",
            defaultValue = "synthetic",
            description =
                    "Name of the model in /v1/models and /metrics. Requests may name any other. Default: ${DEFAULT-VALUE}.")
    private String model = "";

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "42",
            description =
                    "Seed of the random numbers; requests that arrive in the same order get the same answers. Default:"
                            + " ${DEFAULT-VALUE}.")
    private long seed;

    @OptionGroup.In(OptionGroup.LIMITS)
    @Option(
            names = "--max-requests",
            paramLabel = "N",
            defaultValue = "256",
            description =
                    "Requests that are answered at the same time, 1 to 4096; further ones wait. Default: ${DEFAULT-VALUE}.")
    private int requestsMax;

    @OptionGroup.In(OptionGroup.LIMITS)
    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "0",
            description = "Time to serve for; 0: until stopped. Default: ${DEFAULT-VALUE}.")
    private Duration duration = Duration.ZERO;

    @OptionGroup.In(OptionGroup.OUTPUT)
    @Option(
            names = "--log",
            paramLabel = "FILE",
            description =
                    "Write a line of JSON for each request for a completion, when its answer has ended: id, arrived_ns on the"
                            + " monotonic clock, ttft_ns, latency_ns, queue_ns, server_ttft_ns, decode_ns, prompt_tokens, tokens, end, and chunks"
                            + " with their times. Compare a load generator's own figures"
                            + " with it.")
    private @Nullable Path log;

    /** What answers report as their usage. */
    enum Usage {
        SENT,
        ABSENT,
        DOUBLED
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (log == null) {
            return serve(request -> {});
        }
        try (PrintStream lines = new PrintStream(Files.newOutputStream(log), true, StandardCharsets.UTF_8)) {
            AtomicBoolean told = new AtomicBoolean();
            int status = serve(request -> {
                lines.println(new String(JsonTree.writeLine(request), StandardCharsets.UTF_8));
                // At once: a signal ends the server without the check at its end.
                if (lines.checkError() && told.compareAndSet(false, true)) {
                    System.err.println("metrics-aggregator: cannot write " + log + ": it lacks requests");
                }
            });
            if (told.get()) {
                throw new IOException("cannot write " + log + ": it lacks requests");
            }
            return status;
        }
    }

    private int serve(Consumer<Map<String, Object>> requests) throws IOException, InterruptedException {
        InetSocketAddress address = ListenAddress.parse("--listen", listen, insecureBind, "the server");
        try (SyntheticServer server = open(address, behaviour(), requests)) {
            System.out.println(server.url().replaceFirst("/$", ""));
            StandardOutput.check();
            new CountDownLatch(1).await(duration.isZero() ? Long.MAX_VALUE : duration.toNanos(), TimeUnit.NANOSECONDS);
            System.err.printf(
                    Locale.ROOT,
                    "answered=%d failed=%d aborted=%d%n",
                    server.answered(),
                    server.failed(),
                    server.aborted());
        }
        return 0;
    }

    private ServerBehaviour behaviour() {
        return new ServerBehaviour(
                model,
                timeToFirstToken.toNanos(),
                chunkInterval.toNanos(),
                jitter,
                tokens,
                tokensPerChunk,
                reasoningTokens,
                cachedShare,
                errorShare,
                abortShare,
                earlyRole,
                requestsMax,
                serverTimes,
                seed,
                new ServerQuirks(
                        emptyChunks,
                        ServerQuirks.Usage.valueOf(usage.name()),
                        isWhole,
                        isClosing,
                        freezeAfter.toNanos(),
                        freeze.toNanos()));
    }

    private static SyntheticServer open(
            InetSocketAddress address, ServerBehaviour behaviour, Consumer<Map<String, Object>> requests)
            throws IOException {
        try {
            return new SyntheticServer(address, behaviour, requests);
        } catch (BindException e) {
            throw new IOException(
                    "cannot bind " + address.getAddress().getHostAddress() + ":" + address.getPort() + ": "
                            + e.getMessage() + ". Use another --listen, or port 0 for any free one",
                    e);
        }
    }
}
