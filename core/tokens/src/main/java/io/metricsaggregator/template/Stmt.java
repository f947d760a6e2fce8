package io.metricsaggregator.template;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The immutable syntax tree of a statement. */
sealed interface Stmt {
    /** Calls the method of {@code visitor} for this kind of statement. */
    <R extends @Nullable Object> R accept(Visitor<R> visitor, Scope scope);

    /** One method per kind of statement, so that the compiler reports a kind that an implementation does not handle. */
    interface Visitor<R extends @Nullable Object> {
        R text(Text statement, Scope scope);

        R print(Print statement, Scope scope);

        R conditional(If statement, Scope scope);

        R loop(For statement, Scope scope);

        R set(Set statement, Scope scope);

        R setBlock(SetBlock statement, Scope scope);

        R macro(Macro statement, Scope scope);

        R filterBlock(FilterBlock statement, Scope scope);

        R with(With statement, Scope scope);

        R generation(Generation statement, Scope scope);

        R leave(Break statement, Scope scope);

        R next(Continue statement, Scope scope);
    }

    /** Literal text outside of tags. */
    record Text(String text) implements Stmt {
        @Override
        public <R extends @Nullable Object> R accept(Visitor<R> visitor, Scope scope) {
            return visitor.text(this, scope);
        }
    }

    /** An expression to print: {@code {{ value }}}. */
    record Print(Expr value) implements Stmt {
        @Override
        public <R extends @Nullable Object> R accept(Visitor<R> visitor, Scope scope) {
            return visitor.print(this, scope);
        }
    }

    /** An {@code if} with its {@code elif} and {@code else} branches. */
    record If(List<Expr> conditions, List<List<Stmt>> bodies, List<Stmt> otherwise) implements Stmt {
        @Override
        public <R extends @Nullable Object> R accept(Visitor<R> visitor, Scope scope) {
            return visitor.conditional(this, scope);
        }
    }

    /** A {@code for} loop with its optional filter and {@code else} branch. */
    record For(List<String> targets, Expr of, @Nullable Expr condition, List<Stmt> body, List<Stmt> otherwise)
            implements Stmt {
        @Override
        public <R extends @Nullable Object> R accept(Visitor<R> visitor, Scope scope) {
            return visitor.loop(this, scope);
        }
    }

    /** An assignment {@code set a, b = value}; a single target may be {@code namespace.attribute}. */
    record Set(List<Expr> targets, Expr value) implements Stmt {
        @Override
        public <R extends @Nullable Object> R accept(Visitor<R> visitor, Scope scope) {
            return visitor.set(this, scope);
        }
    }

    /** A block assignment: {@code set} to the text that the body prints. */
    record SetBlock(Expr target, List<Stmt> body) implements Stmt {
        @Override
        public <R extends @Nullable Object> R accept(Visitor<R> visitor, Scope scope) {
            return visitor.setBlock(this, scope);
        }
    }

    /** A {@code macro}; the defaults belong to the last parameters. */
    record Macro(String name, List<String> parameters, List<Expr> defaults, List<Stmt> body) implements Stmt {
        @Override
        public <R extends @Nullable Object> R accept(Visitor<R> visitor, Scope scope) {
            return visitor.macro(this, scope);
        }
    }

    /** A {@code filter} block, which filters the text that its body prints. */
    record FilterBlock(String name, Expr.Arguments arguments, List<Stmt> body) implements Stmt {
        @Override
        public <R extends @Nullable Object> R accept(Visitor<R> visitor, Scope scope) {
            return visitor.filterBlock(this, scope);
        }
    }

    /** A {@code with} block, which defines names for its body. */
    record With(List<String> names, List<Expr> values, List<Stmt> body) implements Stmt {
        @Override
        public <R extends @Nullable Object> R accept(Visitor<R> visitor, Scope scope) {
            return visitor.with(this, scope);
        }
    }

    /** A {@code generation} block of transformers, rendered as its body. */
    record Generation(List<Stmt> body) implements Stmt {
        @Override
        public <R extends @Nullable Object> R accept(Visitor<R> visitor, Scope scope) {
            return visitor.generation(this, scope);
        }
    }

    /** A {@code break} statement. */
    record Break() implements Stmt {
        @Override
        public <R extends @Nullable Object> R accept(Visitor<R> visitor, Scope scope) {
            return visitor.leave(this, scope);
        }
    }

    /** A {@code continue} statement. */
    record Continue() implements Stmt {
        @Override
        public <R extends @Nullable Object> R accept(Visitor<R> visitor, Scope scope) {
            return visitor.next(this, scope);
        }
    }
}
