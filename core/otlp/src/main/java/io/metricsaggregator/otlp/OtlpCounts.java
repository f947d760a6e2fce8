package io.metricsaggregator.otlp;

/**
 * What became of the requests and spans received. Every span is in exactly one of the counts from {@code samples} to {@code dropped}, or
 * waits to be applied.
 *
 * @param requests answered with 200
 * @param refused requests refused, as malformed, too large, of an unknown encoding, or because too many spans were waiting
 * @param spans of the requests answered with 200
 * @param samples spans that became samples
 * @param other spans that are not a client's request to a model
 * @param joined spans whose request was a sample already
 * @param repeated spans that were received before
 * @param rejected spans that break a rule of OTLP, or end an hour away from the time of receipt; the exporter is told
 * @param dropped spans that were waiting when the session ended
 * @param valuesRejected values left out of samples
 */
public record OtlpCounts(
        long requests,
        long refused,
        long spans,
        long samples,
        long other,
        long joined,
        long repeated,
        long rejected,
        long dropped,
        long valuesRejected) {}
