package io.metricsaggregator.cli;

import io.metricsaggregator.report.Printable;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Errors in words. The JDK's file errors are bare paths. */
final class Messages {
    private static final int MAX_LENGTH = 500;

    private Messages() {}

    static String of(Exception error) {
        return Printable.escape(text(error), MAX_LENGTH);
    }

    private static String text(Exception error) {
        if (error instanceof FileSystemException file) {
            if (file instanceof NoSuchFileException) {
                return file.getFile() + " does not exist";
            }
            if (file instanceof AccessDeniedException) {
                return file.getFile() + ": permission denied";
            }
            if (file instanceof FileAlreadyExistsException) {
                return file.getFile() + " exists already, and is not overwritten";
            }
        }
        String message = error.getMessage();
        return message == null ? error.toString() : message;
    }
}
