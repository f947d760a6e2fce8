package io.metricsaggregator.transport;

import java.util.List;

/** The sending side: a publisher or a pusher. Used by the thread that polls the transport. */
public interface FrameSink {

    /** The policy for peers that are too slow. */
    enum Kind {
        /** Publishes; a slow subscriber receives the latest frame only, a late one receives it at once. */
        PUBLISH_LATEST,
        /** Publishes; a slow subscriber's frames queue up to a bound, and then {@link FrameSink#offer} refuses. */
        PUBLISH_QUEUED,
        /** Pushes; each frame goes to one peer, and waits until there is one. */
        PUSH
    }

    /** The bound and connected endpoints; a port requested as 0 is the real one. */
    List<Endpoint> endpoints();

    /**
     * Offers a frame to all subscribers it matches, or to one peer of a pusher. It is sent while the transport is polled.
     *
     * @param frame must not be modified afterwards
     * @return false if a queue is full: no peer received the frame; offer it again later. Without subscribers a publisher returns true
     *     and discards the frame.
     */
    boolean offer(byte[] frame);

    /** Offers the final frame. Each subscriber has a reserved place for it, however full its queue is. */
    void offerLast(byte[] frame);

    /**
     * Offers the final frame to subscribers that came after {@link #offerLast}. Does nothing where each new subscriber receives it
     * without this call; where the transport cannot tell new subscribers, sends it to all again. To be called about once a second.
     */
    void repeatLast();

    /** Number of peers that can receive: subscribed ones, or for {@link Kind#PUSH} connected ones. */
    int peers();

    /**
     * Whether there are subscribers, and each of them subscribed to exactly this topic beside others, which announces that it reads frames of that form
     * ({@link FrameHandler#announced}). False for {@link Kind#PUSH} and {@link Kind#PUBLISH_LATEST}. A transport
     * that cannot tell which subscriber left may answer false from then on.
     */
    boolean allAnnounce(String topic);

    /** Whether all offered frames have been handed to the operating system. */
    boolean flushed();
}
