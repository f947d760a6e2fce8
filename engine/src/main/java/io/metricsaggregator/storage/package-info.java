/**
 * Where much data waits: blocks of memory outside the heap, made before they are needed, and a file for values beyond a bound.
 * Nothing here may make the thread of the main flow wait for memory or for a disk.
 */
@NullMarked
package io.metricsaggregator.storage;

import org.jspecify.annotations.NullMarked;
