package io.metricsaggregator.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A supply makes few blocks in advance while few are taken, and many while many are. */
@Timeout(60)
class BlockSupplyTest {
    private static final int BLOCK = 1 << 18;

    private static void awaitReady(BlockSupply supply, int blocks) {
        while (supply.ready() < blocks) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aRunThatTakesLittleHasLittleInAdvance() {
        try (BlockSupply supply = new BlockSupply("test-memory", BLOCK)) {
            assertThat(supply.ready()).isZero();
            for (int taken = 1; taken <= 5; taken++) {
                assertThat(supply.take().capacity()).isEqualTo(BLOCK);
                awaitReady(supply, (2 + taken) / 2);
                assertThat(supply.ready()).isLessThanOrEqualTo(2 + taken);
            }
        }
    }

    @Test
    void asMuchAsTwoRegionsIsMadeInAdvanceWhileManyAreTakenAndNoMore() {
        try (BlockSupply supply = new BlockSupply("test-memory", BLOCK)) {
            List<ByteBuffer> taken = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                ByteBuffer block = supply.take();
                assertThat(block.remaining()).isEqualTo(BLOCK);
                assertThat(block.getLong(0)).isZero();
                assertThat(block.getLong(BLOCK - Long.BYTES)).isZero();
                block.putLong(0, i).putLong(BLOCK - Long.BYTES, i);
                taken.add(block);
                assertThat(supply.ready()).isLessThanOrEqualTo(32);
            }
            awaitReady(supply, 16);
            for (int i = 0; i < taken.size(); i++) {
                assertThat(taken.get(i).getLong(0)).isEqualTo(i);
                assertThat(taken.get(i).getLong(BLOCK - Long.BYTES)).isEqualTo(i);
            }
        }
    }

    @Test
    void severalThreadsTakeBlocksOfTheirOwn() throws InterruptedException {
        try (BlockSupply supply = new BlockSupply("test-memory", BLOCK)) {
            AtomicInteger foreign = new AtomicInteger();
            List<Thread> threads = new ArrayList<>();
            for (int t = 1; t <= 4; t++) {
                int mark = t;
                Thread thread = new Thread(() -> {
                    List<ByteBuffer> own = new ArrayList<>();
                    for (int i = 0; i < 25; i++) {
                        own.add(supply.take().putInt(0, mark));
                    }
                    own.forEach(each -> foreign.addAndGet(each.getInt(0) == mark ? 0 : 1));
                });
                threads.add(thread);
                thread.start();
            }
            for (Thread each : threads) {
                each.join();
            }
            assertThat(foreign).hasValue(0);
            awaitReady(supply, 16);
        }
    }
}
