/**
 * An append-only log of what was received, from which a run can go on after its process was killed, or be computed again. Knows
 * bytes and files; what the frames mean is the affair of others. A damaged journal never gives a wrong frame: each entry is
 * checked, what cannot be read is counted.
 */
@NullMarked
package io.metricsaggregator.journal;

import org.jspecify.annotations.NullMarked;
