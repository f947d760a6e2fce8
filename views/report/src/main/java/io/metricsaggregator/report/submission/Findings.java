package io.metricsaggregator.report.submission;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Collects what is wrong in the files of a submission while they are read. One thread. */
final class Findings {
    private static final int FILES_MAX = 10_000;

    private final Path root;
    private final List<Finding> all = new ArrayList<>();
    private final Map<String, Map<?, ?>> trees = new TreeMap<>();

    Findings(Path root) {
        this.root = root;
    }

    /** Each finding once. */
    List<Finding> all() {
        return all.stream().distinct().toList();
    }

    /** The files that people write, by path. */
    Map<String, Map<?, ?>> trees() {
        return trees;
    }

    /** The mapping of a file; null, and a finding, if it is missing or damaged. */
    @Nullable
    Node read(Path file, String rule) {
        if (!Files.isRegularFile(file)) {
            add(true, rule, file, "the file is missing");
            return null;
        }
        try {
            Map<?, ?> tree = SubmissionFiles.read(file);
            // Only files that people write have open fields; results of accuracy can be large.
            if (trees.size() < FILES_MAX && !rule.equals("accuracy-valid") && !rule.equals("result-summary-present")) {
                trees.put(file.toString(), tree);
            }
            return new Node("", tree);
        } catch (IOException e) {
            add(true, rule, file, String.valueOf(e.getMessage()));
            return null;
        }
    }

    /** Whether a path of {@code point.yaml} names a directory of the submission. */
    boolean resolves(String path) {
        return !path.startsWith("/")
                && !path.startsWith("~")
                && !List.of(path.split("/", -1)).contains("..")
                && Files.isDirectory(root.resolve(path));
    }

    void require(boolean met, String rule, Path where, String message) {
        if (!met) {
            add(true, rule, where, message);
        }
    }

    void add(boolean refused, String rule, Path where, String message) {
        String place = where.equals(root) ? "." : root.relativize(where).toString();
        all.add(new Finding(refused, rule, place, message));
    }

    static List<Path> folders(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> inside = Files.list(directory)) {
            return inside.filter(Files::isDirectory).sorted().toList();
        }
    }
}
