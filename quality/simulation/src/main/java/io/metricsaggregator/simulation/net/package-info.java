/** Sockets of the simulated machine, whose peers are objects of a life. */
@NullMarked
package io.metricsaggregator.simulation.net;

import org.jspecify.annotations.NullMarked;
