package io.metricsaggregator.fold;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.IdKind;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Identifies a sample in every process: short ids as they are, long ones by the first 128 bits of the SHA-256 of their text. {@link DecodedEvent} packs
 * long ids with a secret of the process, which must never be a key. Immutable.
 *
 * @param kind ordinal of the {@link IdKind}
 * @param high first half of the packed id or of the hash
 * @param low second half
 */
public record SampleKey(byte kind, long high, long low) {
    /** The key of an event's sample; events without a sample share one. Allocates. */
    public static SampleKey of(DecodedEvent event) {
        byte kind = (byte) event.idKind().ordinal();
        if (event.idKind() != IdKind.LONG) {
            return new SampleKey(kind, event.idHigh(), event.idLow());
        }
        try {
            ByteBuffer hash =
                    ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(event.copyIdText()));
            return new SampleKey(kind, hash.getLong(), hash.getLong());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** One of {@code partitions} partitions, from 0. */
    public int partition(int partitions) {
        long h = (high ^ low * 0x9e3779b97f4a7c15L) * 0xd6e8feb86659fd93L + kind;
        return Math.floorMod(h ^ h >>> 32, partitions);
    }
}
