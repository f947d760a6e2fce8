package io.metricsaggregator.template;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** An expression. */
sealed interface Expr {
    record Literal(@Nullable Object value) implements Expr {}

    record Name(String name) implements Expr {}

    record ListOf(List<Expr> elements) implements Expr {}

    record TupleOf(List<Expr> elements) implements Expr {}

    record DictOf(List<Expr> keys, List<Expr> values) implements Expr {}

    record Attribute(Expr of, String name) implements Expr {}

    record Item(Expr of, Expr key) implements Expr {}

    record Slice(
            Expr of,
            @Nullable Expr from,
            @Nullable Expr to,
            @Nullable Expr step) implements Expr {}

    record Call(Expr function, Arguments arguments) implements Expr {}

    record Filter(Expr of, String name, Arguments arguments) implements Expr {}

    record Test(Expr of, String name, Arguments arguments, boolean negated) implements Expr {}

    record Unary(String operator, Expr of) implements Expr {}

    record Binary(String operator, Expr left, Expr right) implements Expr {}

    /** {@code a < b <= c}: each operand is looked at once. */
    record Compare(Expr first, List<String> operators, List<Expr> others) implements Expr {}

    record Conditional(Expr condition, Expr then, @Nullable Expr otherwise) implements Expr {}

    /** Arguments by place and by name. */
    record Arguments(List<Expr> positional, List<String> names, List<Expr> named) {
        static final Arguments NONE = new Arguments(List.of(), List.of(), List.of());
    }
}
