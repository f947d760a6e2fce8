package io.metricsaggregator.conformance;

import java.nio.ByteBuffer;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Applies all rules for producers to the frames of one run. One owner at a time. */
final class ProducerJudge {
    private final @Nullable Script script;
    private final Tally tally = new Tally();
    private final FrameReader reader = new FrameReader(tally, this::record);
    private final LifeRules life;
    private final TimeRules time = new TimeRules(tally);
    private final SequenceRules sequences;
    private final ExtensionRules extensions = new ExtensionRules(tally);
    private final @Nullable ScriptRules scripted;
    private long recordsBeforeReconnect = -1;

    /**
     * Creates a judge.
     *
     * @param script the case; null to watch a running producer, whose first records may have been missed
     */
    ProducerJudge(@Nullable Script script) {
        this.script = script;
        boolean lossy = script != null && script.rule() != null;
        life = new LifeRules(tally, script == null, lossy);
        sequences = new SequenceRules(tally, lossy || script == null, script == null);
        scripted = script == null ? null : new ScriptRules(tally, script);
    }

    /** Judges one frame, received at a time of this host's monotonic clock. */
    void frame(ByteBuffer buffer, int start, int length, long receivedNanos) {
        reader.frame(buffer, start, length, receivedNanos);
    }

    private void record(SeenRecord record) {
        life.record(record);
        time.record(record);
        sequences.record(record);
        extensions.record(record);
        if (scripted != null) {
            scripted.record(record);
        }
    }

    /** Number of records received, malformed ones included. */
    long records() {
        return reader.records();
    }

    /** Whether session.ended was received. */
    boolean hasEnded() {
        return life.hasEnded();
    }

    /** Notes that the kit connected again: records since it disconnected may be missing. */
    void reconnected() {
        life.interrupted();
        recordsBeforeReconnect = reader.records();
    }

    /** Notes that the command did not end as it must. */
    void badEnd(String message) {
        tally.breach(Rule.COMMAND_ENDS, message);
    }

    /** Notes that the command ended by itself with status 0. */
    void goodEnd() {
        tally.keep(Rule.COMMAND_ENDS);
    }

    /**
     * Judges what only the end shows.
     *
     * @param sameHost whether the producer's clock can be compared with this host's
     * @param lives the sources and lives of earlier starts; those of this run are added
     */
    Tally finish(boolean sameHost, Set<String> lives) {
        life.finish();
        time.finish(sameHost, script == null || script.level() == Level.TIME);
        sequences.compareWith(lives);
        if (scripted != null && script != null) {
            scripted.finish();
            if (script.rule() != null) {
                loss(script, script.rule(), scripted.records());
            }
        }
        return tally;
    }

    private void loss(Script of, Rule rule, long received) {
        long lost = of.records() - received;
        long told = sequences.isComplete() ? sequences.gaps() : 0;
        switch (rule) {
            case WAITS ->
                tally.judge(
                        rule,
                        lost == 0,
                        () -> lost + " of " + of.records() + " records were published before the"
                                + " subscriber was there");
            case NONE_OR_TOLD ->
                tally.judge(
                        rule,
                        lost == 0 || (lost == told && life.hasEnded()),
                        () -> lost + " of " + of.records() + " records were lost; seq reports " + told);
            case LINGER ->
                tally.judge(
                        rule,
                        life.hasEnded() && (lost == 0 || lost == told),
                        () -> lost + " of " + of.records() + " records did not arrive"
                                + (life.hasEnded() ? "" : ", session.ended among them"));
            case RECONNECT ->
                tally.judge(
                        rule,
                        recordsBeforeReconnect >= 0 && reader.records() > recordsBeforeReconnect && life.hasEnded(),
                        () -> recordsBeforeReconnect < 0
                                ? "the session was over before the kit disconnected"
                                : reader.records() - recordsBeforeReconnect
                                        + " records arrived after the kit connected again"
                                        + (life.hasEnded() ? "" : ", and no session.ended"));
            default -> throw new IllegalArgumentException("a case cannot judge " + rule.id());
        }
    }
}
