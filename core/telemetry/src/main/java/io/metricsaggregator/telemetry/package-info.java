/**
 * Wires one fold per telemetry kind and routes each telemetry record to the fold of its category. The package belongs to the thread that
 * applies events; nothing in it is synchronised. It reads no clock and no file: time enters as a value, and results leave as immutable records.
 */
@NullMarked
package io.metricsaggregator.telemetry;

import org.jspecify.annotations.NullMarked;
