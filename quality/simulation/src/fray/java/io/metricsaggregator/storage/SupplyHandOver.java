package io.metricsaggregator.storage;

import java.nio.ByteBuffer;

/** Blocks from the thread that makes them to those that fill them. */
public final class SupplyHandOver {
    private SupplyHandOver() {}

    /** Two threads take blocks: each gets zeroed blocks of its own, also while the supply closes. */
    public static void supply() throws InterruptedException {
        BlockSupply supply = new BlockSupply("supply", 1 << 16);
        int[] wrong = new int[1];
        Thread other = new Thread(() -> wrong[0] = take(supply));
        other.start();
        int found = take(supply);
        other.join();
        supply.close();
        if (found + wrong[0] != 0) {
            throw new AssertionError("a block was taken twice");
        }
    }

    private static int take(BlockSupply supply) {
        ByteBuffer first = supply.take();
        int found = first.get(0);
        first.put(0, (byte) 1);
        ByteBuffer second = supply.take();
        found += second.get(0);
        second.put(0, (byte) 1);
        return found;
    }
}
