package io.metricsaggregator.telemetry.energy;

import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.event.frame.TelemetryRecord;
import io.metricsaggregator.snapshot.figures.DeviceEnergy;
import io.metricsaggregator.snapshot.figures.EnergyScope;
import io.metricsaggregator.snapshot.figures.EnergyUse;
import io.metricsaggregator.snapshot.figures.EnergyWindow;
import io.metricsaggregator.snapshot.figures.TimeSpan;
import io.metricsaggregator.telemetry.fold.Allowance;
import io.metricsaggregator.telemetry.promql.ScrapeOptions;
import io.metricsaggregator.telemetry.triton.TritonWindow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads counters of energy and gauges of power from scraped samples and samples of hosts, and computes the energy of any window. Sees records that their own
 * kind has accepted. Belongs to the thread that applies events.
 */
public final class EnergyFold {
    static final int DEVICES_MAX = 1024;
    /** Devices with a row of their own in a window. */
    static final int ROWS_MAX = 256;

    private static final int TEXT_MAX = 256;
    private static final int NOTES_MAX = 16;
    private static final long SECOND = 1_000_000_000L;
    private static final long MILLI = 1_000_000L;
    private static final long IDLE_MIN_NANOS = 10 * SECOND;
    private static final long IDLE_MAX_NANOS = 60 * SECOND;
    private static final long REFRESH_NANOS = SECOND;

    private final ScrapeOptions options;
    private final Allowance allowance;
    private final Map<String, EnergyDevice> devices = new TreeMap<>();
    private final SourceClocks clocks = new SourceClocks();
    private final Map<String, String> notes = new LinkedHashMap<>();
    private final RaplZones zones;
    private @Nullable Long wallOffsetNanos;
    private long overLimit;
    private @Nullable EnergyUse measured;
    private long measuredNanos;

    /**
     * A fold without samples.
     *
     * @param options which scraped series to use
     * @param allowance memory that all telemetry shares
     */
    public EnergyFold(ScrapeOptions options, Allowance allowance) {
        this.options = options;
        this.allowance = allowance;
        this.zones = new RaplZones(this::trace, this::note);
    }

    /**
     * Takes the samples of a record; any other record is ignored.
     *
     * @param receivedNanos monotonic time of receipt
     * @param newestNanos time of the producers' newest event; {@link Long#MIN_VALUE} before the first
     */
    public void observe(TelemetryRecord record, long receivedNanos, long newestNanos) {
        switch (record.type()) {
            case "scrape.samples" -> scraped(record, receivedNanos, newestNanos);
            case "resource.sample" -> {
                if (zones.apply(record)) {
                    received(record, record.source(), receivedNanos, newestNanos);
                }
            }
            default -> {}
        }
    }

    private void received(TelemetryRecord record, String source, long receivedNanos, long newestNanos) {
        clocks.received(source, record.timestampNanos(), receivedNanos, newestNanos);
        Long wall = record.wallNanos();
        if (wallOffsetNanos == null && wall != null) {
            wallOffsetNanos = wall - record.timestampNanos() - clocks.offsetNanos(source);
        }
    }

    private void scraped(TelemetryRecord record, long receivedNanos, long newestNanos) {
        String instance = text(record.fields().get("instance"));
        String source = record.source() + " " + instance;
        boolean any = false;
        for (Object each : record.list("samples")) {
            if (each instanceof List<?> sample && sample.size() >= 4 && sample.get(0) instanceof String name) {
                any |= isEnergy(name) && sample(record, sample, name, instance, source);
            }
        }
        if (any) {
            received(record, source, receivedNanos, newestNanos);
        }
    }

    /** Whether a series is of a GPU or holds energy: a GPU that exposes anything is expected to expose its energy. */
    private static boolean isEnergy(String name) {
        return name.startsWith("DCGM_FI_")
                || name.startsWith("nv_gpu_")
                || (name.startsWith("n") && EnergyMetric.ofSeries(name) != null);
    }

    private boolean sample(TelemetryRecord record, List<?> sample, String name, String instance, String source) {
        Map<String, String> labels = labels(record, sample.get(1));
        EnergyMetric metric = EnergyMetric.ofSeries(name);
        EnergyScope scope = metric == null ? EnergyScope.GPU : metric.scope();
        String id = scope == EnergyScope.GPU ? gpu(labels, instance) : zone(labels, scope, instance);
        if (id == null || !options.selects(name, labels)) {
            return false;
        }
        EnergyDevice device = device(id, scope, instance);
        if (device == null || metric == null) {
            return false;
        }
        double value = sample.get(3) instanceof Number number ? number.doubleValue() * metric.unit() : Double.NaN;
        EnergyTrace trace = isMeasured(value / metric.unit(), metric) ? device.trace(metric, source, allowance) : null;
        if (trace == null) {
            return false;
        }
        long at = time(record, sample);
        if (metric.isPower()) {
            trace.power(at, value);
        } else {
            trace.count(at, value, Double.NaN);
        }
        return true;
    }

    /** Whether a value is one: not DCGM's "not available", nor a power that no device has. */
    private static boolean isMeasured(double value, EnergyMetric metric) {
        return Double.isFinite(value)
                && value >= 0
                && !(metric.scope() == EnergyScope.GPU && TritonWindow.isBlank(value))
                && !(metric.isPower() && value > EnergyTrace.WATTS_MAX);
    }

    /** The time of a sample on the clock of its record: that of the scrape, or the one that the exporter gives. */
    private static long time(TelemetryRecord record, List<?> sample) {
        Long wall = record.wallNanos();
        if (sample.size() > 4 && sample.get(4) instanceof Long millis && wall != null) {
            long ahead = TimestampMath.saturatedBetween(wall, millis * MILLI);
            return record.timestampNanos() + Math.max(-86_400 * SECOND, Math.min(86_400 * SECOND, ahead));
        }
        return record.timestampNanos();
    }

    private static Map<String, String> labels(TelemetryRecord record, @Nullable Object own) {
        Map<String, String> labels = new LinkedHashMap<>();
        put(labels, record.fields().get("labels"));
        put(labels, own);
        return labels;
    }

    private static void put(Map<String, String> into, @Nullable Object labels) {
        if (labels instanceof Map<?, ?> map) {
            map.forEach((name, value) -> {
                if (name instanceof String key && value instanceof String text && !text.isEmpty()) {
                    into.put(key, text(text));
                }
            });
        }
    }

    private static String text(@Nullable Object value) {
        String text = value instanceof String string ? string : "";
        return text.length() > TEXT_MAX ? text.substring(0, TEXT_MAX) : text;
    }

    /** The identity of a GPU: its UUID, or the target and its number; null for a series of no GPU. */
    private static @Nullable String gpu(Map<String, String> labels, String instance) {
        for (String each : List.of("UUID", "uuid", "gpu_uuid")) {
            String uuid = labels.get(each);
            if (uuid != null) {
                return uuid;
            }
        }
        String number = labels.getOrDefault("gpu", labels.get("device"));
        return number == null ? null : instance + "/" + number;
    }

    /** The identity of a zone: the target and its path; older exporters have only the number of the package. */
    private static String zone(Map<String, String> labels, EnergyScope scope, String instance) {
        String path = labels.get("path");
        return instance + "/"
                + (path == null
                        ? scope.wire() + "-" + labels.getOrDefault("index", "0")
                        : path.substring(path.lastIndexOf('/') + 1));
    }

    private @Nullable EnergyDevice device(String id, EnergyScope scope, String host) {
        EnergyDevice known = devices.get(id);
        if (known == null) {
            if (devices.size() == DEVICES_MAX) {
                overLimit++;
                return null;
            }
            known = new EnergyDevice(id, scope, host);
            devices.put(id, known);
        }
        return known;
    }

    private @Nullable EnergyTrace trace(String id, EnergyScope scope, String node, String source) {
        EnergyDevice device = device(id, scope, node);
        return device == null ? null : device.trace(EnergyMetric.RAPL, source, allowance);
    }

    private void note(String what, String why) {
        if (notes.containsKey(what) || notes.size() < NOTES_MAX) {
            notes.put(what, why);
        }
    }

    /**
     * Computes the energy of the windows; null if no source of energy was seen.
     *
     * @param nowNanos the receiver's monotonic clock: a live result is at most a second old
     * @param terminal whether the run has ended: the result is then current and has distributions of power
     */
    public @Nullable EnergyUse measure(EnergyWindows windows, long nowNanos, boolean terminal) {
        if (devices.isEmpty() && notes.isEmpty()) {
            return null;
        }
        EnergyUse known = measured;
        if (terminal || known == null || nowNanos - measuredNanos >= REFRESH_NANOS) {
            known = compute(windows, terminal);
            measured = known;
            measuredNanos = nowNanos;
        }
        return known;
    }

    private EnergyUse compute(EnergyWindows windows, boolean detailed) {
        List<EnergyDevice> counted = counted();
        TimeSpan run = windows.run() == null ? observed(counted) : windows.run();
        TimeSpan steady = windows.steady();
        EnergyWindow whole = run == null ? null : window(List.of(run), counted, detailed);
        return new EnergyUse(
                whole,
                windows.tracked().isEmpty() ? null : window(windows.tracked(), counted, detailed),
                steady == null ? null : window(List.of(steady), counted, detailed),
                whole == null ? null : idle(windows.firstIssueNanos(), counted, whole.basis()),
                reasons());
    }

    /** The devices without the zones of a node exporter on a host that reports its zones itself. */
    private List<EnergyDevice> counted() {
        return devices.values().stream()
                .filter(each -> each.scope() == EnergyScope.GPU
                        || each.isOf(EnergyMetric.RAPL)
                        || !zones.isSampled(each.host()))
                .toList();
    }

    /** From the first to the last sample of any device; null before the second sample. */
    private @Nullable TimeSpan observed(Collection<EnergyDevice> counted) {
        TimeSpan all = null;
        for (EnergyDevice each : counted) {
            TimeSpan own = each.measured(clocks);
            if (own != null) {
                all = all == null
                        ? own
                        : new TimeSpan(
                                Math.min(all.fromNanos(), own.fromNanos()), Math.max(all.toNanos(), own.toNanos()));
            }
        }
        return all;
    }

    private EnergyWindow window(List<TimeSpan> spans, List<EnergyDevice> counted, boolean detailed) {
        List<DeviceEnergy> rows = new ArrayList<>();
        Map<EnergyScope, DeviceEnergy> others = new TreeMap<>();
        for (EnergyDevice each : counted) {
            DeviceEnergy row = each.row(spans, clocks, detailed);
            if (rows.size() < ROWS_MAX) {
                rows.add(row);
            } else {
                others.merge(row.scope(), row, DeviceEnergy::plus);
            }
        }
        rows.addAll(others.values());
        long from = spans.get(0).fromNanos();
        Long offset = wallOffsetNanos;
        return new EnergyWindow(
                from,
                spans.get(spans.size() - 1).toNanos(),
                offset == null ? null : (Long) (from + offset),
                spans.stream().mapToDouble(TimeSpan::seconds).sum(),
                rows);
    }

    /** Power before the first issue, of the last minute there; null if any device of the basis has less than 10 s of it. */
    private @Nullable Double idle(@Nullable Long firstIssueNanos, List<EnergyDevice> counted, String basis) {
        if (firstIssueNanos == null) {
            return null;
        }
        TimeSpan before = new TimeSpan(firstIssueNanos - IDLE_MAX_NANOS, firstIssueNanos);
        double sum = 0;
        boolean any = false;
        for (EnergyDevice each : counted) {
            boolean wanted = basis.equals("gpu")
                    ? each.scope() == EnergyScope.GPU
                    : each.scope() == EnergyScope.PACKAGE || each.scope() == EnergyScope.DRAM;
            if (wanted) {
                EnergySpan energy = each.over(before, clocks);
                if (energy.coveredNanos() < IDLE_MIN_NANOS) {
                    return null;
                }
                sum += energy.joules() / (energy.coveredNanos() / 1e9);
                any = true;
            }
        }
        return any ? (Double) sum : null;
    }

    private List<String> reasons() {
        List<String> reasons = new ArrayList<>();
        notes.forEach((what, why) -> reasons.add(what + ": " + why));
        if (overLimit > 0) {
            reasons.add(
                    String.format(Locale.ROOT, "%,d samples of devices beyond the first %,d", overLimit, DEVICES_MAX));
        }
        long leftOut =
                devices.values().stream().mapToLong(EnergyDevice::leftOut).sum();
        if (leftOut > 0) {
            reasons.add(String.format(Locale.ROOT, "%,d samples for want of memory", leftOut));
        }
        return reasons;
    }
}
