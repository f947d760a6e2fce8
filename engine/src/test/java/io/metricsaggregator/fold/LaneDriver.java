package io.metricsaggregator.fold;

import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Passes batches of random size through the lanes of a fold on one thread, in a random one of the orders that threads may take. */
final class LaneDriver {
    private final PartitionedFold fold;
    private final Random random;
    private final EventEncoder encoder = new EventEncoder();
    private final EventDecoder decoder = new EventDecoder();
    private final List<EventBatch> batches = new ArrayList<>();
    private final int[] done;
    private int settled;
    private EventBatch filling;

    LaneDriver(PartitionedFold fold, Random random) {
        this.fold = fold;
        this.random = random;
        this.done = new int[fold.size()];
        this.filling = new EventBatch(fold.size());
        fold.settlesBy(this::settleAll);
    }

    PartitionedFold fold() {
        return fold;
    }

    /** Takes a record; null ends the batch. */
    void take(@Nullable EventRecord record) {
        if (record == null) {
            head();
            return;
        }
        byte[] bytes = encoder.encode(record);
        if (!filling.hasRoom(bytes.length)) {
            head();
        }
        filling.add(ByteBuffer.wrap(bytes), 0, bytes.length);
        if (random.nextInt(20) == 0) {
            head();
        }
    }

    private void head() {
        filling.decode(decoder);
        filling.requireDecoded();
        for (int i = 0; i < filling.size(); i++) {
            fold.head(filling, i);
        }
        batches.add(filling);
        filling = new EventBatch(fold.size());
        for (int lane = 0; lane < done.length; lane++) {
            fold(lane, done[lane] + random.nextInt(batches.size() - done[lane] + 1));
        }
        if (random.nextInt(10) == 0) {
            fold.inFlight(0);
        }
        settle();
    }

    private void fold(int lane, int until) {
        while (done[lane] < until) {
            fold.lane(lane).apply(batches.get(done[lane]++));
        }
    }

    private void settle() {
        int least = batches.size();
        for (int each : done) {
            least = Math.min(least, each);
        }
        while (settled < least) {
            fold.settle(batches.get(settled++));
        }
    }

    private void settleAll() {
        if (filling.size() > 0) {
            EventBatch last = filling;
            filling = new EventBatch(fold.size());
            last.decode(decoder);
            for (int i = 0; i < last.size(); i++) {
                fold.head(last, i);
            }
            batches.add(last);
        }
        for (int lane = 0; lane < done.length; lane++) {
            fold(lane, batches.size());
        }
        settle();
    }
}
