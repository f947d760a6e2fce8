package io.metricsaggregator.cli;

import io.metricsaggregator.daemon.ExitStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code metrics-aggregator}. */
@Command(
        name = "metrics-aggregator",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {
            "Aggregates the events of inference benchmarks: events in over ZeroMQ, live snapshots out, one durable final"
                    + " report on disk.",
            ""
        },
        synopsisSubcommandLabel = "COMMAND",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:done; for run, the final snapshot is durable on disk",
            "1:healthcheck: no daemon is ready",
            "2:wrong usage, or a configuration that would let others in",
            "3:out of memory; run exits with 70 instead, and writes what it has",
            "4:a socket, a lock or a directory is not available",
            "5:the final snapshot is not durable",
            "6:with --strict, something received was not applied",
            "7:compare: a condition of --fail-if holds",
            "8:report --strict-verdict: the verdict is INVALID",
            "10:tail, wait: the run was interrupted",
            "11:tail, wait: no terminal snapshot in time; produce, replay, agent, exporter: nobody received anything",
            "70:an internal error"
        })
public final class Main {

    private static final Map<String, Class<?>> COMMANDS = new LinkedHashMap<>();

    static {
        COMMANDS.put("run", RunCommand.class);
        COMMANDS.put("tail", TailCommand.class);
        COMMANDS.put("watch", WatchCommand.class);
        COMMANDS.put("wait", WaitCommand.class);
        COMMANDS.put("produce", ProduceCommand.class);
        COMMANDS.put("exporter", ExporterCommand.class);
        COMMANDS.put("agent", AgentCommand.class);
        COMMANDS.put("replay", ReplayCommand.class);
        COMMANDS.put("report", ReportCommand.class);
        COMMANDS.put("compare", CompareCommand.class);
        COMMANDS.put("merge", MergeCommand.class);
        COMMANDS.put("export", ExportCommand.class);
        COMMANDS.put("mlcommons", MlcommonsCommand.class);
        COMMANDS.put("healthcheck", HealthcheckCommand.class);
        COMMANDS.put("demo", DemoCommand.class);
        COMMANDS.put("help", CommandLine.HelpCommand.class);
    }

    @Mixin
    private final LoggingOptions logging = new LoggingOptions();

    private static final long PRINT_MILLIS = 1000;

    private Main() {}

    /** Runs the command and exits with its status. */
    public static void main(String[] arguments) {
        int status;
        try {
            status = execute(arguments);
        } catch (Throwable e) {
            printStackTrace(e);
            status = ExitStatus.INTERNAL.code();
        }
        Logging.flush();
        // Not exit: a thread that is stuck in a system call must not hold the process up.
        System.out.flush();
        Runtime.getRuntime().halt(status);
    }

    /** Prints on standard error; gives up after a second, because nobody may read that. */
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

    static int execute(String... arguments) {
        String first = arguments.length == 0 ? "" : arguments[0];
        CommandLine commands = commands(first);
        List<String> given = List.of(arguments);
        boolean help = given.contains("--help") || given.contains("-h");
        return first.equals("run") && !help ? executeConfigured(commands, given) : commands.execute(arguments);
    }

    /** Executes {@code run} with what its command line lacks taken from the environment and the file of {@code --config}. */
    private static int executeConfigured(CommandLine commands, List<String> arguments) {
        CommandLine run = commands.getSubcommands().get("run");
        List<String> all = new ArrayList<>(List.of("run"));
        try {
            Configuration configuration =
                    Configuration.of(run.getCommandSpec(), arguments.subList(1, arguments.size()), System.getenv());
            if (configuration.isPrinted()) {
                configuration.print(commands.getOut());
                return CommandLine.ExitCode.OK;
            }
            all.addAll(configuration.arguments());
        } catch (IOException | IllegalArgumentException e) {
            commands.getErr().println("metrics-aggregator: " + Messages.of(e));
            return ExitStatus.USAGE.code();
        }
        return commands.execute(all.toArray(new String[0]));
    }

    /**
     * The command with one sub-command, or with all of them. Completion and man pages are generated from it.
     *
     * @param first the sub-command; any other text for all of them
     */
    public static CommandLine commands(String first) {
        CommandLine command = new CommandLine(new Main());
        // Each command's options are found by reflection, 20 ms for each: only those of the one that is asked for.
        Class<?> only = first.equals("help") ? null : COMMANDS.get(first);
        if (only != null) {
            command.addSubcommand(first, only);
        } else {
            COMMANDS.forEach(command::addSubcommand);
        }
        if (command.getSubcommands().get("run") != null) {
            command.getSubcommands().get("run").addMixin("configuration", new ConfigurationOptions());
        }
        return command.setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(Errors::usage)
                .setExecutionExceptionHandler(Errors::execution)
                .registerConverter(java.time.Duration.class, new DurationConverter());
    }
}
