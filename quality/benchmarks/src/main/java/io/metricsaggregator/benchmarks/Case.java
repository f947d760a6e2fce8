package io.metricsaggregator.benchmarks;

/**
 * The parameters of one measurement.
 *
 * @param reader the process that reads
 * @param tcp true for tcp, false for a Unix domain socket
 * @param batch records per frame; 1 sends each record under its own topic
 * @param inFlight number of samples in flight
 * @param samples number of samples per repetition
 * @param repetitions number of repetitions of the stream that are measured; at full speed a third as many go before, as warm-up
 * @param producers number of concurrently sending connections; with more than 1 the daemon binds
 * @param subscribers number of subscribers of the daemon's snapshots
 * @param tickHz snapshots per second
 * @param rate records per second; 0 for unlimited
 * @param traits what the stream has besides plain samples
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
        double rate,
        Traits traits) {

    /** The process that reads. */
    enum Reader {
        /** Reads and discards: the upper bound of what a socket delivers. */
        RAW("read and discard"),
        /** The daemon as shipped. */
        DAEMON("daemon"),
        /** The decoder and fold of this project behind JeroMQ. */
        JEROMQ("same fold behind JeroMQ"),
        /** pyzmq and msgspec: the minimum work of an aggregator in Python. */
        PYTHON("Python, pyzmq + msgspec"),
        /** The aggregator of MLCommons endpoints. */
        REFERENCE("MLCommons endpoints");

        final String label;

        Reader(String label) {
            this.label = label;
        }
    }

    static Case of(Reader reader, boolean tcp, int batch, int inFlight, long samples, int repetitions) {
        return new Case(reader, tcp, batch, inFlight, samples, repetitions, 1, 1, 4, 0, Traits.NONE);
    }

    int warmUp() {
        return rate > 0 ? 0 : repetitions / 3;
    }

    Case producers(int number) {
        return new Case(reader, tcp, batch, inFlight, samples, repetitions, number, subscribers, tickHz, rate, traits);
    }

    Case subscribers(int number) {
        return new Case(reader, tcp, batch, inFlight, samples, repetitions, producers, number, tickHz, rate, traits);
    }

    Case tickHz(int number) {
        return new Case(
                reader, tcp, batch, inFlight, samples, repetitions, producers, subscribers, number, rate, traits);
    }

    Case rate(double recordsPerSecond) {
        return new Case(
                reader,
                tcp,
                batch,
                inFlight,
                samples,
                repetitions,
                producers,
                subscribers,
                tickHz,
                recordsPerSecond,
                traits);
    }

    Case traits(Traits more) {
        return new Case(reader, tcp, batch, inFlight, samples, repetitions, producers, subscribers, tickHz, rate, more);
    }

    String wire() {
        return (tcp ? "tcp" : "ipc") + (batch == 1 ? ", single frames" : ", batches of " + batch);
    }
}
