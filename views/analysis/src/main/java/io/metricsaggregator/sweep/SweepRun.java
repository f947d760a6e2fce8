package io.metricsaggregator.sweep;

import io.metricsaggregator.verdict.Verdict;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One run of a sweep, reduced to what its point shows; {@link RunReader} makes it from a snapshot.
 *
 * @param name where the run was read from
 * @param placement its place on the sweep's axis
 * @param curve the value of the label that separates the curves; empty without one
 * @param basis the samples that the figures cover
 * @param figures the figures that were measured
 * @param marks what a reader has to know of them
 * @param targetShare the required share of good samples, above 0 and up to 1; null without objectives
 * @param validity the verdict on the run
 * @param failing whether so many samples failed that the verdict counts it against the run
 * @param complete whether the session ended and every text was counted
 * @param seconds duration of the basis: the span of issue of the steady window, the tracked windows of the run; null without one
 * @param issued tracked samples issued in the whole run
 * @param context settings, environment and labels by name, to list the differences between runs
 * @param objectives the objectives that good samples meet, such as {@code ttft <= 400.00 ms for 90.00% of requests}; empty without any
 * @param reason what counts against the run besides its objectives, as {@code what: evidence}; empty if nothing does
 */
public record SweepRun(
        String name,
        Placement placement,
        String curve,
        Basis basis,
        Map<PointFigure, Double> figures,
        Marks marks,
        @Nullable Double targetShare,
        Verdict.Validity validity,
        boolean failing,
        boolean complete,
        @Nullable Double seconds,
        long issued,
        Map<String, String> context,
        String objectives,
        String reason) {

    /**
     * The place of a run on the axis of a sweep.
     *
     * @param concurrency requests in flight, above 0; null for the Offline point, and if neither a label, an option nor the run says
     * @param derived whether it is the measured mean in flight rather than a statement of the user
     * @param offline whether the run is the Offline point: all queries at once, no step of the front
     * @param rate requests a second that the client intended, by label {@code rate}; null without it
     * @param gpus number of GPUs; null if unknown
     * @param datasetSize samples of one pass over the dataset; null if unknown
     */
    public record Placement(
            @Nullable Double concurrency,
            boolean derived,
            boolean offline,
            @Nullable Double rate,
            @Nullable Double gpus,
            @Nullable Long datasetSize) {

        /** A stated concurrency, and nothing else known. */
        public static Placement at(double concurrency) {
            return new Placement(concurrency, false, false, null, null, null);
        }
    }

    /**
     * The marks of the figures of a run.
     *
     * @param estimated those of percentiles that are estimated from a histogram
     * @param uncertain those of percentiles that too few values bound
     * @param notes what figures cover besides what their names say, one line each
     */
    public record Marks(Set<PointFigure> estimated, Set<PointFigure> uncertain, List<String> notes) {
        /** Exact and certain figures. */
        public static final Marks NONE = new Marks(Set.of(), Set.of(), List.of());

        public Marks {
            estimated = Set.copyOf(estimated);
            uncertain = Set.copyOf(uncertain);
            notes = List.copyOf(notes);
        }
    }

    public SweepRun {
        EnumMap<PointFigure, Double> copy = new EnumMap<>(PointFigure.class);
        copy.putAll(figures);
        figures = Collections.unmodifiableMap(copy);
        context = Collections.unmodifiableMap(new LinkedHashMap<>(context));
    }

    /** Whether the front may rest on this run: its state is complete, its verdict is not invalid and its requests do not fail. */
    public boolean isSound() {
        return complete && validity != Verdict.Validity.INVALID && !failing;
    }
}
