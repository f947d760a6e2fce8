package io.metricsaggregator.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Runs the command as a real process with the launcher's JVM options. */
final class Cli {
    private Cli() {}

    static ProcessBuilder builder(List<String> wrapper, List<String> jvmOptions, String... arguments) {
        List<String> command = new ArrayList<>(wrapper);
        command.addAll(Program.command(jvmOptions));
        Collections.addAll(command, arguments);
        return new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    }

    static RunningProcess start(String... arguments) throws IOException {
        return new RunningProcess(builder(List.of(), List.of(), arguments));
    }

    /** Starts the daemon and waits until it is ready. */
    static RunningProcess daemon(Path outputDirectory, String... arguments) throws IOException {
        // A readiness file of an earlier run would end the wait too early.
        Files.deleteIfExists(outputDirectory.resolve(".ready"));
        return awaitReady(
                new RunningProcess(builder(List.of(), List.of(), run(outputDirectory, arguments))), outputDirectory);
    }

    static String[] run(Path outputDirectory, String... arguments) {
        List<String> all = new ArrayList<>(List.of("run", "--output-dir", outputDirectory.toString()));
        Collections.addAll(all, arguments);
        return all.toArray(new String[0]);
    }

    static RunningProcess awaitReady(RunningProcess daemon, Path outputDirectory) {
        Await.until(
                () -> Files.exists(outputDirectory.resolve(".ready")) || !daemon.process.isAlive(),
                () -> "ready: " + daemon);
        if (!daemon.process.isAlive() && !Files.exists(outputDirectory.resolve(".ready"))) {
            throw new AssertionError("the daemon ended: " + daemon);
        }
        return daemon;
    }
}
