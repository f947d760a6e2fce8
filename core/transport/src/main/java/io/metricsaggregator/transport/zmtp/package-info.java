/**
 * Our ZMTP 3 peer: {@link io.metricsaggregator.transport.zmtp.ZmtpEngine} is the protocol as a pure state machine, bytes in,
 * frames out; the sockets around it are non-blocking channels on one selector. Everything belongs to the thread that polls. It
 * must not trust a received byte: memory follows the bytes received, not the lengths declared.
 */
@NullMarked
package io.metricsaggregator.transport.zmtp;

import org.jspecify.annotations.NullMarked;
