package io.metricsaggregator.template;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement. */
sealed interface Stmt {
    /** Text outside of tags. */
    record Text(String text) implements Stmt {}

    /** {@code {{ value }}}. */
    record Print(Expr value) implements Stmt {}

    /** {@code if}, {@code elif} and {@code else}. */
    record If(List<Expr> conditions, List<List<Stmt>> bodies, List<Stmt> otherwise) implements Stmt {}

    /** {@code for} with its filter and {@code else}. */
    record For(List<String> targets, Expr of, @Nullable Expr condition, List<Stmt> body, List<Stmt> otherwise)
            implements Stmt {}

    /** {@code set a, b = value}; one name may be {@code namespace.attribute}. */
    record Set(List<Expr> targets, Expr value) implements Stmt {}

    /** {@code set} to what a body prints. */
    record SetBlock(Expr target, List<Stmt> body) implements Stmt {}

    /** {@code macro}; the last parameters have the defaults. */
    record Macro(String name, List<String> parameters, List<Expr> defaults, List<Stmt> body) implements Stmt {}

    /** {@code filter}: what a body prints, through a filter. */
    record FilterBlock(String name, Expr.Arguments arguments, List<Stmt> body) implements Stmt {}

    /** {@code with}: names for a body. */
    record With(List<String> names, List<Expr> values, List<Stmt> body) implements Stmt {}

    /** What transformers marks as generated: the body alone. */
    record Generation(List<Stmt> body) implements Stmt {}

    /** {@code break}. */
    record Break() implements Stmt {}

    /** {@code continue}. */
    record Continue() implements Stmt {}
}
