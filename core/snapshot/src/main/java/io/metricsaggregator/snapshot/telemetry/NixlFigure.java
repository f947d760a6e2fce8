package io.metricsaggregator.snapshot.telemetry;

/** The figures that vLLM's NIXL and Mooncake connectors log for transfers, under their own names and in their order. Their "MB" are MiB. */
public enum NixlFigure {
    SUCCESSFUL("Num successful transfers"),
    XFER_MEAN("Avg xfer time (ms)"),
    XFER_P90("P90 xfer time (ms)"),
    POST_MEAN("Avg post time (ms)"),
    POST_P90("P90 post time (ms)"),
    MEBIBYTES_MEAN("Avg MB per transfer"),
    THROUGHPUT("Throughput (MB/s)"),
    DESCRIPTORS_MEAN("Avg number of descriptors"),
    /** The first version of the connector does not log it. */
    FAILED("Num failed transfers"),
    /** Only Mooncake's connector logs it. */
    FAILED_RECEIVES("Num failed recvs"),
    /** The first version of the connector does not log it. */
    EXPIRED("Num KV expired reqs"),
    /** NIXL's connector logs it from vLLM 0.33.0 on. */
    AFTER_EXPIRY("Num notifs after expiry");

    private final String wireName;

    NixlFigure(String wireName) {
        this.wireName = wireName;
    }

    /** The connector's own name of the figure. */
    public String wireName() {
        return wireName;
    }
}
