package io.metricsaggregator.cli.wrap;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The daemon of one wrapped tool, a child process whose output goes to a file: the terminal is the tool's. One thread. */
final class WrapDaemon implements Closeable {
    private static final Duration START = Duration.ofSeconds(30);
    private static final Duration END = Duration.ofMinutes(2);
    private static final Pattern PAGE = Pattern.compile("live page started url=(\\S+)");

    private final Process process;
    private final Path log;

    /**
     * Starts it.
     *
     * @param command its command line
     * @param log file for its output
     */
    WrapDaemon(List<String> command, Path log) throws IOException {
        this.log = log;
        this.process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .start();
    }

    /**
     * Waits until its page, if it has one, is there.
     *
     * @return URL of the page; null without one
     * @throws IOException if it ended, with what it said
     */
    @Nullable
    String awaitPage(boolean wanted) throws IOException, InterruptedException {
        long start = System.nanoTime();
        while (process.isAlive() && System.nanoTime() - start < START.toNanos()) {
            Matcher page = PAGE.matcher(Files.readString(log));
            if (!wanted || page.find()) {
                return wanted ? page.group(1) : null;
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        throw new IOException("the daemon did not start: " + lastLine());
    }

    /** Whether it runs. */
    boolean isAlive() {
        return process.isAlive();
    }

    /** The last line of its output; empty if there is none. */
    String lastLine() throws IOException {
        String text = Files.readString(log).strip();
        return text.substring(text.lastIndexOf('\n') + 1);
    }

    /**
     * Waits for its end after that of the session.
     *
     * @param session whether there was a session: without one it never ends by itself
     * @return its exit status
     */
    int end(boolean session) throws InterruptedException {
        if (!session || !process.waitFor(END.toSeconds(), TimeUnit.SECONDS)) {
            process.destroy();
        }
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
