package io.metricsaggregator.registry;

import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.registry.raw.SlabStore;
import io.metricsaggregator.snapshot.histogram.HdrGrid;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Writes and reads a registry: its layout, the counters with the rule by which they add up, the series with or without their values, and the remainders.
 * Every count and length that is read is checked against a bound before memory is taken for it. Stateless.
 */
public final class RegistryCodec {
    static final int COUNTERS_MAX = 4096;
    static final int PERCENTILES_MAX = 1024;
    private static final int NAME_MAX = 256;
    private static final int BUCKETS_MAX = 10_000;
    private static final int INTEGERS = 0;
    private static final int REALS = 1;
    /** The histograms of a registry take at most this part of the heap. */
    private static final long HEAP_SHARE = 4;

    private RegistryCodec() {}

    /**
     * Writes a registry.
     *
     * @param withValues whether to write the values of series that kept them; without, percentiles of the copy come from the histogram
     * @throws IOException if the stream fails, or values cannot be read back
     */
    public static void write(Registry registry, boolean withValues, DataOutput to) throws IOException {
        to.writeByte(registry.significantFigures());
        to.writeShort(registry.displayBuckets());
        double[] percentiles = registry.grid().percentiles();
        to.writeShort(percentiles.length);
        for (double each : percentiles) {
            to.writeDouble(each);
        }
        to.writeShort(registry.counters().size());
        for (LongCounter each : registry.counters()) {
            to.writeUTF(each.name());
            to.writeLong(registry.position(each.name()));
            to.writeByte(CounterRule.of(each.name()).ordinal());
            to.writeLong(each.value());
        }
        to.writeShort(registry.series().size());
        for (Series each : registry.series()) {
            to.writeUTF(each.name());
            to.writeLong(registry.position(each.name()));
            to.writeByte(each instanceof LongSeries ? INTEGERS : REALS);
            to.writeBoolean(each.isCertified());
            SeriesCodec.write(each, withValues, to);
        }
        to.writeShort(registry.remainders().size());
        for (SeriesRemainder each : registry.remainders()) {
            to.writeUTF(each.name());
            to.writeUTF(each.whole());
            to.writeUTF(each.part());
            to.writeLong(each.expected());
        }
    }

    /**
     * Reads a registry.
     *
     * @param values keeps the values of all series
     * @throws IOException if the stream fails or breaks a bound; the message names what
     */
    public static Registry read(DataInput from, SlabStore values) throws IOException {
        int figures = from.readUnsignedByte();
        int buckets = from.readUnsignedShort();
        if (figures < 1 || figures > 5 || buckets < 1 || buckets > BUCKETS_MAX) {
            throw new IOException("histograms of " + figures + " significant figures and " + buckets + " buckets");
        }
        Registry registry = new Registry(figures, buckets, readGrid(from), values);
        int counters = bounded(from.readUnsignedShort(), COUNTERS_MAX, "counters");
        for (int i = 0; i < counters; i++) {
            readCounter(registry, from);
        }
        readSeries(registry, figures, from);
        int remainders = bounded(from.readUnsignedShort(), SeriesName.values().length, "remainders");
        for (int i = 0; i < remainders; i++) {
            SeriesName name = seriesName(from);
            String whole = seriesName(from).wire();
            String part = seriesName(from).wire();
            long expected = from.readLong();
            if (!registry.isRecorded(name.wire())) {
                requireNew(registry, name.wire());
            }
            registry.remainder(name, whole, part, () -> expected);
        }
        registry.at(0);
        return registry;
    }

    private static PercentileGrid readGrid(DataInput from) throws IOException {
        int length = bounded(from.readUnsignedShort(), PERCENTILES_MAX, "percentiles");
        List<Double> percentiles = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            double each = from.readDouble();
            if (!(each > 0 && each < 100)) {
                throw new IOException("percentile " + each + " is not between 0 and 100");
            }
            percentiles.add(each);
        }
        return PercentileGrid.with(percentiles);
    }

    private static void readCounter(Registry registry, DataInput from) throws IOException {
        String name = name(from);
        long position = from.readLong();
        int rule = from.readUnsignedByte();
        if (rule != CounterRule.of(name).ordinal()) {
            throw new IOException("counter " + name + " adds up by rule " + rule + " rather than "
                    + CounterRule.of(name).ordinal());
        }
        requireNew(registry, name);
        registry.at(position);
        registry.counter(name).set(from.readLong());
    }

    private static void readSeries(Registry registry, int figures, DataInput from) throws IOException {
        int length = bounded(from.readUnsignedShort(), SeriesName.values().length, "series");
        Set<SeriesName> seen = new HashSet<>();
        long bytes = 0;
        for (int i = 0; i < length; i++) {
            SeriesName name = seriesName(from);
            requireNew(registry, name.wire());
            if (!seen.add(name)) {
                throw new IOException("series " + name.wire() + " is there twice");
            }
            bytes += (long) Long.BYTES * new HdrGrid(1, HdrRange.of(name.unit()).highest(), figures).length();
            if (bytes > Runtime.getRuntime().maxMemory() / HEAP_SHARE) {
                throw new IOException("histograms of " + figures + " significant figures take more than a quarter of"
                        + " the heap; give the JVM more memory");
            }
            registry.at(from.readLong());
            int kind = from.readUnsignedByte();
            if (kind != INTEGERS && kind != REALS) {
                throw new IOException("series " + name.wire() + " is of the unknown kind " + kind);
            }
            boolean certified = from.readBoolean();
            Series series = kind == INTEGERS ? registry.longSeries(name) : registry.doubleSeries(name);
            if (certified) {
                series.certify();
            }
            SeriesCodec.read(series, from);
            series.raw().seal();
        }
    }

    private static int bounded(int number, int most, String what) throws IOException {
        if (number > most) {
            throw new IOException(number + " " + what + ", more than " + most);
        }
        return number;
    }

    private static String name(DataInput from) throws IOException {
        String name = from.readUTF();
        if (name.isEmpty() || name.length() > NAME_MAX) {
            throw new IOException("a metric has a name of " + name.length() + " characters");
        }
        return name;
    }

    private static SeriesName seriesName(DataInput from) throws IOException {
        String name = name(from);
        SeriesName known = SeriesName.ofWire(name);
        if (known == null) {
            throw new IOException("series '" + name + "' is unknown to this version");
        }
        return known;
    }

    private static void requireNew(Registry registry, String name) throws IOException {
        if (registry.has(name)) {
            throw new IOException("metric " + name + " is there twice");
        }
    }
}
