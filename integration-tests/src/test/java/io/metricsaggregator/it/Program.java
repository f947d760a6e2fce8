package io.metricsaggregator.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The built program: its jar, and an archive of its classes, with which each of the many processes of these tests starts in
 * two thirds of the time. The first test process makes the archive; the others wait for it.
 */
final class Program {
    private static final Path ROOT = Path.of(System.getProperty("project.root", ".."));
    private static final Path ARCHIVES = ROOT.resolve("integration-tests/target/archive");
    private static final List<String> OPTIONS = List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-XX:+DisableAttachMechanism",
            "-Xshare:auto",
            "-Xlog:disable",
            "-Xlog:all=error:stderr");
    /** Its manifest names the other jars, as for the start script. */
    static final Path JAR = jar();

    private static final Path ARCHIVE = archive();

    private Program() {}

    /** The command that starts the program, up to its arguments. */
    static List<String> command(List<String> jvmOptions) {
        List<String> command = plain(jvmOptions);
        command.add(1, "-XX:SharedArchiveFile=" + ARCHIVE);
        return command;
    }

    private static List<String> plain(List<String> jvmOptions) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(OPTIONS);
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", JAR.toString(), "io.metricsaggregator.cli.Main"));
        return command;
    }

    private static Path jar() {
        try (Stream<Path> jars = Files.list(ROOT.resolve("cli/target/lib"))) {
            return jars.filter(each -> each.getFileName().toString().startsWith("metrics-aggregator-cli-"))
                    .findAny()
                    .orElseThrow()
                    .toRealPath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path archive() {
        try {
            Files.createDirectories(ARCHIVES);
            // The time of the jar tells builds apart.
            Path archive = ARCHIVES.toRealPath()
                    .resolve("classes-" + Files.getLastModifiedTime(JAR).toMillis() + ".jsa");
            try (FileChannel channel =
                    FileChannel.open(ARCHIVES.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                // Held until the channel is closed.
                channel.lock();
                if (!Files.exists(archive)) {
                    make(archive);
                }
                return archive;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Archives the classes of the program and the JDK's list, and what the daemon, a replay of its journal and a report load. */
    private static void make(Path archive) throws IOException {
        Path folder = Files.createTempDirectory("metrics-aggregator-classes");
        Set<String> classes = new LinkedHashSet<>();
        Path ofTheJdk = Path.of(System.getProperty("java.home"), "lib", "classlist");
        if (Files.exists(ofTheJdk)) {
            classes.addAll(Files.readAllLines(ofTheJdk));
        }
        classes.addAll(own());
        String journal = folder.resolve("journal").toString();
        Path output = folder.resolve("out");
        Process daemon = train(
                folder,
                "run",
                "--in",
                "bind:ipc://" + folder.resolve("in"),
                "--journal",
                journal,
                "--output-dir",
                "" + output);
        Await.until(() -> Files.exists(output.resolve(".ready")) || !daemon.isAlive(), () -> "the daemon is ready");
        daemon.destroy();
        classes.addAll(loaded(daemon, folder));
        classes.addAll(
                loaded(train(folder, "replay", journal, "--output-dir", "" + folder.resolve("replayed")), folder));
        classes.addAll(loaded(train(folder, "report", "" + output.resolve("final_snapshot.json")), folder));
        Path list = Files.write(folder.resolve("classes"), classes);
        Path part = folder.resolve("part.jsa");
        List<String> dump = List.of(
                plain(List.of()).get(0),
                "-XX:+UseSerialGC",
                "-Xshare:dump",
                "-XX:SharedClassListFile=" + list,
                "-XX:SharedArchiveFile=" + part,
                "-cp",
                JAR.toString());
        end(new ProcessBuilder(dump)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("dump.log").toFile())
                .start());
        Files.move(part, archive, StandardCopyOption.REPLACE_EXISTING);
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted((one, other) -> other.compareTo(one)).toList()) {
                Files.delete(file);
            }
        }
    }

    /** The classes of this project: most commands are not trained. */
    private static Set<String> own() throws IOException {
        Set<String> names = new TreeSet<>();
        try (DirectoryStream<Path> jars =
                Files.newDirectoryStream(ROOT.resolve("cli/target/lib"), "metrics-aggregator-*.jar")) {
            for (Path jar : jars) {
                try (ZipFile content = new ZipFile(jar.toFile())) {
                    content.stream()
                            .map(ZipEntry::getName)
                            .filter(name -> name.startsWith("io/") && name.endsWith(".class"))
                            .forEach(name -> names.add(name.substring(0, name.length() - ".class".length())));
                }
            }
        }
        return names;
    }

    private static Process train(Path folder, String... arguments) throws IOException {
        List<String> command = plain(List.of("-XX:DumpLoadedClassList=" + folder.resolve("loaded")));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("training.log").toFile())
                .start();
    }

    private static List<String> loaded(Process process, Path folder) throws IOException {
        end(process);
        return Files.readAllLines(folder.resolve("loaded"));
    }

    private static void end(Process process) throws IOException {
        try {
            if (!process.waitFor(2, TimeUnit.MINUTES)) {
                throw new IOException("still running: " + process.info().commandLine());
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
