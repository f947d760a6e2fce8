package io.metricsaggregator.template;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** An expression. */
sealed interface Expr {
    /** A constant. */
    record Literal(@Nullable Object value) implements Expr {}

    /** A variable. */
    record Name(String name) implements Expr {}

    /** {@code [a, b]}. */
    record ListOf(List<Expr> elements) implements Expr {}

    /** {@code (a, b)}, or {@code a, b}. */
    record TupleOf(List<Expr> elements) implements Expr {}

    /** {@code {k: v}}. */
    record DictOf(List<Expr> keys, List<Expr> values) implements Expr {}

    /** {@code a.name}. */
    record Attribute(Expr of, String name) implements Expr {}

    /** {@code a[key]}. */
    record Item(Expr of, Expr key) implements Expr {}

    /** {@code a[from:to:step]}. */
    record Slice(
            Expr of,
            @Nullable Expr from,
            @Nullable Expr to,
            @Nullable Expr step) implements Expr {}

    /** {@code f(…)}. */
    record Call(Expr function, Arguments arguments) implements Expr {}

    /** {@code a | name(…)}. */
    record Filter(Expr of, String name, Arguments arguments) implements Expr {}

    /** {@code a is name(…)}. */
    record Test(Expr of, String name, Arguments arguments, boolean negated) implements Expr {}

    /** {@code not a}, {@code -a}. */
    record Unary(String operator, Expr of) implements Expr {}

    /** {@code a + b} and the like, {@code and}, {@code or}. */
    record Binary(String operator, Expr left, Expr right) implements Expr {}

    /** {@code a < b <= c}: each operand is looked at once. */
    record Compare(Expr first, List<String> operators, List<Expr> others) implements Expr {}

    /** {@code then if condition else otherwise}. */
    record Conditional(Expr condition, Expr then, @Nullable Expr otherwise) implements Expr {}

    /** Arguments by place and by name, and lists and maps of more: {@code *star}, {@code **doubleStar}. */
    record Arguments(
            List<Expr> positional,
            List<String> names,
            List<Expr> named,
            @Nullable Expr star,
            @Nullable Expr doubleStar) {
        static final Arguments NONE = new Arguments(List.of(), List.of(), List.of(), null, null);
    }
}
