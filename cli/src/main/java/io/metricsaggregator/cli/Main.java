package io.metricsaggregator.cli;

import io.metricsaggregator.cli.audit.AuditCommand;
import io.metricsaggregator.cli.console.Errors;
import io.metricsaggregator.cli.console.GroupedHelp;
import io.metricsaggregator.cli.console.Logging;
import io.metricsaggregator.cli.console.LoggingOptions;
import io.metricsaggregator.cli.console.OptionRules;
import io.metricsaggregator.cli.console.StandardOutput;
import io.metricsaggregator.cli.console.Version;
import io.metricsaggregator.cli.daemon.AgentCommand;
import io.metricsaggregator.cli.daemon.CurveKeyCommand;
import io.metricsaggregator.cli.daemon.DemoCommand;
import io.metricsaggregator.cli.daemon.FleetCommand;
import io.metricsaggregator.cli.daemon.HealthcheckCommand;
import io.metricsaggregator.cli.daemon.MlcommonsCommand;
import io.metricsaggregator.cli.daemon.RunCommand;
import io.metricsaggregator.cli.files.ExportCommand;
import io.metricsaggregator.cli.files.ImportCommand;
import io.metricsaggregator.cli.files.MergeCommand;
import io.metricsaggregator.cli.files.ReplayCommand;
import io.metricsaggregator.cli.live.ProxyCommand;
import io.metricsaggregator.cli.options.Configuration;
import io.metricsaggregator.cli.options.OptionTable;
import io.metricsaggregator.cli.testing.CheckConsumerCommand;
import io.metricsaggregator.cli.testing.CheckProducerCommand;
import io.metricsaggregator.cli.testing.CheckSubscriberCommand;
import io.metricsaggregator.cli.testing.ExporterCommand;
import io.metricsaggregator.cli.testing.ProduceCommand;
import io.metricsaggregator.cli.testing.ServeSyntheticCommand;
import io.metricsaggregator.cli.view.CompareCommand;
import io.metricsaggregator.cli.view.HistoryCommand;
import io.metricsaggregator.cli.view.ReportCommand;
import io.metricsaggregator.cli.view.SubmissionCommand;
import io.metricsaggregator.cli.view.SweepCommand;
import io.metricsaggregator.cli.view.TailCommand;
import io.metricsaggregator.cli.view.WaitCommand;
import io.metricsaggregator.cli.view.WatchCommand;
import io.metricsaggregator.cli.wrap.WrapCommand;
import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.options.DurationConverter;
import io.metricsaggregator.options.Messages;
import io.metricsaggregator.publish.ExitStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The command {@code metrics-aggregator}. */
@Command(
        name = "metrics-aggregator",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {
            "Aggregate the events of inference benchmarks: receive events over ZeroMQ, publish live snapshots, and write one"
                    + " durable final snapshot.",
            ""
        },
        synopsisSubcommandLabel = "COMMAND",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:success; for run, the final snapshot is durable on disk",
            "1:healthcheck: no daemon is ready",
            "2:wrong usage, or an insecure configuration without the option that allows it",
            "3:out of memory; run writes its last snapshot and exits with 70 instead",
            "4:a file, directory, socket or lock is not available, or standard output cannot be written",
            "5:the final snapshot is not durable",
            "6:run --strict: a received record was not applied; import --strict: a record was skipped",
            "7:compare, sweep: a condition of --fail-if holds",
            "8:report --strict-verdict: the verdict is INVALID; check-producer, check-subscriber, check-consumer: a case fails; audit: a figure is wrong or silent; submission --check: it would be refused",
            "10:tail, wait: the run was interrupted",
            "11:tail, wait: no terminal snapshot in time; fleet: no node; produce, proxy, replay, agent, exporter: no subscriber or scrape; audit: no figure; check-producer --in: no record;"
                    + " report, export: the run has no data of the format",
            "12:run --interrupt-on-stall: no endpoint answered, the final snapshot is durable; wait --fail-on-stall: an endpoint stalled",
            "70:internal error"
        })
public final class Main {

    private static final Map<String, Class<?>> COMMANDS = new LinkedHashMap<>();

    static {
        Logging.install();
        // Picocli would search all jars for a class of Groovy, and load java.sql and all of java.time, of which no
        // option has a type.
        System.setProperty("picocli.disable.closures", "true");
        System.setProperty("picocli.converters.excludes", "java.[st].*");
        String selectors = "java.nio.channels.spi.SelectorProvider";
        if (System.getProperty("os.name").equals("Linux") && System.getProperty(selectors) == null) {
            // The search for another one would open all jars before the first socket.
            System.setProperty(selectors, "sun.nio.ch.EPollSelectorProvider");
        }
        COMMANDS.put("run", RunCommand.class);
        COMMANDS.put("fleet", FleetCommand.class);
        COMMANDS.put("tail", TailCommand.class);
        COMMANDS.put("watch", WatchCommand.class);
        COMMANDS.put("wait", WaitCommand.class);
        COMMANDS.put("produce", ProduceCommand.class);
        COMMANDS.put("exporter", ExporterCommand.class);
        COMMANDS.put("serve-synthetic", ServeSyntheticCommand.class);
        COMMANDS.put("proxy", ProxyCommand.class);
        COMMANDS.put("agent", AgentCommand.class);
        COMMANDS.put("replay", ReplayCommand.class);
        COMMANDS.put("report", ReportCommand.class);
        COMMANDS.put("compare", CompareCommand.class);
        COMMANDS.put("sweep", SweepCommand.class);
        COMMANDS.put("history", HistoryCommand.class);
        COMMANDS.put("submission", SubmissionCommand.class);
        COMMANDS.put("merge", MergeCommand.class);
        COMMANDS.put("export", ExportCommand.class);
        COMMANDS.put("import", ImportCommand.class);
        COMMANDS.put("wrap", WrapCommand.class);
        COMMANDS.put("audit", AuditCommand.class);
        COMMANDS.put("mlcommons", MlcommonsCommand.class);
        COMMANDS.put("healthcheck", HealthcheckCommand.class);
        COMMANDS.put("curve-key", CurveKeyCommand.class);
        COMMANDS.put("demo", DemoCommand.class);
        COMMANDS.put("check-producer", CheckProducerCommand.class);
        COMMANDS.put("check-subscriber", CheckSubscriberCommand.class);
        COMMANDS.put("check-consumer", CheckConsumerCommand.class);
        COMMANDS.put("help", CommandLine.HelpCommand.class);
    }

    @Mixin
    @SuppressWarnings("UnusedVariable") // its options act when they are parsed
    private final LoggingOptions logging = new LoggingOptions();

    @Option(
            names = GroupedHelp.EVERYTHING,
            scope = ScopeType.INHERIT,
            description = "Show all options, under headings, and exit.")
    @SuppressWarnings("UnusedVariable") // for help and completion; execute acts on it before picocli parses
    private boolean isEverythingShown;

    private static final long PRINT_MILLIS = 1000;

    /** Adds sources to messages. No lambda: resolving one of this class would keep picocli out of the archive of classes. */
    private record Located(Configuration configuration) implements UnaryOperator<String> {
        @Override
        public String apply(String message) {
            return configuration.located(message);
        }
    }

    private Main() {}

    /** Runs the command and exits with its status. */
    public static void main(String[] arguments) {
        StandardOutput.install();
        int status;
        try {
            status = execute(arguments);
        } catch (Throwable e) {
            printStackTrace(e);
            status = ExitStatus.INTERNAL.code();
        }
        Logging.flush();
        // Not exit, whose shutdown waits for a thread that is stuck in a system call.
        status = StandardOutput.finish(status);
        Runtime.getRuntime().halt(status);
    }

    /** Prints on standard error; gives up after a second, because standard error may be blocked. */
    private static void printStackTrace(Throwable cause) {
        Thread thread = new Thread(
                () -> {
                    System.err.println("metrics-aggregator: internal error");
                    cause.printStackTrace();
                },
                "stderr");
        thread.setDaemon(true);
        thread.start();
        try {
            thread.join(PRINT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Executes a command line and returns the exit status; does not end the process. */
    public static int execute(String... arguments) {
        String first = arguments.length == 0 ? "" : arguments[0];
        List<String> given = List.of(arguments);
        Logging.format(given, null);
        if (first.equals("run")) {
            Integer status = executePlain(given.subList(1, given.size()), System.getenv());
            if (status != null) {
                return status;
            }
        }
        CommandLine commands = commands(first);
        int end = given.contains("--") ? given.indexOf("--") : given.size();
        if (given.subList(0, end).contains(GroupedHelp.EVERYTHING)) {
            commands.setHelpFactory(new GroupedHelp(true));
            return first.startsWith("-") ? commands.execute("--help") : commands.execute(first, "--help");
        }
        boolean help = given.contains("--help") || given.contains("-h");
        return first.equals("run") && !help
                ? executeConfigured(commands, given, System.getenv())
                : commands.execute(arguments);
    }

    /** Executes {@code run} without picocli; returns null if its arguments are not plain, or wrong. */
    private static @Nullable Integer executePlain(List<String> arguments, Map<String, String> environment) {
        Configuration configuration;
        DaemonConfig config;
        try {
            List<OptionTable.Option> options = RunCommand.options();
            configuration = Configuration.of(options, arguments, environment);
            config = RunCommand.config(options, configuration.arguments());
        } catch (IOException | RuntimeException e) {
            // Picocli comes to the same error, and reports it.
            return null;
        }
        if (config == null) {
            return null;
        }
        try {
            return RunCommand.run(config);
        } catch (IOException | RuntimeException e) {
            return new Errors(new Located(configuration)).report(e, new CommandLine(CommandSpec.create()).getErr());
        }
    }

    /** Executes {@code run} with the settings of the environment and the file of {@code --config} added to its command line. */
    public static int executeConfigured(CommandLine commands, List<String> arguments, Map<String, String> environment) {
        CommandLine run = Objects.requireNonNull(commands.getSubcommands().get("run"), "command run");
        List<String> all = new ArrayList<>(List.of("run"));
        Logging.format(arguments, environment.get("METRICS_AGGREGATOR_LOG_FORMAT"));
        try {
            Configuration configuration =
                    Configuration.of(RunCommand.options(), arguments.subList(1, arguments.size()), environment);
            Errors located = new Errors(new Located(configuration));
            commands.setExecutionExceptionHandler(located);
            if (commands.getParameterExceptionHandler() instanceof Errors) {
                commands.setParameterExceptionHandler(located);
            }
            run.<RunCommand>getCommand().configuration().use(configuration);
            all.addAll(configuration.arguments());
            Logging.format(all, null);
        } catch (IOException | IllegalArgumentException e) {
            return Errors.report(commands.getErr(), Messages.of(e), ExitStatus.USAGE);
        }
        return commands.execute(all.toArray(new String[0]));
    }

    /** All commands with their options in groups, to generate documentation from. They cannot parse arguments. */
    public static CommandLine documentation() {
        CommandLine all = commands("");
        all.getSubcommands().values().forEach(each -> GroupedHelp.group(each.getCommandSpec()));
        return all;
    }

    /**
     * The command with one sub-command, or with all of them. Completion is generated from it.
     *
     * @param first the sub-command; any other text for all of them
     */
    public static CommandLine commands(String first) {
        CommandLine command = new CommandLine(new Main());
        // Reflection on the options of a command takes 20 ms, so only the requested command is added.
        Class<?> only = first.equals("help") ? null : COMMANDS.get(first);
        if (only != null) {
            command.addSubcommand(first, only);
        } else {
            COMMANDS.forEach(command::addSubcommand);
        }
        Errors errors = new Errors(UnaryOperator.identity());
        return command.setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(errors)
                .setExecutionExceptionHandler(errors)
                .setExecutionStrategy(OptionRules::execute)
                .setHelpFactory(new GroupedHelp(false))
                .registerConverter(java.time.Duration.class, new DurationConverter());
    }
}
