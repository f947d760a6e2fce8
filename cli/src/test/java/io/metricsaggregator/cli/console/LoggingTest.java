package io.metricsaggregator.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.ContextInitializer;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.joran.spi.JoranException;
import io.metricsaggregator.codec.JsonTree;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** Lines of the log: escaping, and events that do not fit into the queue. */
class LoggingTest {

    @Test
    void an_event_is_one_line_with_control_characters_escaped() {
        PrintStream before = System.err;
        ByteArrayOutputStream captured = new ByteArrayOutputStream();
        System.setErr(new PrintStream(captured, true, StandardCharsets.UTF_8));
        LoggerContext context = new LoggerContext();
        try {
            context.setMDCAdapter(new LogbackMDCAdapter());
            context.start();
            Logging.configure(context);
            Logger logger = context.getLogger("io.example.Something");
            logger.warn("sample {}", "x\n2026-11-20T00:00:00.000Z ERROR forged\u001b[31m\u202e\u0000");
            logger.info("é {}", "y".repeat(10_000));
        } finally {
            context.stop();
            System.setErr(before);
        }
        String[] lines = captured.toString(StandardCharsets.UTF_8).split("\n", -1);
        assertThat(lines).hasSize(3);
        assertThat(lines[0])
                .matches("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z WARN  Something: sample x\\\\u000a2026.*")
                .contains("\\u001b[31m\\u202e\\u0000");
        assertThat(lines[1])
                .contains("INFO  Something: é yyy")
                .hasSizeLessThan(2100)
                .endsWith("…");
        assertThat(lines[2]).isEmpty();
    }

    /** The first line of the log with the format json. */
    private static Map<String, ?> json(Consumer<Logger> event) throws Exception {
        PrintStream before = System.err;
        PipedInputStream captured = new PipedInputStream(1 << 16);
        System.setErr(new PrintStream(new PipedOutputStream(captured), true, StandardCharsets.UTF_8));
        LoggerContext context = new LoggerContext();
        Logging.json(true);
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(captured, StandardCharsets.UTF_8))) {
            context.setMDCAdapter(new LogbackMDCAdapter());
            context.start();
            Logging.configure(context);
            event.accept(context.getLogger("io.example.Something"));
            return JsonTree.read(lines.readLine().getBytes(StandardCharsets.UTF_8));
        } finally {
            context.stop();
            Logging.json(false);
            System.setErr(before);
        }
    }

    @Test
    void with_the_format_json_an_event_is_one_object_with_its_exception() throws Exception {
        Map<String, ?> line = json(logger ->
                logger.warn("sample {}", "a \"b\"\n\u001b http://me:secret@host/", new IllegalStateException("why")));
        assertThat(line.get("level")).isEqualTo("WARN");
        assertThat(line.get("logger")).isEqualTo("Something");
        assertThat((String) line.get("time")).matches("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z");
        assertThat((String) line.get("message")).startsWith("sample a \"b\"\n").doesNotContain("secret");
        assertThat((String) line.get("exception")).startsWith("java.lang.IllegalStateException: why\n\tat ");
    }

    @Test
    void with_the_format_json_the_facts_of_a_message_are_fields_and_numbers_stay_numbers() throws Exception {
        Map<String, ?> line = json(logger -> logger.info(
                "run {} ended bytes={} share={} durable={} file={} cause=\"{}\": done",
                "abc",
                12_345L,
                0.5,
                true,
                Path.of("/results/a b"),
                "http://me:secret@host/ is gone"));
        assertThat(line.get("bytes")).isEqualTo(12_345L);
        assertThat(line.get("share")).isEqualTo(0.5);
        assertThat(line.get("durable")).isEqualTo(true);
        assertThat(line.get("file")).isEqualTo("/results/a b");
        assertThat((String) line.get("cause")).endsWith("host/ is gone").doesNotContain("secret");
        assertThat(line)
                .containsOnlyKeys("time", "level", "logger", "message", "bytes", "share", "durable", "file", "cause");
    }

    @Test
    void a_fact_with_the_name_of_a_field_of_every_line_does_not_replace_it() throws Exception {
        Map<String, ?> line = json(logger -> logger.info("set level={} time={} level={}", "none", 3, "other"));
        assertThat(line.get("level")).isEqualTo("INFO");
        assertThat((String) line.get("time")).endsWith("Z");
        assertThat(line.get("message")).isEqualTo("set level=none time=3 level=other");
    }

    @Test
    void a_program_that_has_only_this_jar_on_its_class_path_logs_in_the_same_way() throws JoranException {
        LoggerContext context = new LoggerContext();
        try {
            context.setMDCAdapter(new LogbackMDCAdapter());
            new ContextInitializer(context).autoConfig();
            assertThat(context.getLogger(Logger.ROOT_LOGGER_NAME).iteratorForAppenders())
                    .toIterable()
                    .singleElement()
                    .isInstanceOf(BoundedAppender.class);
        } finally {
            context.stop();
        }
    }

    @Test
    void dropped_events_are_counted_in_the_next_line() throws InterruptedException {
        PrintStream before = System.err;
        CountDownLatch writing = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        ByteArrayOutputStream captured = new ByteArrayOutputStream();
        OutputStream blocked = new OutputStream() {
            @Override
            public void write(int b) {
                writing.countDown();
                try {
                    released.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                captured.write(b);
            }
        };
        System.setErr(new PrintStream(blocked, true, StandardCharsets.UTF_8));
        LoggerContext context = new LoggerContext();
        try {
            context.setMDCAdapter(new LogbackMDCAdapter());
            context.start();
            Logging.configure(context);
            Logger logger = context.getLogger("io.example.Something");
            logger.info("number {}", 0);
            writing.await();
            for (int i = 1; i < 3000; i++) {
                logger.info("number {}", i);
            }
            released.countDown();
            // Stopping the context waits for 0.5 s only: the writer must be through before.
            long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            while (!captured.toString(StandardCharsets.UTF_8).contains("log lines lost")
                    && System.nanoTime() < deadline) {
                Thread.onSpinWait();
            }
        } finally {
            released.countDown();
            context.stop();
            System.setErr(before);
        }
        List<String> lines = captured.toString(StandardCharsets.UTF_8).lines().toList();
        long written = lines.stream().filter(line -> line.contains("number")).count();
        assertThat(written).isLessThan(3000);
        assertThat(lines)
                .filteredOn(line -> line.contains("log lines lost"))
                .singleElement()
                .asString()
                .contains("WARN  Logging: log lines lost count=" + (3000 - written) + ":");
    }
}
