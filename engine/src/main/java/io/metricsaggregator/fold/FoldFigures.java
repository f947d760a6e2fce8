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

/**
 * The figures of a run's samples as of the last {@link #refresh}, whether one fold has all samples or several have some each. Belongs to the thread that
 * feeds the fold.
 */
public sealed interface FoldFigures permits WholeFold, PartitionedFold {
    /** Brings figures and derived counters up to date, after all records received so far have been applied. To be called before all other methods. */
    void refresh();

    /**
     * Counters and series of the run.
     *
     * @param values keeps values that are not shared, where several registries are added; null for none, so that percentiles are those of histograms
     */
    Registry registry(@Nullable SlabStore values);

    /** See {@link LoadgenFold#inFlight}. */
    SnapshotExtensions.InFlight inFlight(long sinceNewestNanos);

    /** See {@link LoadgenFold#slices}. */
    Slices slices();

    /** See {@link LoadgenFold#slowest}. */
    List<SlowSample> slowest();

    /** See {@link LoadgenFold#goodput}. */
    @Nullable
    Goodput goodput();

    /** See {@link LoadgenFold#optional}. */
    OptionalFigures optional();

    /** See {@link LoadgenFold#superPasses}. */
    @Nullable
    SuperPassSamples superPasses();

    /** See {@link LoadgenFold#trackedSpans}. */
    List<TimeSpan> trackedSpans();

    /** See {@link LoadgenFold#part}. */
    FoldPart part(long sinceNewestNanos);

    /** See {@link LoadgenFold#outages}. */
    List<Outage> outages();

    /** See {@link LoadgenFold#outage}. Needs no {@link #refresh}. */
    void outage(long fromWallNanos, long toWallNanos, long receivedNanos);

    /** See {@link LoadgenFold#waits}. Needs no {@link #refresh}. */
    EndpointWaits waits();

    /** See {@link LoadgenFold#leavesChunksOut}. */
    boolean leavesChunksOut();

    /** See {@link LoadgenFold#sample}. */
    void sample(RateMeter meter, long nowNanos);
}
