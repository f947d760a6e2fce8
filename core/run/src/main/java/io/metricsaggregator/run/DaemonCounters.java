package io.metricsaggregator.run;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.registry.LongCounter;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.transport.TransportStats;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counters of the daemon itself: peers, ticks, exporters, collectors and unsent snapshots. Belongs to the main loop. */
public final class DaemonCounters {
    public final LongCounter ticksPublished;
    public final LongCounter ticksSkipped;

    public final LongCounter collectedDropped;
    public final LongCounter collectorFailures;
    public final LongCounter prometheusScrapes;
    public final LongCounter prometheusFailures;
    public final LongCounter exportConflicts;
    public final LongCounter exportLeftOut;
    public final LongCounter otlpPushes;
    public final LongCounter otlpFailures;

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

    private final Registry registry;
    private final Map<CounterName, LongCounter> optional = new EnumMap<>(CounterName.class);
    private @Nullable LongCounter pageDropped;
    private @Nullable LongCounter pageFailures;

    DaemonCounters(Registry registry) {
        this.registry = registry;
        ticksPublished = registry.counter(CounterName.TICKS_PUBLISHED);
        ticksSkipped = registry.counter(CounterName.TICKS_SKIPPED);
        collectedDropped = registry.counter(CounterName.COLLECTED_RECORDS_DROPPED);
        collectorFailures = registry.counter(CounterName.COLLECTOR_FAILURES);
        otlpPushes = registry.counter(CounterName.OTLP_PUSHES);
        otlpFailures = registry.counter(CounterName.OTLP_FAILURES);
        snapshotsConflated = registry.counter(CounterName.SNAPSHOTS_DROPPED_TO_SLOW_SUBSCRIBERS);
        bytesReceived = registry.counter(CounterName.TRANSPORT_BYTES_RECEIVED);
        peersAccepted = registry.counter(CounterName.PEERS_ACCEPTED);
        peersRejected = registry.counter(CounterName.PEERS_REJECTED);
        peersTimedOut = registry.counter(CounterName.PEERS_TIMED_OUT);
        peersStalled = registry.counter(CounterName.PEERS_STALLED);
        peersReconnected = registry.counter(CounterName.PEERS_RECONNECTED);
        handshakesAborted = registry.counter(CounterName.HANDSHAKES_ABORTED);
        protocolErrors = registry.counter(CounterName.PROTOCOL_ERRORS);
        framesTruncated = registry.counter(CounterName.FRAMES_TRUNCATED);
        prometheusScrapes = registry.counter(CounterName.PROMETHEUS_SCRAPES);
        prometheusFailures = registry.counter(CounterName.PROMETHEUS_FAILURES);
        exportConflicts = registry.counter(CounterName.EXPORT_LABEL_CONFLICTS);
        exportLeftOut = registry.counter(CounterName.EXPORT_METRICS_LEFT_OUT);
    }

    /** Sets a counter that a snapshot has only from now on. */
    public void count(CounterName name, long value) {
        optional.computeIfAbsent(name, registry::counter).set(value);
    }

    /** Sets the counters of the live page, which are in a snapshot from their first value above 0 on. */
    public void countPage(long dropped, long failures) {
        if (dropped > 0) {
            pageDropped = pageDropped == null ? registry.counter(CounterName.WEB_EVENTS_DROPPED) : pageDropped;
            pageDropped.set(dropped);
        }
        if (failures > 0) {
            pageFailures = pageFailures == null ? registry.counter(CounterName.WEB_FAILURES) : pageFailures;
            pageFailures.set(failures);
        }
    }

    /** Copies the counters of the transport; to be called before a snapshot is taken. */
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
