package io.metricsaggregator.transport;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Keeps copies of the received frames. */
public final class Received implements FrameHandler {
    public final List<byte[]> frames = new ArrayList<>();
    public int bursts;
    public List<String> announced = List.of();

    @Override
    public List<String> announced() {
        return announced;
    }

    @Override
    public void onFrame(ByteBuffer buffer, int start, int length) {
        byte[] frame = new byte[length];
        buffer.get(start, frame);
        frames.add(frame);
    }

    @Override
    public void onBurstEnd() {
        bursts++;
    }

    public int count() {
        return frames.size();
    }
}
