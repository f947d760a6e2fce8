package io.metricsaggregator.imports.read;

import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.json.InvalidField;
import io.metricsaggregator.imports.json.JsonFields;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingEndEvent;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceEndEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads a small YAML file, such as a configuration, as the values that JSON has. Tags are ignored, so that no class is ever named by a file. Aliases
 * are the values that they name and no copies; a file of more than {@value #BYTES_MAX} bytes, or nested deeper than {@value #DEPTH_MAX} levels, is
 * refused, and so is a key that stands twice. Belongs to one read.
 */
public final class YamlDocument {
    static final int BYTES_MAX = 1 << 20;
    static final int DEPTH_MAX = 32;

    /** Longer texts are no numbers: reading their digits would take time by the square of their number. */
    private static final int NUMBER_MAX = 40;

    private static final Pattern INTEGER = Pattern.compile("[-+]?\\d{1,18}");
    private static final Pattern NUMBER = Pattern.compile("[-+]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][-+]?\\d{1,3})?");

    private final Iterator<Event> events;
    private final Map<Anchor, Object> anchored = new HashMap<>();

    /** Ends the reading of a file that breaks a rule. */
    private static final class Invalid extends Exception {
        private static final long serialVersionUID = 1L;

        Invalid(String reason) {
            super(reason, null, false, false);
        }
    }

    private YamlDocument(Iterator<Event> events) {
        this.events = events;
    }

    /** Whether a file is no JSON, which begins with a bracket or a brace. */
    public static boolean isIn(ImportSource source) {
        String text = source.head().text().stripLeading();
        return !text.isEmpty() && "[{".indexOf(text.charAt(0)) < 0;
    }

    /** The fields of the first document; null if it has none or breaks a rule, which is counted. */
    public static @Nullable JsonFields read(ImportSource source, ImportSink sink) throws IOException {
        byte[] bytes = source.text().readNBytes(BYTES_MAX + 1);
        if (bytes.length > BYTES_MAX) {
            sink.skipped("yaml_too_large");
            return null;
        }
        try {
            Iterator<Event> events = new Parse(LoadSettings.builder()
                            .setUseMarks(false)
                            .setCodePointLimit(BYTES_MAX)
                            .build())
                    .parseString(new String(bytes, StandardCharsets.UTF_8))
                    .iterator();
            return JsonFields.of(new YamlDocument(events).document(), "document");
        } catch (Invalid e) {
            sink.skipped(String.valueOf(e.getMessage()));
        } catch (InvalidField e) {
            sink.skipped("not_an_object");
        } catch (YamlEngineException | IllegalArgumentException e) {
            // The library does not check the digits of an escape that is cut.
            sink.skipped("malformed_yaml");
        }
        return null;
    }

    private @Nullable Object document() throws Invalid {
        while (events.hasNext()) {
            Event event = events.next();
            if (event instanceof NodeEvent node) {
                return node(node, 0);
            }
        }
        return null;
    }

    private @Nullable Object node(NodeEvent event, int depth) throws Invalid {
        if (depth > DEPTH_MAX) {
            throw new Invalid("yaml_too_deep");
        }
        Optional<Anchor> anchor = event.getAnchor();
        if (event instanceof AliasEvent) {
            Object named = anchor.map(anchored::get).orElse(null);
            if (named == null) {
                // Also an alias within what it names.
                throw new Invalid("yaml_alias_unknown");
            }
            return named;
        }
        Object value = event instanceof MappingStartEvent
                ? mapping(depth)
                : event instanceof SequenceStartEvent ? sequence(depth) : scalar((ScalarEvent) event);
        if (anchor.isPresent() && value != null) {
            anchored.put(anchor.get(), value);
        }
        return value;
    }

    private Map<String, @Nullable Object> mapping(int depth) throws Invalid {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        for (Event event = events.next(); !(event instanceof MappingEndEvent); event = events.next()) {
            if (!(event instanceof ScalarEvent key)) {
                throw new Invalid("yaml_key_invalid");
            }
            if (fields.containsKey(key.getValue())) {
                throw new Invalid("yaml_key_repeated");
            }
            fields.put(key.getValue(), node((NodeEvent) events.next(), depth + 1));
        }
        return fields;
    }

    private List<@Nullable Object> sequence(int depth) throws Invalid {
        List<@Nullable Object> elements = new ArrayList<>();
        for (Event event = events.next(); !(event instanceof SequenceEndEvent); event = events.next()) {
            elements.add(node((NodeEvent) event, depth + 1));
        }
        return elements;
    }

    private static @Nullable Object scalar(ScalarEvent event) {
        String text = event.getValue();
        if (event.getScalarStyle() != ScalarStyle.PLAIN || event.getTag().isPresent()) {
            return text;
        }
        return switch (text) {
            case "", "~", "null", "Null", "NULL" -> null;
            case "true", "True", "TRUE" -> true;
            case "false", "False", "FALSE" -> false;
            default -> number(text);
        };
    }

    private static Object number(String text) {
        if (text.length() > NUMBER_MAX || !NUMBER.matcher(text).matches()) {
            return text;
        }
        return INTEGER.matcher(text).matches() ? (Object) Long.valueOf(text) : new BigDecimal(text);
    }
}
