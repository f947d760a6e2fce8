/**
 * Benchmark Reports of llm-d as figures. Belongs to the thread of the calling command. It must not write journals or compute series.
 */
@NullMarked
package io.metricsaggregator.imports.llmd;

import org.jspecify.annotations.NullMarked;
