package io.metricsaggregator.fold;

import io.metricsaggregator.parts.FoldPart;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.SlabStore;
import io.metricsaggregator.snapshot.Goodput;
import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.Outage;
import io.metricsaggregator.snapshot.Slices;
import io.metricsaggregator.snapshot.SlowSample;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.TimeSpan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The figures of a run whose samples are all in one fold. Belongs to the thread of the fold. */
public final class WholeFold implements FoldFigures {
    private final LoadgenFold fold;

    public WholeFold(LoadgenFold fold) {
        this.fold = fold;
    }

    @Override
    public void refresh() {
        fold.refresh();
    }

    @Override
    public Registry registry(@Nullable SlabStore values) {
        return fold.registry;
    }

    @Override
    public SnapshotExtensions.InFlight inFlight(long sinceNewestNanos) {
        return fold.inFlight(sinceNewestNanos);
    }

    @Override
    public Slices slices() {
        return fold.slices();
    }

    @Override
    public List<SlowSample> slowest() {
        return fold.slowest();
    }

    @Override
    public @Nullable Goodput goodput() {
        return fold.goodput();
    }

    @Override
    public OptionalFigures optional() {
        return fold.optional();
    }

    @Override
    public @Nullable SuperPassSamples superPasses() {
        return fold.superPasses();
    }

    @Override
    public List<TimeSpan> trackedSpans() {
        return fold.trackedSpans();
    }

    @Override
    public FoldPart part(long sinceNewestNanos) {
        return fold.part(sinceNewestNanos);
    }

    @Override
    public List<Outage> outages() {
        return fold.outages();
    }

    @Override
    public void outage(long fromWallNanos, long toWallNanos, long receivedNanos) {
        fold.outage(fromWallNanos, toWallNanos, receivedNanos);
    }

    @Override
    public EndpointWaits waits() {
        return fold.waits();
    }

    @Override
    public boolean leavesChunksOut() {
        return fold.leavesChunksOut();
    }

    @Override
    public void sample(RateMeter meter, long nowNanos) {
        fold.sample(meter, nowNanos);
    }
}
