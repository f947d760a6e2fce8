/**
 * The conformance kit: checks of producers, subscribers and consumers that are written in any language, against rules with stable names.
 * One thread runs a case from start to end and owns its sockets and its child process. It must not depend on the daemon: it sees peers on
 * the wire only.
 */
@NullMarked
package io.metricsaggregator.conformance;

import org.jspecify.annotations.NullMarked;
