package io.metricsaggregator.snapshot;

import io.metricsaggregator.snapshot.figures.Completeness;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.snapshot.figures.Outage;
import io.metricsaggregator.snapshot.figures.Rate;
import io.metricsaggregator.snapshot.figures.SelfCost;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.figures.SlowSample;
import io.metricsaggregator.snapshot.telemetry.TelemetrySnapshots;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes {@link SnapshotExtensions} from others: each method replaces the component of its name, which says what it is. One owner at a time. */
public final class ExtensionsBuilder {
    private RunInfo run;
    private SnapshotExtensions.InFlight inFlight;
    private List<Rate> rates;
    private List<SnapshotExtensions.WorkerRow> workers;
    private List<SnapshotExtensions.ErrorRow> errors;
    private List<SnapshotExtensions.MalformedRow> malformed;
    private Slices slices;
    private List<SlowSample> slowest;
    private @Nullable Goodput goodput;
    private TelemetrySnapshots telemetry;
    private @Nullable SelfCost self;
    private @Nullable SessionInfo session;
    private List<Outage> outages;
    private OptionalFigures optional;
    private Completeness completeness;

    ExtensionsBuilder(SnapshotExtensions from) {
        run = from.run();
        inFlight = from.inFlight();
        rates = from.rates();
        workers = from.workers();
        errors = from.errors();
        malformed = from.malformed();
        slices = from.slices();
        slowest = from.slowest();
        goodput = from.goodput();
        telemetry = from.telemetry();
        self = from.self();
        session = from.session();
        outages = from.outages();
        optional = from.optional();
        completeness = from.completeness();
    }

    public ExtensionsBuilder run(RunInfo value) {
        run = value;
        return this;
    }

    public ExtensionsBuilder inFlight(SnapshotExtensions.InFlight value) {
        inFlight = value;
        return this;
    }

    public ExtensionsBuilder rates(List<Rate> value) {
        rates = value;
        return this;
    }

    public ExtensionsBuilder workers(List<SnapshotExtensions.WorkerRow> value) {
        workers = value;
        return this;
    }

    public ExtensionsBuilder errors(List<SnapshotExtensions.ErrorRow> value) {
        errors = value;
        return this;
    }

    public ExtensionsBuilder malformed(List<SnapshotExtensions.MalformedRow> value) {
        malformed = value;
        return this;
    }

    public ExtensionsBuilder slices(Slices value) {
        slices = value;
        return this;
    }

    public ExtensionsBuilder slowest(List<SlowSample> value) {
        slowest = value;
        return this;
    }

    public ExtensionsBuilder goodput(@Nullable Goodput value) {
        goodput = value;
        return this;
    }

    public ExtensionsBuilder telemetry(TelemetrySnapshots value) {
        telemetry = value;
        return this;
    }

    public ExtensionsBuilder self(@Nullable SelfCost value) {
        self = value;
        return this;
    }

    public ExtensionsBuilder session(@Nullable SessionInfo value) {
        session = value;
        return this;
    }

    public ExtensionsBuilder outages(List<Outage> value) {
        outages = value;
        return this;
    }

    public ExtensionsBuilder optional(OptionalFigures value) {
        optional = value;
        return this;
    }

    public ExtensionsBuilder completeness(Completeness value) {
        completeness = value;
        return this;
    }

    /** The extensions. */
    public SnapshotExtensions build() {
        return new SnapshotExtensions(
                run,
                inFlight,
                rates,
                workers,
                errors,
                malformed,
                slices,
                slowest,
                goodput,
                telemetry,
                self,
                session,
                outages,
                optional,
                completeness);
    }
}
