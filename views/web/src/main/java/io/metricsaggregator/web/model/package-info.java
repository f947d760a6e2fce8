/**
 * The content of the live page, computed from snapshots: tiles, tables, plots, heat maps and sections as trees of texts and numbers. Belongs
 * to one thread, that of its server, and keeps a bounded amount of the run's history. It must not know HTTP, HTML or the daemon.
 */
@NullMarked
package io.metricsaggregator.web.model;

import org.jspecify.annotations.NullMarked;
