package io.metricsaggregator.it;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** A terminal of its own tmux server, in which a command runs. */
final class Tmux implements AutoCloseable {
    private final Path directory;

    /**
     * A server that has not started.
     *
     * @param directory where its socket and script lie, and where the command runs
     */
    Tmux(Path directory) {
        this.directory = directory;
    }

    /** Whether tmux is installed. */
    static boolean isInstalled() {
        try {
            return new ProcessBuilder("tmux", "-V").start().waitFor() == 0;
        } catch (IOException missing) {
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Skips the test if tmux is not installed. */
    static void require() {
        if (!isInstalled()) {
            String reason = "no tmux (install tmux)";
            System.out.println("SKIPPED: " + reason);
            Assumptions.assumeTrue(false, reason);
        }
    }

    /** Runs a command of tmux and returns its output. */
    String run(String... arguments) throws IOException {
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

    /** Starts a command in a shell, which prints the exit status and the terminal modes afterwards. */
    void start(int width, int height, ProcessBuilder builder) throws IOException {
        StringBuilder line = new StringBuilder("cd '" + directory + "'; ");
        builder.command().forEach(each -> line.append('\'').append(each).append("' "));
        line.append("; echo STATUS $?; stty -a | grep -o '.icanon'; cat");
        Path script = directory.resolve("watch.sh");
        Files.writeString(script, line);
        run(
                "new-session",
                "-d",
                "-s",
                "it",
                "-x",
                Integer.toString(width),
                "-y",
                Integer.toString(height),
                "LC_ALL=C.UTF-8 TERM=screen-256color sh " + script);
    }

    /** Presses keys, by tmux's names. */
    void keys(String... keys) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("send-keys", "-t", "it"));
        arguments.addAll(List.of(keys));
        run(arguments.toArray(new String[0]));
    }

    /** The text on the screen. */
    String pane() throws IOException {
        return run("capture-pane", "-p", "-t", "it");
    }

    /** Waits for a text on the screen. */
    void awaitPane(String text) {
        Await.until(() -> pane().contains(text), () -> {
            try {
                return "'" + text + "' on\n" + pane();
            } catch (IOException e) {
                return e.toString();
            }
        });
    }

    @Override
    public void close() throws IOException {
        if (Files.exists(directory.resolve("tmux"))) {
            run("kill-server");
        }
    }
}
