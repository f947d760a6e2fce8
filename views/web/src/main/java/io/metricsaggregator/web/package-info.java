/**
 * An HTTP server that shows a run live in browsers: fixed files, and a stream of server-sent events. One thread named {@code web} owns every
 * connection and renders each event once for all of them; it sees nothing but snapshots that have been rendered. It must not wait for a
 * browser, and it must not call the daemon.
 */
@NullMarked
package io.metricsaggregator.web;

import org.jspecify.annotations.NullMarked;
