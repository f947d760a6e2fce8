package io.metricsaggregator.conformance;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MalformedMessageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs consumer cases: publishes recorded event frames to an aggregator, which prints its final snapshot as JSON, and compares the metrics with
 * those of the reference. One thread runs the cases one after the other.
 */
public final class ConsumerCheck {
    private static final long TIMEOUT_SECONDS = 60;

    private final List<String> command;
    private final boolean tcp;

    /**
     * Creates a check.
     *
     * @param command the program and its arguments
     * @param tcp whether the endpoint is tcp on the loopback interface instead of ipc
     */
    public ConsumerCheck(List<String> command, boolean tcp) {
        this.command = List.copyOf(command);
        this.tcp = tcp;
    }

    /**
     * Runs the cases whose names match.
     *
     * @param done called after each case
     * @throws IOException if the kit cannot be read, or the command cannot be started
     */
    public List<CaseResult> run(Suite kit, String glob, Consumer<CaseResult> done) throws IOException {
        List<CaseResult> results = new ArrayList<>();
        for (Path folder : kit.streams(glob)) {
            CaseResult result = run(folder);
            results.add(result);
            done.accept(result);
        }
        return results;
    }

    private CaseResult run(Path folder) throws IOException {
        String name = String.valueOf(folder.getFileName());
        List<CaseResult.Check> checks = new ArrayList<>();
        try (CaseDirectory place = new CaseDirectory(tcp)) {
            Map<String, String> environment =
                    Map.of("MA_ENDPOINT", place.endpoint(), "MA_CASE", name, "MA_KIT", Suite.VERSION);
            String output;
            try (Program program = new Program(command, place.folder(), environment, options(folder, name))) {
                String wrong = Publication.perform(
                        place, program, FrameFile.read(folder.resolve("frames.bin")), TIMEOUT_SECONDS);
                checks.add(
                        wrong.isEmpty()
                                ? CaseResult.Check.pass("consumer.command-ends")
                                : CaseResult.Check.fail("consumer.command-ends", wrong));
                output = program.output();
            }
            compare(folder, output, checks);
        }
        return new CaseResult(name, checks);
    }

    /** The case as one line of JSON: its options, and the frames as a file for commands without ZeroMQ. */
    private static byte[] options(Path folder, String name) throws IOException {
        Map<String, @Nullable Object> given = JsonTree.read(Files.readAllBytes(folder.resolve("args.json")));
        Map<String, @Nullable Object> options = new LinkedHashMap<>();
        options.put("name", name);
        options.put("frames", folder.resolve("frames.bin").toAbsolutePath().toString());
        options.putAll(given);
        if (given.get("tokenizer") instanceof String tokenizer) {
            options.put(
                    "tokenizer",
                    folder.resolveSibling(tokenizer).toAbsolutePath().toString());
        }
        return (new String(JsonTree.writeLine(options), StandardCharsets.UTF_8) + "\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    private static void compare(Path folder, String output, List<CaseResult.Check> checks) throws IOException {
        Map<String, @Nullable Object> expected =
                JsonTree.read(Files.readAllBytes(folder.resolve("expected_final_snapshot.json")));
        Map<String, @Nullable Object> actual;
        try {
            actual = JsonTree.read(output.strip().getBytes(StandardCharsets.UTF_8));
        } catch (MalformedMessageException e) {
            checks.add(CaseResult.Check.fail(
                    "consumer.output", "standard output is not one JSON document: " + e.getMessage()));
            return;
        }
        checks.add(CaseResult.Check.pass("consumer.output"));
        checks.add(
                String.valueOf(expected.get("state")).equals(actual.get("state"))
                        ? CaseResult.Check.pass("state")
                        : CaseResult.Check.fail(
                                "state", "is " + actual.get("state") + " instead of " + expected.get("state")));
        Map<String, Map<?, ?>> metrics = SnapshotComparison.byName(actual);
        SnapshotComparison.byName(expected).forEach((name, metric) -> {
            String difference = SnapshotComparison.difference(name, metric, metrics.get(name));
            checks.add(difference.isEmpty() ? CaseResult.Check.pass(name) : CaseResult.Check.fail(name, difference));
        });
    }
}
