package io.metricsaggregator.cli.testing;

import io.metricsaggregator.cli.console.GroupedHelp;
import io.metricsaggregator.cli.console.Version;
import io.metricsaggregator.conformance.Conclusion;
import io.metricsaggregator.conformance.ConsumerCheck;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code check-consumer}: judges an aggregator of events by the recorded streams of the conformance kit. */
@Command(
        name = "check-consumer",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Check an aggregator: start CMD once per recorded stream, with MA_ENDPOINT (to connect) and MA_CASE, and the"
                    + " options of the stream and the path of its frames as JSON on standard input; publish the frames; compare the"
                    + " final snapshot that CMD prints as JSON with that of MLCommons endpoints. Exit status: 0 if all cases pass, 8"
                    + " if not.",
            ""
        },
        footer = {"", "Example: metrics-aggregator check-consumer --case '0*' -- python3 my_aggregator.py"})
@GroupedHelp.Testing
public final class CheckConsumerCommand implements Callable<Integer> {

    @Mixin
    private CheckOptions options = new CheckOptions();

    @Parameters(
            paramLabel = "CMD",
            arity = "1..*",
            description = "Program to start for each case, and its arguments, after --.")
    private List<String> command = List.of();

    @Override
    public Integer call() throws IOException {
        return options.run(new ConsumerCheck(command, options.isTcp())::run, Conclusion::of);
    }
}
