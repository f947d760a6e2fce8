package io.metricsaggregator.simulation.life;

/** What a snapshot must show after some frames, by the model; nanoseconds where it is a time. */
final class Figures {
    static final Figures NONE = new Figures(new long[Count.values().length], false);

    private final long[] values;
    private final boolean ended;

    private Figures(long[] values, boolean ended) {
        this.values = values;
        this.ended = ended;
    }

    long get(Count count) {
        return values[count.ordinal()];
    }

    /** Whether the end of the session was received. */
    boolean ended() {
        return ended;
    }

    /** Figures that can be changed without changing these. */
    Changing change() {
        return new Changing(values.clone(), ended);
    }

    /** Figures while a frame is applied. */
    static final class Changing {
        private final long[] values;
        private boolean ended;

        private Changing(long[] values, boolean ended) {
            this.values = values;
            this.ended = ended;
        }

        void add(Count count) {
            values[count.ordinal()]++;
        }

        void add(Count count, long more) {
            values[count.ordinal()] += more;
        }

        boolean ended() {
            return ended;
        }

        void end() {
            ended = true;
        }

        void latency(long nanos) {
            boolean first = values[Count.LATENCIES.ordinal()]++ == 0;
            values[Count.LATENCY_TOTAL.ordinal()] += nanos;
            int least = Count.LATENCY_MIN.ordinal();
            values[least] = first ? nanos : Math.min(values[least], nanos);
            int most = Count.LATENCY_MAX.ordinal();
            values[most] = first ? nanos : Math.max(values[most], nanos);
        }

        void firstToken(long nanos) {
            values[Count.FIRST_TOKENS.ordinal()]++;
            values[Count.FIRST_TOKEN_TOTAL.ordinal()] += nanos;
        }

        Figures done() {
            return new Figures(values, ended);
        }
    }
}
