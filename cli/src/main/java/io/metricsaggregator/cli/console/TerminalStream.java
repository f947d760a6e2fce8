package io.metricsaggregator.cli.console;

import io.metricsaggregator.analysis.Printable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes lines of UTF-8 to a terminal with control sequences escaped. Buffers a line until it is complete. */
final class TerminalStream extends OutputStream {
    private final OutputStream terminal;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    TerminalStream(OutputStream terminal) {
        this.terminal = terminal;
    }

    @Override
    public void write(int value) throws IOException {
        line.write(value);
        if (value == '\n') {
            show();
        }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        int from = offset;
        for (int i = offset; i < offset + length; i++) {
            if (bytes[i] == '\n') {
                line.write(bytes, from, i + 1 - from);
                from = i + 1;
                show();
            }
        }
        line.write(bytes, from, offset + length - from);
    }

    private void show() throws IOException {
        terminal.write(
                Printable.forTerminal(line.toString(StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8));
        line.reset();
    }

    /** Does not write an unfinished line, which could end within a character. */
    @Override
    public void flush() throws IOException {
        terminal.flush();
    }

    @Override
    public void close() throws IOException {
        show();
        terminal.flush();
    }
}
