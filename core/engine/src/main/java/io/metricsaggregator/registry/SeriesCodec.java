package io.metricsaggregator.registry;

import io.metricsaggregator.registry.raw.ValueBlocks;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Writes and reads the content of a series. One that kept all values is written as its values, from which sums, extremes and histogram are made again
 * while it is read; so they cannot contradict each other. One without values is written as count, extremes, sums and histogram counts. Stateless.
 */
final class SeriesCodec {
    private static final int EMPTY = 0;
    private static final int VALUES = 1;
    private static final int STATISTICS = 2;

    private SeriesCodec() {}

    static void write(Series series, boolean withValues, DataOutput to) throws IOException {
        if (series.count() == 0) {
            to.writeByte(EMPTY);
        } else if (withValues && series.raw().isComplete()) {
            to.writeByte(VALUES);
            to.writeLong(series.count());
            ValueBlocks.write(series.raw(), to);
        } else {
            to.writeByte(STATISTICS);
            if (series.statistics() instanceof LongStatistics integers) {
                integers.write(to);
            } else if (series.statistics() instanceof DoubleStatistics reals) {
                reals.write(to);
            }
            to.writeLong(series.clamped());
            writeHistogram(series.histogram(), to);
        }
    }

    private static void writeHistogram(Histogram histogram, DataOutput to) throws IOException {
        int buckets = 0;
        for (HistogramIterationValue ignored : histogram.recordedValues()) {
            buckets++;
        }
        to.writeInt(buckets);
        for (HistogramIterationValue each : histogram.recordedValues()) {
            to.writeLong(histogram.lowestEquivalentValue(each.getValueIteratedTo()));
            to.writeLong(each.getCountAddedInThisIterationStep());
        }
    }

    /**
     * Reads what {@link #write} wrote into an empty series of the same layout.
     *
     * @throws IOException if the stream fails or no series has this content
     */
    static void read(Series series, DataInput from) throws IOException {
        int form = from.readUnsignedByte();
        switch (form) {
            case EMPTY -> {}
            case VALUES -> {
                long count = from.readLong();
                if (count < 1) {
                    throw new IOException("series " + series.name() + " has " + count + " values");
                }
                ValueBlocks.read(from, count, value -> keep(series, value));
            }
            case STATISTICS -> readStatistics(series, from);
            default -> throw new IOException("series " + series.name() + " has the unknown form " + form);
        }
    }

    private static void keep(Series series, long rawValue) throws IOException {
        if (series instanceof LongSeries integers) {
            integers.record(rawValue);
        } else if (series instanceof DoubleSeries reals) {
            double number = reals.number(rawValue);
            if (!Double.isFinite(number)) {
                throw new IOException("series " + series.name() + " cannot hold " + number);
            }
            reals.record(number);
        }
    }

    private static void readStatistics(Series series, DataInput from) throws IOException {
        if (series.statistics() instanceof LongStatistics integers) {
            integers.read(from);
        } else if (series.statistics() instanceof DoubleStatistics reals) {
            reals.read(from);
        }
        long clamped = from.readLong();
        if (clamped < 0 || clamped > series.count()) {
            throw new IOException(
                    "series " + series.name() + " has " + clamped + " clamped values of " + series.count());
        }
        series.setWithoutValues(clamped);
        readHistogram(series, from);
    }

    private static void readHistogram(Series series, DataInput from) throws IOException {
        HdrRange range = series.layout().range();
        int buckets = from.readInt();
        long left = series.count();
        for (int i = 0; i < buckets; i++) {
            long value = from.readLong();
            long count = from.readLong();
            if (value < 0 || value > range.highest() || count < 1 || count > left) {
                throw new IOException("the histogram of series " + series.name() + " has " + count + " values of "
                        + value + " where " + left + " are missing");
            }
            series.histogram().recordValueWithCount(Math.max(range.lowest(), value), count);
            left -= count;
        }
        if (left != 0) {
            throw new IOException("the histogram of series " + series.name() + " lacks " + left + " values");
        }
    }
}
