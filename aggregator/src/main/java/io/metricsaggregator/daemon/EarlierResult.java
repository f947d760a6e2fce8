package io.metricsaggregator.daemon;

import io.metricsaggregator.codec.JsonTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Names the final snapshot of an earlier run, so that it makes room for the one of this run and is found by the id of its own. */
final class EarlierResult {
    private static final Logger LOG = LoggerFactory.getLogger(EarlierResult.class);
    private static final String STALE = ".stale-";
    /** Ids that can be part of a file name. A file can have been edited by anyone. */
    private static final String RUN_ID = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}";

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH-mm-ss'Z'").withZone(ZoneOffset.UTC);
    private static final long READ_MAX_BYTES = 64L << 20;

    private EarlierResult() {}

    /**
     * A free name beside the file: {@code final_snapshot.json.stale-ID} with the id of the run in it, or the time of its last change if it
     * has no id that can be read. A number follows if that name is taken.
     */
    static Path freeName(Path file) throws IOException {
        String name = file.getFileName() + STALE + id(file);
        Path free = file.resolveSibling(name);
        for (int i = 2; Files.exists(free, LinkOption.NOFOLLOW_LINKS); i++) {
            free = file.resolveSibling(name + "." + i);
        }
        return free;
    }

    private static String id(Path file) throws IOException {
        String found = runId(file);
        return found.matches(RUN_ID)
                ? found
                : TIME.format(Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS)
                        .toInstant());
    }

    /** The id of the run in a file; empty if there is none, as in the files of MLCommons endpoints, or it cannot be read. */
    private static String runId(Path file) {
        try {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) > READ_MAX_BYTES) {
                return "";
            }
            // Not as a snapshot, whose fields differ between versions.
            return JsonTree.read(Files.readAllBytes(file)).get("run") instanceof Map<?, ?> run
                            && run.get("run_id") instanceof String id
                    ? id
                    : "";
        } catch (IOException | RuntimeException e) {
            LOG.debug("no run id in the earlier final snapshot file={} cause={}", file, e.toString());
            return "";
        }
    }
}
