package io.metricsaggregator.publish;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Describes file errors in words: the message of most of the JDK's is only a path. */
public final class FileErrors {
    private FileErrors() {}

    /** Returns the error in words with its file; the message itself for errors of other kinds. */
    public static String words(IOException error) {
        if (!(error instanceof FileSystemException file)) {
            String message = error.getMessage();
            return message == null || message.isBlank() ? "no details available" : message;
        }
        if (file instanceof NoSuchFileException) {
            return file.getFile() + " does not exist";
        }
        if (file instanceof AccessDeniedException) {
            return file.getFile() + ": permission denied";
        }
        if (file instanceof FileAlreadyExistsException) {
            return file.getFile() + " exists already, and is not overwritten";
        }
        if (file instanceof NotDirectoryException) {
            return file.getFile() + " is not a directory";
        }
        if (file instanceof DirectoryNotEmptyException) {
            return file.getFile() + " is not empty";
        }
        return file.getFile() + (file.getReason() == null ? " cannot be used" : ": " + file.getReason());
    }
}
