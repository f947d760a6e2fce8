/**
 * A reverse proxy that measures: it relays the bytes of HTTP/1.1 unchanged, follows a copy of them, and publishes the records of each request as
 * a load generator does. Two threads a connection, one for each direction, own its sockets; the records of all pass through one queue to one
 * thread. It must not change bytes beyond the {@code Host} of a request, nor let what it follows stop what it relays.
 */
@NullMarked
package io.metricsaggregator.proxy;

import org.jspecify.annotations.NullMarked;
