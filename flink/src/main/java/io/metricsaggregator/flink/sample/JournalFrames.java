package io.metricsaggregator.flink.sample;

import io.metricsaggregator.flink.journal.JournalEntry;
import io.metricsaggregator.flink.stream.RunFrame;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes frames of runs from the entries of their journals; what could not be read of a journal is logged. Stateless, on the source's thread. */
final class JournalFrames implements FlatMapFunction<JournalEntry, RunFrame> {
    private static final long serialVersionUID = 1;
    private static final Logger LOG = LoggerFactory.getLogger(JournalFrames.class);

    private final TreeMap<String, String> runs;

    /**
     * Frames of some runs.
     *
     * @param runs names of the runs by their folders, as URIs
     */
    JournalFrames(Map<String, String> runs) {
        this.runs = new TreeMap<>(runs);
    }

    @Override
    public void flatMap(JournalEntry entry, Collector<RunFrame> out) {
        String run = runs.get(entry.run());
        if (run == null) {
            throw new IllegalStateException("run " + entry.run() + " was not there when the job was submitted");
        }
        switch (entry.kind()) {
            case RUN -> {
                // The client has read it.
            }
            case FRAME ->
                out.collect(
                        new RunFrame(run, 0, RunFrame.NOT_NUMBERED, entry.nanos(), entry.untilNanos(), entry.bytes()));
            case OUTAGE -> out.collect(RunFrame.outage(run, entry.nanos(), entry.untilNanos()));
            case END -> {
                JournalEntry.Damage damage = entry.damage();
                if (!damage.equals(new JournalEntry.Damage(0, 0, 0, 0, 0))) {
                    LOG.warn("journal damaged run={} {}", run, damage);
                }
                out.collect(RunFrame.end(run, entry.nanos(), entry.untilNanos()));
            }
        }
    }
}
