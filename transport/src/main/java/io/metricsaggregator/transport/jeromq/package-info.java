/**
 * The JeroMQ adapter: tcp with CURVE encryption and an allow-list of client keys. The only place that imports
 * {@code org.zeromq}. Its transport belongs to the thread that polls it; JeroMQ's own I/O thread never sees our objects. A peer
 * is untrusted until its key is known, and JeroMQ is hardened against what it would believe before.
 */
@NullMarked
package io.metricsaggregator.transport.jeromq;

import org.jspecify.annotations.NullMarked;
