package io.metricsaggregator.parts;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.registry.DoubleSeries;
import io.metricsaggregator.registry.LongCounter;
import io.metricsaggregator.registry.LongSeries;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.Workers;
import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SessionInfo;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.snapshot.figures.Interactivity;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.figures.SlowSample;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A run of random samples as a part. */
final class RunOfParts {
    private static final long START = 1_000;
    private static final int SLICES = 40;

    private final String runId;
    private final List<Sample> samples = new ArrayList<>();

    private record Sample(long position, int window, long issued, long completed, double perToken, boolean failed) {}

    RunOfParts(String runId, int size, Random random) {
        this.runId = runId;
        for (int i = 0; i < size; i++) {
            long issued = START + (long) (random.nextDouble() * SLICES * 0.5e9);
            long latency = 1 + (long) Math.exp(random.nextDouble() * 22);
            samples.add(new Sample(
                    i,
                    random.nextInt(3),
                    issued,
                    issued + latency - random.nextInt(2),
                    Math.exp(random.nextGaussian() * 20),
                    random.nextInt(10) == 0));
        }
    }

    RunPart whole() {
        return part(samples);
    }

    private RunPart part(List<Sample> of) {
        Registry registry = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
        for (CounterName each : List.of(
                CounterName.TOTAL_SAMPLES_COMPLETED,
                CounterName.TRACKED_DURATION_NS,
                CounterName.LEGACY_LOADGEN_WINDOW_DURATION_NS,
                CounterName.TOTAL_DURATION_NS,
                CounterName.VALUES_CLAMPED)) {
            registry.counter(each);
        }
        LongSeries latency = registry.longSeries(SeriesName.SAMPLE_LATENCY_NS);
        latency.certify();
        LongSeries failed = registry.longSeries(SeriesName.FAILED_SAMPLE_LATENCY_NS);
        DoubleSeries perToken = registry.doubleSeries(SeriesName.TPOT_NS);
        LongCounter succeeded = new LongCounter(CounterName.TRACKED_SAMPLES_SUCCEEDED);
        registry.register(succeeded);
        registry.remainder(SeriesName.SUCCEEDED_SAMPLE_LATENCY_NS, latency, failed, succeeded::value);
        for (Sample each : of) {
            long nanos = each.completed() - each.issued();
            latency.record(nanos);
            perToken.record(each.perToken());
            if (each.failed()) {
                failed.record(nanos);
            } else {
                succeeded.increment();
            }
            if (nanos > 3e9) {
                registry.at(each.position());
                count(registry, CounterName.USAGE_REJECTED, each.position());
            }
        }
        registry.set(CounterName.TOTAL_SAMPLES_COMPLETED, of.size());
        registry.set(
                CounterName.TOTAL_DURATION_NS,
                of.stream().mapToLong(Sample::completed).max().orElse(0));
        registry.set(CounterName.VALUES_CLAMPED, registry.clamped());
        FoldPart fold = new FoldPart(
                slices(of),
                windows(of),
                slow(of),
                new SnapshotExtensions.InFlight(of.size(), 0, 0, 9, 5),
                new Goodput(List.of(new Goodput.Constraint("ttft", 5, of.size())), 0.9, of.size(), of.size(), 0),
                new Interactivity(of.size(), 2L * of.size(), 3L * of.size()),
                null);
        return RunPart.ofRun(registry, fold, frame(registry), true);
    }

    private static void count(Registry registry, CounterName name, long position) {
        registry.at(position);
        if (!registry.counterNames().contains(name.wire())) {
            registry.counter(name);
        }
    }

    private static WindowsPart windows(List<Sample> of) {
        Sample first = of.get(0);
        Sample last = of.get(of.size() - 1);
        return new WindowsPart(
                List.of(new WindowsPart.Window(first.window(), START + first.window(), first.completed())),
                7,
                new WindowsPart.Issue(first.position(), first.issued()),
                new WindowsPart.Completion(last.position(), last.issued(), last.completed()),
                new WindowsPart.Span(first.issued(), last.completed()));
    }

    private static SlicesPart slices(List<Sample> of) {
        int doublings = 2;
        long width = SlicesPart.FIRST_WIDTH_NANOS << doublings;
        int length = (SLICES >> doublings) + 1;
        @Nullable SliceHistogram[] latency = new @Nullable SliceHistogram[length];
        long[] completed = new long[length];
        for (Sample each : of) {
            int slice = (int) ((each.issued() - START) / width);
            completed[slice]++;
            SliceHistogram into = latency[slice] == null ? new SliceHistogram() : latency[slice];
            into.record(each.completed() - each.issued());
            latency[slice] = into;
        }
        int used = length;
        while (used > 0 && completed[used - 1] == 0) {
            used--;
        }
        return new SlicesPart(
                true,
                START,
                width,
                0,
                List.of(new Slices.Column("completed", Arrays.copyOf(completed, used))),
                Arrays.copyOf(latency, used),
                null);
    }

    private static SlowestPart slow(List<Sample> of) {
        List<SlowestPart.Row> rows = new ArrayList<>();
        for (Sample each : of.subList(0, Math.min(of.size(), SlowestPart.ROWS))) {
            rows.add(new SlowestPart.Row(
                    new SlowSample(
                            SlowSample.LATENCY,
                            "sample-" + each.position(),
                            "",
                            each.completed() - each.issued(),
                            each.failed(),
                            null,
                            each.issued(),
                            null,
                            null,
                            each.completed(),
                            "%032x".formatted(each.position() + 1),
                            "%016x".formatted(each.position() + 1)),
                    each.position()));
        }
        return new SlowestPart(rows);
    }

    private MetricsSnapshot frame(Registry registry) {
        return new MetricsSnapshot(
                1,
                99,
                SessionState.COMPLETE,
                0,
                registry.renderExact(registry.newCopy(), true, () -> true),
                SnapshotExtensions.of(
                                new RunInfo(
                                        2, runId, "test", 1, 2, List.of(), List.of(), Map.of("os", "test"), Map.of()),
                                new SnapshotExtensions.InFlight(0, 0, 0, 0, 0),
                                new Slices(0, 1, 0, List.of()))
                        .workers(List.of(new SnapshotExtensions.WorkerRow("w", 1, 2, 3, 4, 5, 6, 7)))
                        .telemetry(io.metricsaggregator.snapshot.telemetry.TelemetrySnapshots.NONE)
                        .session(new SessionInfo(true, true, false, null))
                        .build());
    }

    static String json(RunPart part) {
        return new String(
                new JsonSnapshotCodec().encode(part.snapshot(Workers.NONE, () -> false)), StandardCharsets.UTF_8);
    }

    static byte[] bytes(RunPart part) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        part.write(bytes);
        return bytes.toByteArray();
    }
}
