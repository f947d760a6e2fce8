package io.metricsaggregator.simulation.life;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Computes what the daemon must show from the frames it received, with nothing of the daemon's own code: samples in arrays, latencies in a
 * list.
 */
final class Model {
    private final int samples;
    private final List<Arrival> received = new ArrayList<>();
    private final List<Figures> after = new ArrayList<>(List.of(Figures.NONE));
    private final List<Long> latencies = new ArrayList<>();
    private long[] issuedNanos = new long[0];
    private Step[] steps = new Step[0];
    private boolean tracking;

    /** How far a sample is. */
    private enum Step {
        UNKNOWN,
        UNTRACKED,
        ISSUED,
        FIRST,
        COMPLETE
    }

    Model(int samples) {
        this.samples = samples;
        forget();
    }

    private void forget() {
        received.clear();
        after.subList(1, after.size()).clear();
        latencies.clear();
        issuedNanos = new long[samples];
        steps = new Step[samples];
        Arrays.fill(steps, Step.UNKNOWN);
        tracking = false;
    }

    /** Number of frames received. */
    int frames() {
        return received.size();
    }

    /** The daemon has received a frame. */
    void receive(Arrival frame) {
        received.add(frame);
        Figures figures = after.get(after.size() - 1);
        for (Arrival.Sent each : frame.records()) {
            figures = apply(figures, each);
        }
        after.add(figures);
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

    private Figures apply(Figures was, Arrival.Sent record) {
        Figures now = with(was, was.issued(), was.completed(), was.ended());
        if (was.ended()) {
            return now;
        }
        return switch (record.type()) {
            case SESSION_START_PERFORMANCE_TRACKING -> {
                tracking = true;
                yield now;
            }
            case SESSION_ENDED -> with(was, was.issued(), was.completed(), true);
            case SAMPLE_ISSUED -> issue(was, now, record);
            case SAMPLE_RECV_FIRST -> first(now, record);
            case SAMPLE_COMPLETE -> complete(was, now, record);
            default -> now;
        };
    }

    private static Figures with(Figures was, long issued, long completed, boolean ended) {
        return new Figures(
                was.records() + 1,
                issued,
                completed,
                was.latencies(),
                was.latencyTotal(),
                was.latencyMin(),
                was.latencyMax(),
                was.firstTokens(),
                was.firstTokenTotal(),
                ended);
    }

    private Figures issue(Figures was, Figures now, Arrival.Sent record) {
        steps[record.sample()] = tracking ? Step.ISSUED : Step.UNTRACKED;
        issuedNanos[record.sample()] = record.timestampNanos();
        return tracking ? with(was, was.issued() + 1, was.completed(), false) : now;
    }

    private Figures first(Figures now, Arrival.Sent record) {
        if (steps[record.sample()] != Step.ISSUED) {
            return now;
        }
        steps[record.sample()] = Step.FIRST;
        return new Figures(
                now.records(),
                now.issued(),
                now.completed(),
                now.latencies(),
                now.latencyTotal(),
                now.latencyMin(),
                now.latencyMax(),
                now.firstTokens() + 1,
                now.firstTokenTotal() + record.timestampNanos() - issuedNanos[record.sample()],
                false);
    }

    private Figures complete(Figures was, Figures now, Arrival.Sent record) {
        Step step = steps[record.sample()];
        if (step != Step.ISSUED && step != Step.FIRST) {
            return now;
        }
        steps[record.sample()] = Step.COMPLETE;
        long latency = record.timestampNanos() - issuedNanos[record.sample()];
        latencies.add(latency);
        return new Figures(
                now.records(),
                now.issued(),
                was.completed() + 1,
                was.latencies() + 1,
                was.latencyTotal() + latency,
                Math.min(was.latencyMin(), latency),
                Math.max(was.latencyMax(), latency),
                now.firstTokens(),
                now.firstTokenTotal(),
                false);
    }
}
