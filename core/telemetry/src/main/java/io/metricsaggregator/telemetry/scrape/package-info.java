/**
 * Folds scraped metrics ({@code scrape.*}): targets, series over time, aligned windows and highlights. The fold belongs to the thread that
 * applies events. It must not call a target: {@code collect} scrapes, this package aggregates.
 */
@NullMarked
package io.metricsaggregator.telemetry.scrape;

import org.jspecify.annotations.NullMarked;
