package io.metricsaggregator.cli.testing;

import io.metricsaggregator.cli.console.GroupedHelp;
import io.metricsaggregator.cli.console.Version;
import io.metricsaggregator.conformance.Conclusion;
import io.metricsaggregator.conformance.SubscriberCheck;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code check-subscriber}: judges a subscriber to snapshots by the cases of the conformance kit. */
@Command(
        name = "check-subscriber",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Check a subscriber to snapshots: start CMD once per case, with MA_ENDPOINT (to connect) and MA_CASE; publish"
                    + " recorded snapshots; compare the lines of tagged JSON that CMD prints (docs/conformance.md). CMD must end"
                    + " after the terminal snapshot. Exit status: 0 if all cases pass, 8 if not.",
            ""
        },
        footer = {"", "Example: metrics-aggregator check-subscriber -- python3 my_subscriber.py"})
@GroupedHelp.Testing
public final class CheckSubscriberCommand implements Callable<Integer> {

    @Mixin
    private CheckOptions options = new CheckOptions();

    @Parameters(
            paramLabel = "CMD",
            arity = "1..*",
            description = "Program to start for each case, and its arguments, after --.")
    private List<String> command = List.of();

    @Override
    public Integer call() throws IOException {
        return options.run(new SubscriberCheck(command, options.isTcp())::run, Conclusion::of);
    }
}
