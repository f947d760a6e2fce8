package io.metricsaggregator.parts;

import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.event.UsageKey;
import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.ReportedUsage;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a part has beside other parts if the samples of a run were folded in partitions: sums of optional keys, which the part of a whole run has in its
 * snapshot. Immutable.
 *
 * @param labels samples by labels
 * @param usage tokens that servers reported, without mismatches; null before the first
 */
public record PartitionPart(LabelsPart labels, @Nullable ReportedUsage usage) {
    /** What a snapshot says of a run whose samples were folded in partitions. */
    public static final String NOTE =
            "samples folded in partitions: without conversations, super-passes, steady state, stalls, counted texts, "
                    + "mismatches of usage, and the age of the oldest sample in flight; "
                    + "samples in flight by time slice, and at most, as of the ends of slices";

    private static final int KEYS_MAX = 64;

    /** Adds what another part has. */
    PartitionPart add(PartitionPart other) {
        return new PartitionPart(labels.add(other.labels), add(usage, other.usage));
    }

    /** Puts the sums into the figures of the part that has the session. */
    OptionalFigures in(OptionalFigures of) {
        return new OptionalFigures(
                usage, null, labels.breakdown(), of.energy(), null, of.interactivity(), null, of.nodes());
    }

    /** Adds the note to the identity of the run. */
    SnapshotExtensions.RunInfo noted(SnapshotExtensions.RunInfo run) {
        if (run.recomputed().contains(NOTE)) {
            return run;
        }
        List<String> notes = new ArrayList<>(run.recomputed());
        notes.add(NOTE);
        return new SnapshotExtensions.RunInfo(
                run.schemaVersion(),
                run.runId(),
                run.version(),
                run.startedWallNanos(),
                run.wallNanos(),
                run.exposures(),
                notes,
                run.environment(),
                run.settings(),
                run.imported(),
                run.labels(),
                run.node(),
                run.clockOffset());
    }

    private static @Nullable ReportedUsage add(@Nullable ReportedUsage a, @Nullable ReportedUsage b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        Map<UsageKey, Long> totals = new EnumMap<>(UsageKey.class);
        totals.putAll(a.totals());
        b.totals().forEach((key, value) -> totals.merge(key, value, TimestampMath::saturatedAdd));
        return new ReportedUsage(
                a.reported() + b.reported(),
                a.failed() + b.failed(),
                a.byClient() + b.byClient(),
                totals,
                new ReportedUsage.Cache(
                        a.cache().reported() + b.cache().reported(),
                        TimestampMath.saturatedAdd(
                                a.cache().promptTokens(), b.cache().promptTokens()),
                        TimestampMath.saturatedAdd(
                                a.cache().hitTokens(), b.cache().hitTokens())),
                new ReportedUsage.Speculation(
                        a.speculation().reported() + b.speculation().reported(),
                        TimestampMath.saturatedAdd(
                                a.speculation().drafts(), b.speculation().drafts()),
                        TimestampMath.saturatedAdd(
                                a.speculation().draftTokens(), b.speculation().draftTokens()),
                        TimestampMath.saturatedAdd(
                                a.speculation().acceptedTokens(),
                                b.speculation().acceptedTokens())));
    }

    void write(DataOutput to) throws IOException {
        labels.write(to);
        to.writeBoolean(usage != null);
        if (usage == null) {
            return;
        }
        to.writeLong(usage.reported());
        to.writeLong(usage.failed());
        to.writeLong(usage.byClient());
        to.writeByte(usage.totals().size());
        for (Map.Entry<UsageKey, Long> each : usage.totals().entrySet()) {
            to.writeUTF(each.getKey().name());
            to.writeLong(each.getValue());
        }
        ReportedUsage.Cache cache = usage.cache();
        for (long each : new long[] {cache.reported(), cache.promptTokens(), cache.hitTokens()}) {
            to.writeLong(each);
        }
        ReportedUsage.Speculation drafts = usage.speculation();
        for (long each :
                new long[] {drafts.reported(), drafts.drafts(), drafts.draftTokens(), drafts.acceptedTokens()}) {
            to.writeLong(each);
        }
    }

    static PartitionPart read(DataInput from) throws IOException {
        LabelsPart labels = LabelsPart.read(from);
        return new PartitionPart(labels, from.readBoolean() ? readUsage(from) : null);
    }

    private static ReportedUsage readUsage(DataInput from) throws IOException {
        long reported = from.readLong();
        long failed = from.readLong();
        long byClient = from.readLong();
        Map<UsageKey, Long> totals = new EnumMap<>(UsageKey.class);
        int keys = PartFields.bounded(from.readUnsignedByte(), KEYS_MAX, "kinds of tokens");
        for (int i = 0; i < keys; i++) {
            String name = from.readUTF();
            try {
                totals.put(UsageKey.valueOf(name), from.readLong());
            } catch (IllegalArgumentException e) {
                throw new PartFormatException("the part has tokens of an unknown kind: " + name, e);
            }
        }
        return new ReportedUsage(
                reported,
                failed,
                byClient,
                totals,
                new ReportedUsage.Cache(from.readLong(), from.readLong(), from.readLong()),
                new ReportedUsage.Speculation(from.readLong(), from.readLong(), from.readLong(), from.readLong()));
    }
}
