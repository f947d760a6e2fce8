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

/**
 * Looks for what MLCommons' checker would refuse in a submission, by its rules of files, points, regions, metrics and power. The lists that change with
 * a round (models, seed sets, drafters, accuracy targets, smallest counts of queries) are its own. One use, one thread.
 */
public final class SubmissionCheck {
    private static final int FILES_MAX = 10_000;

    private final Path root;
    private final List<Finding> findings = new ArrayList<>();
    private final Map<String, Map<?, ?>> trees = new TreeMap<>();

    private SubmissionCheck(Path root) {
        this.root = root;
    }

    /**
     * What the checker finds.
     *
     * @param refused whether it is an error; otherwise a warning, which {@code --strict} refuses
     * @param rule the checker's name of the rule, or {@code todo}
     * @param where the file or directory below the submission
     * @param message what is wrong
     */
    public record Finding(boolean refused, String rule, String where, String message) {}

    /**
     * Checks a submission.
     *
     * @param directory the one with {@code results}, or one above it with a single submission
     * @throws IOException if a directory cannot be listed
     */
    public static List<Finding> of(Path directory) throws IOException {
        Path root = directory;
        for (int depth = 0; depth < 2 && !Files.isDirectory(root.resolve("results")); depth++) {
            List<Path> below = folders(root);
            if (below.size() != 1) {
                break;
            }
            root = below.get(0);
        }
        return new SubmissionCheck(root).run();
    }

    private List<Finding> run() throws IOException {
        for (String each : List.of("results", "docs", "src")) {
            require(
                    Files.isDirectory(root.resolve(each)),
                    each.equals("src") ? "src-dir" : "required-dir",
                    root,
                    each + "/ is missing");
        }
        List<Path> implementations = folders(root.resolve("src"));
        require(!implementations.isEmpty(), "src-dir", root.resolve("src"), "no directory of an implementation");
        for (Path each : implementations) {
            require(Files.isRegularFile(each.resolve("README.md")), "src-readme", each, "README.md is missing");
        }
        List<Path> systems = folders(root.resolve("results"));
        require(!systems.isEmpty(), "system-results-dir", root.resolve("results"), "no directory of a system");
        for (Path system : systems) {
            List<Path> models = folders(system);
            require(!models.isEmpty(), "benchmark-model-dir", system, "no directory of a benchmark model");
            for (Path model : models) {
                new CurveCheck(this, model).run(power(system));
            }
        }
        Submission.todo(trees)
                .forEach((field, files) -> add(
                        true,
                        "todo",
                        root,
                        field + " is to be filled in" + (files > 1 ? " (" + files + " files)" : "")));
        return findings.stream().distinct().toList();
    }

    /** The power of a system; null if it has no descriptor that the checker accepts. */
    private @Nullable ProvisionedPower power(Path system) {
        Path file = system.resolve("system_power.json");
        Node descriptor = read(file, "power-descriptor");
        if (descriptor == null) {
            return null;
        }
        if (!Submission.todo(Map.of("", descriptor.map())).isEmpty()) {
            return null; // reported as such
        }
        ProvisionedPower power = PowerSum.of(descriptor);
        require(descriptor.text("system_desc_id") != null, "power-descriptor", file, "system_desc_id is missing");
        power.problems().forEach(each -> add(true, "power-descriptor", file, each));
        if (power.estimated() || !power.gaps().isEmpty()) {
            add(
                    false,
                    "power-estimated",
                    file,
                    "tagged MLC Estimated Power, or refused where Appendix D has no default: " + power.gaps());
        }
        return power.problems().isEmpty() ? power : null;
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
            if (trees.size() < FILES_MAX) {
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
                && !List.of(path.split("/")).contains("..")
                && Files.isDirectory(root.resolve(path));
    }

    void require(boolean met, String rule, Path where, String message) {
        if (!met) {
            add(true, rule, where, message);
        }
    }

    void add(boolean refused, String rule, Path where, String message) {
        String place = where.equals(root) ? "." : root.relativize(where).toString();
        findings.add(new Finding(refused, rule, place, message));
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
