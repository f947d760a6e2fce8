package io.metricsaggregator.template;

import org.jspecify.annotations.Nullable;

/** Arithmetic on Python's numbers, limited to 64-bit integers and doubles. */
final class Numbers {
    private Numbers() {}

    static Object compute(String operator, @Nullable Object left, @Nullable Object right) {
        if (operator.equals("/")) {
            requireDivisor(right);
            return Values.real(left) / Values.real(right);
        }
        if (left instanceof Double || right instanceof Double) {
            double a = Values.real(left);
            double b = Values.real(right);
            return switch (operator) {
                case "+" -> a + b;
                case "-" -> a - b;
                case "*" -> a * b;
                case "**" -> Math.pow(a, b);
                case "//" -> {
                    requireDivisor(right);
                    yield Math.floor(a / b);
                }
                default -> {
                    requireDivisor(right);
                    yield a - Math.floor(a / b) * b;
                }
            };
        }
        long a = Values.integer(left);
        long b = Values.integer(right);
        try {
            return switch (operator) {
                case "+" -> Math.addExact(a, b);
                case "-" -> Math.subtractExact(a, b);
                case "*" -> Math.multiplyExact(a, b);
                case "**" -> power(a, b);
                case "//" -> {
                    requireDivisor(right);
                    yield Math.floorDiv(a, b);
                }
                default -> {
                    requireDivisor(right);
                    yield Math.floorMod(a, b);
                }
            };
        } catch (ArithmeticException e) {
            throw new TemplateException(a + " " + operator + " " + b + " exceeds 64 bits");
        }
    }

    private static Object power(long base, long exponent) {
        if (exponent < 0) {
            return Math.pow((double) base, (double) exponent);
        }
        java.math.BigInteger made = java.math.BigInteger.valueOf(base).pow((int) Math.min(exponent, 64));
        return exponent > 64 && Math.abs(base) > 1 ? overflow() : made.longValueExact();
    }

    private static Object overflow() {
        throw new ArithmeticException();
    }

    private static void requireDivisor(@Nullable Object divisor) {
        if (Values.real(divisor) == 0) {
            throw new TemplateException("division by zero");
        }
    }
}
