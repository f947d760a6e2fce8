package io.metricsaggregator.it;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A virtual environment under {@code target/} with the packages of {@code python/requirements.txt}, created from the package index on
 * first use and reused until the list changes.
 */
final class PythonEnvironment {
    private static final int INSTALL_MINUTES = 5;

    private final Path folder;
    private final Path log;

    private PythonEnvironment(Path folder) {
        this.folder = folder;
        this.log = folder.resolveSibling(folder.getFileName() + ".log");
    }

    /**
     * Creates the environment if it is missing.
     *
     * @param target the build folder; its parent exists
     * @return the path of its interpreter
     * @throws IOException if a step fails; the message names the step and the file with its output
     */
    static String make(Path target) throws IOException, InterruptedException {
        Files.createDirectories(target);
        PythonEnvironment environment = new PythonEnvironment(target.resolve("python"));
        Path lock = target.resolve("python.lock");
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock held = channel.lock()) {
            Objects.requireNonNull(held);
            return environment.make();
        }
    }

    private String make() throws IOException, InterruptedException {
        Path made = folder.resolve("requirements.txt");
        Path interpreter = folder.resolve("bin").resolve("python");
        String wanted = requirements();
        if (Files.exists(made) && Files.readString(made).equals(wanted) && Files.isExecutable(interpreter)) {
            return interpreter.toString();
        }
        System.out.println(
                "Creating a Python environment for the tests in " + folder + " (once; needs the package index)");
        remove();
        step("python3", "-m", "venv", folder.toString());
        Path list = folder.resolve("requirements.new");
        Files.writeString(list, wanted);
        step(
                interpreter.toString(),
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                "-r",
                list.toString());
        // Written last, so that an incomplete environment is created again.
        Files.move(list, made, StandardCopyOption.ATOMIC_MOVE);
        return interpreter.toString();
    }

    private static String requirements() throws IOException {
        try (InputStream resource = PythonEnvironment.class.getResourceAsStream("/python/requirements.txt")) {
            return new String(Objects.requireNonNull(resource).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private void step(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.to(log.toFile()))
                .start();
        if (!process.waitFor(INSTALL_MINUTES, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new IOException(List.of(command) + " took longer than " + INSTALL_MINUTES + " minutes; see " + log);
        }
        if (process.exitValue() != 0) {
            throw new IOException(List.of(command) + " failed; see " + log);
        }
    }

    private void remove() throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
