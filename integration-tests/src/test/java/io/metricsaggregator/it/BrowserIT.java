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

    private static String requireChromium() {
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

    @Test
    void theReportRendersWithoutConsoleMessagesAndFitsEveryWidth() throws IOException {
        String name = requireChromium();
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
        Path page = directory.resolve("report.html");
        try (RunningProcess report =
                Cli.start("report", output.toString(), "--format", "html", "-o", page.toString())) {
            assertThat(report.awaitExit()).as("%s", report).isZero();
        }
        // The console lists everything that the browser fails to draw, fetch or run.
        try (RunningProcess browser = chromium(name, "--dump-dom", page.toUri().toString())) {
            assertThat(browser.awaitExit()).as("%s", browser).isZero();
            assertThat(browser.err()).doesNotContain("CONSOLE").doesNotContain("Content Security Policy");
            Matcher drawings = Pattern.compile("<svg ").matcher(browser.out());
            assertThat(drawings.results().count()).isGreaterThanOrEqualTo(3);
            assertThat(browser.out()).contains("Verdict").contains("Definitions");
        }
        // A surrounding page measures the width of the content, because the report runs no script.
        for (int width : new int[] {1200, 390}) {
            Path frame = directory.resolve("frame" + width + ".html");
            Files.writeString(frame, """
                    <body style="margin:0"><iframe id="f" src="report.html" style="border:0;width:%dpx;height:900px"></iframe>
                    <script>onload = () => {
                      const inner = document.getElementById("f").contentDocument;
                      document.title = inner.documentElement.scrollWidth + " of " + inner.documentElement.clientWidth;
                    }</script>
                    """.formatted(width));
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
