package io.metricsaggregator.cli.testing;

import io.metricsaggregator.cli.console.Terminal;
import io.metricsaggregator.conformance.CaseResult;
import io.metricsaggregator.conformance.KnownFailures;
import io.metricsaggregator.conformance.ResultFormat;
import io.metricsaggregator.conformance.Suite;
import io.metricsaggregator.publish.ExitStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that the commands {@code check-…} share: cases, transport and output. */
final class CheckOptions {

    private enum Scheme {
        IPC,
        TCP
    }

    @Option(
            names = "--case",
            paramLabel = "GLOB",
            defaultValue = "*",
            description = "Run the cases whose names match, such as '02_*'. Default: all.")
    private String glob = "*";

    @Option(
            names = "--transport",
            paramLabel = "SCHEME",
            defaultValue = "ipc",
            description = "Scheme of MA_ENDPOINT: ipc, or tcp on the loopback interface. Default: ${DEFAULT-VALUE}.")
    private Scheme scheme = Scheme.IPC;

    @Option(
            names = "--kit",
            paramLabel = "DIR",
            description =
                    "Directory with the data of the kit (tools/testbed/ of a checkout). Default: the data of this program.")
    private @Nullable Path kit;

    @Option(
            names = "--known-failing",
            paramLabel = "FILE",
            description =
                    "File of failures to expect, one GLOB: REASON per line. GLOB names a case (07_flood) or its checks"
                            + " (07_flood/loss.*). An expected failure that passes is a failure.")
    private @Nullable Path knownFailing;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "text",
            description =
                    "Output. text: a line per case, and broken rules with remedies; tap: TAP 13; junit: JUnit XML; json: one"
                            + " document. Default: ${DEFAULT-VALUE}.")
    private ResultFormat format = ResultFormat.TEXT;

    /** Runs the cases of a kit. */
    interface Cases {
        List<CaseResult> run(Suite kit, String glob, Consumer<CaseResult> done) throws IOException;
    }

    boolean isTcp() {
        return scheme == Scheme.TCP;
    }

    /**
     * Runs the cases, prints the results, and returns the exit status.
     *
     * @param conclusion one line about all results
     */
    int run(Cases cases, Function<List<CaseResult>, String> conclusion) throws IOException {
        KnownFailures known = knownFailing == null ? KnownFailures.none() : KnownFailures.read(knownFailing);
        List<CaseResult> results = new ArrayList<>();
        try (Suite data = Suite.open(kit)) {
            cases.run(data, glob, result -> {
                CaseResult marked = known.apply(result);
                results.add(marked);
                if (format == ResultFormat.TEXT) {
                    Terminal.print(ResultFormat.caseAsText(marked));
                }
            });
        }
        if (results.isEmpty()) {
            throw new IllegalArgumentException("--case " + glob + " matches no case of this level");
        }
        print(results, conclusion.apply(results));
        return status(results);
    }

    /** Prints results that are complete. */
    void print(List<CaseResult> results, String conclusion) {
        // Text was printed case by case.
        Terminal.print(format.render(format == ResultFormat.TEXT ? List.of() : results, conclusion));
    }

    static int status(List<CaseResult> results) {
        return results.stream().anyMatch(CaseResult::isBad) ? ExitStatus.CASE_FAILED.code() : ExitStatus.DURABLE.code();
    }

    ResultFormat format() {
        return format;
    }
}
