package io.metricsaggregator.flink.joined;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunConfigCodec;
import io.metricsaggregator.flink.journal.FoundRuns;
import io.metricsaggregator.flink.journal.StoredRun;
import io.metricsaggregator.journal.JournalReader;
import io.metricsaggregator.journal.RunOrigin;
import io.metricsaggregator.run.JournalReplay;
import io.metricsaggregator.run.StreamedRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.flink.core.fs.Path;
import org.jspecify.annotations.Nullable;

/** Checks whether journals can be joined to one run, and plans how. Used by the client, before the job starts. */
public final class JoinPlan {
    private static final int ID_BYTES = 8;

    private JoinPlan() {}

    /** What a journal says of itself. */
    private record Journal(FoundRuns.FoundRun run, RunOrigin origin, RunConfig config, long startedWallNanos) {
        String node() {
            String name = origin.node();
            return name == null ? "" : name;
        }
    }

    /**
     * Plans the join of journals.
     *
     * @param runs at least one
     * @param version version of this program, for the snapshot
     * @param valuesMaxBytes as {@link JoinSettings#valuesMaxBytes}
     * @param options as {@link JoinSettings#options}
     * @param rows as {@link JoinSettings#rows}
     * @param output folder of all results, as a URI
     * @throws IOException if a journal cannot be read
     * @throws IllegalArgumentException if the journals cannot be joined: clocks are unknown, or their settings differ
     */
    public static JoinSettings of(
            List<FoundRuns.FoundRun> runs,
            String version,
            long valuesMaxBytes,
            List<String> options,
            @Nullable String rows,
            String output)
            throws IOException {
        List<Journal> journals = new ArrayList<>();
        for (FoundRuns.FoundRun each : runs) {
            journals.add(read(each));
        }
        journals.sort(Comparator.comparing(Journal::node)
                .thenComparing(each -> each.run().id()));
        Journal first = journals.get(0);
        Map<String, String> settings = comparable(first, version);
        long uncertainty = 0;
        for (Journal each : journals) {
            uncertainty = Math.max(uncertainty, requireJoinable(each, version, settings, journals.size() > 1));
        }
        ArrayList<String> words = new ArrayList<>();
        words.add("joined by time from the journals of " + journals.size() + " nodes; their clocks were measured to "
                + uncertainty + " ns");
        RunConfig.Builder config = first.config().toBuilder().version(version);
        journals.stream()
                .map(each -> each.config().tokenizer())
                .filter(Objects::nonNull)
                .findFirst()
                .ifPresent(config::tokenizer);
        String id = id(journals);
        Long offset = first.origin().wallOffsetNanos();
        return new JoinSettings(
                id,
                journals.stream().mapToLong(Journal::startedWallNanos).min().orElse(0),
                new ArrayList<>(journals.stream()
                        .map(each -> each.run().folder().toString())
                        .toList()),
                offset == null ? 0 : offset,
                new TreeMap<>(RunConfigCodec.encode(config.build())),
                words,
                valuesMaxBytes,
                new ArrayList<>(options),
                rows,
                new Path(output, id).toString());
    }

    /** The settings in which journals must agree: nodes may have the same tokenizer in different places. */
    private static Map<String, String> comparable(Journal journal, String version) {
        return new TreeMap<>(RunConfigCodec.encode(
                journal.config().toBuilder().version(version).tokenizer(null).build()));
    }

    private static Journal read(FoundRuns.FoundRun run) throws IOException {
        StoredRun files = StoredRun.list(run.folder());
        Map<String, String> description = JournalReader.describe(files);
        try {
            StreamedRun.recorded(description, "");
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(run.folder() + ": " + e.getMessage(), e);
        }
        return new Journal(
                run,
                RunOrigin.of(description),
                JournalReplay.open(files).recorded(),
                wall(description.get(RunOrigin.STARTED_WALL_NANOS)));
    }

    private static long wall(@Nullable String text) {
        try {
            return text == null ? 0 : Long.parseLong(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** Refuses a journal that cannot be joined with the first; returns the uncertainty of its clock in nanoseconds. */
    private static long requireJoinable(
            Journal journal, String version, Map<String, String> settings, boolean hasOthers) {
        Long uncertainty = journal.origin().wallOffsetUncertaintyNanos();
        if (hasOthers && uncertainty == null) {
            throw new IllegalArgumentException(journal.run().folder()
                    + " does not say where the clock of its node stood, so it cannot be joined with other journals: it was"
                    + " recorded by an older version, or imported");
        }
        Map<String, String> own = comparable(journal, version);
        for (Map.Entry<String, String> each : settings.entrySet()) {
            if (!each.getValue().equals(own.get(each.getKey()))) {
                throw new IllegalArgumentException(journal.run().folder() + " was recorded with " + each.getKey() + "="
                        + own.get(each.getKey()) + " and another journal of the run with " + each.getValue());
            }
        }
        return uncertainty == null ? 0 : uncertainty;
    }

    /** The id of the joined run: the same for the same journals. */
    private static String id(List<Journal> journals) {
        try {
            MessageDigest hash = MessageDigest.getInstance("SHA-256");
            journals.stream()
                    .map(each -> each.run().id())
                    .sorted()
                    .forEach(each -> hash.update((each + "\n").getBytes(StandardCharsets.UTF_8)));
            return HexFormat.of().formatHex(hash.digest(), 0, ID_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
