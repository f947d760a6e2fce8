package io.metricsaggregator.conformance;

import java.util.regex.Pattern;

/** A pattern of names: {@code *} stands for any characters, {@code ?} for one. Immutable. */
final class Glob {
    private final Pattern pattern;

    Glob(String text) {
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '*' -> regex.append(".*");
                case '?' -> regex.append('.');
                default -> regex.append(Pattern.quote(String.valueOf(c)));
            }
        }
        pattern = Pattern.compile(regex.toString());
    }

    boolean matches(String name) {
        return pattern.matcher(name).matches();
    }
}
