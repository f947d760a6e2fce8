package io.metricsaggregator.codec;

import java.nio.ByteBuffer;

/**
 * The seam between bytes and records: one implementation per form of a message.
 *
 * @param <T> the record on this side of the seam
 */
public interface MessageCodec<T> {

    /**
     * Encodes a record.
     *
     * @return the whole message, without topic or transport framing
     */
    byte[] encode(T message);

    /**
     * Decodes one whole message. Any input is allowed; memory stays proportional to its size.
     *
     * @param bytes the message between position and limit; neither is moved
     * @throws MalformedMessageException if the bytes are not such a message; the text names the invalid part
     */
    T decode(ByteBuffer bytes) throws MalformedMessageException;
}
