package io.metricsaggregator.cli.testing;

import io.metricsaggregator.cli.console.GroupedHelp;
import io.metricsaggregator.cli.console.Terminal;
import io.metricsaggregator.cli.console.Version;
import io.metricsaggregator.cli.options.Endpoints;
import io.metricsaggregator.cli.options.Follow;
import io.metricsaggregator.cli.options.SocketOptions;
import io.metricsaggregator.conformance.CaseResult;
import io.metricsaggregator.conformance.Conclusion;
import io.metricsaggregator.conformance.Level;
import io.metricsaggregator.conformance.ProducerCheck;
import io.metricsaggregator.conformance.ResultFormat;
import io.metricsaggregator.conformance.WatchCheck;
import io.metricsaggregator.options.Needs;
import io.metricsaggregator.transport.Endpoint;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code check-producer}: judges a producer by the rules of the conformance kit. */
@Command(
        name = "check-producer",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Check a producer of events against the rules of docs/conformance.md: start CMD once per case, with MA_ENDPOINT"
                    + " (to bind), MA_CASE and the case as JSON on standard input; subscribe; judge what arrives. CMD must end by"
                    + " itself. Or judge a running producer, with --in. Exit status: 0 if all rules are kept, 8 if not.",
            ""
        },
        footer = {
            "",
            "Examples: metrics-aggregator check-producer --level 3 -- python3 my_client.py",
            "          metrics-aggregator check-producer --in ipc:///tmp/events --for 1m"
        })
@GroupedHelp.Testing
public final class CheckProducerCommand implements Callable<Integer> {

    @Option(
            names = "--level",
            paramLabel = "N",
            defaultValue = "5",
            description =
                    "Highest level to check: 1 wire, 2 life, 3 time, 4 loss, 5 ours (extensions). Default: ${DEFAULT-VALUE}.")
    private int level;

    @Option(
            names = "--in",
            paramLabel = "ENDPOINT",
            description =
                    "Endpoint of a running producer, to judge without a script (connects unless prefixed with bind:). Repeatable.")
    private List<String> inputs = List.of();

    @Needs("--in")
    @Option(
            names = "--for",
            paramLabel = "TIME",
            defaultValue = "30s",
            description = "With --in: watch for TIME, or until session.ended. Default: ${DEFAULT-VALUE}.")
    private Duration time = Duration.ofSeconds(30);

    @Mixin
    private CheckOptions options = new CheckOptions();

    @Mixin
    private SocketOptions sockets = new SocketOptions();

    @Parameters(
            paramLabel = "CMD",
            arity = "0..*",
            description = "Program to start for each case, and its arguments, after --.")
    private List<String> command = List.of();

    @Override
    public Integer call() throws IOException {
        Level asked = Level.of(level);
        if (command.isEmpty() == inputs.isEmpty()) {
            throw new IllegalArgumentException("give either CMD after --, or --in ENDPOINT");
        }
        if (inputs.isEmpty()) {
            ProducerCheck check = new ProducerCheck(command, options.isTcp(), asked);
            return options.run(check::run, results -> Conclusion.ofProducer(results, asked));
        }
        return watch(asked);
    }

    private int watch(Level asked) throws IOException {
        List<Endpoint> endpoints = Endpoints.parse("--in", inputs, false);
        boolean local = endpoints.stream().allMatch(CheckProducerCommand::isLocal);
        WatchCheck.Observed observed = new WatchCheck(sockets.build(), local).run(endpoints, time, asked);
        if (observed.records() == 0) {
            System.err.printf(
                    "metrics-aggregator: no record received from %s within %d s%n",
                    String.join(", ", inputs), time.toSeconds());
            return Follow.NONE_IN_TIME;
        }
        List<CaseResult> results = List.of(observed.rules());
        if (options.format() == ResultFormat.TEXT) {
            StringBuilder text = new StringBuilder();
            for (CaseResult.Check check : observed.rules().checks()) {
                if (check.status() == CaseResult.Status.PASS) {
                    text.append("kept         ").append(check.id()).append('\n');
                }
            }
            observed.unobserved()
                    .forEach(rule -> text.append("not observed ").append(rule).append('\n'));
            Terminal.print(text + ResultFormat.caseAsText(observed.rules()));
        }
        options.print(results, observed.records() + " records. " + Conclusion.ofProducer(results, asked));
        return CheckOptions.status(results);
    }

    private static boolean isLocal(Endpoint endpoint) {
        return switch (endpoint.scheme()) {
            case IPC -> true;
            case TCP -> List.of("127.0.0.1", "localhost", "::1").contains(endpoint.address());
        };
    }
}
