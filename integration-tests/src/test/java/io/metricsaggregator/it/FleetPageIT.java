package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.SessionState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The live page of a fleet in a real browser. */
@Tag("chromium")
class FleetPageIT {
    private static final Pattern URL = Pattern.compile("live page started url=(http://127\\.0\\.0\\.1:\\d+/)");

    @TempDir
    Path directory;

    @Test
    void the_page_of_a_fleet_lists_its_nodes_and_names_the_one_that_is_lost() throws IOException {
        Path output = directory.resolve("fleet");
        String in = "ipc://" + directory.resolve("in");
        String[] arguments = {
            "fleet",
            "--in",
            "bind:" + in,
            "--output-dir",
            output.toString(),
            "--web",
            "0",
            "--stale",
            "500ms",
            "--lost",
            "1s",
            "--expect",
            "3"
        };
        try (RunningProcess fleet =
                        Cli.awaitReady(new RunningProcess(Cli.builder(List.of(), List.of(), arguments)), output);
                SimulatedNode live = new SimulatedNode("gpu-1").start();
                SimulatedNode lost = new SimulatedNode("gpu-2").start();
                Browser browser = Browser.start(directory.resolve("profile"))) {
            Await.until(() -> URL.matcher(fleet.err()).find(), () -> "the address of the page from " + fleet);
            Matcher url = URL.matcher(fleet.err());
            assertThat(url.find()).as("%s", fleet).isTrue();
            browser.open(url.group(1));
            browser.await("document.getElementById('badge')?.textContent === 'INITIALIZE'");
            live.connect("connect:" + in).complete(20, new Random(1)).publish(SessionState.COMPLETE);
            lost.connect("connect:" + in).complete(20, new Random(2)).publish(SessionState.LIVE);
            browser.await("document.querySelectorAll('#nodes tbody tr').length === 2"
                    + " && document.querySelector('#nodes td.bad')?.textContent === '× lost'");
            assertThat(browser.value("document.querySelector('#nodes tbody tr').textContent")
                            .toString())
                    .startsWith("gpu-2× lost");
            assertThat(browser.value("document.getElementById('nodes-part').checkVisibility()"
                            + " && document.getElementById('nodes-link').checkVisibility()"))
                    .isEqualTo(true);
            assertThat(browser.value("document.getElementById('notes').textContent")
                            .toString())
                    .contains("lost nodes: gpu-2 (");
            PageChecks.accessible(browser, "the page of a fleet that lost a node", "light", "dark");
            for (int width : new int[] {1400, 390}) {
                browser.size(width, 900);
                browser.await("innerWidth === " + width);
                assertThat(browser.value("document.documentElement.scrollWidth <= innerWidth"))
                        .as("the page fits %d px", width)
                        .isEqualTo(true);
            }
        }
    }
}
