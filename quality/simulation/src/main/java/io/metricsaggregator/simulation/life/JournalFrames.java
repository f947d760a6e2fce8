package io.metricsaggregator.simulation.life;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.journal.JournalReader;
import io.metricsaggregator.simulation.life.plan.Arrival;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compares the frames of a journal, byte by byte, with those that the model received, and takes those that are lost from the model. */
final class JournalFrames implements JournalReader.Visitor {
    private final Model model;
    private final Verdicts verdicts;
    private final List<byte[]> frames = new ArrayList<>();

    JournalFrames(Model model, Verdicts verdicts) {
        this.model = model;
        this.verdicts = verdicts;
    }

    @Override
    public void burst(long nanos) {}

    @Override
    public void frame(ByteBuffer buffer, int start, int length) {
        byte[] frame = new byte[length];
        buffer.get(start, frame);
        frames.add(frame);
    }

    /** Compares the number of frames in the journal of a finished run with its result: each frame is there, or counted as missed. */
    void compareCounts(Path folder, MetricsSnapshot result) {
        try {
            new JournalReader().read(folder, this);
        } catch (IOException e) {
            verdicts.violated(Invariant.NOTHING_IS_INVENTED, "the journal cannot be read: " + e);
            return;
        }
        long received = result.counter(CounterName.FRAMES_RECEIVED);
        long missed = result.counter(CounterName.JOURNAL_FRAMES_MISSED);
        verdicts.require(
                frames.size() <= received && received <= frames.size() + missed,
                Invariant.MISSED_FRAMES_ARE_COUNTED,
                "the result has " + received + " frames, the journal " + frames.size() + ", missed are " + missed);
    }

    /**
     * Compares.
     *
     * @param folder of the run; null for a new run
     * @param prefix whether the frames read back must be the first ones received
     */
    void compare(@Nullable Path folder, boolean prefix) {
        try {
            if (folder != null) {
                new JournalReader().read(folder, this);
            }
        } catch (IOException e) {
            verdicts.violated(Invariant.NOTHING_IS_INVENTED, "the journal cannot be read: " + e);
            return;
        }
        List<Arrival> received = model.received();
        List<Arrival> kept = new ArrayList<>();
        int at = 0;
        for (byte[] frame : frames) {
            int before = at;
            while (at < received.size() && !Arrays.equals(received.get(at).frame(), frame)) {
                at++;
            }
            if (at == received.size() || (prefix && at != before)) {
                verdicts.violated(
                        Invariant.NOTHING_IS_INVENTED,
                        "frame " + kept.size() + " of " + frames.size() + " read back was not received there");
                return;
            }
            kept.add(received.get(at));
            at++;
        }
        model.keep(kept);
    }
}
