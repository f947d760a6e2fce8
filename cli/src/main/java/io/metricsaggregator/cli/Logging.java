package io.metricsaggregator.cli;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import io.metricsaggregator.report.Printable;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ServiceLoader;
import org.slf4j.LoggerFactory;

/**
 * Logging, set up in code because that starts faster than a file: to standard error, on a thread of its own that drops lines
 * rather than make anybody wait, and one line an event whatever its text holds.
 */
public final class Logging extends ContextAwareBase implements Configurator {
    private static final int QUEUE = 1024;
    private static final int MESSAGE_MAX = 2000;

    /** Made by logback, which finds it through {@link ServiceLoader}. */
    public Logging() {}

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        Lines lines = new Lines();
        lines.setContext(context);
        lines.start();
        LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
        encoder.setContext(context);
        encoder.setLayout(lines);
        encoder.setCharset(StandardCharsets.UTF_8);
        encoder.start();
        ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
        console.setContext(context);
        console.setTarget("System.err");
        console.setEncoder(encoder);
        console.start();
        AsyncAppender async = new AsyncAppender();
        async.setContext(context);
        async.setQueueSize(QUEUE);
        async.setDiscardingThreshold(0);
        async.setNeverBlock(true);
        async.setMaxFlushTime(500);
        async.addAppender(console);
        async.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.INFO);
        // Where it found its native library is of interest to those who ask for details.
        context.getLogger("ai.djl").setLevel(Level.WARN);
        root.addAppender(async);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    static void verbose() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            context.getLogger("io.metricsaggregator").setLevel(Level.DEBUG);
        }
    }

    static void quiet() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).setLevel(Level.WARN);
        }
    }

    /** Writes what waits, for half a second at most. */
    static void flush() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            context.stop();
        }
    }

    /** {@code 2026-01-31T12:00:00.000Z WARN  Ingest: text}, control characters escaped. */
    private static final class Lines extends LayoutBase<ILoggingEvent> {
        @Override
        public String doLayout(ILoggingEvent event) {
            StringBuilder line = new StringBuilder(128);
            line.append(Instant.ofEpochMilli(event.getTimeStamp()).truncatedTo(ChronoUnit.MILLIS));
            line.append(String.format(" %-5s ", event.getLevel()));
            String logger = event.getLoggerName();
            line.append(logger.substring(logger.lastIndexOf('.') + 1)).append(": ");
            line.append(Printable.escape(String.valueOf(event.getFormattedMessage()), MESSAGE_MAX));
            line.append('\n');
            if (event.getThrowableProxy() != null) {
                ThrowableProxyUtil.asString(event.getThrowableProxy())
                        .lines()
                        .forEach(part -> line.append("    ")
                                .append(Printable.escape(part.replace('\t', ' '), MESSAGE_MAX))
                                .append('\n'));
            }
            return line.toString();
        }
    }
}
