package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The live screen on a real terminal (tmux), and without one. */
@Tag("tmux")
class WatchIT {
    @TempDir
    Path directory;

    private Tmux terminal;
    private Path output;
    private String events;
    private String metrics;

    @BeforeEach
    void terminal() {
        terminal = new Tmux(directory);
    }

    @AfterEach
    void endTmux() throws IOException {
        terminal.close();
    }

    /** Returns the complete command line; the JDK truncates long ones. */
    private static String commandLine(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
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

    private void watch() throws IOException {
        terminal.start(150, 46, Cli.builder(List.of(), List.of(), "watch", metrics));
    }

    @Test
    void keysChangeTheScreenAndLeavingRestoresTheTerminalAndKeepsTheRun() throws IOException {
        Tmux.require();
        try (RunningProcess daemon = daemon()) {
            watch();
            terminal.awaitPane("waiting for a snapshot");
            try (RunningProcess load = load("60s")) {
                terminal.awaitPane("requests/s");
                terminal.awaitPane("TTFT");
                // A terminal's response to a cursor query: its q is not a key.
                terminal.keys("-H", "1b", "50", "31", "24", "72", "32", "20", "71", "1b", "5c");
                terminal.keys("?");
                terminal.awaitPane("window of `now`");
                terminal.keys("?");
                terminal.keys("w");
                terminal.awaitPane("of 60 s)");
                terminal.keys("7");
                terminal.awaitPane("total_samples_issued");
                terminal.awaitPane("more below (");
                terminal.keys("j");
                terminal.awaitPane("more above (1 line), below (");
                terminal.keys("k");
                terminal.awaitPane("more below (");
                terminal.keys("2");
                terminal.awaitPane("heat map of TTFT");
                terminal.keys("m");
                terminal.awaitPane("heat map of latency");
                terminal.keys("Left");
                terminal.awaitPane("HELD");
                terminal.keys("p");
                terminal.keys("1");
                terminal.run("resize-window", "-t", "it", "-x", "80", "-y", "24");
                // The menu is on every page: the page has changed once its first line shows the state.
                terminal.awaitPane("LIVE");
                assertThat(terminal.pane().lines()).hasSizeLessThanOrEqualTo(24);
                terminal.keys("s");
                terminal.awaitPane("saved ");
                assertThat(Files.readString(directory.resolve("watch-001.txt")))
                        .contains("LIVE")
                        .contains("requests/s");
                terminal.keys("q");
                // The terminal is restored: the shell's page with line echo.
                terminal.awaitPane("STATUS 0");
                terminal.awaitPane(" icanon");
                assertThat(daemon.process.isAlive()).isTrue();
                assertThat(load.process.isAlive()).isTrue();
            }
        }
    }

    @Test
    void controlCLeavesTheScreenAndTheRunContinues() throws IOException {
        Tmux.require();
        try (RunningProcess daemon = daemon();
                RunningProcess load = load("60s")) {
            watch();
            terminal.awaitPane("requests/s");
            terminal.keys("C-c");
            terminal.awaitPane("STATUS 0");
            terminal.awaitPane(" icanon");
            assertThat(daemon.process.isAlive()).isTrue();
            assertThat(load.process.isAlive()).isTrue();
        }
    }

    @Test
    void sigtermRestoresTheTerminalAndTheRunContinues() throws IOException {
        Tmux.require();
        try (RunningProcess daemon = daemon();
                RunningProcess load = load("60s")) {
            watch();
            terminal.awaitPane("requests/s");
            ProcessHandle viewer = ProcessHandle.allProcesses()
                    .filter(each -> commandLine(each).contains("cli.Main\0watch\0" + metrics))
                    .findFirst()
                    .orElseThrow();
            assertThat(viewer.destroy()).isTrue();
            terminal.awaitPane("STATUS 143");
            terminal.awaitPane(" icanon");
            assertThat(daemon.process.isAlive()).isTrue();
            assertThat(load.process.isAlive()).isTrue();
        }
    }

    @Test
    void atTheEndOfTheRunTheScreenShowsTheReport() throws IOException {
        Tmux.require();
        try (RunningProcess daemon = daemon()) {
            watch();
            terminal.awaitPane("waiting for a snapshot");
            try (RunningProcess load = load("2s")) {
                assertThat(load.awaitExit()).as("%s", load).isZero();
                terminal.awaitPane("Limited by");
                terminal.awaitPane("COMPLETE");
            }
            assertThat(daemon.awaitExit()).isZero();
            terminal.keys("q");
            terminal.awaitPane("STATUS 0");
            terminal.awaitPane("COMPLETE");
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
            assertThat(watch.out()).contains("LIVE").contains("Limited by").doesNotContain("\u001b");
            assertThat(watch.out().lines().filter(line -> line.startsWith("LIVE")))
                    .hasSizeBetween(2, 30);
        }
        assertThat(FinalSnapshotFile.read(output).counterValue("total_samples_completed"))
                .isPositive();
    }
}
