package io.metricsaggregator.template;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Splits a template into lexemes with {@code trim_blocks} and {@code lstrip_blocks} enabled, as in transformers: a newline directly
 * after a block is removed, and so are spaces before a block that starts its line. One instance per template.
 */
final class Lexer {
    private static final String[] OPERATORS = {
        "**", "//", "==", "!=", ">=", "<=", "+", "-", "*", "/", "%", "~", "<", ">", "=", "|", ".", ",", ":", "(", ")",
        "[", "]", "{", "}"
    };

    private static final Pattern RAW = Pattern.compile("\\s*raw\\s*-?%\\}");
    private static final Pattern ENDRAW = Pattern.compile("\\{%[-+]?\\s*endraw\\s*-?%\\}");

    private final String source;
    private final List<Lexeme> lexemes = new ArrayList<>();
    private int at;
    private int line = 1;
    /** Whether leading white space of the next text is removed, because the tag before it ended with {@code -%}. */
    private boolean stripNext;
    /** Whether one leading newline of the next text is removed, because it follows a block. */
    private boolean trimNext;

    private Lexer(String source) {
        this.source = source;
    }

    static List<Lexeme> lex(String source) {
        // Jinja ignores one newline at the end and normalises all newlines to \n.
        String text = source.replace("\r\n", "\n").replace('\r', '\n');
        Lexer lexer = new Lexer(text.endsWith("\n") ? text.substring(0, text.length() - 1) : text);
        lexer.run();
        return lexer.lexemes;
    }

    private void run() {
        while (at < source.length()) {
            int next = nextTag(at);
            text(at, next);
            at = next;
            if (at >= source.length()) {
                break;
            }
            char kind = source.charAt(at + 1);
            boolean signed = at + 2 < source.length() && "-+".indexOf(source.charAt(at + 2)) >= 0;
            if (kind == '#') {
                comment();
            } else {
                at += signed ? 3 : 2;
                if (kind == '%' && raw()) {
                    continue;
                }
                add(kind == '%' ? Lexeme.Kind.BLOCK_START : Lexeme.Kind.PRINT_START, "");
                inside(kind == '%' ? "%}" : "}}", kind == '%');
            }
        }
        add(Lexeme.Kind.END, "");
    }

    private int nextTag(int from) {
        for (int i = from; i + 1 < source.length(); i++) {
            if (source.charAt(i) == '{' && "{%#".indexOf(source.charAt(i + 1)) >= 0) {
                return i;
            }
        }
        return source.length();
    }

    /** Adds the text between two tags, without the white space that the tags remove. */
    private void text(int from, int to) {
        int start = from;
        int end = to;
        if (stripNext) {
            while (start < end && Character.isWhitespace(source.charAt(start))) {
                start++;
            }
        } else if (trimNext && start < end && source.charAt(start) == '\n') {
            start++;
        }
        boolean lineStarts = from == 0 || (start > from && source.charAt(start - 1) == '\n');
        stripNext = false;
        trimNext = false;
        if (to < source.length()) {
            char sign = to + 2 < source.length() ? source.charAt(to + 2) : ' ';
            if (sign == '-') {
                while (end > start && Character.isWhitespace(source.charAt(end - 1))) {
                    end--;
                }
            } else if (sign != '+' && source.charAt(to + 1) != '{') {
                end = withoutIndent(start, end, lineStarts);
            }
        }
        if (end > start) {
            add(Lexeme.Kind.TEXT, source.substring(start, end));
        }
        countLines(from, to);
    }

    /** Returns {@code end} without the spaces and tabs before it if nothing else precedes them on their line. */
    private int withoutIndent(int start, int end, boolean lineStarts) {
        int place = end;
        while (place > start && " \t".indexOf(source.charAt(place - 1)) >= 0) {
            place--;
        }
        boolean first = place == start ? lineStarts : source.charAt(place - 1) == '\n';
        return first ? place : end;
    }

    private void comment() {
        int end = source.indexOf("#}", at + 2);
        if (end < 0) {
            throw new TemplateException("line " + line + ": unterminated comment");
        }
        countLines(at, end);
        stripNext = source.charAt(end - 1) == '-' && end - 1 > at + 1;
        trimNext = !stripNext;
        at = end + 2;
    }

    /** Adds the text between {@code raw} and {@code endraw} unchanged. */
    private boolean raw() {
        Matcher open = RAW.matcher(source).region(at, source.length());
        if (!open.lookingAt()) {
            return false;
        }
        Matcher close = ENDRAW.matcher(source);
        if (!close.find(open.end())) {
            throw new TemplateException("line " + line + ": raw without endraw");
        }
        add(Lexeme.Kind.TEXT, source.substring(open.end(), close.start()));
        countLines(at, close.end());
        at = close.end();
        stripNext = source.charAt(at - 3) == '-';
        trimNext = !stripNext;
        return true;
    }

    private void inside(String closing, boolean block) {
        int depth = 0;
        while (true) {
            while (at < source.length() && Character.isWhitespace(source.charAt(at))) {
                countLines(at, at + 1);
                at++;
            }
            if (at >= source.length()) {
                throw new TemplateException("line " + line + ": unterminated tag");
            }
            if (depth == 0
                    && (source.startsWith(closing, at)
                            || source.startsWith("-" + closing, at)
                            || source.startsWith("+" + closing, at))) {
                char sign = source.charAt(at);
                boolean signed = sign == '-' || sign == '+';
                at += signed ? 3 : 2;
                stripNext = sign == '-';
                trimNext = block && !signed;
                add(block ? Lexeme.Kind.BLOCK_END : Lexeme.Kind.PRINT_END, "");
                return;
            }
            char c = source.charAt(at);
            if (c == '"' || c == '\'') {
                string(c);
            } else if (Character.isDigit(c)) {
                number();
            } else if (Character.isLetter(c) || c == '_') {
                int start = at;
                while (at < source.length()
                        && (Character.isLetterOrDigit(source.charAt(at)) || source.charAt(at) == '_')) {
                    at++;
                }
                add(Lexeme.Kind.NAME, source.substring(start, at));
            } else {
                depth += operator();
            }
        }
    }

    private int operator() {
        for (String operator : OPERATORS) {
            if (source.startsWith(operator, at)) {
                at += operator.length();
                add(Lexeme.Kind.OPERATOR, operator);
                return "([{".contains(operator) ? 1 : ")]}".contains(operator) ? -1 : 0;
            }
        }
        throw new TemplateException("line " + line + ": unexpected '" + source.charAt(at) + "'");
    }

    private void number() {
        int start = at;
        boolean real = false;
        while (at < source.length()) {
            char c = source.charAt(at);
            boolean fraction =
                    c == '.' && !real && at + 1 < source.length() && Character.isDigit(source.charAt(at + 1));
            boolean exponent = (c == 'e' || c == 'E')
                    && at + 1 < source.length()
                    && (Character.isDigit(source.charAt(at + 1)) || "+-".indexOf(source.charAt(at + 1)) >= 0);
            if (exponent) {
                at++;
            }
            if (!Character.isDigit(c) && c != '_' && !fraction && !exponent) {
                break;
            }
            real |= fraction || exponent;
            at++;
        }
        String digits = source.substring(start, at).replace("_", "");
        add(real ? Lexeme.Kind.FLOAT : Lexeme.Kind.INTEGER, digits);
    }

    private void string(char quote) {
        StringBuilder text = new StringBuilder();
        int place = at + 1;
        while (place < source.length() && source.charAt(place) != quote) {
            char c = source.charAt(place++);
            if (c == '\\' && place < source.length()) {
                place = escape(place, text);
            } else {
                text.append(c);
            }
        }
        if (place >= source.length()) {
            throw new TemplateException("line " + line + ": unterminated string");
        }
        add(Lexeme.Kind.STRING, text.toString());
        countLines(at, place);
        at = place + 1;
    }

    private int escape(int place, StringBuilder text) {
        char c = source.charAt(place);
        int digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
        if (digits > 0 && place + digits < source.length()) {
            try {
                text.appendCodePoint(Integer.parseInt(source.substring(place + 1, place + 1 + digits), 16));
                return place + 1 + digits;
            } catch (IllegalArgumentException e) {
                throw new TemplateException("line " + line + ": invalid escape in a string");
            }
        }
        switch (c) {
            case 'n' -> text.append('\n');
            case 't' -> text.append('\t');
            case 'r' -> text.append('\r');
            case 'b' -> text.append('\b');
            case 'f' -> text.append('\f');
            case '0' -> text.append('\0');
            case '\\', '\'', '"' -> text.append(c);
            case '\n' -> {
                // A backslash before a newline continues the line.
            }
            default -> text.append('\\').append(c);
        }
        return place + 1;
    }

    private void countLines(int from, int to) {
        for (int i = from; i < to; i++) {
            if (source.charAt(i) == '\n') {
                line++;
            }
        }
    }

    private void add(Lexeme.Kind kind, String text) {
        lexemes.add(new Lexeme(kind, text, line));
    }
}
