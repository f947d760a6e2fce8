package io.metricsaggregator.telemetry.fold;

import io.metricsaggregator.event.frame.TelemetryRecord;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Limits of telemetry, derived from the heap: a count per kind that fits the heap by itself, and bytes that all kinds share, so that all kinds at their
 * limits fit together. Rows beyond a limit are folded into {@code other} or left out, and counted.
 *
 * @param bytes estimated bytes of heap for all telemetry
 * @param recordBytes maximum size of a record; decoded, it takes up to forty times its bytes
 * @param operationKeys keys with rows of their own; the default of {@code --max-keys} is this number, but at most 10,000
 * @param operationRows names × (keys + sources + 1)
 * @param operationCompatRows names × keys × sources in {@code compat.per_instance}
 * @param metricSeries series of custom metrics
 * @param nodes nodes that report their resources
 * @param nodeReports reports kept for the original collector's figures: nodes × reports of each
 * @param scrapeSeries scraped series, each with all steps of the table
 * @param scrapeTextBytes names and labels of scraped series
 * @param scrapeSamples samples of open windows, of all series
 * @param windowRows windows × (models + GPUs)
 * @param notebookPoints results of the notebook's queries: windows × groups
 * @param transferSpans spans that are kept per source of transfers
 */
public record TelemetryLimits(
        long bytes,
        int recordBytes,
        int operationKeys,
        int operationRows,
        int operationCompatRows,
        int metricSeries,
        int nodes,
        int nodeReports,
        int scrapeSeries,
        long scrapeTextBytes,
        int scrapeSamples,
        int windowRows,
        int notebookPoints,
        int transferSpans) {

    static final int KEYS_DEFAULT = 10_000;

    /** Maximum number of series of custom metrics on a heap of any size. */
    public static final int METRIC_SERIES_MAX = 2000;
    /** Maximum number of nodes on a heap of any size. */
    public static final int NODES_MAX = 1024;
    /** Maximum number of scraped series on a heap of any size. */
    public static final int SCRAPE_SERIES_MAX = 20_000;
    /** Maximum number of sources of transfers with statistics of their own; later ones share {@code other}. */
    public static final int TRANSFER_SOURCES_MAX = 256;

    // Estimated bytes of heap for one of each.
    public static final int KEY_BYTES = 600;
    public static final int ROW_BYTES = 400;
    public static final int COMPAT_ROW_BYTES = 130;
    public static final int METRIC_BYTES = 6_000;
    public static final int NODE_BYTES = 120_000;
    public static final int REPORT_BYTES = 256;
    public static final int SERIES_BYTES = 5_200;
    public static final int SAMPLE_BYTES = 24;
    public static final int WINDOW_ROW_BYTES = 1_200;
    public static final int POINT_BYTES = 80;

    /** The limits for a heap of this size, in bytes. */
    public static TelemetryLimits of(long heapBytes) {
        int keys = share(heapBytes, 100, 32 << 10, Integer.MAX_VALUE / 8);
        return new TelemetryLimits(
                heapBytes / 100 * 35,
                share(heapBytes, 100, 64, TelemetryRecord.BYTES_MAX),
                keys,
                share(heapBytes, 10, ROW_BYTES, Math.max(250_000, 8 * keys)),
                share(heapBytes, 4, COMPAT_ROW_BYTES, 250_000),
                share(heapBytes, 5, 2 * METRIC_BYTES, METRIC_SERIES_MAX),
                share(heapBytes, 15, NODE_BYTES, NODES_MAX),
                share(heapBytes, 5, REPORT_BYTES, 2_000_000),
                share(heapBytes, 20, SERIES_BYTES + 1_000, SCRAPE_SERIES_MAX),
                heapBytes / 100 * 5,
                share(heapBytes, 10, SAMPLE_BYTES, 8_000_000),
                share(heapBytes, 10, WINDOW_ROW_BYTES, 100_000),
                share(heapBytes, 5, POINT_BYTES, 500_000),
                share(heapBytes, 4, 2 * TRANSFER_SOURCES_MAX * 16, 4096));
    }

    /** The limits of a heap of 1 TiB, for tools and tests whose input is bounded. */
    public static TelemetryLimits ample() {
        return of(1L << 40);
    }

    /** The limits for this JVM's heap. */
    public static TelemetryLimits ofThisHeap() {
        return of(Runtime.getRuntime().maxMemory());
    }

    private static int share(long heapBytes, int percent, int bytesEach, int max) {
        return (int) Math.max(16, Math.min(max, heapBytes / 100 * percent / bytesEach));
    }

    /** The limits by their names in a snapshot's {@code limits}. */
    public Map<String, Long> byName() {
        Map<String, Long> names = new LinkedHashMap<>();
        names.put("telemetry_bytes", bytes);
        names.put("telemetry_record_bytes", (long) recordBytes);
        names.put("operation_rows", (long) operationRows);
        names.put("operation_compat_rows", (long) operationCompatRows);
        names.put("metric_series", (long) metricSeries);
        names.put("nodes", (long) nodes);
        names.put("node_reports", (long) nodeReports);
        names.put("scrape_series", (long) scrapeSeries);
        names.put("scrape_text_bytes", scrapeTextBytes);
        names.put("scrape_samples", (long) scrapeSamples);
        names.put("scrape_window_rows", (long) windowRows);
        names.put("notebook_points", (long) notebookPoints);
        names.put("transfer_spans", (long) transferSpans);
        return names;
    }
}
