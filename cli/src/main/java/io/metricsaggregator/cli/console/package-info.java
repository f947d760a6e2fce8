/** What every command needs of a terminal: output that is complete or an error, files that are whole or absent, logs, help, words for errors. */
@NullMarked
package io.metricsaggregator.cli.console;

import org.jspecify.annotations.NullMarked;
