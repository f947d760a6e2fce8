package io.metricsaggregator.cli.console;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.collect.UrlSecrets;
import io.metricsaggregator.options.Messages;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A log event as a JSON object on one line: {@code time} (ISO 8601, UTC), {@code level}, {@code logger}, {@code message}, and {@code exception}
 * with its stack, if the event has one. Secrets of URLs are masked.
 */
final class JsonLogLine {
    private static final int TEXT_MAX = 16_000;

    private JsonLogLine() {}

    static String of(ILoggingEvent event) {
        String logger = event.getLoggerName();
        return of(
                event,
                event.getLevel().toString(),
                logger.substring(logger.lastIndexOf('.') + 1),
                Messages.plain(String.valueOf(event.getFormattedMessage())));
    }

    /** A line at the time of an event, with another text. */
    static String of(ILoggingEvent event, String level, String logger, String message) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put(
                "time",
                Instant.ofEpochMilli(event.getTimeStamp())
                        .truncatedTo(ChronoUnit.MILLIS)
                        .toString());
        line.put("level", level);
        line.put("logger", logger);
        line.put("message", limited(message));
        if (event.getThrowableProxy() != null && !logger.equals("Logging")) {
            line.put("exception", limited(UrlSecrets.mask(ThrowableProxyUtil.asString(event.getThrowableProxy()))));
        }
        String text = new String(JsonTree.writeLine(line), StandardCharsets.UTF_8);
        return text.endsWith("\n") ? text : text + "\n";
    }

    private static String limited(String text) {
        return text.length() <= TEXT_MAX ? text : text.substring(0, TEXT_MAX) + "…";
    }
}
