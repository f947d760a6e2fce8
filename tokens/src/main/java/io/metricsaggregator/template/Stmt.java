package io.metricsaggregator.template;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The syntax tree of a statement, immutable. */
sealed interface Stmt {
    /** Calls the method of {@code visitor} for this kind. */
    <R extends @Nullable Object> R accept(Visitor<R> visitor, Scope scope);

    /** One method for each kind; the compiler names a kind that an implementation lacks. */
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

    /** Text outside of tags. */
    record Text(String text) implements Stmt {
        @Override
        public <R extends @Nullable Object> R accept(Visitor<R> visitor, Scope scope) {
            return visitor.text(this, scope);
        }
    }

    /** {@code {{ value }}}. */
    record Print(Expr value) implements Stmt {
        @Override
        public <R extends @Nullable Object> R accept(Visitor<R> visitor, Scope scope) {
            return visitor.print(this, scope);
        }
    }

    /** {@code if}, {@code elif} and {@code else}. */
    record If(List<Expr> conditions, List<List<Stmt>> bodies, List<Stmt> otherwise) implements Stmt {
        @Override
        public <R extends @Nullable Object> R accept(Visitor<R> visitor, Scope scope) {
            return visitor.conditional(this, scope);
        }
    }

    /** {@code for} with its filter and {@code else}. */
    record For(List<String> targets, Expr of, @Nullable Expr condition, List<Stmt> body, List<Stmt> otherwise)
            implements Stmt {
        @Override
        public <R extends @Nullable Object> R accept(Visitor<R> visitor, Scope scope) {
            return visitor.loop(this, scope);
        }
    }

    /** {@code set a, b = value}; one name may be {@code namespace.attribute}. */
    record Set(List<Expr> targets, Expr value) implements Stmt {
        @Override
        public <R extends @Nullable Object> R accept(Visitor<R> visitor, Scope scope) {
            return visitor.set(this, scope);
        }
    }

    /** {@code set} to what a body prints. */
    record SetBlock(Expr target, List<Stmt> body) implements Stmt {
        @Override
        public <R extends @Nullable Object> R accept(Visitor<R> visitor, Scope scope) {
            return visitor.setBlock(this, scope);
        }
    }

    /** {@code macro}; the last parameters have the defaults. */
    record Macro(String name, List<String> parameters, List<Expr> defaults, List<Stmt> body) implements Stmt {
        @Override
        public <R extends @Nullable Object> R accept(Visitor<R> visitor, Scope scope) {
            return visitor.macro(this, scope);
        }
    }

    /** {@code filter}: what a body prints, through a filter. */
    record FilterBlock(String name, Expr.Arguments arguments, List<Stmt> body) implements Stmt {
        @Override
        public <R extends @Nullable Object> R accept(Visitor<R> visitor, Scope scope) {
            return visitor.filterBlock(this, scope);
        }
    }

    /** {@code with}: names for a body. */
    record With(List<String> names, List<Expr> values, List<Stmt> body) implements Stmt {
        @Override
        public <R extends @Nullable Object> R accept(Visitor<R> visitor, Scope scope) {
            return visitor.with(this, scope);
        }
    }

    /** What transformers marks as generated: the body alone. */
    record Generation(List<Stmt> body) implements Stmt {
        @Override
        public <R extends @Nullable Object> R accept(Visitor<R> visitor, Scope scope) {
            return visitor.generation(this, scope);
        }
    }

    /** {@code break}. */
    record Break() implements Stmt {
        @Override
        public <R extends @Nullable Object> R accept(Visitor<R> visitor, Scope scope) {
            return visitor.leave(this, scope);
        }
    }

    /** {@code continue}. */
    record Continue() implements Stmt {
        @Override
        public <R extends @Nullable Object> R accept(Visitor<R> visitor, Scope scope) {
            return visitor.next(this, scope);
        }
    }
}
