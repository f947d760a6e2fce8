package io.metricsaggregator.cli.audit;

import io.metricsaggregator.synthetic.ReportedTimes;
import io.metricsaggregator.synthetic.ServerBehaviour;
import io.metricsaggregator.synthetic.ServerQuirks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A situation that a tool is run in.
 *
 * @param name on the command line
 * @param title in a line
 * @param means what is done to the tool
 * @param behaviour of the server
 */
record Scenario(String name, String title, Means means, ServerBehaviour behaviour) {
    /** What is done to the tool while it runs. */
    enum Means {
        NONE,
        /** It is stopped for half of the time. */
        THROTTLE,
        /** It gets SIGINT when half of its requests have ended. */
        INTERRUPT
    }

    /** With it request 7 or 8 fails, so that short runs have one, and none of the first, which tools try servers with. */
    private static final long FAILING_SEED = 154;

    private static final String MODEL = "synthetic";
    private static final long SEED = 42;
    private static final long MILLI = 1_000_000;
    private static final ServerBehaviour USUAL = quirks(ServerQuirks.NONE);

    /**
     * All scenarios.
     *
     * @param isFull whether the freeze lasts 2 s from 10 s on, instead of a tenth of both
     */
    static List<Scenario> all(boolean isFull) {
        long second = Duration.ofSeconds(1).toNanos();
        long tenths = isFull ? second : second / 10;
        List<Scenario> all = new ArrayList<>();
        all.add(new Scenario(
                "steady",
                "50 ms to the first token, 16 tokens, always the same",
                Means.NONE,
                server(0, 1, 0, 0, 0, false, ServerQuirks.NONE)));
        all.add(new Scenario(
                "freeze",
                "answers of 20 ms, one at a time; after " + (isFull ? "10 s" : "1 s") + " nothing moves for "
                        + (isFull ? "2 s" : "0.2 s"),
                Means.NONE,
                new ServerBehaviour(
                        MODEL,
                        second / 50,
                        0,
                        0,
                        1,
                        1,
                        0,
                        0,
                        0,
                        0,
                        false,
                        1,
                        ReportedTimes.Form.NONE,
                        SEED,
                        frozen(10 * tenths, 2 * tenths))));
        all.add(new Scenario("slow-client", "the tool is stopped for 50 of each 100 ms", Means.THROTTLE, USUAL));
        all.add(new Scenario("role-first", "a chunk with the role at once", Means.NONE, with(1, 0, 0, 0, true)));
        all.add(new Scenario(
                "reasoning", "8 tokens of reasoning, then the answer", Means.NONE, with(1, 8, 0, 0, false)));
        all.add(new Scenario("many-tokens", "3 tokens in each chunk", Means.NONE, with(3, 0, 0, 0, false)));
        all.add(quirk("empty-chunks", "a chunk without text before each chunk", 1, ServerQuirks.Usage.SENT));
        all.add(quirk("usage-absent", "no usage", 0, ServerQuirks.Usage.ABSENT));
        all.add(quirk("usage-wrong", "a usage of twice the tokens", 0, ServerQuirks.Usage.DOUBLED));
        all.add(new Scenario("http-500", "5 % of requests get status 500", Means.NONE, with(1, 0, 0.05, 0, false)));
        all.add(new Scenario("resets", "5 % of streams break half-way", Means.NONE, with(1, 0, 0, 0.05, false)));
        all.add(new Scenario("cancelled", "SIGINT to the tool half-way", Means.INTERRUPT, USUAL));
        all.add(new Scenario(
                "not-streamed",
                "one JSON document for a stream",
                Means.NONE,
                quirks(new ServerQuirks(0, ServerQuirks.Usage.SENT, true, false, 0, 0))));
        all.add(new Scenario(
                "no-keep-alive",
                "the connection is closed after each answer",
                Means.NONE,
                quirks(new ServerQuirks(0, ServerQuirks.Usage.SENT, false, true, 0, 0))));
        all.add(new Scenario("turns", "conversations, if the tool's options ask for them", Means.NONE, USUAL));
        return all;
    }

    private static Scenario quirk(String name, String title, int emptyChunks, ServerQuirks.Usage usage) {
        return new Scenario(name, title, Means.NONE, quirks(new ServerQuirks(emptyChunks, usage, false, false, 0, 0)));
    }

    private static ServerQuirks frozen(long afterNanos, long nanos) {
        return new ServerQuirks(0, ServerQuirks.Usage.SENT, false, false, afterNanos, nanos);
    }

    private static ServerBehaviour quirks(ServerQuirks quirks) {
        return server(0.2, 1, 0, 0, 0, false, quirks);
    }

    private static ServerBehaviour with(int perChunk, int reasoning, double errors, double aborts, boolean early) {
        return server(0.2, perChunk, reasoning, errors, aborts, early, ServerQuirks.NONE);
    }

    private static ServerBehaviour server(
            double jitter,
            int perChunk,
            int reasoning,
            double errors,
            double aborts,
            boolean early,
            ServerQuirks quirks) {
        long seed = errors + aborts > 0 ? FAILING_SEED : SEED;
        return new ServerBehaviour(
                MODEL,
                50 * MILLI,
                10 * MILLI,
                jitter,
                16,
                perChunk,
                reasoning,
                0,
                errors,
                aborts,
                early,
                256,
                ReportedTimes.Form.NONE,
                seed,
                quirks);
    }
}
