package io.metricsaggregator.fold;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.parts.FoldPart;
import io.metricsaggregator.parts.FoldSum;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.SlabStore;
import io.metricsaggregator.snapshot.Goodput;
import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.Outage;
import io.metricsaggregator.snapshot.Slices;
import io.metricsaggregator.snapshot.SlowSample;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.TimeSpan;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Folds a run in lanes: the head in the order of all records, the samples by their ids in lanes that other threads may run, and the rest in order again
 * once the lanes are done. Knows no threads: the caller passes each batch to {@link #head}, then to every {@link #lane}, then to {@link #settle}, and
 * lets no two of them touch the same state at a time. Figures are sums over head and lanes, taken when every batch is settled.
 */
public final class PartitionedFold implements FoldFigures {
    private final LoadgenFold head;
    private final OrderedFold ordered;
    private final List<FoldLane> lanes = new ArrayList<>();
    private Runnable settleAll = () -> {};

    /** The batch whose events the head takes, and the number of the present one. */
    private @Nullable EventBatch batch;

    private int place;
    private boolean chunkKeysSeen;
    private boolean partsSeen;
    private boolean usageSeen;
    private @Nullable FoldPart sum;
    private @Nullable Registry shown;

    /**
     * A fold before the first record.
     *
     * @param head an empty fold of the run; it becomes the head
     * @param options those of the head
     * @param number of lanes, 1 to 127
     * @param registries makes the empty registry of each lane; its values are kept in a store for several threads
     */
    public PartitionedFold(LoadgenFold head, FoldOptions options, int number, Supplier<Registry> registries) {
        this.head = head;
        this.ordered = new OrderedFold(head, options.trackAll());
        for (int i = 0; i < number; i++) {
            lanes.add(new FoldLane(i, options.ofLane(number), registries.get()));
        }
        head.sendSamplesTo((event, stamp) -> give(event, stamp));
    }

    /** Sets what makes every record that was received be settled, before figures are taken. */
    public void settlesBy(Runnable all) {
        settleAll = all;
    }

    /** Lets the lanes log texts, because a sink of the head counts them. To be called before the first record. */
    public void countTexts() {
        lanes.forEach(each -> each.fold().texts.logTexts());
    }

    /** One of the lanes, from 0. */
    public FoldLane lane(int i) {
        return lanes.get(i);
    }

    /** Number of lanes. */
    public int size() {
        return lanes.size();
    }

    /** Folds the head of an event: the next one in the order of the run. Gives it to its lane if it is of a sample. */
    public void head(EventBatch from, int i) {
        batch = from;
        place = i;
        DecodedEvent event = from.events[i];
        EventType type = event.type();
        boolean takesPart = type != null && type.isSession() && !head.isEnded();
        head.apply(event);
        if (takesPart) {
            from.lanes[i] = EventBatch.SESSION;
        }
    }

    private void give(DecodedEvent event, SampleStamp stamp) {
        EventBatch to = batch;
        if (to == null) {
            throw new IllegalStateException("an event reached the head without a batch");
        }
        stamp.chunkKeysSeen = chunkKeysSeen;
        stamp.partsSeen = partsSeen;
        stamp.usageSeen = usageSeen;
        to.stamps[place].copy(stamp);
        to.give(place, laneOf(event));
        chunkKeysSeen |= event.hasChunkKeys();
        partsSeen |= event.part() != null;
        usageSeen |= event.hasUsage();
    }

    /** The lane of an event's sample. Its bits are not those by which tables find rows. */
    private int laneOf(DecodedEvent event) {
        long h = ((event.idHigh() * 0x9e3779b97f4a7c15L) ^ event.idLow()) * 0xc2b2ae3d27d4eb4fL;
        return (int) (((h >>> 33) * lanes.size()) >>> 31);
    }

    /** Folds what needs the order of all samples, from a batch that every lane is done with. */
    public void settle(EventBatch done) {
        ordered.settle(done);
    }

    /** Takes the limit of stalls from the samples so far. To be called when all batches are settled, and after a time without records. */
    public void followLimit() {
        List<LoadgenSeries> series = new ArrayList<>();
        lanes.forEach(each -> series.add(each.fold().samples.series));
        head.progress.limit().follow(series);
    }

    /** Counts the records of a batch that broke as malformed, and every other record without an outcome. To be called when all batches are settled. */
    public void settleAsMalformed() {
        long accounted = head.ledger.recordsAccounted();
        for (FoldLane each : lanes) {
            accounted += each.fold().ledger.recordsAccounted();
        }
        head.ledger.recordsMalformed.add(Math.max(0, head.ledger.recordsReceived.value() - accounted));
    }

    @Override
    public void refresh() {
        settleAll.run();
        followLimit();
        head.refresh();
        lanes.forEach(FoldLane::refresh);
        sum = null;
        shown = null;
    }

    private FoldPart sum() {
        FoldPart known = sum;
        if (known == null) {
            List<FoldPart> parts = new ArrayList<>();
            parts.add(head.part(0));
            lanes.forEach(each -> parts.add(each.fold().part(0)));
            known = FoldSum.of(parts);
            known = known.withSlices(ordered.in(known.slices()));
            sum = known;
        }
        return known;
    }

    @Override
    public Registry registry(@Nullable SlabStore values) {
        Registry known = shown;
        if (values == null && known != null) {
            return known;
        }
        Registry made = newRegistry(values);
        if (values == null) {
            shown = made;
        }
        return made;
    }

    private Registry newRegistry(@Nullable SlabStore values) {
        List<Registry> all = new ArrayList<>();
        all.add(head.registry);
        lanes.forEach(each -> all.add(each.fold().registry));
        return FoldSum.registry(all, sum(), values);
    }

    @Override
    public SnapshotExtensions.InFlight inFlight(long sinceNewestNanos) {
        settleAll.run();
        long count = 0;
        long tracked = 0;
        long failed = 0;
        long oldest = 0;
        for (FoldLane each : lanes) {
            SnapshotExtensions.InFlight own =
                    each.fold().samples.inFlight().summary(head.newestNanos(), sinceNewestNanos);
            count += own.count();
            tracked += own.tracked();
            failed += own.failed();
            oldest = Math.max(oldest, own.oldestAgeNanos());
        }
        return new SnapshotExtensions.InFlight(count, tracked, failed, 0, oldest)
                .withPeak(ordered.inFlight().peak(), ordered.inFlight().isSentAfterwards());
    }

    @Override
    public Slices slices() {
        return sum().slices().slices();
    }

    @Override
    public List<SlowSample> slowest() {
        return sum().slow().samples();
    }

    @Override
    public @Nullable Goodput goodput() {
        return sum().goodput();
    }

    @Override
    public OptionalFigures optional() {
        return FoldSum.optional(
                sum(),
                head.optional.usage.mismatches(),
                head.optional.conversations.summary(head.newestNanos()),
                head.optional.progress.summary());
    }

    @Override
    public @Nullable SuperPassSamples superPasses() {
        return head.optional.superPasses.copy();
    }

    @Override
    public List<TimeSpan> trackedSpans() {
        return FoldSum.trackedSpans(sum());
    }

    @Override
    public FoldPart part(long sinceNewestNanos) {
        return FoldSum.whole(sum(), inFlight(sinceNewestNanos).ended());
    }

    @Override
    public List<Outage> outages() {
        List<Outage> sums = new ArrayList<>(lanes.get(0).outages());
        for (FoldLane each : lanes.subList(1, lanes.size())) {
            List<Outage> others = each.outages();
            for (int i = 0; i < sums.size(); i++) {
                Outage a = sums.get(i);
                Outage b = others.get(i);
                sums.set(
                        i,
                        new Outage(
                                a.fromWallNanos(),
                                a.toWallNanos(),
                                a.inFlight() + b.inFlight(),
                                a.orphaned() + b.orphaned(),
                                a.orphanRecords() + b.orphanRecords()));
            }
        }
        return sums;
    }

    @Override
    public void outage(long fromWallNanos, long toWallNanos, long receivedNanos) {
        settleAll.run();
        head.outage(fromWallNanos, toWallNanos, receivedNanos);
        lanes.forEach(each -> each.fold().outage(fromWallNanos, toWallNanos, receivedNanos));
    }

    @Override
    public EndpointWaits waits() {
        settleAll.run();
        return head.waits();
    }

    @Override
    public boolean leavesChunksOut() {
        settleAll.run();
        return lanes.stream().anyMatch(each -> each.fold().leavesChunksOut());
    }

    @Override
    public void sample(RateMeter meter, long nowNanos) {
        settleAll.run();
        long good = head.slo == null ? 0 : head.slo.good();
        for (FoldLane each : lanes) {
            SloFold slo = each.fold().slo;
            good += slo == null ? 0 : slo.good();
        }
        meter.sample(
                nowNanos,
                head.ledger.recordsReceived.value(),
                head.counters.totalIssued.value(),
                head.counters.totalCompleted.value(),
                head.counters.totalFailed.value(),
                head.ledger.frameBytesReceived.value(),
                good);
    }
}
