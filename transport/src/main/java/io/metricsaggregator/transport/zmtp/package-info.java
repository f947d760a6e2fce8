/**
 * Our ZMTP 3 peer: {@link io.metricsaggregator.transport.zmtp.ZmtpEngine} is the protocol as a pure state machine, bytes in,
 * frames out; the sockets around it are non-blocking channels on one selector. All of it belongs to the thread that polls. Every
 * byte that arrives is taken for hostile: no length is believed beyond what has been received.
 */
@NullMarked
package io.metricsaggregator.transport.zmtp;

import org.jspecify.annotations.NullMarked;
