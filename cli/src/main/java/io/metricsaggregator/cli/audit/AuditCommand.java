package io.metricsaggregator.cli.audit;

import ch.qos.logback.classic.Level;
import io.metricsaggregator.cli.console.GroupedHelp;
import io.metricsaggregator.cli.console.Logging;
import io.metricsaggregator.cli.console.StandardOutput;
import io.metricsaggregator.cli.console.Version;
import io.metricsaggregator.cli.wrap.RetargetedTool;
import io.metricsaggregator.options.OptionGroup;
import io.metricsaggregator.publish.ExitStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code audit}: checks the figures of a load tool against a server that knows what it did. */
@Command(
        name = "audit",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Check a load tool: run it against a synthetic server in scenarios with known answers, and compare each figure of"
                    + " its result file with what the server did, by the tool's own definition and by ours.",
            ""
        },
        footer = {
            "",
            "Example: metrics-aggregator audit --scenario steady,freeze -- vllm bench serve --base-url http://127.0.0.1:8000"
                    + " --model synthetic --save-result --save-detailed",
            "",
            "Verdicts: exact, to the last digit of the file; within 1 ms or 2 %; wrong; silent, if the run was cut or requests"
                    + " failed and nothing shows it; unknown, if the server has no such figure."
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:no figure misleads",
            "2:wrong usage, or the tool's target cannot be replaced",
            "4:the tool cannot be started, or a file cannot be written",
            "8:a figure is wrong or silent",
            "11:no scenario gave a figure"
        })
@OptionGroup.In(OptionGroup.LOAD)
@GroupedHelp.Testing
public final class AuditCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "TOOL",
            arity = "0..*",
            description =
                    "Command of the tool with its arguments, after --. The server that it names is replaced as by wrap, without a"
                            + " proxy between.")
    private List<String> command = List.of();

    @Option(
            names = "--scenario",
            paramLabel = "NAME",
            split = ",",
            completionCandidates = Names.class,
            description = "Scenario to run: ${COMPLETION-CANDIDATES}. Repeatable. Default: all.")
    private List<String> names = List.of();

    @Option(names = "--list", description = "Print the scenarios and exit.")
    private boolean isListed;

    @Option(
            names = "--full-freeze",
            description =
                    "Freeze for 2 s after 10 s instead of 0.2 s after 1 s. At 25 requests/s for 40 s, 100 of 1000 requests are"
                            + " late.")
    private boolean isFull;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "Requests per second of the tool's schedule, which a freeze is judged by; 0: those before the freeze."
                            + " Default: ${DEFAULT-VALUE}.")
    private double rate;

    @Option(
            names = "--cancel-after",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "Ended requests at which the tool gets SIGINT; 0: half of those of an earlier scenario, or 10. Default:"
                            + " ${DEFAULT-VALUE}.")
    private int cancelAfter;

    @OptionGroup.In(OptionGroup.LIMITS)
    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "10m",
            description = "Time after which the tool is killed in a scenario. Default: ${DEFAULT-VALUE}.")
    private Duration timeout = Duration.ZERO;

    @OptionGroup.In(OptionGroup.ENDPOINTS)
    @Option(
            names = "--upstream",
            paramLabel = "URL",
            description = "Server that the tool's command names. Default: found as by wrap.")
    private @Nullable String upstream;

    @OptionGroup.In(OptionGroup.ENDPOINTS)
    @Option(
            names = "--set-url",
            paramLabel = "FLAG|ENV:NAME",
            description = "Flag or variable of the tool that takes the server's URL, as for wrap. Repeatable.")
    private List<String> setUrls = List.of();

    @OptionGroup.In(OptionGroup.OUTPUT)
    @Option(
            names = "--result",
            paramLabel = "GLOB",
            description = "Result file; its name may have * and ?. Repeatable. Default: the files that"
                    + " wrap knows of the tool.")
    private List<String> results = List.of();

    @OptionGroup.In(OptionGroup.OUTPUT)
    @Option(
            names = "--output-dir",
            paramLabel = "DIR",
            defaultValue = "audit-results",
            description =
                    "Directory for a directory of each scenario, with the tool's result files, which are moved there, its output"
                            + " and the server's log. Default: ${DEFAULT-VALUE}.")
    private Path output = Path.of("");

    @OptionGroup.In(OptionGroup.OUTPUT)
    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "text, json or junit. Default: ${DEFAULT-VALUE}.")
    private AuditFormat format = AuditFormat.TEXT;

    @OptionGroup.In(OptionGroup.OUTPUT)
    @Option(names = "--all", description = "List each figure in text, not only those that are not right.")
    private boolean isVerbose;

    /** The names of all scenarios. */
    static final class Names implements Iterable<String> {
        @Override
        public java.util.Iterator<String> iterator() {
            return Scenario.all(false).stream().map(Scenario::name).iterator();
        }
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Logging.level(Level.WARN);
        List<Scenario> scenarios = chosen();
        if (isListed) {
            scenarios.forEach(each -> System.out.printf(Locale.ROOT, "%-14s %s%n", each.name(), each.title()));
            StandardOutput.check();
            return 0;
        }
        if (command.isEmpty()) {
            throw new IllegalArgumentException("the command of the tool is missing: write it behind --");
        }
        RetargetedTool tool = RetargetedTool.of(command, upstream, setUrls);
        ScenarioRunner runner =
                new ScenarioRunner(tool, new ScenarioRunner.Settings(output, results, rate, cancelAfter, timeout));
        Path scratch = Files.createTempDirectory("metrics-aggregator-audit-");
        List<AuditedRun> runs = new ArrayList<>();
        try {
            ScenarioRunner.warmUp();
            for (Scenario each : scenarios) {
                AuditedRun run = runner.run(each, scratch);
                runs.add(run);
                System.err.println("metrics-aggregator: " + each.name() + ": " + run.served() + " requests served, "
                        + run.summary() + (run.problem() == null ? "" : "; " + run.problem()));
            }
        } finally {
            try (Stream<Path> files = Files.walk(scratch)) {
                for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(each);
                }
            }
        }
        System.out.print(format.render(runner.toolName(), about(runner.toolVersion()), runs, isVerbose));
        StandardOutput.check();
        if (runs.stream().anyMatch(AuditedRun::isBad)) {
            return ExitStatus.CASE_FAILED.code();
        }
        return runs.stream().allMatch(each -> each.figures().isEmpty()) ? ExitStatus.NO_DATA.code() : 0;
    }

    private List<Scenario> chosen() {
        List<Scenario> all = Scenario.all(isFull);
        for (String name : names) {
            if (all.stream().noneMatch(each -> each.name().equals(name))) {
                throw new IllegalArgumentException("--scenario '" + name + "' is none of "
                        + all.stream().map(Scenario::name).collect(Collectors.joining(", ")));
            }
        }
        return all.stream()
                .filter(each -> names.isEmpty() || names.contains(each.name()))
                .toList();
    }

    private static Map<String, String> about(String toolVersion) throws IOException {
        Map<String, String> about = new LinkedHashMap<>();
        about.put("tool_version", toolVersion);
        about.put("time", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        about.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        Path load = Path.of("/proc/loadavg");
        about.put("load", Files.isReadable(load) ? Files.readString(load).split(" ", -1)[0] : "");
        return about;
    }
}
