package io.metricsaggregator.parts;

import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.snapshot.figures.Interactivity;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a fold knows of its samples beside counters and series, in a form that adds up.
 *
 * @param slices the run in slices of time
 * @param windows tracked windows
 * @param slow the slowest samples
 * @param inFlight samples in flight; the peak and the oldest age of a sum are the largest among its parts
 * @param goodput judgements by objectives; null without objectives
 * @param interactivity tokens and latencies of successes; null before the first
 * @param labels samples by label, for merges with other runs; null in a part of an older version
 */
public record FoldPart(
        SlicesPart slices,
        WindowsPart windows,
        SlowestPart slow,
        SnapshotExtensions.InFlight inFlight,
        @Nullable Goodput goodput,
        @Nullable Interactivity interactivity,
        @Nullable LabelsPart labels) {
    private static final int CONSTRAINTS_MAX = 16;

    /** The same samples of a run without issue times: without slices, peak and ages. */
    public FoldPart withoutTimeline() {
        return new FoldPart(
                SlicesPart.NONE,
                windows,
                slow,
                new SnapshotExtensions.InFlight(inFlight.count(), inFlight.tracked(), inFlight.failed(), 0, 0),
                goodput,
                interactivity,
                labels);
    }

    /** Samples by label; none in a part of an older version. */
    LabelsPart knownLabels() {
        return labels == null ? LabelsPart.NONE : labels;
    }

    void write(DataOutput to) throws IOException {
        slices.write(to);
        windows.write(to);
        slow.write(to);
        to.writeLong(inFlight.count());
        to.writeLong(inFlight.tracked());
        to.writeLong(inFlight.failed());
        to.writeLong(inFlight.peak());
        to.writeLong(inFlight.oldestAgeNanos());
        to.writeBoolean(goodput != null);
        if (goodput != null) {
            write(goodput, to);
        }
        to.writeBoolean(interactivity != null);
        if (interactivity != null) {
            to.writeLong(interactivity.samples());
            to.writeLong(interactivity.tokens());
            to.writeLong(interactivity.latencyNanos());
        }
        to.writeBoolean(labels != null);
        if (labels != null) {
            labels.write(to);
        }
        // A version that folded samples apart from their run had their labels and usage here.
        to.writeBoolean(false);
    }

    private static void write(Goodput goodput, DataOutput to) throws IOException {
        to.writeByte(goodput.constraints().size());
        for (Goodput.Constraint each : goodput.constraints()) {
            to.writeUTF(each.name());
            to.writeLong(each.limitNanos());
            to.writeLong(each.met());
        }
        to.writeDouble(goodput.targetShare());
        to.writeLong(goodput.judged());
        to.writeLong(goodput.good());
        to.writeLong(goodput.unjudged());
    }

    static FoldPart read(DataInput from) throws IOException {
        FoldPart part = new FoldPart(
                SlicesPart.read(from),
                WindowsPart.read(from),
                SlowestPart.read(from),
                new SnapshotExtensions.InFlight(
                        from.readLong(), from.readLong(), from.readLong(), from.readLong(), from.readLong()),
                from.readBoolean() ? readGoodput(from) : null,
                from.readBoolean() ? new Interactivity(from.readLong(), from.readLong(), from.readLong()) : null,
                from.readBoolean() ? LabelsPart.read(from) : null);
        if (from.readBoolean()) {
            throw new PartFormatException(
                    "the part is of a run whose samples were folded in partitions: replay its journal");
        }
        return part;
    }

    private static Goodput readGoodput(DataInput from) throws IOException {
        int size = PartFields.bounded(from.readUnsignedByte(), CONSTRAINTS_MAX, "objectives");
        List<Goodput.Constraint> constraints = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            constraints.add(new Goodput.Constraint(from.readUTF(), from.readLong(), from.readLong()));
        }
        double share = from.readDouble();
        if (!Double.isFinite(share)) {
            throw new PartFormatException("the target of the objectives is " + share);
        }
        return new Goodput(constraints, share, from.readLong(), from.readLong(), from.readLong());
    }
}
