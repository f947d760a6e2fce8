package io.metricsaggregator.conformance;

import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.FrameHandler;
import io.metricsaggregator.transport.FrameSource;
import io.metricsaggregator.transport.Transport;
import io.metricsaggregator.transport.TransportOptions;
import io.metricsaggregator.transport.Transports;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs producer cases: starts the command, subscribes as the case says, and judges what arrives. The command binds {@code MA_ENDPOINT}.
 * One thread runs the cases one after the other.
 */
public final class ProducerCheck {
    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1000 * MILLI;
    private static final long TURN = 50 * MILLI;
    private static final int RUNS_MAX = 3;
    /** Time after the deadline to receive what a command that has ended left in the socket. */
    private static final long DRAIN_MAX = 60 * SECOND;
    /** Time without a frame after which nothing more is expected of a command that has ended. */
    private static final long QUIET = 500 * MILLI;

    private final List<String> command;
    private final boolean tcp;
    private final Level level;
    private final Set<String> lives = new HashSet<>();

    /**
     * Creates a check.
     *
     * @param command the program and its arguments
     * @param tcp whether the endpoint is tcp on the loopback interface instead of ipc
     * @param level the highest level whose cases and rules count
     */
    public ProducerCheck(List<String> command, boolean tcp, Level level) {
        this.command = List.copyOf(command);
        this.tcp = tcp;
        this.level = level;
    }

    /**
     * Runs the cases up to the level.
     *
     * @param kit the data of the kit
     * @param glob selects cases by name
     * @param done called after each case
     * @throws IOException if the kit cannot be read, or the command cannot be started
     */
    public List<CaseResult> run(Suite kit, String glob, java.util.function.Consumer<CaseResult> done)
            throws IOException {
        List<CaseResult> results = new ArrayList<>();
        for (java.nio.file.Path file : kit.producerCases(glob)) {
            Script script = Script.read(file);
            if (script.level().number() <= level.number()) {
                CaseResult result = run(script);
                results.add(result);
                done.accept(result);
            }
        }
        return results;
    }

    /** Runs one case; up to {@value #RUNS_MAX} times if only its times are wrong, since a busy host delays processes. */
    CaseResult run(Script script) throws IOException {
        CaseResult result = runOnce(script);
        for (int runs = 1; runs < RUNS_MAX && onlyTimesFail(result); runs++) {
            result = runOnce(script);
        }
        return result;
    }

    private static boolean onlyTimesFail(CaseResult result) {
        String times = Level.TIME.title() + ".";
        return result.isBad()
                && result.checks().stream()
                        .allMatch(check -> !check.status().isBad() || check.id().startsWith(times));
    }

    private CaseResult runOnce(Script script) throws IOException {
        try (CaseDirectory place = new CaseDirectory(tcp)) {
            Map<String, String> environment =
                    Map.of("MA_ENDPOINT", place.endpoint(), "MA_CASE", script.name(), "MA_KIT", Suite.VERSION);
            byte[] input = (script.json() + "\n").getBytes(StandardCharsets.UTF_8);
            ProducerJudge judge = new ProducerJudge(script);
            try (Program program = new Program(command, place.folder(), environment, input)) {
                new Run(script, place, program, judge).perform();
            }
            return CaseResult.of(script.name(), judge.finish(true, lives), level);
        }
    }

    /** One run of one case. */
    private static final class Run {
        private final Script script;
        private final CaseDirectory place;
        private final Program program;
        private final ProducerJudge judge;
        private final long deadline;
        private long lastFrame = System.nanoTime();
        private boolean paused;
        private boolean disconnected;

        Run(Script script, CaseDirectory place, Program program, ProducerJudge judge) {
            this.script = script;
            this.place = place;
            this.program = program;
            this.judge = judge;
            this.deadline = System.nanoTime() + script.timeoutSeconds() * SECOND;
        }

        void perform() throws IOException {
            long late = script.subscriber().lateMillis();
            if (late > 0) {
                while (!place.isBound() && !isOver()) {
                    LockSupport.parkNanos(10 * MILLI);
                }
                LockSupport.parkNanos(late * MILLI);
            }
            while (!receive()) {
                disconnected = true;
                LockSupport.parkNanos(script.subscriber().disconnectMillis() * MILLI);
                judge.reconnected();
            }
            if (!program.awaitEnd(deadline - System.nanoTime())) {
                judge.badEnd("the command still runs after " + script.timeoutSeconds() + " s" + program.complaint());
            } else if (program.status() != 0) {
                judge.badEnd("the command ended with status " + program.status() + program.complaint());
            } else {
                judge.goodEnd();
            }
        }

        private boolean isOver() {
            return System.nanoTime() - deadline >= 0 || !program.isAlive();
        }

        /** Receives until everything has arrived; false if the connection is to be interrupted. */
        private boolean receive() throws IOException {
            try (Transport transport = Transports.open(TransportOptions.defaults())) {
                FrameSource source = transport.openSource(
                        List.of(Endpoint.parse(place.endpoint(), false)),
                        FrameHandler.announcing(
                                List.of(Topic.CHUNKS),
                                (buffer, start, length) -> judge.frame(buffer, start, length, System.nanoTime())));
                while (true) {
                    if (transport.poll(TURN) > 0) {
                        lastFrame = System.nanoTime();
                    }
                    long late = System.nanoTime() - deadline;
                    // What the command has sent before it ended is still received.
                    boolean over = program.isAlive() ? late >= 0 : isQuiet(source) || late >= DRAIN_MAX;
                    if (over) {
                        return true;
                    }
                    Script.Subscriber subscriber = script.subscriber();
                    if (isDue(subscriber.pauseAfterRecords(), paused)) {
                        paused = true;
                        LockSupport.parkNanos(subscriber.pauseMillis() * MILLI);
                    }
                    if (isDue(subscriber.disconnectAfterRecords(), disconnected)) {
                        return false;
                    }
                }
            }
        }

        private boolean isDue(long records, boolean done) {
            return records > 0 && !done && judge.records() >= records;
        }

        private boolean isQuiet(FrameSource source) {
            return source.peers() == 0 && System.nanoTime() - lastFrame > QUIET;
        }
    }
}
