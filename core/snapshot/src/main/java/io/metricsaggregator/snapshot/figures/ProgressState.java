package io.metricsaggregator.snapshot.figures;

import java.util.List;

/** Whether the endpoints under test answer, by the times at which the daemon receives their answers; from the best to the worst. */
public enum ProgressState {
    /** No sample is in flight: there is nothing to wait for. */
    IDLE("idle"),
    /** Answers arrive. */
    OK("ok"),
    /** The wait for an answer is much longer than the waits so far. */
    SLOW("slow"),
    /** The daemon itself fell behind: it cannot tell. */
    BLIND("blind"),
    /** No answer arrived for as long as the limit, and no producer is connected: the endpoint is not to blame. */
    CLIENT_GONE("client_gone"),
    /** No answer arrived for as long as the limit, with samples in flight. */
    STALLED("stalled");

    static final List<ProgressState> ALL = List.of(values());

    private final String wire;

    ProgressState(String wire) {
        this.wire = wire;
    }

    /** Its name in snapshots and reports. */
    public String wire() {
        return wire;
    }
}
