package io.metricsaggregator.transport;

import java.util.ArrayList;
import java.util.List;

/** Counters of a transport's sockets since it was opened. Written and read by the thread that polls. */
public final class TransportStats {
    /** Bytes read from sockets. */
    public long bytesReceived;
    /** Bytes of frames that are not complete yet; a gauge. */
    public long bytesWaiting;
    /** Frames handed to handlers. */
    public long framesReceived;
    /** Connections accepted. */
    public long peersAccepted;
    /** Connections refused because the peer's user is not allowed. */
    public long peersRejectedUid;
    /** Connections refused because of the connection limit. */
    public long peersRejectedLimit;
    /** Connections closed by the handshake timeout. */
    public long peersTimedOut;
    /** Connections that the peer closed during the handshake. */
    public long handshakesAborted;
    /** Connections closed for a violation of the protocol; the first of each kind was logged. */
    public long protocolErrors;
    /** Connections that ended within a frame; the partial frame was lost. */
    public long framesTruncated;
    /** Frames that a slow subscriber did not receive because a later one replaced them. */
    public long framesConflated;
    /** Subscribers disconnected by the stall timeout. */
    public long peersStalled;
    /** Connections that were lost and made again. */
    public long reconnects;
    /** One line for each bound endpoint that users other than this one and root can reach, with the consequence. */
    public final List<String> exposures = new ArrayList<>();

    /** Adds another transport's counts to these. */
    void add(TransportStats other) {
        bytesReceived += other.bytesReceived;
        bytesWaiting += other.bytesWaiting;
        framesReceived += other.framesReceived;
        peersAccepted += other.peersAccepted;
        peersRejectedUid += other.peersRejectedUid;
        peersRejectedLimit += other.peersRejectedLimit;
        peersTimedOut += other.peersTimedOut;
        handshakesAborted += other.handshakesAborted;
        protocolErrors += other.protocolErrors;
        framesTruncated += other.framesTruncated;
        framesConflated += other.framesConflated;
        peersStalled += other.peersStalled;
        reconnects += other.reconnects;
        exposures.addAll(other.exposures);
    }
}
