/**
 * Renders chat templates: the subset of Jinja that models' templates use, with Python's truth, text and equality. Pure: text and values
 * in, text out, on any thread; must not touch files, clocks (except for {@code strftime_now}) or classes of the host. A template may
 * come from an untrusted request, so steps, depth and the size of its output are limited.
 */
@NullMarked
package io.metricsaggregator.template;

import org.jspecify.annotations.NullMarked;
