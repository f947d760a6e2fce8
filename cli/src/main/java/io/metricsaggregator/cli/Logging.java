package io.metricsaggregator.cli;

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
import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.collect.UrlSecrets;
import io.metricsaggregator.options.Messages;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.LongSupplier;
import org.slf4j.LoggerFactory;

/**
 * Configures logging in code, which starts faster than a file: to standard error, one line per event, on a thread of its own. If standard
 * error blocks, events are dropped and counted, and no other thread waits.
 */
public final class Logging extends ContextAwareBase implements Configurator {
    private static final int QUEUE = 1024;
    private static final int MESSAGE_MAX = 2000;

    /** Written by the thread that parses the options, read by the one that writes lines. */
    private static volatile boolean json;

    /** Called by logback, which finds this class through {@link ServiceLoader}. */
    public Logging() {}

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        BoundedAppender async = new BoundedAppender();
        Lines lines = new Lines(async::takeLost);
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
        async.setContext(context);
        async.setQueueSize(QUEUE);
        async.setDiscardingThreshold(0);
        async.setNeverBlock(true);
        async.setMaxFlushTime(500);
        async.addAppender(console);
        async.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.INFO);
        // Below warnings it logs only where it found its native library.
        context.getLogger("ai.djl").setLevel(Level.WARN);
        root.addAppender(async);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /** Logs events of this level and above. Details come from this program's own loggers only. */
    static void level(Level level) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            boolean details = level.equals(Level.DEBUG);
            context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).setLevel(details ? Level.INFO : level);
            context.getLogger("io.metricsaggregator").setLevel(details ? Level.DEBUG : null);
        }
    }

    /** Whether lines are JSON objects from now on, rather than text. */
    static void json(boolean on) {
        // Loads the classes of JSON now: the thread that writes lines has half a second when a short command ends.
        JsonTree.writeLine(Map.of());
        json = on;
    }

    /** Whether events of level DEBUG are logged. */
    static boolean isVerbose() {
        return LoggerFactory.getLogger("io.metricsaggregator").isDebugEnabled();
    }

    static void quiet() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).setLevel(Level.WARN);
        }
    }

    /** Writes the queued lines; waits at most half a second. */
    static void flush() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            context.stop();
        }
    }

    /** {@code 2026-01-31T12:00:00.000Z WARN  Ingest: text}, control characters escaped. */
    static final class Lines extends LayoutBase<ILoggingEvent> {
        private final LongSupplier lost;

        /**
         * Lines with a notice wherever events were dropped.
         *
         * @param lost returns the number of events dropped since its last call
         */
        Lines(LongSupplier lost) {
            this.lost = lost;
        }

        @Override
        public String doLayout(ILoggingEvent event) {
            StringBuilder line = new StringBuilder(128);
            long missing = lost.getAsLong();
            String gap = "log lines lost count=" + missing + ": standard error was not read fast enough";
            if (json) {
                return (missing > 0 ? JsonLogLine.of(event, "WARN", "Logging", gap) : "") + JsonLogLine.of(event);
            }
            if (missing > 0) {
                head(line, event, "WARN", "Logging");
                line.append(gap).append('\n');
            }
            String logger = event.getLoggerName();
            head(line, event, event.getLevel().toString(), logger.substring(logger.lastIndexOf('.') + 1));
            line.append(Printable.escape(Messages.plain(String.valueOf(event.getFormattedMessage())), MESSAGE_MAX));
            line.append('\n');
            if (event.getThrowableProxy() != null) {
                ThrowableProxyUtil.asString(event.getThrowableProxy())
                        .lines()
                        .forEach(part -> line.append("    ")
                                .append(Printable.escape(UrlSecrets.mask(part.replace('\t', ' ')), MESSAGE_MAX))
                                .append('\n'));
            }
            return line.toString();
        }

        private static void head(StringBuilder line, ILoggingEvent event, String level, String logger) {
            line.append(Instant.ofEpochMilli(event.getTimeStamp()).truncatedTo(ChronoUnit.MILLIS))
                    .append(String.format(" %-5s ", level))
                    .append(logger)
                    .append(": ");
        }
    }
}
