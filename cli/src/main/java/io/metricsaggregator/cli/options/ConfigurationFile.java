package io.metricsaggregator.cli.options;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The file of {@code run --config}: {@code NAME = VALUE} on a line, comments behind {@code #} at the start of a line. */
final class ConfigurationFile {
    private static final int MAX_BYTES = 1 << 20;
    private static final String BYTE_ORDER_MARK = "\ufeff";

    private ConfigurationFile() {}

    /**
     * One line of the file.
     *
     * @param name the long option without its dashes
     * @param value what follows the first equals sign, without surrounding white space
     * @param place the file and the line number, such as {@code bench.conf:3}
     */
    record Setting(String name, String value, String place) {}

    /**
     * Reads the settings in the order of the file. Whether a name exists is not checked here.
     *
     * @throws IllegalArgumentException if the file is not text, or a line has no equals sign
     */
    static List<Setting> read(Path file) throws IOException {
        List<String> lines = lines(file);
        List<Setting> settings = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String place = file + ":" + (i + 1);
            int equals = line.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException(place + ": expected NAME = VALUE, found: " + line);
            }
            String name = line.substring(0, equals).strip();
            settings.add(new Setting(
                    name.startsWith("--") ? name.substring(2) : name,
                    line.substring(equals + 1).strip(),
                    place));
        }
        return settings;
    }

    /**
     * The lines of a short text file, without a byte order mark.
     *
     * @throws IllegalArgumentException naming the file, and the line where there is one, if it is a directory, longer than 1 MiB or not
     *     text in UTF-8
     * @throws IOException naming the file, if it cannot be read
     */
    static List<String> lines(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IllegalArgumentException(file + " is a directory, not a file");
        }
        byte[] bytes = bytes(file);
        if (bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException(file + " is longer than 1 MiB, and no file of this kind is");
        }
        if (bytes.length > 1 && (bytes[0] & bytes[1] & 0xfe) == 0xfe && bytes[0] != bytes[1]) {
            throw new IllegalArgumentException(file + " is text in UTF-16; write it in UTF-8");
        }
        CharBuffer text = CharBuffer.allocate(bytes.length);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        boolean malformed = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .decode(in, text, true)
                .isError();
        String read = text.flip().toString();
        int control = firstControl(read);
        if (control >= 0 || malformed) {
            String before = control < 0 ? read : read.substring(0, control);
            throw new IllegalArgumentException(
                    file + ":" + (before.chars().filter(each -> each == '\n').count() + 1) + ": not text in UTF-8");
        }
        return (read.startsWith(BYTE_ORDER_MARK) ? read.substring(1) : read)
                .lines()
                .toList();
    }

    private static byte[] bytes(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(MAX_BYTES + 1);
        } catch (FileSystemException e) {
            throw e;
        } catch (IOException e) {
            throw new IOException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    /** The first character that no text has; -1 without one. */
    private static int firstControl(String text) {
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            if (Character.isISOControl(each) && !Character.isWhitespace(each)) {
                return i;
            }
        }
        return -1;
    }
}
