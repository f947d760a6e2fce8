package io.metricsaggregator.daemon;

import io.metricsaggregator.codec.MsgpackTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** The readiness signal: one msgpack integer without a topic, sent when the daemon is ready. */
final class ReadySignal {
    private ReadySignal() {}

    static byte[] encode(long id) {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            MsgpackTree.write(id, packer);
            return packer.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException("packing into memory", e);
        }
    }
}
