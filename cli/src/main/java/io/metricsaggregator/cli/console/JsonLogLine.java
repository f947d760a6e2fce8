package io.metricsaggregator.cli.console;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.collect.UrlSecrets;
import io.metricsaggregator.options.Messages;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A log event as a JSON object on one line: {@code time} (ISO 8601, UTC), {@code level}, {@code logger}, {@code message}, the facts of the message as
 * fields of their own, and {@code exception} with its stack, if the event has one. A fact is what a message names as {@code key={}}; numbers and truth
 * values stay what they are, everything else is text. Secrets of URLs are masked.
 */
final class JsonLogLine {
    private static final int TEXT_MAX = 16_000;
    /** An argument in the template of a message, with its name where it has one. */
    private static final Pattern ARGUMENT = Pattern.compile("(?:\\b([a-z][a-z0-9_]*)=\"?)?\\{}");

    private JsonLogLine() {}

    static String of(ILoggingEvent event) {
        String logger = event.getLoggerName();
        Map<String, Object> line = head(
                event.getTimeStamp(),
                event.getLevel().toString(),
                logger.substring(logger.lastIndexOf('.') + 1),
                Messages.plain(String.valueOf(event.getFormattedMessage())));
        addFacts(event.getMessage(), event.getArgumentArray(), line);
        if (event.getThrowableProxy() != null) {
            line.put("exception", limited(UrlSecrets.mask(ThrowableProxyUtil.asString(event.getThrowableProxy()))));
        }
        return text(line);
    }

    /** A line that is no event of a logger, with fields of its own. */
    static String of(long timeMillis, String level, String logger, String message, Map<String, ?> facts) {
        Map<String, Object> line = head(timeMillis, level, logger, message);
        facts.forEach(line::putIfAbsent);
        return text(line);
    }

    private static Map<String, Object> head(long timeMillis, String level, String logger, String message) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put(
                "time",
                Instant.ofEpochMilli(timeMillis).truncatedTo(ChronoUnit.MILLIS).toString());
        line.put("level", level);
        line.put("logger", logger);
        line.put("message", limited(message));
        return line;
    }

    /** Arguments are numbers, texts, paths and lists that do not change: this is another thread than that which logged them. */
    private static void addFacts(
            @Nullable String template, @Nullable Object @Nullable [] arguments, Map<String, Object> line) {
        if (template == null || arguments == null) {
            return;
        }
        Matcher found = ARGUMENT.matcher(template);
        for (int i = 0; i < arguments.length && found.find(); i++) {
            if (found.group(1) != null) {
                line.putIfAbsent(found.group(1), value(arguments[i]));
            }
        }
    }

    private static Object value(@Nullable Object argument) {
        if (argument instanceof Boolean || argument instanceof BigInteger) {
            return argument;
        }
        if (argument instanceof Double || argument instanceof Float) {
            return ((Number) argument).doubleValue();
        }
        return argument instanceof Number number
                ? number.longValue()
                : limited(Messages.plain(String.valueOf(argument)));
    }

    private static String text(Map<String, ?> line) {
        String text = new String(JsonTree.writeLine(line), StandardCharsets.UTF_8);
        return text.endsWith("\n") ? text : text + "\n";
    }

    private static String limited(String text) {
        return text.length() <= TEXT_MAX ? text : text.substring(0, TEXT_MAX) + "…";
    }
}
