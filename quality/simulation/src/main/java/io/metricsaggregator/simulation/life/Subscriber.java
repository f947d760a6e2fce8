package io.metricsaggregator.simulation.life;

import io.metricsaggregator.catalogue.CounterGroup;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Ledger;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Receives all snapshots of a life and compares them with each other and with the model. */
final class Subscriber {
    private final Verdicts verdicts;
    private final Model model;
    private final TextRules texts;
    /** The last snapshot of the run that still binds the next one; null after a loss that is allowed. */
    private @Nullable MetricsSnapshot previous;

    private @Nullable MetricsSnapshot terminal;
    private int snapshots;
    private int snapshotsOfProcess;

    Subscriber(Verdicts verdicts, Model model, TextRules texts) {
        this.verdicts = verdicts;
        this.model = model;
        this.texts = texts;
    }

    void beginProcess() {
        terminal = null;
        snapshotsOfProcess = 0;
    }

    /** Number of snapshots received. */
    int snapshots() {
        return snapshots;
    }

    /** The terminal snapshot of the process that runs; null if it has published none. */
    @Nullable
    MetricsSnapshot terminal() {
        return terminal;
    }

    /** Frames that a snapshot has shown and that must not be lost; 0 if any may. */
    int shownFrames() {
        return previous == null ? 0 : (int) previous.counter(CounterName.FRAMES_RECEIVED);
    }

    /** The daemon may have lost frames that were shown. */
    void forgiveLoss() {
        previous = null;
    }

    /** Returns the snapshot; null if it cannot be read. */
    @Nullable
    MetricsSnapshot receive(byte[] frame, boolean last) {
        snapshots++;
        snapshotsOfProcess++;
        MetricsSnapshot snapshot;
        try {
            snapshot = Snapshots.ofFrame(frame);
        } catch (MalformedMessageException e) {
            verdicts.violated(Invariant.FRAMES_ARE_READABLE, e.toString());
            return null;
        }
        verdicts.require(
                Snapshots.encodesTo(snapshot, frame),
                Invariant.FRAMES_ARE_READABLE,
                () -> "snapshot " + snapshot.counter() + " encodes to other bytes than it was decoded from");
        MetricsSnapshot before = previous;
        if (before != null && Snapshots.runId(before).equals(Snapshots.runId(snapshot))) {
            compareWith(before, snapshot);
        } else if (before != null && shownFrames() > 0) {
            verdicts.violated(
                    Invariant.SHOWN_SURVIVES_A_KILL,
                    "run " + Snapshots.runId(before) + " showed " + shownFrames() + " frames and was not resumed");
        }
        checkOrder(snapshot, last);
        check(snapshot, last ? "terminal snapshot" : "live snapshot");
        previous = snapshot;
        return snapshot;
    }

    private void checkOrder(MetricsSnapshot snapshot, boolean last) {
        verdicts.require(
                terminal == null,
                Invariant.ONE_TERMINAL_SNAPSHOT,
                (last ? "a second terminal" : "a live") + " snapshot follows the terminal one");
        verdicts.require(
                last == snapshot.state().isTerminal(),
                Invariant.ONE_TERMINAL_SNAPSHOT,
                (last ? "the last" : "a live") + " snapshot has the state " + snapshot.state());
        if (last) {
            terminal = snapshot;
        }
    }

    private void compareWith(MetricsSnapshot before, MetricsSnapshot now) {
        verdicts.require(
                now.counter() > before.counter() || snapshotsOfProcess == 1,
                Invariant.COUNTERS_NEVER_FALL,
                () -> "snapshot " + now.counter() + " follows " + before.counter());
        verdicts.require(
                now.counter() == before.counter() + 1
                        || snapshotsOfProcess == 1
                        || now.state().isTerminal(),
                Invariant.EVERY_SNAPSHOT_IS_PUBLISHED,
                () -> "snapshot " + now.counter() + " follows " + before.counter());
        for (CounterGroup group : List.of(CounterGroup.SAMPLES, CounterGroup.LEDGER)) {
            for (CounterName name : CounterName.of(group)) {
                verdicts.require(
                        now.counter(name) >= before.counter(name) || CounterMetric.mayFall(name.wire()),
                        Invariant.COUNTERS_NEVER_FALL,
                        () -> name + " fell from " + before.counter(name) + " to " + now.counter(name));
            }
        }
        for (SeriesMetric each : before.series()) {
            SeriesMetric later = now.series(each.name());
            verdicts.require(
                    (later != null && later.count() >= each.count())
                            || (snapshotsOfProcess == 1 && TextRules.areCountedAgain(each.name())),
                    Invariant.COUNTERS_NEVER_FALL,
                    () -> "values of " + each.name() + " fell from " + each.count());
        }
        SessionState was = before.state();
        verdicts.require(
                now.state().compareTo(was) >= 0 || (snapshotsOfProcess == 1 && was.isTerminal()),
                Invariant.STATES_GO_FORWARD,
                () -> was + " became " + now.state());
    }

    /** Compares a snapshot with the model. */
    void check(MetricsSnapshot snapshot, String where) {
        Ledger ledger = Ledger.of(snapshot);
        verdicts.require(ledger.balanced(), Invariant.LEDGER_BALANCES, () -> where + ": " + ledger);
        long frames = snapshot.counter(CounterName.FRAMES_RECEIVED);
        if (frames > model.frames()) {
            verdicts.violated(
                    Invariant.NOTHING_IS_INVENTED,
                    where + " shows " + frames + " frames, received were " + model.frames());
            return;
        }
        Figures expected = model.after((int) frames);
        verdicts.require(
                snapshot.state() != SessionState.COMPLETE || expected.ended(),
                Invariant.STATES_GO_FORWARD,
                where + " is COMPLETE without the end of the session");
        for (Count each : Count.values()) {
            CounterName shownAs = each.shownAs();
            if (shownAs != null) {
                equal(where, shownAs.wire(), expected.get(each), snapshot.counter(shownAs));
            }
        }
        texts.check(snapshot, expected, where);
        long lost = snapshot.extensions().recordsLost();
        verdicts.require(
                lost == expected.get(Count.LOST)
                        || snapshot.extensions().completeness().leftOut().contains("workers"),
                Invariant.LOST_RECORDS_LEAVE_GAPS,
                where + ": " + lost + " records lost, the model says " + expected.get(Count.LOST));
        SeriesMetric latency = snapshot.series(SeriesName.SAMPLE_LATENCY_NS);
        SeriesMetric firstToken = snapshot.series(SeriesName.TTFT_NS);
        equal(where, "latencies", expected.get(Count.LATENCIES), latency == null ? 0 : latency.count());
        equal(where, "first tokens", expected.get(Count.FIRST_TOKENS), firstToken == null ? 0 : firstToken.count());
        if (latency != null && expected.get(Count.LATENCIES) > 0) {
            equal(
                    where,
                    "sum of latencies",
                    expected.get(Count.LATENCY_TOTAL),
                    latency.total().longValue());
            equal(
                    where,
                    "smallest latency",
                    expected.get(Count.LATENCY_MIN),
                    latency.min().longValue());
            equal(
                    where,
                    "largest latency",
                    expected.get(Count.LATENCY_MAX),
                    latency.max().longValue());
        }
        if (firstToken != null && expected.get(Count.FIRST_TOKENS) > 0) {
            equal(
                    where,
                    "sum of first tokens",
                    expected.get(Count.FIRST_TOKEN_TOTAL),
                    firstToken.total().longValue());
        }
        if (latency != null && latency.isExact() && latency.count() > 0 && frames == model.frames()) {
            checkPercentiles(where, latency);
        }
    }

    /** Exact percentiles have the rank ⌊p/100·(n − 1)⌋ from 0, as in MLCommons endpoints; people see the interpolated ones around it. */
    private void checkPercentiles(String where, SeriesMetric latency) {
        List<Long> sorted = model.latencies();
        latency.percentiles().forEach((key, value) -> {
            double place = Double.parseDouble(key) / 100 * (sorted.size() - 1);
            long low = sorted.get((int) Math.floor(place));
            long high = sorted.get((int) Math.ceil(place));
            equal(where, "latency at percentile " + key, low, value.longValue());
            Double shown = latency.percentile(key);
            double expected = low + (place - Math.floor(place)) * (high - low);
            verdicts.require(
                    shown != null && Math.abs(shown - expected) <= 1 + expected * 1e-9,
                    Invariant.FIGURES_EQUAL_THE_MODEL,
                    where + ": interpolated latency at percentile " + key + " is " + shown + ", the model says "
                            + expected);
        });
    }

    private void equal(String where, String what, long expected, long shown) {
        verdicts.require(
                expected == shown,
                Invariant.FIGURES_EQUAL_THE_MODEL,
                () -> where + ": " + what + " " + shown + ", the model says " + expected);
    }
}
