package io.metricsaggregator.flink.sample;

/**
 * What head, samples and totals of a run send each other. Immutable; {@code bytes} is never written to.
 *
 * @param run identifies the run within the job
 * @param kind what {@code bytes} holds
 * @param sample key of the sample of an event; empty for parts
 * @param events of a part of samples: events applied in it; of a part of the head: events sent so far; 0 for an event
 * @param bytes the event or the part
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record SampleMessage(String run, Kind kind, String sample, long events, byte[] bytes) {
    /** What the bytes hold; the order is part of the serialized form. */
    enum Kind {
        /** An event of a sample with its stamp. */
        EVENT,
        /** The part of some samples since the task's last one. */
        SAMPLES,
        /** The part of the head so far. */
        HEAD,
        /** The part of the head at the end of the run. */
        LAST_HEAD
    }

    /** Key of the sample within the job. */
    String key() {
        return run + "/" + sample;
    }
}
