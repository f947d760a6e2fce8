package io.metricsaggregator.cli.daemon;

import io.metricsaggregator.cli.console.Version;
import io.metricsaggregator.daemon.UnixSignals;
import io.metricsaggregator.options.Needs;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The command {@code mlcommons}: runs one command of MLCommons endpoints with this daemon in the place of the tool's own aggregator, or
 * beside it.
 *
 * <p>The tool has no option to replace its aggregator: it starts {@code python -m inference_endpoint.async_utils.services.metrics_aggregator}. A
 * {@code sitecustomize} module on the command's {@code PYTHONPATH} replaces exactly that process by the daemon; with {@code --shadow} it
 * has the daemon started beside it ({@link Shadow}) and lets it run.
 */
@Command(
        name = "mlcommons",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Run a command of MLCommons endpoints with this daemon as its metrics aggregator, or beside its own with --shadow."
                    + " Nothing is installed or changed.",
            ""
        },
        footer = {
            "",
            "Example: metrics-aggregator mlcommons -- inference-endpoint benchmark offline --endpoints"
                    + " http://localhost:8000 --model MODEL --dataset prompts.jsonl --report-dir results"
        })
public final class MlcommonsCommand implements Callable<Integer> {
    private static final String HOOK = "sitecustomize.py";
    /** Separates the words of the daemon's command in the environment; no argument contains this character by accident. */
    private static final String SEPARATOR = "\u001f";

    @Parameters(
            paramLabel = "COMMAND",
            arity = "1..*",
            description = "Command of MLCommons endpoints with its arguments, after --. Its exit status is returned.")
    private List<String> command = List.of();

    @Option(
            names = "--run-option",
            paramLabel = "OPTION",
            description = "Option to add to the daemon's command line, such as --run-option=--journal=DIR. Repeatable.")
    private List<String> runOptions = List.of();

    @Option(
            names = "--shadow",
            description =
                    "Keep the tool's own aggregator, for runs that must use the unmodified client: the daemon subscribes to"
                            + " the same events beside it, and every counter, series and percentile that differs is printed at the end.")
    private boolean isShadow;

    @Needs("--shadow")
    @Option(
            names = "--shadow-dir",
            paramLabel = "DIR",
            description =
                    "Directory for the daemon's files and the comparison, one folder for each aggregator of the command."
                            + " Default: a temporary directory, kept only if a value differs.")
    private @Nullable Path shadowDirectory;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path hook = Files.createTempDirectory("metrics-aggregator-mlcommons-");
        try {
            try (InputStream source = MlcommonsCommand.class.getResourceAsStream("/mlcommons/" + HOOK)) {
                if (source == null) {
                    throw new FileNotFoundException("resource mlcommons/" + HOOK + " is missing from this build");
                }
                Files.copy(source, hook.resolve(HOOK));
            }
            return isShadow ? runBeside(hook) : runInPlace(hook);
        } finally {
            remove(hook);
        }
    }

    private int runInPlace(Path hook) throws IOException, InterruptedException {
        ProcessBuilder builder = tool(hook);
        builder.environment()
                .put(
                        "METRICS_AGGREGATOR_MLCOMMONS_COMMAND",
                        String.join(SEPARATOR, daemonCommand(launcher(), runOptions)));
        return await(builder.start());
    }

    private int runBeside(Path hook) throws IOException, InterruptedException {
        Path results = shadowDirectory == null ? hook.resolve("results") : shadowDirectory.toAbsolutePath();
        Path socket = hook.resolve("shadow");
        try (Shadow shadow = new Shadow(socket, results, daemonCommand(launcher(), List.of()), runOptions)) {
            ProcessBuilder builder = tool(hook);
            builder.environment().put("METRICS_AGGREGATOR_MLCOMMONS_SHADOW", socket.toString());
            int status = await(builder.start());
            shadow.finish().forEach(System.err::println);
            if (shadowDirectory == null && !shadow.isEqual() && Files.exists(results)) {
                Path kept =
                        Files.createTempDirectory("metrics-aggregator-shadow-").resolve("results");
                Files.move(results, kept);
                System.err.println("shadow: our files are in " + kept);
            }
            return status;
        }
    }

    private ProcessBuilder tool(Path hook) {
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        Map<String, String> environment = builder.environment();
        String inherited = environment.get("PYTHONPATH");
        environment.put(
                "PYTHONPATH",
                inherited == null || inherited.isEmpty() ? hook.toString() : hook + File.pathSeparator + inherited);
        // This process runs a finished build, and the tool waits only 30 s for its services.
        environment.put("METRICS_AGGREGATOR_NO_BUILD", "1");
        return builder;
    }

    private static int await(Process tool) throws InterruptedException {
        // A terminal sends SIGINT to the tool as well, which handles it. SIGTERM and SIGHUP reach only this process and
        // are passed on.
        UnixSignals.handle("INT", () -> {});
        UnixSignals.handle("TERM", tool::destroy);
        UnixSignals.handle("HUP", tool::destroy);
        return tool.waitFor();
    }

    /** Path of the launcher script that started this process; null if it was started without one. */
    public static @Nullable String launcher() {
        return System.getenv("METRICS_AGGREGATOR_LAUNCHER");
    }

    /**
     * The command line that starts a daemon of this build.
     *
     * @param launcher path of the launcher script that started this process; null if it was started without one
     */
    public static List<String> daemonCommand(@Nullable String launcher, List<String> options) {
        List<String> daemon = new ArrayList<>();
        if (launcher != null) {
            daemon.add(launcher);
        } else {
            daemon.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            daemon.addAll(List.of("-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path")));
            daemon.add(Version.MAIN_CLASS);
        }
        daemon.add("run");
        daemon.addAll(options);
        return daemon;
    }

    /** Removes the directory and the files that Python may have compiled into it. */
    private static void remove(Path hook) throws IOException {
        try (Stream<Path> files = Files.walk(hook)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }
}
