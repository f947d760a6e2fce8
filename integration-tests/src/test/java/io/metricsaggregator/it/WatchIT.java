package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The live screen on a real terminal (tmux), and without one. */
@Tag("tmux")
class WatchIT {
    @TempDir
    Path directory;

    private Path output;
    private String events;
    private String metrics;

    private static void requireTmux() {
        try {
            if (new ProcessBuilder("tmux", "-V").start().waitFor() == 0) {
                return;
            }
        } catch (IOException missing) {
            // The reason is printed below.
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        String reason = "no tmux (install tmux)";
        System.out.println("SKIPPED: " + reason);
        Assumptions.assumeTrue(false, reason);
    }

    private String tmux(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "tmux", "-f", "/dev/null", "-S", directory.resolve("tmux").toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return text;
    }

    @AfterEach
    void endTmux() throws IOException {
        if (Files.exists(directory.resolve("tmux"))) {
            tmux("kill-server");
        }
    }

    private String pane() throws IOException {
        return tmux("capture-pane", "-p", "-t", "it");
    }

    /** Returns the complete command line; the JDK truncates long ones. */
    private static String commandLine(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }

    private void awaitPane(String text) {
        Await.until(
                () -> {
                    try {
                        return pane().contains(text);
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                },
                () -> {
                    try {
                        return "'" + text + "' on\n" + pane();
                    } catch (IOException e) {
                        return e.toString();
                    }
                });
    }

    private RunningProcess daemon() throws IOException {
        output = directory.resolve("out");
        events = "ipc://" + directory.resolve("events");
        metrics = "ipc://" + directory.resolve("metrics");
        return Cli.daemon(
                output, "--in", "bind:" + events, "--out", metrics, "--streaming", "--publish-interval", "50ms");
    }

    private RunningProcess load(String duration) throws IOException {
        return Cli.start("produce", "--out", "connect:" + events, "--rate", "50", "--duration", duration);
    }

    /** Starts the screen in a shell in tmux, which prints the exit status and terminal modes afterwards. */
    private void watch(String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("watch", metrics));
        arguments.addAll(List.of(more));
        ProcessBuilder builder = Cli.builder(List.of(), List.of(), arguments.toArray(new String[0]));
        StringBuilder line = new StringBuilder("cd '" + directory + "'; ");
        builder.command().forEach(each -> line.append('\'').append(each).append("' "));
        line.append("; echo STATUS $?; stty -a | grep -o '.icanon'; cat");
        Path script = directory.resolve("watch.sh");
        Files.writeString(script, line);
        tmux(
                "new-session",
                "-d",
                "-s",
                "it",
                "-x",
                "150",
                "-y",
                "46",
                "LC_ALL=C.UTF-8 TERM=screen-256color sh " + script);
    }

    @Test
    void keysChangeTheScreenAndLeavingRestoresTheTerminalAndKeepsTheRun() throws IOException {
        requireTmux();
        try (RunningProcess daemon = daemon()) {
            watch();
            awaitPane("waiting for a snapshot");
            try (RunningProcess load = load("60s")) {
                awaitPane("requests/s");
                awaitPane("TTFT");
                // A terminal's response to a cursor query: its q is not a key.
                tmux("send-keys", "-t", "it", "-H", "1b", "50", "31", "24", "72", "32", "20", "71", "1b", "5c");
                tmux("send-keys", "-t", "it", "?");
                awaitPane("window of `now`");
                tmux("send-keys", "-t", "it", "?");
                tmux("send-keys", "-t", "it", "w");
                awaitPane("of 60 s)");
                tmux("send-keys", "-t", "it", "7");
                awaitPane("total_samples_issued");
                tmux("send-keys", "-t", "it", "2");
                awaitPane("heat map of TTFT");
                tmux("send-keys", "-t", "it", "m");
                awaitPane("heat map of latency");
                tmux("send-keys", "-t", "it", "Left");
                awaitPane("HELD");
                tmux("send-keys", "-t", "it", "p");
                tmux("send-keys", "-t", "it", "1");
                tmux("resize-window", "-t", "it", "-x", "80", "-y", "24");
                awaitPane("1 overview");
                assertThat(pane().lines()).hasSizeLessThanOrEqualTo(24).anyMatch(line -> line.contains("LIVE"));
                tmux("send-keys", "-t", "it", "s");
                awaitPane("saved ");
                assertThat(Files.readString(directory.resolve("watch-001.txt")))
                        .contains("LIVE")
                        .contains("requests/s");
                tmux("send-keys", "-t", "it", "q");
                // The terminal is restored: the shell's page with line echo.
                awaitPane("STATUS 0");
                awaitPane(" icanon");
                assertThat(daemon.process.isAlive()).isTrue();
                assertThat(load.process.isAlive()).isTrue();
            }
        }
    }

    @Test
    void controlCLeavesTheScreenAndTheRunContinues() throws IOException {
        requireTmux();
        try (RunningProcess daemon = daemon();
                RunningProcess load = load("60s")) {
            watch();
            awaitPane("requests/s");
            tmux("send-keys", "-t", "it", "C-c");
            awaitPane("STATUS 0");
            awaitPane(" icanon");
            assertThat(daemon.process.isAlive()).isTrue();
            assertThat(load.process.isAlive()).isTrue();
        }
    }

    @Test
    void sigtermRestoresTheTerminalAndTheRunContinues() throws IOException {
        requireTmux();
        try (RunningProcess daemon = daemon();
                RunningProcess load = load("60s")) {
            watch();
            awaitPane("requests/s");
            ProcessHandle viewer = ProcessHandle.allProcesses()
                    .filter(each -> commandLine(each).contains("cli.Main\0watch\0" + metrics))
                    .findFirst()
                    .orElseThrow();
            assertThat(viewer.destroy()).isTrue();
            awaitPane("STATUS 143");
            awaitPane(" icanon");
            assertThat(daemon.process.isAlive()).isTrue();
            assertThat(load.process.isAlive()).isTrue();
        }
    }

    @Test
    void atTheEndOfTheRunTheScreenShowsTheReport() throws IOException {
        requireTmux();
        try (RunningProcess daemon = daemon()) {
            watch();
            awaitPane("waiting for a snapshot");
            try (RunningProcess load = load("2s")) {
                assertThat(load.awaitExit()).as("%s", load).isZero();
                awaitPane("Durations in ms");
                awaitPane("COMPLETE");
            }
            assertThat(daemon.awaitExit()).isZero();
            tmux("send-keys", "-t", "it", "q");
            awaitPane("STATUS 0");
            awaitPane("COMPLETE");
        }
    }

    @Test
    void withoutATerminalItPrintsALineASecondAndTheReport() throws IOException {
        try (RunningProcess daemon = daemon();
                RunningProcess watch = Cli.start("watch", metrics, "--timeout", "60s");
                RunningProcess load = load("3s")) {
            assertThat(load.awaitExit()).as("%s", load).isZero();
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            assertThat(watch.awaitExit()).as("%s", watch).isZero();
            assertThat(watch.out()).contains("LIVE").contains("Durations in ms").doesNotContain("\u001b");
            assertThat(watch.out().lines().filter(line -> line.startsWith("LIVE")))
                    .hasSizeBetween(2, 30);
        }
        assertThat(FinalSnapshotFile.read(output).counterValue("total_samples_completed"))
                .isPositive();
    }
}
