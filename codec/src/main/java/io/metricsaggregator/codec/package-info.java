/**
 * What every kind of message shares: the {@link io.metricsaggregator.codec.MessageCodec} seam between bytes and records, and
 * reading msgpack from untrusted bytes within bounds. Pure functions and single-owner cursors; nothing here knows a thread. It
 * must not read sockets or files, and must not let a malformed input escape as anything but a fault or a
 * {@link io.metricsaggregator.codec.MalformedMessageException}.
 */
@NullMarked
package io.metricsaggregator.codec;

import org.jspecify.annotations.NullMarked;
