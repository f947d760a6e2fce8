package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.producer.RecordedFrames;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The live page of a real run in a real browser. */
@Tag("chromium")
class LivePageIT {
    private static final Pattern URL = Pattern.compile("live page started url=(http://127\\.0\\.0\\.1:\\d+/)");
    private static final String BADGE = "document.getElementById('badge')?.textContent";

    @TempDir
    Path directory;

    private Path output;
    private String events;
    private String metrics;

    private RunningProcess daemon(String web, String... more) throws IOException {
        output = directory.resolve("out");
        events = "ipc://" + directory.resolve("events");
        metrics = "ipc://" + directory.resolve("metrics");
        List<String> arguments =
                new ArrayList<>(List.of("--in", "bind:" + events, "--out", metrics, "--streaming", "--web", web));
        arguments.addAll(List.of(more));
        if (!arguments.contains("--linger-page")) {
            arguments.addAll(List.of("--linger-page", "0"));
        }
        String[] run = Cli.run(output, arguments.toArray(new String[0]));
        Files.deleteIfExists(output.resolve(".ready"));
        return Cli.awaitReady(new RunningProcess(Cli.builder(SignalsIT.mindingSignals(), List.of(), run)), output);
    }

    private static String url(RunningProcess daemon) {
        Await.until(() -> URL.matcher(daemon.err()).find(), () -> "the address of the page from " + daemon);
        Matcher found = URL.matcher(daemon.err());
        assertThat(found.find()).as("%s", daemon).isTrue();
        return found.group(1);
    }

    private static String port(String url) {
        return Integer.toString(URI.create(url).getPort());
    }

    private RunningProcess load(String duration) throws IOException {
        return Cli.start("produce", "--out", "connect:" + events, "--rate", "50", "--duration", duration);
    }

    private Browser browser() throws IOException {
        return Browser.start(directory.resolve("profile"));
    }

    @Test
    void the_page_shows_the_run_live_and_freezes_its_final_state() throws IOException {
        try (Browser browser = browser();
                RunningProcess daemon = daemon("0", "--slo", "ttft=1s", "--publish-interval", "100ms")) {
            browser.open(url(daemon));
            browser.await(BADGE + " === 'WAITING'");
            PageChecks.accessible(browser, "the waiting page", "light", "dark");
            try (RunningProcess load = load("20s")) {
                browser.await(BADGE + " === 'LIVE'");
                browser.await("document.querySelectorAll('#charts figure').length === 4"
                        + " && document.querySelectorAll('#maps figure').length === 2"
                        + " && document.querySelectorAll('.tile').length === 8");
                for (String scheme : List.of("light", "dark")) {
                    PageChecks.layout(browser, 1400, scheme);
                    PageChecks.layout(browser, 390, scheme);
                }
                PageChecks.tiles(browser);
                PageChecks.cursor(browser);
                browser.value("document.getElementById('window').value = '30',"
                        + " document.getElementById('window').dispatchEvent(new Event('change'))");
                browser.await("document.getElementById('durations').textContent.includes('now (30 s)')");
                assertThat(browser.value("location.search")).isEqualTo("?window=30");
                PageChecks.access(browser);
                PageChecks.accessible(browser, "the live page", "light", "dark");
                PageChecks.keysOfPlots(browser);
                assertThat(load.awaitExit()).as("%s", load).isZero();
            }
            browser.await(BADGE + " === 'COMPLETE' && document.body.classList.contains('over')");
            PageChecks.accessible(browser, "the page of an ended run", "light", "dark");
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            MetricsSnapshot last = FinalSnapshotFile.read(output);
            assertThat(browser.value("document.getElementById('samples').textContent")
                            .toString())
                    .contains("succeeded"
                            + String.format(Locale.ROOT, "%,d", last.counterValue("tracked_samples_succeeded")));
            assertThat(browser.value("document.getElementById('notes').textContent")
                            .toString())
                    .contains("Verdict: ");
            assertThat(browser.value("document.getElementById('state').textContent")
                            .toString())
                    .contains("This is the final state of the run");
            // The browser remarks that this test reads pixels; the page itself does not.
            assertThat(browser.messages()).allMatch(message -> message.contains("willReadFrequently"));
        }
    }

    private static HttpResponse<byte[]> get(String url) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM"})
    void the_page_outlives_the_run_while_a_browser_shows_it_a_hidden_one_too_and_a_signal_ends_it_at_once(String signal)
            throws Exception {
        try (Browser browser = browser();
                RunningProcess daemon = daemon("0", "--linger-page", "10m")) {
            String url = url(daemon);
            browser.open(url);
            browser.await(BADGE + " === 'WAITING'");
            browser.value("Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })");
            try (RunningProcess load = load("3s")) {
                assertThat(load.awaitExit()).as("%s", load).isZero();
            }
            Await.until(() -> daemon.err().contains("live page is served while a browser shows it"), daemon::toString);
            assertThat(daemon.err()).contains("run ended state=complete");
            byte[] last = Files.readAllBytes(output.resolve("final_snapshot.json"));
            assertThat(get(url + "snapshot.json").body()).isEqualTo(last);
            assertThat(new String(get(url + "report.html").body(), StandardCharsets.UTF_8))
                    .contains("COMPLETE");
            assertThat(browser.value(BADGE)).isEqualTo("WAITING");
            browser.value("delete document.hidden, document.dispatchEvent(new Event('visibilitychange'))");
            browser.await(BADGE + " === 'COMPLETE' && document.body.classList.contains('over')");
            PageChecks.tiles(browser);
            browser.await("document.getElementById('downloads').checkVisibility()");
            daemon.signal(signal);
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            browser.await("!document.getElementById('downloads').checkVisibility()");
            assertThat(browser.value(BADGE)).isEqualTo("COMPLETE");
            assertThat(Files.readAllBytes(output.resolve("final_snapshot.json")))
                    .isEqualTo(last);
        }
    }

    @Test
    void the_run_ends_when_the_last_browser_leaves_the_page() throws IOException {
        try (RunningProcess daemon = daemon("0", "--linger-page", "10m")) {
            try (Browser browser = browser()) {
                browser.open(url(daemon));
                try (RunningProcess load = load("3s")) {
                    assertThat(load.awaitExit()).as("%s", load).isZero();
                }
                Await.until(
                        () -> daemon.err().contains("live page is served while a browser shows it"), daemon::toString);
                assertThat(daemon.process.isAlive()).isTrue();
            }
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
    }

    @Test
    void the_page_says_that_the_connection_is_lost_and_follows_the_server_that_comes_back() throws IOException {
        try (Browser browser = browser()) {
            String url;
            try (RunningProcess daemon = daemon("0")) {
                url = url(daemon);
                browser.open(url);
                browser.await(BADGE + " === 'WAITING'");
                daemon.signal("KILL");
                browser.await(BADGE + " === 'DISCONNECTED'");
                assertThat(browser.value("document.getElementById('state').textContent")
                                .toString())
                        .contains("reconnecting");
            }
            try (RunningProcess next = daemon(port(url));
                    RunningProcess load = load("3s")) {
                browser.await(BADGE + " === 'LIVE'");
                browser.await(BADGE + " === 'COMPLETE'");
                assertThat(load.awaitExit()).isZero();
                assertThat(next.awaitExit()).as("%s", next).isZero();
            }
            // The refused connections are the only messages.
            assertThat(browser.messages()).allMatch(message -> message.contains("net::ERR_"));
        }
    }

    /** Ten samples, of which six fail, three complete and one is never answered. */
    private Path failingRecords() throws IOException {
        Path file = directory.resolve("failing.bin");
        EventEncoder encoder = new EventEncoder();
        try (var writer = new RecordedFrames.Writer(file)) {
            EventFrames frames = new EventFrames(writer);
            frames.session("session.started", 0);
            frames.session("session.start_performance_tracking", 1);
            for (int number = 1; number <= 10; number++) {
                frames.sample("sample.issued", 2, number);
                if (number <= 6) {
                    EventRecord error = EventRecord.sample(EventType.ERROR_CLIENT, 3_000_000, "s" + number)
                            .withData(new ErrorData("Timeout", "no answer"));
                    writer.write(Topic.frame("error.client", encoder.encode(error)));
                }
                if (number <= 9) {
                    frames.sample("sample.complete", 4, number);
                }
            }
        }
        return file;
    }

    private static String note(String tone, String text) {
        return "[...document.querySelectorAll('#notes .note." + tone + "')].some((each) => each.textContent.includes('"
                + text + "') && getComputedStyle(each).color !== getComputedStyle(document.body).color)";
    }

    @Test
    void notes_below_the_tiles_warn_while_the_run_lasts_of_failures_objectives_and_targets_that_do_not_answer()
            throws IOException {
        try (Browser browser = browser();
                RunningProcess daemon = daemon(
                        "0",
                        "--publish-interval",
                        "100ms",
                        "--slo",
                        "latency=1us",
                        "--scrape",
                        "http://127.0.0.1:9/metrics,interval=100ms")) {
            browser.open(url(daemon));
            try (RunningProcess replay =
                    Cli.start("replay", failingRecords().toString(), "--out", "connect:" + events)) {
                assertThat(replay.awaitExit()).as("%s", replay).isZero();
            }
            browser.await(note("bad", "failed samples: 6 of 9 tracked samples failed (66.67%)"));
            browser.await(note("bad", "is MISSED by"));
            browser.await(note("warn", "127.0.0.1:9 never answered"));
            assertThat(browser.value(BADGE)).isEqualTo("LIVE");
            assertThat(browser.value("document.getElementById('notes').getBoundingClientRect().top < innerHeight"))
                    .as("on the first screen")
                    .isEqualTo(true);
            assertThat(browser.messages()).isEmpty();
        }
    }

    private static final List<String> HOSTILE = List.of(
            "<img src=x onerror=\"document.title='owned'\">",
            "</script><script>document.title='owned'</script>",
            "\"><svg onload=alert(1)>",
            "javascript:alert(1)",
            "\u001b[2J\u202egnp.exe\r\nevent: now\ndata: {}\n\n",
            "{\"state\":\"COMPLETE\"}",
            "x".repeat(4000));

    private Path hostileRecords() throws IOException {
        Path file = directory.resolve("hostile.bin");
        EventEncoder encoder = new EventEncoder();
        try (var writer = new RecordedFrames.Writer(file)) {
            EventFrames frames = new EventFrames(writer);
            frames.session("session.started", 0);
            frames.session("session.start_performance_tracking", 1);
            int number = 0;
            for (String text : HOSTILE) {
                number++;
                frames.sample("sample.issued", 2, number);
                EventRecord error = EventRecord.sample(EventType.ERROR_CLIENT, 3_000_000, "s" + number)
                        .withData(new ErrorData(text, text));
                writer.write(Topic.frame("error.client", encoder.encode(error)));
            }
        }
        return file;
    }

    @Test
    void hostile_texts_of_producers_are_shown_as_text() throws IOException {
        try (Browser browser = browser();
                RunningProcess daemon = daemon("0")) {
            browser.open(url(daemon));
            try (RunningProcess replay =
                    Cli.start("replay", hostileRecords().toString(), "--out", "connect:" + events)) {
                assertThat(replay.awaitExit()).as("%s", replay).isZero();
            }
            browser.await("document.querySelectorAll('#errors tbody tr').length === " + HOSTILE.size());
            assertThat(browser.value("document.getElementById('errors').textContent")
                            .toString())
                    .contains(HOSTILE.get(0))
                    .contains(HOSTILE.get(1))
                    .contains("\\u001b[2J\\u202egnp.exe")
                    .doesNotContain("\u001b");
            assertThat(browser.value("document.querySelectorAll('img, svg, script:not([src])').length"))
                    .isEqualTo(0L);
            assertThat(browser.value(BADGE)).isEqualTo("LIVE");
            for (int width : new int[] {1400, 390}) {
                browser.size(width, 900);
                browser.await("innerWidth === " + width);
                assertThat(browser.value("document.documentElement.scrollWidth <= innerWidth"))
                        .as("the page fits %d px", width)
                        .isEqualTo(true);
            }
            assertThat(browser.messages()).isEmpty();
        }
    }

    @Test
    void watch_shows_a_run_from_outside() throws IOException {
        try (Browser browser = browser();
                RunningProcess daemon = daemon("0");
                RunningProcess watch =
                        Cli.start("watch", "ipc://" + directory.resolve("metrics"), "--web", "0", "--until-end")) {
            watch.awaitOut("http://127.0.0.1:");
            browser.open(watch.outLines().get(0));
            try (RunningProcess load = load("4s")) {
                browser.await(BADGE + " === 'LIVE'");
                assertThat(load.awaitExit()).as("%s", load).isZero();
            }
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            assertThat(watch.awaitExit()).as("%s", watch).isZero();
            browser.await(BADGE + " === 'COMPLETE'");
            assertThat(watch.out()).contains("COMPLETE");
            assertThat(browser.messages()).isEmpty();
        }
    }

    @Test
    void an_address_that_other_hosts_reach_needs_a_flag_and_one_that_is_taken_is_named() throws IOException {
        String in = "bind:ipc://" + directory.resolve("in");
        try (RunningProcess open = Cli.start(Cli.run(directory.resolve("out"), "--in", in, "--web", "0.0.0.0:0"))) {
            assertThat(open.awaitExit()).isEqualTo(2);
            assertThat(open.err()).contains("--web 0.0.0.0:0").contains("--insecure-bind");
        }
        try (RunningProcess daemon = daemon("0")) {
            String port = port(url(daemon));
            try (RunningProcess late = Cli.start(Cli.run(directory.resolve("late"), "--in", in, "--web", port))) {
                assertThat(late.awaitExit()).as("%s", late).isEqualTo(4);
                assertThat(late.err()).contains("--web 127.0.0.1:" + port);
            }
        }
    }
}
