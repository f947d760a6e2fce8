/**
 * Files and pipes that a tool still writes, as streams that wait for more. Belongs to the thread of the calling command; {@code stop} may
 * be called from any. It must not know any format.
 */
@NullMarked
package io.metricsaggregator.imports.follow;

import org.jspecify.annotations.NullMarked;
