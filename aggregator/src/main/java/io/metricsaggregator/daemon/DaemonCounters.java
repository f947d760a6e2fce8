package io.metricsaggregator.daemon;

import io.metricsaggregator.registry.LongCounter;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.transport.TransportStats;

/** Counters of the daemon's own: its peers, its ticks, what it could not send. */
final class DaemonCounters {
    final LongCounter ticksPublished;
    final LongCounter ticksSkipped;

    final LongCounter collectedDropped;
    final LongCounter collectorFailures;
    final LongCounter prometheusScrapes;
    final LongCounter prometheusFailures;
    final LongCounter exportConflicts;
    final LongCounter exportLeftOut;
    final LongCounter otlpPushes;
    final LongCounter otlpFailures;

    private final LongCounter snapshotsConflated;
    private final LongCounter bytesReceived;
    private final LongCounter peersAccepted;
    private final LongCounter peersRejected;
    private final LongCounter peersTimedOut;
    private final LongCounter peersStalled;
    private final LongCounter peersReconnected;
    private final LongCounter handshakesAborted;
    private final LongCounter protocolErrors;
    private final LongCounter framesTruncated;

    DaemonCounters(Registry registry) {
        ticksPublished = registry.counter("ticks_published");
        ticksSkipped = registry.counter("ticks_skipped");
        collectedDropped = registry.counter("collected_records_dropped");
        collectorFailures = registry.counter("collector_failures");
        otlpPushes = registry.counter("otlp_pushes");
        otlpFailures = registry.counter("otlp_failures");
        snapshotsConflated = registry.counter("snapshots_dropped_to_slow_subscribers");
        bytesReceived = registry.counter("transport_bytes_received");
        peersAccepted = registry.counter("peers_accepted");
        peersRejected = registry.counter("peers_rejected");
        peersTimedOut = registry.counter("peers_timed_out");
        peersStalled = registry.counter("peers_stalled");
        peersReconnected = registry.counter("peers_reconnected");
        handshakesAborted = registry.counter("handshakes_aborted");
        protocolErrors = registry.counter("protocol_errors");
        framesTruncated = registry.counter("frames_truncated");
        prometheusScrapes = registry.counter("prometheus_scrapes");
        prometheusFailures = registry.counter("prometheus_failures");
        exportConflicts = registry.counter("export_label_conflicts");
        exportLeftOut = registry.counter("export_metrics_left_out");
    }

    void refresh(TransportStats stats) {
        snapshotsConflated.set(stats.framesConflated);
        bytesReceived.set(stats.bytesReceived);
        peersAccepted.set(stats.peersAccepted);
        peersRejected.set(stats.peersRejectedUid + stats.peersRejectedLimit);
        peersTimedOut.set(stats.peersTimedOut);
        peersStalled.set(stats.peersStalled);
        peersReconnected.set(stats.reconnects);
        handshakesAborted.set(stats.handshakesAborted);
        protocolErrors.set(stats.protocolErrors);
        framesTruncated.set(stats.framesTruncated);
    }
}
