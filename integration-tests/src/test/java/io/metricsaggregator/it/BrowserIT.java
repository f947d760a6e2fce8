package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.run.GoldenCase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The HTML report and a sweep in a real browser, at the widths of a desk and a phone. */
@Tag("chromium")
class BrowserIT {
    @TempDir
    Path directory;

    /** Writes a page with a command about the run of a golden case, and returns its file. */
    private Path page(String name, String... command) throws IOException {
        Path output = directory.resolve("out");
        String in = "ipc://" + directory.resolve("in");
        try (RunningProcess daemon = Cli.daemon(output, "--in", "bind:" + in, "--streaming", "--slo", "ttft=1s")) {
            try (RunningProcess replay = Cli.start(
                    "replay",
                    new GoldenCase("02_streaming_chunks").framesFile().toString(),
                    "--out",
                    "connect:" + in)) {
                assertThat(replay.awaitExit()).as("%s", replay).isZero();
            }
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        Path page = directory.resolve(name);
        List<String> all = Stream.concat(Stream.of(command), Stream.of("--format", "html", "-o", page.toString()))
                .map(each -> each.replace("OUT", output.toString()))
                .toList();
        try (RunningProcess writer = Cli.start(all.toArray(new String[0]))) {
            assertThat(writer.awaitExit()).as("%s", writer).isZero();
        }
        return page;
    }

    @Test
    void theReportRendersWithoutConsoleMessagesAndFitsEveryWidth() throws IOException {
        assertRendersAndFits(3, List.of("Verdict", "Definitions"), "report", "OUT");
    }

    @Test
    void aSweepRendersWithoutConsoleMessagesAndFitsEveryWidth() throws IOException {
        assertRendersAndFits(
                2,
                List.of("Pareto front, labelled with concurrency", "Rules of MLPerf Endpoints"),
                "sweep",
                "--point",
                "1=OUT",
                "--point",
                "64=OUT",
                "--point",
                "64=OUT",
                "--x",
                "qps",
                "--y",
                "goodput_per_s",
                "--include-questionable");
    }

    private void assertRendersAndFits(int drawings, List<String> words, String... command) throws IOException {
        try (Browser browser = Browser.start(directory.resolve("profile"))) {
            Path page = page("page.html", command);
            for (int width : new int[] {1200, 390}) {
                browser.open(page, width, "screen");
                assertThat((long) browser.value("document.documentElement.scrollWidth"))
                        .as("width of the page at %d", width)
                        .isLessThanOrEqualTo(width);
            }
            PageChecks.accessible(browser, command[0], "light", "dark");
            assertThat((long) browser.value("document.querySelectorAll('svg').length"))
                    .isGreaterThanOrEqualTo(drawings);
            assertThat(browser.value("document.documentElement.outerHTML").toString())
                    .contains(words);
            // The browser lists everything that it fails to draw, fetch or run.
            assertThat(browser.messages()).isEmpty();
        }
    }
}
