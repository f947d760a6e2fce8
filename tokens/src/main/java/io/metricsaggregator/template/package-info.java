/**
 * Renders chat templates: the part of Jinja that models' templates use, with Python's notion of truth, text and equality. Pure:
 * text and values in, text out, on any thread; it touches no file, clock (but for {@code strftime_now}) or class of the host. A
 * template may come from a stranger, so steps, depth and the size of what is made are bounded.
 */
@NullMarked
package io.metricsaggregator.template;

import org.jspecify.annotations.NullMarked;
