package io.metricsaggregator.snapshot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What keys of a snapshot mean, from the source: the row of a record's {@code pass} names the component, and its Javadoc the meaning. */
final class RecordMeanings {
    private static final Pattern CODE =
            Pattern.compile("(?<![\\w`/.-])(--[a-z][a-z-]*|[a-z]+(?:_[a-z0-9]+)+)(?![\\w`])");
    private static final Pattern SENTENCE = Pattern.compile("[A-Z][a-z]* ");
    private static final Pattern COMPONENT = Pattern.compile("(?<!\\w)`?([a-z]+[A-Z]\\w+)`?");
    private static final Pattern INLINE = Pattern.compile("\\{@(\\w+)\\s+([^}]*)}");

    private final Path sources;
    private final Map<Class<?>, String> texts = new HashMap<>();

    RecordMeanings(Path sources) {
        this.sources = sources;
    }

    /** The meaning of a key that a class further up the stack passes over; empty where its source says none. */
    String of(String name) {
        String key = name.replace("[]", "").replace(".*", "");
        List<Class<?>> callers = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .walk(frames -> frames.map(StackWalker.StackFrame::getDeclaringClass)
                        .filter(each ->
                                each.getName().startsWith("io.metricsaggregator.snapshot.") && Files.exists(file(each)))
                        .distinct()
                        .toList());
        for (Class<?> caller : callers) {
            String text = texts.computeIfAbsent(caller, this::source);
            int row = text.indexOf('"' + key + '"');
            if (row >= 0) {
                String meaning = meaning(text, component(text.substring(row)));
                return meaning == null ? "" : lower(marked(keys(text, meaning)));
            }
        }
        return "";
    }

    /** The first sentence of a type's Javadoc. */
    String ofType(Class<?> type) {
        if (!Files.exists(file(type))) {
            return "";
        }
        Matcher first = Pattern.compile("^/\\*\\*(.+?)(?:\\.\\s|\\*/|\\n\\s*\\* @)", Pattern.DOTALL)
                .matcher(texts.computeIfAbsent(type, this::source));
        String sentence = first.find() ? marked(plain(first.group(1))) : "";
        return lower(sentence);
    }

    private static String lower(String sentence) {
        return !SENTENCE.matcher(sentence).lookingAt()
                ? sentence
                : sentence.substring(0, 1).toLowerCase(Locale.ROOT) + sentence.substring(1);
    }

    /** Names the keys of components that a meaning mentions. */
    private static String keys(String text, String meaning) {
        return COMPONENT.matcher(meaning).replaceAll(each -> {
            Matcher row = Pattern.compile("\"(\\w+)\",\\s*v\\." + each.group(1) + "\\b")
                    .matcher(text);
            return row.find() ? "`" + row.group(1) + "`" : Matcher.quoteReplacement(each.group());
        });
    }

    private Path file(Class<?> type) {
        Class<?> outermost = type;
        while (outermost.getEnclosingClass() != null) {
            outermost = outermost.getEnclosingClass();
        }
        return sources.resolve(outermost.getName().replace('.', '/') + ".java");
    }

    /** The Javadoc of a type and its body. */
    private String source(Class<?> type) {
        try {
            String text = Files.readString(file(type));
            Matcher declaration = Pattern.compile("\\b(record|class|interface|enum) " + type.getSimpleName() + "\\b")
                    .matcher(text);
            if (!declaration.find()) {
                return text;
            }
            int from = text.lastIndexOf("/**", declaration.start());
            int depth = 0;
            int at = text.indexOf('{', text.indexOf(')', declaration.end()));
            for (int i = at; i < text.length(); i++) {
                depth += text.charAt(i) == '{' ? 1 : text.charAt(i) == '}' ? -1 : 0;
                if (depth == 0) {
                    return text.substring(Math.max(0, from), i);
                }
            }
            return text;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The component in a row such as {@code "gc_ns", v.gcNanos()}. */
    private static @Nullable String component(String row) {
        int end = row.indexOf(';');
        Matcher value = Pattern.compile("\\bv(?:alue)?\\.(\\w+)|^\"[^\"]+\", (?!v\\b|value\\b)(\\w+)\\b(?!\\()")
                .matcher(row.substring(0, end < 0 ? row.length() : end));
        Matcher next = Pattern.compile("\\b[fs]\\.\\w+\\(\\s*\"").matcher(row);
        int limit = next.find() ? next.start() : row.length();
        return value.find() && value.start() < limit ? value.group(1) != null ? value.group(1) : value.group(2) : null;
    }

    private static @Nullable String meaning(String text, @Nullable String component) {
        if (component == null) {
            return null;
        }
        Matcher parameter = Pattern.compile("@param " + component + "\\s+((?:(?!\\n\\s*\\* @|\\*/).)+)", Pattern.DOTALL)
                .matcher(text);
        if (parameter.find()) {
            return plain(parameter.group(1));
        }
        Matcher method = Pattern.compile(
                        "/\\*\\*((?:(?!\\*/).)+)\\*/\\s+(?:@\\w+(?:\\([^)]*\\))?\\s+)*(?:public |static |private )*[\\w.@<>?\\[\\] ]+ "
                                + component + "\\(",
                        Pattern.DOTALL)
                .matcher(text);
        return method.find() ? plain(method.group(1)) : null;
    }

    private static String plain(String javadoc) {
        String text = INLINE.matcher(javadoc.replaceAll("\\n\\s*\\*", " "))
                .replaceAll(each -> Matcher.quoteReplacement(
                        each.group(1).equals("code")
                                ? "`" + each.group(2) + "`"
                                : each.group(2).replaceAll(".*#", "")));
        return text.replaceAll("\\s+", " ").strip().replaceAll("\\.$", "").replace("|", "\\|");
    }

    private static String marked(String meaning) {
        return CODE.matcher(meaning).replaceAll("`$1`");
    }
}
