/**
 * A Flink job that recomputes journals of many nodes: its command line and its graph. The main method runs on the client, which also finds
 * the runs and checks the arguments. The computation itself is that of the daemon, in packages of the engine and the aggregator.
 */
@NullMarked
package io.metricsaggregator.flink;

import org.jspecify.annotations.NullMarked;
