/**
 * OpenTelemetry traces in: bodies of {@code POST /v1/traces} as spans, and spans of GenAI requests as event records. Reading belongs to
 * the listener's thread, mapping to the thread that applies events. It must not know the run, and treats every byte as untrusted.
 */
@NullMarked
package io.metricsaggregator.otlp;

import org.jspecify.annotations.NullMarked;
