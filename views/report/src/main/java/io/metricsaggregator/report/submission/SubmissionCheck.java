package io.metricsaggregator.report.submission;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks for what MLCommons' checker would refuse in a submission, by its rules of files, points, regions, metrics and power. The lists that change with
 * a round (models, seed sets, drafters, accuracy targets, smallest counts of queries) are its own. One use, one thread.
 */
public final class SubmissionCheck {
    private final Path root;
    private final Findings findings;

    private SubmissionCheck(Path root) {
        this.root = root;
        this.findings = new Findings(root);
    }

    /**
     * Checks a submission.
     *
     * @param directory the one with {@code results}, or one above it with a single submission
     * @throws IOException if a directory cannot be listed
     */
    public static List<Finding> of(Path directory) throws IOException {
        Path root = directory;
        for (int depth = 0; depth < 2 && !Files.isDirectory(root.resolve("results")); depth++) {
            List<Path> below = Findings.folders(root);
            if (below.size() != 1) {
                break;
            }
            root = below.get(0);
        }
        return new SubmissionCheck(root).run();
    }

    private List<Finding> run() throws IOException {
        for (String each : List.of("results", "docs", "src")) {
            findings.require(
                    Files.isDirectory(root.resolve(each)),
                    each.equals("src") ? "src-dir" : "required-dir",
                    root,
                    each + "/ is missing");
        }
        List<Path> implementations = Findings.folders(root.resolve("src"));
        findings.require(
                !implementations.isEmpty(), "src-dir", root.resolve("src"), "no directory of an implementation");
        for (Path each : implementations) {
            findings.require(
                    Files.isRegularFile(each.resolve("README.md")), "src-readme", each, "README.md is missing");
        }
        List<Path> systems = Findings.folders(root.resolve("results"));
        findings.require(!systems.isEmpty(), "system-results-dir", root.resolve("results"), "no directory of a system");
        for (Path system : systems) {
            List<Path> models = Findings.folders(system);
            findings.require(!models.isEmpty(), "benchmark-model-dir", system, "no directory of a benchmark model");
            for (Path model : models) {
                new CurveCheck(findings, model).run(power(system));
            }
        }
        Submission.todo(findings.trees())
                .forEach((field, files) -> findings.add(
                        true,
                        "todo",
                        root,
                        field + " is to be filled in" + (files > 1 ? " (" + files + " files)" : "")));
        return findings.all();
    }

    /** The power of a system; null if it has no descriptor that the checker accepts. */
    private @Nullable ProvisionedPower power(Path system) {
        Path file = system.resolve("system_power.json");
        Node descriptor = findings.read(file, "power-descriptor");
        if (descriptor == null) {
            return null;
        }
        if (!Submission.todo(Map.of("", descriptor.map())).isEmpty()) {
            return null; // reported as such
        }
        ProvisionedPower power = PowerSum.of(descriptor);
        findings.require(
                descriptor.text("system_desc_id") != null, "power-descriptor", file, "system_desc_id is missing");
        power.problems().forEach(each -> findings.add(true, "power-descriptor", file, each));
        if (power.estimated() || !power.gaps().isEmpty()) {
            findings.add(
                    false,
                    "power-estimated",
                    file,
                    "tagged MLC Estimated Power, or refused where Appendix D has no default: " + power.gaps());
        }
        return power.problems().isEmpty() ? power : null;
    }
}
