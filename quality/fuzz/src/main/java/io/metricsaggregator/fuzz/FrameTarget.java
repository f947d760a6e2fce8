package io.metricsaggregator.fuzz;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.row.TimeCut;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.fold.series.Slo;
import io.metricsaggregator.ingest.FrameApplier;
import io.metricsaggregator.ingest.Ingest;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.raw.RawBudget;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Passes frames and batches through ingest and fold. An input is a sequence of frames, each preceded by its length in two bytes. For any
 * input the ledger balances and a snapshot can be taken.
 */
public final class FrameTarget {
    private FrameTarget() {}

    /** Entry point of the fuzzer. */
    public static void fuzzerTestOneInput(byte[] input) throws IOException {
        Registry registry = new Registry(1, 5, new RawBudget(1 << 20));
        RecordLedger ledger = new RecordLedger();
        LoadgenFold fold = new LoadgenFold(
                registry, ledger, new FoldOptions(true, 50, 1000, 1, new Slo(5, Slo.NONE, 9, 0.9), TimeCut.NONE));
        Ingest ingest = new Ingest(new FrameApplier(ledger, fold), () -> 7);
        ByteBuffer frames = ByteBuffer.wrap(input);
        int position = 0;
        while (position + 2 <= input.length) {
            int length = Math.min(frames.getShort(position) & 0xffff, input.length - position - 2);
            ingest.onFrame(frames, position + 2, length);
            position += 2 + length;
        }
        ingest.onBurstEnd();
        long accounted = ledger.recordsAccounted();
        if (ledger.recordsReceived.value() != accounted) {
            throw new IllegalStateException(
                    ledger.recordsReceived.value() + " records received, " + accounted + " accounted for");
        }
        fold.refresh();
        registry.renderExact(registry.newCopy(), true, () -> false);
        fold.inFlight(0);
        ledger.workers();
        fold.errors();
        fold.slices();
        fold.goodput();
        fold.optional();
        ingest.telemetry().tick(7);
        ingest.telemetry().tick(20_000_000_000L);
        JsonTree.read(
                JsonTree.write(ingest.telemetry().freeze(20_000_000_000L, true).tree()));
    }
}
