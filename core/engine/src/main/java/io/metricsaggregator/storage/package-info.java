/**
 * Memory outside the heap and a spill file, for the values of series and the texts that wait. The thread of the main flow takes blocks and
 * slabs; a thread of each supply makes memory, and one writes to disk. Nothing here may make the thread of the main flow wait for memory
 * or for a disk.
 */
@NullMarked
package io.metricsaggregator.storage;

import org.jspecify.annotations.NullMarked;
