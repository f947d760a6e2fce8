/** Commands that show a run: {@code report}, {@code compare}, {@code sweep}, {@code watch}, {@code tail}, {@code wait}. */
@NullMarked
package io.metricsaggregator.cli.view;

import org.jspecify.annotations.NullMarked;
