/**
 * Results of MLCommons endpoints as requests and figures. Belongs to the thread of the calling command. It must not write journals or compute
 * series.
 */
@NullMarked
package io.metricsaggregator.imports.endpoints;

import org.jspecify.annotations.NullMarked;
