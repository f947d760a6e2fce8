package io.metricsaggregator.template;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement. */
sealed interface Stmt {
    record Text(String text) implements Stmt {}

    record Print(Expr value) implements Stmt {}

    record If(List<Expr> conditions, List<List<Stmt>> bodies, List<Stmt> otherwise) implements Stmt {}

    record For(List<String> targets, Expr of, @Nullable Expr condition, List<Stmt> body, List<Stmt> otherwise)
            implements Stmt {}

    /** {@code set a, b = value}; one name may be {@code namespace.attribute}. */
    record Set(List<Expr> targets, Expr value) implements Stmt {}

    record SetBlock(Expr target, List<Stmt> body) implements Stmt {}

    record Macro(String name, List<String> parameters, List<Expr> defaults, List<Stmt> body) implements Stmt {}

    record FilterBlock(String name, Expr.Arguments arguments, List<Stmt> body) implements Stmt {}

    record With(List<String> names, List<Expr> values, List<Stmt> body) implements Stmt {}

    /** What transformers marks as generated: the body alone. */
    record Generation(List<Stmt> body) implements Stmt {}

    record Break() implements Stmt {}

    record Continue() implements Stmt {}
}
