package io.metricsaggregator.flink;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.journal.JournalReader;
import io.metricsaggregator.options.TokenizerOption;
import io.metricsaggregator.options.WhatIfOptions;
import io.metricsaggregator.parquet.SampleFileHeader;
import io.metricsaggregator.parquet.SampleParquetWriter;
import io.metricsaggregator.run.JournalReplay;
import io.metricsaggregator.run.RunMerge;
import io.metricsaggregator.runs.SnapshotMerge;
import io.metricsaggregator.samples.JournalExport;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** What a job over journals has to write. */
final class Results {
    private Results() {}

    static List<Path> runsBelow(Path journals) throws IOException {
        try (Stream<Path> all = Files.walk(journals)) {
            return all.filter(each -> each.getFileName().toString().startsWith("run-"))
                    .sorted()
                    .toList();
        }
    }

    static String id(Path run) {
        return run.getFileName().toString().split("-", 3)[2];
    }

    /** The leaves of a replay of a run, as the command {@code replay} writes it. */
    static Map<String, Object> replayed(Path run) throws IOException {
        JournalReplay replay = JournalReplay.open(run);
        RunConfig config = replay.recorded().toBuilder().version(Version.text()).build();
        return SnapshotLeaves.of(
                new JsonSnapshotCodec().encode(replay.compute(config, RunResources.ofReplay(null, 1L << 30))));
    }

    /** As {@link #replayed}, with the tokenizer that the journal names. */
    static Map<String, Object> replayedWithTexts(Path run) throws IOException {
        return SnapshotLeaves.of(snapshotWithTexts(run));
    }

    /** The snapshot of a replay of a run with the tokenizer that its journal names. */
    static byte[] snapshotWithTexts(Path run) throws IOException {
        WhatIfOptions own = new WhatIfOptions();
        JournalReplay replay = JournalReplay.open(run);
        TokenizerOption.Loaded tokenizer = Objects.requireNonNull(own.tokenizer(replay.recorded()));
        return new JsonSnapshotCodec()
                .encode(replay.compute(
                        own.config(replay.recorded(), Version.text(), tokenizer),
                        RunResources.ofReplay(tokenizer.resource(1, null), 1L << 30)));
    }

    /** The snapshot of a replay of a run whose values are not kept: percentiles are those of histograms. */
    static byte[] replayedWithoutValues(Path run) throws IOException {
        JournalReplay replay = JournalReplay.open(run);
        RunConfig config = replay.recorded().toBuilder().version(Version.text()).build();
        return new JsonSnapshotCodec().encode(replay.compute(config, RunResources.ofReplay(null, 0)));
    }

    /** The file that {@code export --format parquet} of a version writes of a run. */
    static byte[] rows(Path run, String version) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (SampleParquetWriter writer =
                SampleParquetWriter.create(bytes, SampleFileHeader.ofRun(version, JournalReader.describe(run)))) {
            JournalExport.writeSamples(run, null, writer::write);
        }
        return bytes.toByteArray();
    }

    /** The leaves of a merge of journals, as the command {@code merge} writes it. */
    static Map<String, Object> merged(List<Path> runs) throws IOException {
        RunMerge merge = RunMerge.of(runs, 1L << 30, Path.of(System.getProperty("java.io.tmpdir")), Version.text());
        return SnapshotLeaves.of(new JsonSnapshotCodec()
                .encode(merge.complete(SnapshotMerge.of(merge.snapshots()).snapshot())));
    }
}
