package io.metricsaggregator.samples;

import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.event.UsageKey;
import io.metricsaggregator.event.server.ServerKey;
import java.util.ArrayList;
import java.util.List;

/**
 * A column of the rows of samples, the same in every format with such rows. A value is null where the records do not report it.
 *
 * @param name name in CSV, SQLite and Parquet; a time or duration in nanoseconds ends in {@code _ns}
 * @param required whether every row has a value
 * @param meaning a sentence for the documentation
 */
public record SampleColumn(String name, Type type, boolean required, String meaning) {
    /** What a column holds, and with it the Java class of its values. */
    public enum Type {
        /** A {@link String}. */
        TEXT,
        /** A {@link String} with few different values in a run. */
        LABEL,
        /** A {@link Long}: a point on a clock in nanoseconds, close to that of the row before. */
        TIME,
        /** A {@link Long}: a number of nanoseconds. */
        DURATION,
        /** A {@link Long}: a number of tokens, chunks or others. */
        COUNT,
        /** A {@link Double}. */
        REAL,
        /** A {@link Boolean}. */
        FLAG
    }

    /** All columns in order. New columns are added at the end. */
    public static final List<SampleColumn> ALL = all();

    private static List<SampleColumn> all() {
        List<SampleColumn> all = new ArrayList<>(List.of(
                required("sample_uuid", Type.TEXT, "Id of the sample, as the producer sent it."),
                optional("worker", Type.LABEL, "Worker that sent the last record of the sample with a worker id."),
                optional("issued_ns", Type.TIME, "Time of `sample.issued` on the producer's clock."),
                optional("first_received_ns", Type.TIME, "Time of the first chunk."),
                optional("last_received_ns", Type.TIME, "Time of the last chunk."),
                optional(
                        "completed_ns",
                        Type.TIME,
                        "Time of `sample.complete`; null for a sample that never completed."),
                optional(SeriesName.TTFT_NS.wire(), Type.DURATION, "From issue to first chunk."),
                optional("latency_ns", Type.DURATION, "From issue to completion."),
                required("chunks", Type.COUNT, "Chunks received."),
                optional(SeriesName.ISL.wire(), Type.COUNT, "Tokens of the prompt."),
                optional(SeriesName.OSL.wire(), Type.COUNT, "Tokens of the output."),
                optional(SeriesName.TPOT_NS.wire(), Type.REAL, "Nanoseconds per output token after the first chunk."),
                optional("finish_reason", Type.LABEL, "Why the server ended the output."),
                optional("error_type", Type.LABEL, "Type of the sample's first error."),
                optional("error_message", Type.LABEL, "Message of the sample's first error.")));
        for (UsageKey key : UsageKey.values()) {
            all.add(optional("usage_" + key.wireName(), Type.COUNT, "`" + key.wireName() + "` of the reported usage."));
        }
        all.add(optional("usage_by", Type.LABEL, "`server` or `client`: who reported the usage."));
        all.addAll(List.of(
                optional("run_id", Type.LABEL, "Id of the run."),
                optional("node", Type.LABEL, "Node that received the run."),
                required(
                        "tracked",
                        Type.FLAG,
                        "Whether the report counts the sample: it was issued in a tracked window. Cuts of a replay do not apply."),
                optional(
                        "window",
                        Type.COUNT,
                        "Number of the tracked window of its issue, from 1; null for a sample that is not tracked."),
                required("failed", Type.FLAG, "Whether it had an error since its issue."),
                optional(
                        "good",
                        Type.FLAG,
                        "Whether it kept every limit of `--slo`; null if it is not tracked or not completed, in a run without `--slo`,"
                                + " and if the output would have to be counted and was not."),
                optional("scheduled_ns", Type.TIME, "Scheduled time of the sample on the producer's clock."),
                optional(
                        "wall_offset_ns",
                        Type.TIME,
                        "Wall clock minus monotonic clock of the node: a time plus this is in nanoseconds since 1970 UTC."),
                optional("conversation_id", Type.TEXT, "Conversation of the sample.")));
        for (ServerKey key : ServerKey.values()) {
            Type type = key == ServerKey.KV_BYTES ? Type.COUNT : Type.DURATION;
            all.add(optional("server_" + key.wireName(), type, "`" + key.wireName() + "` of the server's own times."));
        }
        return List.copyOf(all);
    }

    private static SampleColumn required(String name, Type type, String meaning) {
        return new SampleColumn(name, type, true, meaning);
    }

    private static SampleColumn optional(String name, Type type, String meaning) {
        return new SampleColumn(name, type, false, meaning);
    }
}
