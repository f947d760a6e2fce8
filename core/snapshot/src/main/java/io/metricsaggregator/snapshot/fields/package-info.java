/**
 * One declaration a record: a record's {@code pass} method names its fields, in the order in which they are written, and every {@link
 * io.metricsaggregator.snapshot.fields.Fields} walks over it. There are two that write, msgpack and JSON, and two that read, msgpack in place and
 * decoded trees. No class here knows a record.
 */
@NullMarked
package io.metricsaggregator.snapshot.fields;

import org.jspecify.annotations.NullMarked;
