package io.metricsaggregator.publish;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.BooleanSupplier;

/** Passes bytes on until time runs out. The time is checked every 64 KiB, so a smaller file is always written whole. */
final class HurriedStream extends FilterOutputStream {
    private static final int ASKED_EVERY_BYTES = 64 << 10;

    private final BooleanSupplier outOfTime;
    private int sinceAsked;

    HurriedStream(OutputStream to, BooleanSupplier outOfTime) {
        super(to);
        this.outOfTime = outOfTime;
    }

    /** Time ran out before all bytes were written. */
    static final class OutOfTime extends RuntimeException {
        private static final long serialVersionUID = 1;

        OutOfTime() {
            super("no time is left to write all of it");
        }
    }

    @Override
    public void write(int value) throws IOException {
        passed(1);
        out.write(value);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        passed(length);
        out.write(from, offset, length);
    }

    private void passed(int bytes) {
        sinceAsked += bytes;
        if (sinceAsked >= ASKED_EVERY_BYTES) {
            sinceAsked = 0;
            if (outOfTime.getAsBoolean()) {
                throw new OutOfTime();
            }
        }
    }
}
