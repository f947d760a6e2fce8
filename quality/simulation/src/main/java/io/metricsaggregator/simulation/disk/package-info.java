/**
 * A disk in memory behind {@link java.nio.file.FileSystem}. It keeps apart what the process sees and what a power cut leaves: bytes are
 * lost by sectors and folder entries from the last ones on, unless they were fsynced. One simulated machine owns it.
 */
@NullMarked
package io.metricsaggregator.simulation.disk;

import org.jspecify.annotations.NullMarked;
