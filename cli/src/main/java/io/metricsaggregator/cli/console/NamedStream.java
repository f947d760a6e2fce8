package io.metricsaggregator.cli.console;

import io.metricsaggregator.options.Messages;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** A stream into a file whose errors name the file that the user asked for, not a temporary one. */
final class NamedStream extends FilterOutputStream {
    private final Path file;

    /**
     * Wraps a stream.
     *
     * @param file named in errors
     */
    NamedStream(Path file, OutputStream out) {
        super(out);
        this.file = file;
    }

    /** An error that names the file and the cause. */
    static IOException failure(Path file, IOException cause) {
        String reason = Messages.of(cause);
        if (cause instanceof AccessDeniedException) {
            reason = "permission denied in " + file.toAbsolutePath().getParent();
        } else if (cause instanceof FileSystemException of && of.getReason() != null) {
            reason = of.getReason();
        }
        return new IOException("cannot write " + file + ": " + reason, cause);
    }

    @Override
    public void write(int value) throws IOException {
        try {
            out.write(value);
        } catch (IOException e) {
            throw failure(file, e);
        }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            throw failure(file, e);
        }
    }

    @Override
    public void flush() throws IOException {
        try {
            out.flush();
        } catch (IOException e) {
            throw failure(file, e);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            out.close();
        } catch (IOException e) {
            throw failure(file, e);
        }
    }
}
