/**
 * What snapshots show, for systems that collect metrics. Each exporter has threads of its own and sees nothing but snapshots that have
 * been rendered; whatever a collector does, the run does not feel it.
 */
@NullMarked
package io.metricsaggregator.export;

import org.jspecify.annotations.NullMarked;
