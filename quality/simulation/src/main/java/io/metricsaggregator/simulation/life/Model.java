package io.metricsaggregator.simulation.life;

import io.metricsaggregator.simulation.life.plan.Arrival;
import io.metricsaggregator.simulation.life.plan.Traffic;
import io.metricsaggregator.simulation.life.plan.Words;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Computes what the daemon must show from the frames it received, with nothing of the daemon's own code: samples in arrays, latencies in a
 * list.
 */
final class Model {
    private final int samples;
    private final boolean texts;
    private final List<Arrival> received = new ArrayList<>();
    private final List<Figures> after = new ArrayList<>(List.of(Figures.NONE));
    private final List<Long> latencies = new ArrayList<>();
    private long[] issuedNanos = new long[0];
    private Step[] steps = new Step[0];
    /** The number that the next record of each worker should have; negative before its first. */
    private long[] nextNumbers = new long[0];

    private boolean started;
    private boolean tracking;

    /** How far a sample is. */
    private enum Step {
        UNKNOWN,
        UNTRACKED,
        UNTRACKED_FIRST,
        ISSUED,
        FIRST,
        COMPLETE
    }

    /**
     * A model that has received nothing.
     *
     * @param samples number of samples that are sent
     * @param texts whether they have prompts and outputs, whose words are counted
     */
    Model(int samples, boolean texts) {
        this.samples = samples;
        this.texts = texts;
        forget();
    }

    private void forget() {
        received.clear();
        after.subList(1, after.size()).clear();
        latencies.clear();
        issuedNanos = new long[samples];
        steps = new Step[samples];
        Arrays.fill(steps, Step.UNKNOWN);
        nextNumbers = new long[Traffic.WORKERS_MAX];
        Arrays.fill(nextNumbers, -1);
        started = false;
        tracking = false;
    }

    /** Number of frames received. */
    int frames() {
        return received.size();
    }

    /** The daemon has received a frame. */
    void receive(Arrival frame) {
        received.add(frame);
        Figures.Changing figures = after.get(after.size() - 1).change();
        switch (frame.kind()) {
            case EMPTY -> figures.add(Count.EMPTY_FRAMES);
            case MALFORMED_BATCH -> {
                figures.add(Count.BATCHES);
                figures.add(Count.MALFORMED_BATCHES);
            }
            case BATCH -> figures.add(Count.BATCHES);
            case RECORD -> {
                // Nothing counts single records.
            }
        }
        frame.records().forEach(each -> apply(figures, each));
        after.add(figures.done());
    }

    /** The frames received, in order. */
    List<Arrival> received() {
        return List.copyOf(received);
    }

    /** The daemon knows only these of the frames received: the others were lost with a process or with the machine. */
    void keep(List<Arrival> kept) {
        if (kept.size() < received.size()) {
            forget();
            kept.forEach(this::receive);
        }
    }

    /** What must be shown after the first {@code frames} frames. */
    Figures after(int frames) {
        return after.get(frames);
    }

    /** The latencies in nanoseconds, sorted. */
    List<Long> latencies() {
        return latencies.stream().sorted().toList();
    }

    private void apply(Figures.Changing figures, Arrival.Sent record) {
        figures.add(Count.RECORDS);
        if (record.oddity() != Arrival.Oddity.MALFORMED) {
            figures.add(Count.LOST, numbersBefore(record));
        }
        if (figures.ended()) {
            figures.add(Count.LATE);
            return;
        }
        switch (record.oddity()) {
            case MALFORMED -> {
                figures.add(Count.MALFORMED);
                figures.add(Count.FAILED);
            }
            case UNKNOWN -> {
                figures.add(Count.UNKNOWN);
                figures.add(Count.FAILED);
            }
            case ANONYMOUS -> figures.add(Count.ANONYMOUS);
            case NONE -> figures.add(outcome(figures, record));
        }
    }

    /** How many numbers of its worker are missing just before a record: what was sent before its first record counts as unknown. */
    private long numbersBefore(Arrival.Sent record) {
        long next = nextNumbers[record.worker()];
        nextNumbers[record.worker()] = Math.max(next, record.number() + 1);
        return next < 0 ? 0 : Math.max(0, record.number() - next);
    }

    private Count outcome(Figures.Changing figures, Arrival.Sent record) {
        return switch (record.type()) {
            case SESSION_STARTED -> {
                boolean again = started;
                started = true;
                yield again ? Count.DUPLICATE : Count.APPLIED;
            }
            case SESSION_START_PERFORMANCE_TRACKING -> {
                boolean again = tracking;
                tracking = true;
                yield again ? Count.DUPLICATE : Count.APPLIED;
            }
            case SESSION_ENDED -> {
                figures.end();
                yield Count.APPLIED;
            }
            case SAMPLE_ISSUED -> issue(figures, record);
            case SAMPLE_RECV_FIRST -> first(figures, record);
            case SAMPLE_COMPLETE -> complete(figures, record);
            default -> throw new IllegalArgumentException("the model does not know " + record.type());
        };
    }

    private Count issue(Figures.Changing figures, Arrival.Sent record) {
        figures.add(Count.ALL_ISSUED);
        if (tracking) {
            figures.add(Count.ISSUED);
        }
        if (tracking && texts) {
            figures.add(Count.TEXTS);
            figures.add(Count.PROMPTS);
            figures.add(Count.PROMPT_WORDS, Words.ofPrompt(record.sample()));
        }
        steps[record.sample()] = tracking ? Step.ISSUED : Step.UNTRACKED;
        issuedNanos[record.sample()] = record.timestampNanos();
        return Count.APPLIED;
    }

    private Count first(Figures.Changing figures, Arrival.Sent record) {
        Step step = steps[record.sample()];
        if (step == Step.ISSUED || step == Step.FIRST) {
            // A repetition counts as a time of its own, as in MLCommons endpoints.
            figures.firstToken(record.timestampNanos() - issuedNanos[record.sample()]);
        }
        return switch (step) {
            case ISSUED -> step(record, Step.FIRST);
            case UNTRACKED -> step(record, Step.UNTRACKED_FIRST);
            case FIRST, UNTRACKED_FIRST -> Count.DUPLICATE;
            case UNKNOWN, COMPLETE -> Count.ORPHAN;
        };
    }

    private Count step(Arrival.Sent record, Step made) {
        steps[record.sample()] = made;
        return Count.APPLIED;
    }

    private Count complete(Figures.Changing figures, Arrival.Sent record) {
        Step step = steps[record.sample()];
        figures.add(Count.ALL_COMPLETED);
        if (step == Step.UNKNOWN || step == Step.COMPLETE) {
            return Count.ORPHAN;
        }
        steps[record.sample()] = Step.COMPLETE;
        if (step == Step.ISSUED || step == Step.FIRST) {
            long latency = record.timestampNanos() - issuedNanos[record.sample()];
            latencies.add(latency);
            figures.add(Count.COMPLETED);
            figures.latency(latency);
            if (texts) {
                output(figures, record.sample(), step == Step.FIRST);
            }
        }
        return Count.APPLIED;
    }

    /** The output of a tracked sample: an empty one is counted, and has no length. */
    private static void output(Figures.Changing figures, int sample, boolean hasFirst) {
        figures.add(Count.TEXTS);
        int words = Words.ofOutput(sample);
        if (words > 0) {
            figures.add(Count.OUTPUTS);
            figures.add(Count.OUTPUT_WORDS, words);
        }
        if (hasFirst && Words.behindFirstChunk(sample) > 0) {
            figures.add(Count.TIMED_OUTPUTS);
        }
    }
}
