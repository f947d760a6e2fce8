package io.metricsaggregator.snapshot.telemetry;

/** The figures that vLLM's NIXL connector logs for transfers, under its own names and in its order. Its "MB" are MiB. */
public enum NixlFigure {
    SUCCESSFUL("Num successful transfers"),
    XFER_MEAN("Avg xfer time (ms)"),
    XFER_P90("P90 xfer time (ms)"),
    POST_MEAN("Avg post time (ms)"),
    POST_P90("P90 post time (ms)"),
    MEBIBYTES_MEAN("Avg MB per transfer"),
    THROUGHPUT("Throughput (MB/s)"),
    DESCRIPTORS_MEAN("Avg number of descriptors"),
    /** Only the current version of vLLM logs it. */
    FAILED("Num failed transfers"),
    /** Only the current version of vLLM logs it. */
    EXPIRED("Num KV expired reqs");

    private final String wireName;

    NixlFigure(String wireName) {
        this.wireName = wireName;
    }

    /** The connector's own name of the figure. */
    public String wireName() {
        return wireName;
    }
}
