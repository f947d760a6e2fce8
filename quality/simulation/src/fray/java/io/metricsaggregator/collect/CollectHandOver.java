package io.metricsaggregator.collect;

import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** Frames from collector threads to the main loop. */
public final class CollectHandOver {
    private CollectHandOver() {}

    /** Two collectors, and a main loop that waits to be woken: each record arrives, or was dropped and counted. */
    public static void collected() throws InterruptedException {
        Thread owner = Thread.currentThread();
        CollectedFrames frames = new CollectedFrames(1 << 10, () -> LockSupport.unpark(owner));
        Runnable collector = () -> frames.accept(Map.of("event_type", "x"));
        Thread one = new Thread(collector);
        Thread two = new Thread(collector);
        one.start();
        two.start();
        int polled = 0;
        while (polled + frames.dropped() < 2) {
            if (frames.poll() == null) {
                LockSupport.park();
            } else {
                polled++;
            }
        }
        one.join();
        two.join();
        if (polled != 2) {
            throw new AssertionError(polled + " frames");
        }
    }
}
