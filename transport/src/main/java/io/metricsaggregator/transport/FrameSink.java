package io.metricsaggregator.transport;

import java.util.List;

/** A publisher's or pusher's side. */
public interface FrameSink {

    /** What happens to frames a peer is too slow for. */
    enum Kind {
        /** Publishes; a slow subscriber gets the latest frame only, and a subscriber that comes late gets it at once. */
        PUBLISH_LATEST,
        /** Publishes; a slow subscriber's frames queue up to a bound, and then {@link FrameSink#offer} refuses. */
        PUBLISH_QUEUED,
        /** Pushes; each frame goes to one peer, and waits until there is one. */
        PUSH
    }

    /** Where it listens or connects; a port that was asked for as 0 is the real one. */
    List<Endpoint> endpoints();

    /**
     * Hands over a frame for every subscriber it matches, or for one peer to push to. It goes out while the transport is polled.
     *
     * @param frame must not be changed any more
     * @return false if a queue is full: nobody was given the frame, offer it again later. Publishing without subscribers succeeds
     *     and the frame is gone.
     */
    boolean offer(byte[] frame);

    /** Hands over the frame that ends everything. Whatever queues there are, each subscriber is kept a place for it. */
    void offerLast(byte[] frame);

    /** Peers that could be sent to: subscribed ones, or for {@link Kind#PUSH} connected ones. */
    int peers();

    /** Whether all that was offered has been handed to the operating system. */
    boolean flushed();
}
