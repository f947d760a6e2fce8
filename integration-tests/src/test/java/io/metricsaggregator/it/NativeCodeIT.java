package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Native code of the tokenizer and SQLite in a checkout: the start script uses the files beside the jars, and none is unpacked. */
class NativeCodeIT {
    private static final Path ROOT = Path.of(System.getProperty("project.root"));
    private static final String TOKENIZER = Path.of(System.getProperty("golden.dir"), "endpoints", "tokenizers", "char")
            .toString();

    @TempDir
    Path directory;

    /** Starts the command by the script, with an empty home and temporary folder. */
    private RunningProcess script(String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(ROOT.resolve("metrics-aggregator").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("METRICS_AGGREGATOR_NO_BUILD", "1");
        builder.environment().put("METRICS_AGGREGATOR_NO_CDS", "1");
        builder.environment()
                .put(
                        "METRICS_AGGREGATOR_JAVA_OPTS",
                        "-Djava.io.tmpdir=" + Files.createDirectories(directory.resolve("tmp")));
        builder.environment()
                .put("HOME", Files.createDirectories(directory.resolve("home")).toString());
        builder.environment().remove("XDG_CACHE_HOME");
        builder.environment().remove("DJL_CACHE_DIR");
        return new RunningProcess(builder);
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> found = Files.walk(folder)) {
            return found.filter(Files::isRegularFile).toList();
        }
    }

    @Test
    void tokenCountsAndTheExportToSqliteLeaveNoFileInTheTemporaryFolderOrTheHome() throws IOException {
        // As after a build by the script.
        Path stamp = ROOT.resolve("cli/target/.built");
        if (!Files.exists(stamp)) {
            Files.createFile(stamp);
        }
        Path journal = directory.resolve("journal");
        Path output = directory.resolve("out");
        String events = "ipc://" + directory.resolve("events");
        try (RunningProcess daemon =
                Cli.daemon(output, "--in", "bind:" + events, "--journal", journal.toString(), "--track", "all")) {
            try (RunningProcess producer =
                    Cli.start("produce", "--fast", "--duration", "3s", "--out", "connect:" + events)) {
                assertThat(producer.awaitExit()).as("%s", producer).isZero();
            }
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        Path database = directory.resolve("run.sqlite");
        try (RunningProcess export = script(
                "export",
                journal.toString(),
                "--format",
                "sqlite",
                "--tokenizer",
                TOKENIZER,
                "-o",
                database.toString())) {
            assertThat(export.awaitExit()).as("%s", export).isZero();
        }
        assertThat(database).isNotEmptyFile();
        assertThat(files(directory.resolve("tmp"))).isEmpty();
        assertThat(files(directory.resolve("home"))).isEmpty();
    }
}
