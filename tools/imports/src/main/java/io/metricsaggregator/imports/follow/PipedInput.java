package io.metricsaggregator.imports.follow;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * A named pipe or standard input, which ends when its last writer closes it. A thread of its own opens and reads it, because both can block
 * for ever; at most 16 blocks of 64 KiB wait, then the writer does.
 */
public final class PipedInput extends FollowedInput {
    private static final int BLOCKS = 16;
    private static final int BLOCK_BYTES = 1 << 16;
    private static final byte[] END = {};

    private final BlockingQueue<byte[]> blocks = new ArrayBlockingQueue<>(BLOCKS);
    private volatile @Nullable IOException failure;
    private byte[] block = END;
    private int position;
    private boolean ended;

    /** Opens an input; may block. */
    public interface Opener {
        InputStream open() throws IOException;
    }

    /** Starts to open and read. */
    public PipedInput(Opener opener, Watch watch, long idleMaxNanos) {
        super(watch, idleMaxNanos);
        Thread thread = new Thread(() -> pump(opener), "pipe");
        thread.setDaemon(true);
        thread.start();
    }

    private void pump(Opener opener) {
        try (InputStream in = opener.open()) {
            byte[] buffer = new byte[BLOCK_BYTES];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (read > 0) {
                    blocks.put(Arrays.copyOf(buffer, read));
                }
            }
        } catch (IOException e) {
            failure = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        try {
            blocks.put(END);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    int readNow(byte[] into, int offset, int length) throws IOException {
        if (ended) {
            return -1;
        }
        if (position == block.length) {
            byte[] next = blocks.poll();
            if (next == null) {
                return 0;
            }
            block = next;
            position = 0;
        }
        if (block.length == 0) {
            ended = true;
            IOException failed = failure;
            if (failed != null) {
                throw failed;
            }
            return -1;
        }
        int read = Math.min(length, block.length - position);
        System.arraycopy(block, position, into, offset, read);
        position += read;
        return read;
    }
}
