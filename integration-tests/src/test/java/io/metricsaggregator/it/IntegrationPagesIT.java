package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The commands of this project on the pages of docs/integrations, as written there, on files that the tools wrote. */
class IntegrationPagesIT {
    private static final Path PAGES = Path.of("..", "docs", "integrations");
    private static final Path REAL = Path.of("..", "tools", "imports", "src", "test", "resources", "real");
    private static final String COMMAND = "metrics-aggregator ";

    @TempDir
    Path directory;

    private static List<String> commands(Path page) throws IOException {
        return Files.readString(page)
                .lines()
                .filter(line -> line.startsWith(COMMAND))
                .map(line -> line.substring(COMMAND.length()))
                .toList();
    }

    static List<String> tools() throws IOException {
        try (Stream<Path> pages = Files.list(PAGES)) {
            return pages.map(page -> page.getFileName().toString().replaceFirst("\\.md$", ""))
                    .filter(tool -> !tool.equals("llmperf"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("tools")
    void the_import_and_the_report_of_the_page_work_on_files_of_the_tool(String tool) throws IOException {
        copy(REAL.resolve(tool).resolve("clean"));
        List<String> commands = commands(PAGES.resolve(tool + ".md"));
        assertThat(commands).hasSize(2);

        String imported = run(commands.get(0));
        assertThat(imported).startsWith("imported ").doesNotContain("warning:");
        assertThat(directory.resolve("results/final_snapshot.json")).isNotEmptyFile();
        assertThat(run(commands.get(1))).contains("sample latency");
    }

    private void copy(Path from) throws IOException {
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                if (name.endsWith(".gz")) {
                    try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
                        Files.copy(in, directory.resolve(name.replaceFirst("\\.gz$", "")));
                    }
                } else {
                    Files.copy(file, directory.resolve(name));
                }
            }
        }
    }

    /** Runs a command in the directory of the files; returns both outputs. */
    private String run(String arguments) throws IOException {
        ProcessBuilder builder = Cli.builder(List.of(), List.of(), arguments.split(" +"));
        try (RunningProcess process = new RunningProcess(builder.directory(directory.toFile()))) {
            assertThat(process.awaitExit()).as("%s", process).isZero();
            return process.out() + process.err();
        }
    }
}
