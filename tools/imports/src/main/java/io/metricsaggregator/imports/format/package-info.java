/**
 * The formats that can be imported, and their detection. Belongs to the thread of the calling command. It must not write journals or
 * compute series.
 */
@NullMarked
package io.metricsaggregator.imports.format;

import org.jspecify.annotations.NullMarked;
