/**
 * Results of SGLang's bench_serving as requests and figures. Belongs to the thread of the calling command. It must not write journals or compute
 * series.
 */
@NullMarked
package io.metricsaggregator.imports.sglang;

import org.jspecify.annotations.NullMarked;
