package io.metricsaggregator.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.conformance.ScriptPlayer.Run;
import io.metricsaggregator.event.frame.ChunkFrameEncoder;
import io.metricsaggregator.event.frame.Topic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every rule fails for a producer that breaks just this rule, and passes for a right one. */
class RuleTest {
    @TempDir
    static Path directory;

    /** The script of a scenario; a small one in place of the flood. */
    private static Script script(String scenario) throws IOException {
        String name = scenario.replaceFirst("^watch ", "");
        if (name.equals("08 without a script")) {
            name = "08_reconnect";
        }
        if (name.equals(ProducerFaults.FLOOD) || name.equals("08 as exit")) {
            String rule = name.equals(ProducerFaults.FLOOD) ? Rule.NONE_OR_TOLD.id() : Rule.LINGER.id();
            Path file = Files.writeString(directory.resolve(rule + ".json"), """
                    {"level": 4, "rule": "%s", "steps": [{"at_ms": 0, "do": "session", "event": "session.started"},
                     {"at_ms": 0, "do": "session", "event": "session.start_performance_tracking"},
                     {"at_ms": 10, "do": "flood", "samples": 100}, {"at_ms": 20, "do": "session", "event": "session.ended"}]}
                    """.formatted(rule));
            return Script.read(file);
        }
        try (Suite kit = Suite.open(null)) {
            return Script.read(kit.file("producer/" + name + ".json"));
        }
    }

    private static Set<Rule> broken(Run run, Script script, boolean watch) {
        ProducerJudge judge = new ProducerJudge(watch ? null : script);
        for (int i = 0; i < run.frames.size(); i++) {
            if (script.rule() == Rule.RECONNECT && !watch && i == run.frames.size() / 2) {
                judge.reconnected();
            }
            ByteBuffer frame = ByteBuffer.wrap(run.frames.get(i));
            judge.frame(frame, 0, frame.capacity(), run.received.get(i));
        }
        run.end.accept(judge);
        Tally tally = judge.finish(true, run.lives);
        Set<Rule> broken = EnumSet.noneOf(Rule.class);
        for (Rule rule : Rule.values()) {
            if (tally.state(rule) == Tally.State.BROKEN) {
                assertThat(tally.message(rule)).isNotBlank();
                broken.add(rule);
            }
        }
        return broken;
    }

    @TestFactory
    Stream<DynamicTest> a_producer_that_breaks_one_rule_fails_just_that_rule() {
        return ProducerFaults.all().stream()
                .map(fault -> DynamicTest.dynamicTest(fault.rule().id() + ": " + fault.mistake(), () -> {
                    Script script = script(fault.scenario());
                    Run run = new Run(ScriptPlayer.play(script));
                    fault.records().accept(run);
                    run.encode();
                    fault.frames().accept(run);
                    Set<Rule> expected = EnumSet.of(fault.rule());
                    expected.addAll(fault.also());
                    boolean watch = fault.scenario().startsWith("watch")
                            || fault.scenario().contains("without");
                    assertThat(broken(run, script, watch)).isEqualTo(expected);
                }));
    }

    @Test
    void every_rule_has_a_producer_that_breaks_it() {
        assertThat(ProducerFaults.all().stream().map(ProducerFaults.Fault::rule).distinct())
                .containsExactlyInAnyOrder(Rule.values());
    }

    @TestFactory
    Stream<DynamicTest> a_right_producer_keeps_all_rules_of_every_case() throws IOException {
        try (Suite kit = Suite.open(null)) {
            return kit.producerCases("*").stream()
                    .map(RuleTest::read)
                    .map(script -> DynamicTest.dynamicTest(script.name(), () -> {
                        Run run = new Run(ScriptPlayer.play(script));
                        run.encode();
                        assertThat(broken(run, script, false)).isEmpty();
                        Run watched = new Run(ScriptPlayer.play(script));
                        watched.encode();
                        assertThat(broken(watched, script, true)).isEmpty();
                    }))
                    .toList()
                    .stream();
        }
    }

    private static Script read(Path file) {
        try {
            return Script.read(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void chunks_in_a_frame_are_judged_as_the_records_they_stand_for() throws IOException {
        Script script = script("02_streaming");
        Run run = new Run(ScriptPlayer.play(script));
        Set<Rule> whole = broken(framed(run), script, false);
        assertThat(whole).isEmpty();
        Run incomplete = new Run(ScriptPlayer.play(script));
        incomplete.records.remove(incomplete.first("sample.recv_non_first"));
        assertThat(broken(framed(incomplete), script, false)).contains(Rule.SEQ, Rule.AS_SCRIPTED);
    }

    /** Encodes later chunks as frames of one chunk. */
    private static Run framed(Run run) {
        run.records.stream()
                .filter(each -> each.is("sample.recv_first"))
                .forEach(each -> each.fields.put("handle", 3L));
        run.encode();
        for (int i = 0; i < run.records.size(); i++) {
            if (run.records.get(i).is("sample.recv_non_first")) {
                ChunkFrameEncoder chunks = new ChunkFrameEncoder("player", 7);
                chunks.add(3, (long) run.records.get(i).get("timestamp_ns"), null, null);
                run.frames.set(i, Topic.frame(Topic.CHUNKS, chunks.take((long)
                        run.records.get(i).get("seq"))));
            }
        }
        return run;
    }

    @Test
    void lost_records_are_allowed_if_seq_tells_how_many() throws IOException {
        Script script = script(ProducerFaults.FLOOD);
        Run run = new Run(ScriptPlayer.play(script));
        run.records.subList(20, 30).clear();
        run.encode();
        assertThat(broken(run, script, false)).isEmpty();
    }

    @Test
    void a_session_that_was_joined_in_the_middle_is_not_judged_by_its_start() throws IOException {
        Script script = script("02_streaming");
        Run run = new Run(ScriptPlayer.play(script));
        run.records.subList(0, 5).clear();
        run.encode();
        assertThat(broken(run, script, true)).isEmpty();
    }

    @Test
    void names_of_rules_begin_with_their_level_and_are_unique() {
        assertThat(Arrays.stream(Rule.values()).map(Rule::id)).doesNotHaveDuplicates();
        for (Rule rule : Rule.values()) {
            assertThat(rule.id()).startsWith(rule.level().title() + ".").matches("[a-z]+\\.[a-z-]+");
        }
    }
}
