package io.metricsaggregator.benchmarks;

/**
 * What is measured once.
 *
 * @param reader who reads
 * @param tcp over tcp, rather than a Unix domain socket
 * @param batch records to a frame; 1 sends each alone
 * @param inFlight samples in flight at a time
 * @param samples of one repetition
 * @param repetitions of the stream; the first quarter warms up
 * @param producers connections that send at a time; more than 1 lets the daemon bind
 * @param subscribers of the daemon's snapshots
 * @param tickHz snapshots a second
 * @param rate records a second; 0 for as fast as it goes
 */
record Case(
        Reader reader,
        boolean tcp,
        int batch,
        int inFlight,
        long samples,
        int repetitions,
        int producers,
        int subscribers,
        int tickHz,
        double rate) {

    /** Who reads. */
    enum Reader {
        /** Reads and discards: the limit. */
        RAW("read and discard"),
        /** The daemon as it is shipped. */
        DAEMON("daemon"),
        /** Our decoder and fold behind JeroMQ. */
        JEROMQ("same fold behind JeroMQ"),
        /** pyzmq and msgspec: about what a Python aggregator cannot do without. */
        PYTHON("Python, pyzmq + msgspec"),
        /** The aggregator of MLCommons endpoints itself. */
        REFERENCE("MLCommons endpoints");

        final String label;

        Reader(String label) {
            this.label = label;
        }
    }

    static Case of(Reader reader, boolean tcp, int batch, int inFlight, long samples, int repetitions) {
        return new Case(reader, tcp, batch, inFlight, samples, repetitions, 1, 1, 4, 0);
    }

    Case producers(int number) {
        return new Case(reader, tcp, batch, inFlight, samples, repetitions, number, subscribers, tickHz, rate);
    }

    Case subscribers(int number) {
        return new Case(reader, tcp, batch, inFlight, samples, repetitions, producers, number, tickHz, rate);
    }

    Case tickHz(int number) {
        return new Case(reader, tcp, batch, inFlight, samples, repetitions, producers, subscribers, number, rate);
    }

    Case rate(double recordsPerSecond) {
        return new Case(
                reader, tcp, batch, inFlight, samples, repetitions, producers, subscribers, tickHz, recordsPerSecond);
    }

    String wire() {
        return (tcp ? "tcp" : "ipc") + (batch == 1 ? ", single frames" : ", batches of " + batch);
    }
}
