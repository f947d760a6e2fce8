package io.metricsaggregator.transport;

import java.util.ArrayList;
import java.util.List;

/** Counts of what happened on a transport's sockets. Written and read by the thread that polls. */
public final class TransportStats {
    /** Bytes read from sockets. */
    public long bytesReceived;
    /** Bytes read and not handed over yet: parts of frames. */
    public long bytesWaiting;
    /** Frames handed to handlers. */
    public long framesReceived;
    /** Connections taken in. */
    public long peersAccepted;
    /** Connections refused because of the user on the other side. */
    public long peersRejectedUid;
    /** Connections refused because there were too many. */
    public long peersRejectedLimit;
    /** Connections closed because their handshake took too long. */
    public long peersTimedOut;
    /** Connections that the peer ended before the handshake was done. */
    public long handshakesAborted;
    /** Connections closed because of what they sent; each was logged with the reason. */
    public long protocolErrors;
    /** Connections that ended within a frame; its part was lost. */
    public long framesTruncated;
    /** Frames that a slow subscriber was not sent because a later one replaced them. */
    public long framesConflated;
    /** Subscribers disconnected because they took nothing for too long. */
    public long peersStalled;
    /** Connections to a peer that were lost and are being made again. */
    public long reconnects;
    /** What is bound so that others than this user and root can reach it, and what they could do. */
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
