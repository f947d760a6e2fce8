/** Commands that measure a load generator while it runs. */
@NullMarked
package io.metricsaggregator.cli.live;

import org.jspecify.annotations.NullMarked;
