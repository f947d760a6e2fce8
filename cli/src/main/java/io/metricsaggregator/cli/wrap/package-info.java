/**
 * Runs a load tool with its target replaced by a proxy: finds the target by rules, starts daemon, proxy and tool, and compares their figures at
 * the end. Belongs to the thread of the command. It must not know how requests are measured.
 */
@NullMarked
package io.metricsaggregator.cli.wrap;

import org.jspecify.annotations.NullMarked;
