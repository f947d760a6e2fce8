package io.metricsaggregator.fuzz;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MessageCodec;
import io.metricsaggregator.report.ComparisonView;
import io.metricsaggregator.report.ReportFormat;
import io.metricsaggregator.runs.Comparison;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.MsgpackSnapshotCodec;
import io.metricsaggregator.tui.History;
import io.metricsaggregator.tui.Screen;
import io.metricsaggregator.tui.ViewState;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Reads a snapshot as MessagePack, or as JSON if the input starts like it. An accepted snapshot can be reported in every format, compared,
 * shown on the screen, and encoded and decoded without a change.
 */
public final class SnapshotTarget {
    private SnapshotTarget() {}

    /** Entry point of the fuzzer. */
    public static void fuzzerTestOneInput(byte[] input) {
        MessageCodec<MetricsSnapshot> codec =
                input.length > 0 && input[0] == '{' ? new JsonSnapshotCodec() : new MsgpackSnapshotCodec();
        MetricsSnapshot snapshot;
        try {
            snapshot = codec.decode(ByteBuffer.wrap(input));
        } catch (MalformedMessageException e) {
            return;
        }
        for (ReportFormat format : ReportFormat.values()) {
            format.render(Report.of(snapshot), true);
        }
        ComparisonView.HTML.render(List.of(Comparison.of("before", snapshot, "after", snapshot)));
        History history = new History();
        history.add(1, snapshot);
        for (int key = 0; key < 3; key++) {
            new Screen(false, snapshot, null).render(history, new ViewState(), 2, 80 + 60 * key, 24);
        }
        byte[] first = codec.encode(snapshot);
        try {
            if (!Arrays.equals(codec.encode(codec.decode(ByteBuffer.wrap(first))), first)) {
                throw new IllegalStateException("a snapshot changed by encoding and decoding");
            }
        } catch (MalformedMessageException e) {
            throw new IllegalStateException("an encoded snapshot cannot be decoded", e);
        }
    }
}
