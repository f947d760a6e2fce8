/**
 * Judges load tools: starts a synthetic server for each scenario, runs the tool against it, and checks each figure of the tool's file against
 * what the server did. Belongs to the thread of the command. It must not change or correct what a tool says.
 */
@NullMarked
package io.metricsaggregator.cli.audit;

import org.jspecify.annotations.NullMarked;
