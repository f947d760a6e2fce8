/**
 * Results of GuideLLM as requests and figures. Belongs to the thread of the calling command. It must not write journals or compute
 * series.
 */
@NullMarked
package io.metricsaggregator.imports.guidellm;

import org.jspecify.annotations.NullMarked;
