/** Commands that make files from files: {@code import}, {@code export}, {@code merge}, {@code replay}. */
@NullMarked
package io.metricsaggregator.cli.files;

import org.jspecify.annotations.NullMarked;
