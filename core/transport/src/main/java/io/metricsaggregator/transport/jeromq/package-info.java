/**
 * The JeroMQ adapter: tcp with CURVE encryption and an allow-list of client keys. The only place that imports
 * {@code org.zeromq}. Its transport belongs to the thread that polls it; JeroMQ's own I/O thread never sees our objects. It must not
 * trust a peer, or a length it declares, before its key is verified.
 */
@NullMarked
package io.metricsaggregator.transport.jeromq;

import org.jspecify.annotations.NullMarked;
