package io.metricsaggregator.flink;

import io.metricsaggregator.options.DurationConverter;
import io.metricsaggregator.publish.ExitStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Supplier;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import picocli.CommandLine;

/** Entry point of the job's jar: {@code flink run metrics-aggregator-flink.jar OPTIONS}. */
public final class Main {
    private Main() {}

    /** Runs the job and, if its exit status is not 0, ends the client with it. */
    public static void main(String[] arguments) {
        int status = execute(
                StreamExecutionEnvironment::getExecutionEnvironment,
                new PrintWriter(System.out, true, StandardCharsets.UTF_8),
                new PrintWriter(System.err, true, StandardCharsets.UTF_8),
                arguments);
        if (status != 0) {
            System.exit(status);
        }
    }

    /**
     * Parses the arguments and runs the job in an environment.
     *
     * @param environment called once the arguments are known to be good; not for help
     * @return the exit status
     */
    static int execute(
            Supplier<StreamExecutionEnvironment> environment, PrintWriter out, PrintWriter err, String... arguments) {
        CommandLine command = new CommandLine(new JobCommand(environment));
        command.setOut(out);
        command.setErr(err);
        command.setCaseInsensitiveEnumValuesAllowed(true);
        command.registerConverter(Duration.class, new DurationConverter());
        command.setExecutionExceptionHandler((error, failed, parsed) -> report(error, err));
        return command.execute(arguments);
    }

    private static int report(Exception error, PrintWriter err) {
        err.println("metrics-aggregator-flink: " + error.getMessage());
        if (error instanceof IllegalArgumentException) {
            return ExitStatus.USAGE.code();
        }
        if (error instanceof IOException || error instanceof UncheckedIOException) {
            return ExitStatus.UNAVAILABLE.code();
        }
        error.printStackTrace(err);
        return ExitStatus.INTERNAL.code();
    }
}
