package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.run.GoldenCase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The HTML report in a real browser, at desktop and mobile widths. */
@Tag("chromium")
class BrowserIT {
    @TempDir
    Path directory;

    static String requireChromium() {
        for (String name : List.of("chromium", "chromium-browser", "google-chrome")) {
            try {
                if (new ProcessBuilder(name, "--version")
                                .redirectErrorStream(true)
                                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                                .start()
                                .waitFor()
                        == 0) {
                    return name;
                }
            } catch (IOException missing) {
                continue;
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        String reason = "no Chromium (install chromium)";
        System.out.println("SKIPPED: " + reason);
        Assumptions.assumeTrue(false, reason);
        throw new AssertionError();
    }

    private RunningProcess chromium(String name, String... more) throws IOException {
        List<String> command = Stream.concat(
                        Stream.of(
                                name,
                                "--headless=new",
                                "--no-sandbox",
                                "--disable-gpu",
                                "--hide-scrollbars",
                                "--user-data-dir=" + directory.resolve("profile"),
                                "--enable-logging=stderr",
                                "--v=0"),
                        Stream.of(more))
                .toList();
        return new RunningProcess(new ProcessBuilder(command));
    }

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
        String name = requireChromium();
        Path page = page("report.html", "report", "OUT");
        assertRenders(name, page, 3, "Verdict", "Definitions");
        assertFits(name, page);
    }

    @Test
    void aSweepRendersWithoutConsoleMessagesAndFitsEveryWidth() throws IOException {
        String name = requireChromium();
        Path page = page(
                "sweep.html",
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
        assertRenders(name, page, 2, "Pareto front, labelled with concurrency", "Rules of MLPerf Endpoints");
        assertFits(name, page);
    }

    private void assertRenders(String name, Path page, int drawings, String... words) throws IOException {
        // The console lists everything that the browser fails to draw, fetch or run.
        try (RunningProcess browser = chromium(name, "--dump-dom", page.toUri().toString())) {
            assertThat(browser.awaitExit()).as("%s", browser).isZero();
            assertThat(browser.err()).doesNotContain("CONSOLE").doesNotContain("Content Security Policy");
            Matcher found = Pattern.compile("<svg ").matcher(browser.out());
            assertThat(found.results().count()).isGreaterThanOrEqualTo(drawings);
            assertThat(browser.out()).contains(words);
        }
    }

    private void assertFits(String name, Path page) throws IOException {
        // A surrounding page measures the width of the content, because the page runs no script.
        for (int width : new int[] {1200, 390}) {
            Path frame = directory.resolve("frame" + width + ".html");
            Files.writeString(frame, """
                    <body style="margin:0"><iframe id="f" src="%s" style="border:0;width:%dpx;height:900px"></iframe>
                    <script>onload = () => {
                      const inner = document.getElementById("f").contentDocument;
                      document.title = inner.documentElement.scrollWidth + " of " + inner.documentElement.clientWidth;
                    }</script>
                    """.formatted(page.getFileName(), width));
            try (RunningProcess browser = chromium(
                    name,
                    "--allow-file-access-from-files",
                    "--virtual-time-budget=2000",
                    "--window-size=1300,1000",
                    "--dump-dom",
                    frame.toUri().toString())) {
                assertThat(browser.awaitExit()).as("%s", browser).isZero();
                Matcher measured =
                        Pattern.compile("<title>(\\d+) of (\\d+)</title>").matcher(browser.out());
                assertThat(measured.find()).as("%s", browser).isTrue();
                assertThat(Integer.parseInt(measured.group(1)))
                        .as("width %d", width)
                        .isLessThanOrEqualTo(Integer.parseInt(measured.group(2)));
            }
        }
    }
}
