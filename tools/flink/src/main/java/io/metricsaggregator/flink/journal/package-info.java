/**
 * Journals as a source of Flink: finds the folders of runs in any file system that Flink reads, and reads their entries as streams. The
 * client finds runs before the job starts; a source's own thread reads. Nothing here folds an event or changes a journal.
 */
@NullMarked
package io.metricsaggregator.flink.journal;

import org.jspecify.annotations.NullMarked;
