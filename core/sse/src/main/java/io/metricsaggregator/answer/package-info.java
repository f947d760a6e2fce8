/**
 * Answers of language model servers: server-sent events, and what the messages of the known APIs say. Knows JSON and nothing of files,
 * sockets or tools, so that imports, tests and proxies read answers alike.
 */
@NullMarked
package io.metricsaggregator.answer;

import org.jspecify.annotations.NullMarked;
