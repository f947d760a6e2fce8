package io.metricsaggregator.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.cli.CommandLineTarget;
import io.metricsaggregator.otlp.OtlpTarget;
import io.metricsaggregator.proxy.FramingTarget;
import io.metricsaggregator.tokens.ChatTarget;
import io.metricsaggregator.transport.zmtp.PeerTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Runs every input of the corpus and mutations of it without the fuzzer. */
class CorpusTest {
    private static final int NEIGHBOURS = 40;
    /** Parsing a command line takes a hundred times as long as any other input. */
    private static final int NEIGHBOURS_OF_COMMAND_LINES = 3;

    private interface Target {
        void test(byte[] input) throws IOException;
    }

    private static final Map<String, Target> TARGETS = new TreeMap<>(Map.<String, Target>ofEntries(
            Map.entry("answer", AnswerTarget::fuzzerTestOneInput),
            Map.entry("chat", ChatTarget::fuzzerTestOneInput),
            Map.entry("command-line", CommandLineTarget::fuzzerTestOneInput),
            Map.entry("exposition", ExpositionTarget::fuzzerTestOneInput),
            Map.entry("framing", FramingTarget::fuzzerTestOneInput),
            Map.entry("frame", FrameTarget::fuzzerTestOneInput),
            Map.entry("import", ImportTarget::fuzzerTestOneInput),
            Map.entry("journal", JournalTarget::fuzzerTestOneInput),
            Map.entry("otlp", OtlpTarget::fuzzerTestOneInput),
            Map.entry("peer", PeerTarget::fuzzerTestOneInput),
            Map.entry("record", RecordTarget::fuzzerTestOneInput),
            Map.entry("snapshot", SnapshotTarget::fuzzerTestOneInput)));

    @TestFactory
    Stream<DynamicTest> inputsThatWereFoundAndTheirNeighboursDoNoHarm() {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("CorpusTest seed: -Dtest.seed=" + seed);
        return TARGETS.entrySet().stream()
                .map(target -> DynamicTest.dynamicTest(target.getKey(), () -> {
                    Random random = new Random(seed);
                    List<Path> inputs = inputs(target.getKey());
                    int neighbours = target.getKey().equals("command-line") ? NEIGHBOURS_OF_COMMAND_LINES : NEIGHBOURS;
                    assertThat(inputs).isNotEmpty();
                    for (Path input : inputs) {
                        byte[] bytes = Files.readAllBytes(input);
                        run(target.getValue(), input, bytes);
                        for (int i = 0; i < neighbours; i++) {
                            run(target.getValue(), input, neighbour(bytes, random));
                        }
                    }
                }));
    }

    private static void run(Target target, Path input, byte[] bytes) {
        try {
            target.test(bytes);
        } catch (Throwable e) {
            throw new AssertionError(
                    "near " + input + ": " + java.util.HexFormat.of().formatHex(bytes), e);
        }
    }

    private static byte[] neighbour(byte[] bytes, Random random) {
        int length = random.nextInt(4) == 0 ? random.nextInt(bytes.length + 1) : bytes.length;
        byte[] changed = Arrays.copyOf(bytes, length);
        for (int i = random.nextInt(3); i >= 0 && length > 0; i--) {
            changed[random.nextInt(length)] = (byte) random.nextInt(256);
        }
        return changed;
    }

    private static List<Path> inputs(String target) throws IOException {
        List<Path> inputs = new ArrayList<>();
        for (String folder : List.of("corpus", "found")) {
            Path directory = Path.of(folder, target);
            if (Files.isDirectory(directory)) {
                try (Stream<Path> files = Files.list(directory)) {
                    files.sorted().forEach(inputs::add);
                }
            }
        }
        return inputs;
    }
}
