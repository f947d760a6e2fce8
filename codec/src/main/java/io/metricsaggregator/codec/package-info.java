/**
 * The parts that all messages share: the {@link io.metricsaggregator.codec.MessageCodec} seam between bytes and records, and bounded
 * reading of msgpack and JSON from untrusted bytes. Functions are pure and cursors have one owner; no thread belongs to this package.
 * It must not read sockets or files, and must report malformed input only as a fault or a
 * {@link io.metricsaggregator.codec.MalformedMessageException}.
 */
@NullMarked
package io.metricsaggregator.codec;

import org.jspecify.annotations.NullMarked;
