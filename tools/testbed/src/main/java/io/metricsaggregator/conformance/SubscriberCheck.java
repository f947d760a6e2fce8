package io.metricsaggregator.conformance;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MalformedMessageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Runs subscriber cases: publishes recorded snapshots to the command, which prints one line of tagged JSON for each, and compares the lines. The
 * command connects to {@code MA_ENDPOINT} and ends after the terminal snapshot. One thread runs the cases one after the other.
 */
public final class SubscriberCheck {
    private static final long TIMEOUT_SECONDS = 30;

    private final List<String> command;
    private final boolean tcp;

    /**
     * Creates a check.
     *
     * @param command the program and its arguments
     * @param tcp whether the endpoint is tcp on the loopback interface instead of ipc
     */
    public SubscriberCheck(List<String> command, boolean tcp) {
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
        for (Path folder : kit.subscriberCases(glob)) {
            CaseResult result = run(folder);
            results.add(result);
            done.accept(result);
        }
        return results;
    }

    private CaseResult run(Path folder) throws IOException {
        String name = String.valueOf(folder.getFileName());
        List<String> expected = Files.readAllLines(folder.resolve("expected.jsonl"), StandardCharsets.UTF_8);
        List<CaseResult.Check> checks = new ArrayList<>();
        try (CaseDirectory place = new CaseDirectory(tcp)) {
            Map<String, String> environment =
                    Map.of("MA_ENDPOINT", place.endpoint(), "MA_CASE", name, "MA_KIT", Suite.VERSION);
            List<byte[]> frames = FrameFile.read(folder.resolve("snapshots.bin"));
            String output;
            try (Program program = new Program(command, place.folder(), environment, new byte[0])) {
                String wrong = Publication.perform(place, program, frames, TIMEOUT_SECONDS);
                checks.add(
                        wrong.isEmpty()
                                ? CaseResult.Check.pass("subscriber.command-ends")
                                : CaseResult.Check.fail("subscriber.command-ends", wrong));
                output = program.output();
            }
            List<String> lines = output.lines().filter(line -> !line.isBlank()).toList();
            checks.add(compare(expected, lines));
        }
        return new CaseResult(name, checks);
    }

    private static CaseResult.Check compare(List<String> expected, List<String> lines) throws IOException {
        for (int i = 0; i < Math.min(expected.size(), lines.size()); i++) {
            Map<String, ?> want = JsonTree.read(expected.get(i).getBytes(StandardCharsets.UTF_8));
            String difference;
            try {
                difference = TaggedJson.difference(
                        "", want, JsonTree.read(lines.get(i).getBytes(StandardCharsets.UTF_8)));
            } catch (MalformedMessageException e) {
                difference = Objects.toString(e.getMessage(), "not JSON");
            }
            if (!difference.isEmpty()) {
                return CaseResult.Check.fail("subscriber.snapshots", "line " + (i + 1) + ": " + difference);
            }
        }
        return expected.size() == lines.size()
                ? CaseResult.Check.pass("subscriber.snapshots")
                : CaseResult.Check.fail("subscriber.snapshots", lines.size() + " lines instead of " + expected.size());
    }
}
