/**
 * Results of vLLM's bench serve as requests and figures. Belongs to the thread of the calling command. It must not write journals or compute
 * series.
 */
@NullMarked
package io.metricsaggregator.imports.vllm;

import org.jspecify.annotations.NullMarked;
