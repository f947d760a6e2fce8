package io.metricsaggregator.imports.read;

import io.metricsaggregator.answer.Answer;
import io.metricsaggregator.answer.AnswerReader;
import io.metricsaggregator.event.ErrorData;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The types of errors of which a file has only the text: errors are listed by type, so that two failures with two causes are two rows. Stateless. */
public final class ErrorTypes {
    private static final int LONGEST = 60;
    private static final int STATUS_WITHIN = 400;
    /** A class of Python with its arguments or its message, such as {@code ReadTimeout('')} or {@code httpx.ReadError: closed}. */
    private static final Pattern CLASS =
            Pattern.compile("((?:[a-z_][A-Za-z0-9_]*\\.)*[A-Z][A-Za-z0-9_]*)(?:\\(.*|:\\s.*|:|)", Pattern.DOTALL);

    private static final Pattern STATUS_FIRST = Pattern.compile(
            "(?i)(?:http(?:/[0-9.]+)?\\s*)?(?:error|status)?(?:\\s*code)?\\s*[:=]?\\s*([1-5]\\d\\d)(?!\\d).*",
            Pattern.DOTALL);
    private static final Pattern STATUS_WITHIN_TEXT =
            Pattern.compile("(?i)(?:error '|status(?:_code)?[ =:]+|error code[: ]+|http[ /])([1-5]\\d\\d)(?!\\d)");

    private ErrorTypes() {}

    /**
     * The type of an error: the class of an exception, with the HTTP status in its message; a status; the type in an error object; or the
     * words before the first colon. Empty for a text without any of these.
     */
    public static String of(String text) {
        String error = text.strip();
        if (error.startsWith("Traceback")) {
            error = error.substring(error.lastIndexOf('\n') + 1);
        }
        if (AnswerReader.isJson(error)) {
            ErrorData problem = Answer.of(error).error();
            return problem == null || problem.errorType().equals(AnswerReader.UNREADABLE) ? "" : problem.errorType();
        }
        Matcher first = STATUS_FIRST.matcher(error);
        if (first.matches()) {
            return first.group(1);
        }
        Matcher named = CLASS.matcher(error);
        if (named.matches() && named.group(1).length() <= 2 * LONGEST) {
            return named.group(1) + status(error);
        }
        String line = error.lines().findFirst().orElse("") + " ";
        int colon = line.indexOf(": ");
        String words = colon < 0 ? line.strip() : line.substring(0, colon);
        return words.length() > LONGEST ? "" : words;
    }

    private static String status(String error) {
        Matcher status = STATUS_WITHIN_TEXT.matcher(error.substring(0, Math.min(error.length(), STATUS_WITHIN)));
        return status.find() ? " " + status.group(1) : "";
    }

    /** The type of an error that a Go program reports: the last link of its chain, such as {@code connection refused}. */
    public static String ofGo(String text) {
        String error = text.strip();
        String cause = error.substring(error.lastIndexOf(": ") < 0 ? 0 : error.lastIndexOf(": ") + 2);
        int detail = cause.indexOf(" (");
        String words = detail > 0 ? cause.substring(0, detail) : cause;
        return words.length() > 2 * LONGEST ? "" : words;
    }
}
