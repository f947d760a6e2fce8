package io.metricsaggregator.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The file of {@code run --config}: {@code NAME = VALUE} on a line, comments behind {@code #} at the start of a line. */
final class ConfigurationFile {
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
     * @throws IllegalArgumentException if a line has no equals sign
     */
    static List<Setting> read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
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
}
