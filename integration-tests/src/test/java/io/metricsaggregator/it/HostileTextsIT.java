package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.EventData;
import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.PromptData;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.producer.FramePublisher;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Texts and templates of requests that would take unlimited time or memory: only their own count fails, and the run continues. */
class HostileTextsIT {
    private static final String DOUBLED =
            "{% set ns = namespace(x=['aaaaaaaaaaaaaaaa'], y=['aaaaaaaaaaaaaaaa']) %}{% for i in range(60) %}"
                    + "{% set ns.x = [ns.x, ns.x] %}{% set ns.y = [ns.y, ns.y] %}{% endfor %}";
    private static final List<String> TEMPLATES = List.of(
            DOUBLED + "{{ ns.x == ns.y }}",
            DOUBLED + "{{ ns.x }}",
            DOUBLED + "{{ ns.x|tojson }}",
            "{% set s = 'a' * 8000000 %}{% for i in range(1000) %}{% for j in range(1000) %}{% if 'b' in s %}{% endif %}"
                    + "{% endfor %}{% endfor %}");
    private static final int PLAIN = 200;
    /** Heap of 256 MiB, the JVM's own memory, and the peak of the tokenizer. */
    private static final long RESIDENT_MAX_KIB = 600 << 10;

    private static final Path GOLDEN = Path.of("..", "quality", "golden", "endpoints", "tokenizers", "char_chat");

    private final EventEncoder encoder = new EventEncoder();
    private int samples;

    @TempDir
    Path directory;

    private RunningProcess daemon() throws IOException {
        String[] arguments = Cli.run(
                directory.resolve("out"),
                "--in",
                "bind:ipc://" + directory.resolve("events"),
                "--tokenizer",
                GOLDEN.toString());
        return Cli.awaitReady(
                new RunningProcess(Cli.builder(List.of(), List.of("-Xmx256m"), arguments)), directory.resolve("out"));
    }

    private FramePublisher publisher() throws IOException {
        Endpoint endpoint = Endpoint.parse("connect:ipc://" + directory.resolve("events"), false);
        FramePublisher publisher = new FramePublisher(List.of(endpoint), TransportOptions.defaults(), 64 << 20);
        assertThat(publisher.awaitSubscribers(1, Await.PATIENCE)).isTrue();
        session(publisher, EventType.SESSION_STARTED);
        session(publisher, EventType.SESSION_START_PERFORMANCE_TRACKING);
        return publisher;
    }

    private void session(FramePublisher publisher, EventType type) throws IOException {
        publisher.publish(Topic.frame(type.wireName(), encoder.encode(EventRecord.session(type, 1000))));
    }

    private void prompt(FramePublisher publisher, EventData prompt) throws IOException {
        EventRecord record = EventRecord.sample(EventType.SAMPLE_ISSUED, 2000, "s" + ++samples);
        publisher.publish(Topic.frame("sample.issued", encoder.encode(record.withData(prompt))));
    }

    private static PromptData chat(String template) {
        return new PromptData(
                null, null, List.of(Map.of("role", "user", "content", "hello")), null, null, template, null);
    }

    @Test
    void templates_without_end_fail_only_their_own_texts() throws IOException {
        try (RunningProcess daemon = daemon()) {
            FramePublisher publisher = publisher();
            for (String template : TEMPLATES) {
                prompt(publisher, chat(template));
            }
            for (int i = 0; i < PLAIN; i++) {
                prompt(publisher, chat("{{ messages[0].content }}"));
            }
            session(publisher, EventType.SESSION_ENDED);
            publisher.close(Duration.ofSeconds(60));
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            assertThat(daemon.err()
                            .lines()
                            .filter(line -> line.contains("chat template failed template=of the request")))
                    .hasSize(1);
        }
        MetricsSnapshot last = FinalSnapshotFile.read(directory.resolve("out"));
        assertThat(last.state()).isEqualTo(SessionState.COMPLETE);
        assertThat(last.pendingTasks()).isZero();
        assertThat(last.series("isl").count()).isEqualTo(PLAIN + TEMPLATES.size());
        assertThat(last.counterValue("texts_approximate")).isEqualTo(TEMPLATES.size());
        assertThat(last.counterValue("texts_failed")).isZero();
        assertThat(last.extensions().run().settings())
                .containsEntry("transformers_version", "5.5.0")
                .hasEntrySatisfying("chat_template", file -> assertThat(file).endsWith("tokenizer_config.json"));
    }

    @Test
    void a_text_of_8_megabytes_takes_no_more_memory_than_its_pieces() throws IOException {
        long[] resident = new long[1];
        try (RunningProcess daemon = daemon()) {
            FramePublisher publisher = publisher();
            String words = "the quick brown fox jumps over the lazy dog ";
            prompt(publisher, PromptData.ofText(words.repeat((8 << 20) / words.length())));
            session(publisher, EventType.SESSION_ENDED);
            publisher.close(Duration.ofSeconds(60));
            Await.until(
                    () -> {
                        resident[0] = Math.max(resident[0], highWater(daemon));
                        return !daemon.process.isAlive();
                    },
                    () -> "the end of " + daemon);
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        MetricsSnapshot last = FinalSnapshotFile.read(directory.resolve("out"));
        assertThat(last.series("isl").total()).isEqualTo((8L << 20) / 44 * 44);
        assertThat(last.counterValue("texts_approximate")).isZero();
        assertThat(resident[0]).isBetween(1L, RESIDENT_MAX_KIB);
    }

    /** Returns the peak resident memory of a process in KiB; 0 after its end. */
    private static long highWater(RunningProcess daemon) {
        try {
            return Files.readAllLines(Path.of("/proc", Long.toString(daemon.process.pid()), "status")).stream()
                    .filter(line -> line.startsWith("VmHWM"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findAny()
                    .orElse(0);
        } catch (IOException gone) {
            return 0;
        }
    }
}
