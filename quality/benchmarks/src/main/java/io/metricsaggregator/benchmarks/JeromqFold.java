package io.metricsaggregator.benchmarks;

import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.ingest.FrameApplier;
import io.metricsaggregator.ingest.Ingest;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import java.nio.ByteBuffer;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** A process for comparison: the decoder and fold of this project, fed by JeroMQ, without ticks, snapshots or file. */
final class JeromqFold {
    private JeromqFold() {}

    /** Reads until the end of the session: {@code JeromqFold tcp://HOST:PORT HIGH_WATER_MARK}. */
    public static void main(String[] args) {
        Registry registry = ValueMemory.newRegistry();
        RecordLedger ledger = new RecordLedger();
        LoadgenFold fold = new LoadgenFold(registry, ledger, new FoldOptions(true, 2_000_000, 1 << 20, 1));
        Ingest ingest = new Ingest(new FrameApplier(ledger, fold), System::nanoTime);
        long last;
        try (ZContext context = new ZContext()) {
            ZMQ.Socket socket = context.createSocket(SocketType.SUB);
            socket.setRcvHWM(Integer.parseInt(args[1]));
            socket.subscribe(new byte[0]);
            socket.connect(args[0]);
            while (!fold.isEnded()) {
                byte[] frame = socket.recv();
                ingest.onFrame(ByteBuffer.wrap(frame), 0, frame.length);
                ingest.onBurstEnd();
            }
            last = System.nanoTime();
        }
        System.out.println("last " + last);
        System.out.println("read " + ledger.recordsReceived.value());
    }
}
