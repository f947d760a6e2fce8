package io.metricsaggregator.publish;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.steady.DiagnosticsText;
import io.metricsaggregator.steady.SuperPassDiagnostics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code steady_state.json} and {@code steady_state.txt}, MLCommons' diagnostics of a complete run, beside its final snapshot. A run that was not judged has
 * neither: those of an earlier run are removed. Stateless.
 */
public final class SteadyStateFiles {
    /** Name of the file with all diagnostics. */
    public static final String JSON = "steady_state.json";
    /** Name of the file with the text of MLCommons' tool. */
    public static final String TEXT = "steady_state.txt";

    private static final Logger LOG = LoggerFactory.getLogger(SteadyStateFiles.class);
    private static final List<String> NAMES = List.of(JSON, TEXT);

    private final @Nullable SuperPassDiagnostics diagnostics;

    /**
     * The files of a run.
     *
     * @param diagnostics null for a run that was not judged
     */
    public SteadyStateFiles(@Nullable SuperPassDiagnostics diagnostics) {
        this.diagnostics = diagnostics;
    }

    /**
     * Writes both files, each whole or not at all, or removes them. A failure is logged: the final snapshot does not depend on them.
     *
     * @param mode permissions of the files
     */
    public void update(Path directory, Set<PosixFilePermission> mode) {
        if (diagnostics == null) {
            remove(directory);
            return;
        }
        Map<String, @Nullable Object> tree = diagnostics.tree();
        Disk disk = Disk.real(mode);
        try {
            new AtomicFile(disk, directory, JSON).write(to -> JsonTree.write(tree, to));
            new AtomicFile(disk, directory, TEXT)
                    .write(to -> to.write(DiagnosticsText.of(tree).getBytes(StandardCharsets.UTF_8)));
        } catch (AtomicFile.WriteException e) {
            LOG.error("steady state files not written: {}", e.getMessage());
            remove(directory);
        }
    }

    /** Removes the files of an earlier run and what a killed process left of them. */
    public static void remove(Path directory) {
        for (String name : NAMES) {
            try {
                if (Files.deleteIfExists(directory.resolve(name))) {
                    LOG.info("steady state file of an earlier run removed file={}", directory.resolve(name));
                }
            } catch (IOException e) {
                LOG.warn("steady state file of an earlier run not removed file={} cause={}", name, e.toString());
            }
        }
    }

    /** Whether {@code fileName} is a temporary file that a killed process left when it wrote one of the files. */
    public static boolean isLeftover(String fileName) {
        return NAMES.stream()
                .anyMatch(name -> AtomicFile.leftovers(name).matcher(fileName).matches());
    }
}
