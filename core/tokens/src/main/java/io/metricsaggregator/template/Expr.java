package io.metricsaggregator.template;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The immutable syntax tree of an expression. */
sealed interface Expr {
    /** Calls the method of {@code visitor} for this kind of expression. */
    @Nullable
    Object accept(Visitor visitor, Scope scope);

    /** One method per kind of expression, so that the compiler reports a kind that an implementation does not handle. */
    interface Visitor {
        @Nullable
        Object literal(Literal expression, Scope scope);

        @Nullable
        Object name(Name expression, Scope scope);

        @Nullable
        Object listOf(ListOf expression, Scope scope);

        @Nullable
        Object tupleOf(TupleOf expression, Scope scope);

        @Nullable
        Object dictOf(DictOf expression, Scope scope);

        @Nullable
        Object attribute(Attribute expression, Scope scope);

        @Nullable
        Object item(Item expression, Scope scope);

        @Nullable
        Object slice(Slice expression, Scope scope);

        @Nullable
        Object call(Call expression, Scope scope);

        @Nullable
        Object filter(Filter expression, Scope scope);

        @Nullable
        Object test(Test expression, Scope scope);

        @Nullable
        Object unary(Unary expression, Scope scope);

        @Nullable
        Object binary(Binary expression, Scope scope);

        @Nullable
        Object compare(Compare expression, Scope scope);

        @Nullable
        Object conditional(Conditional expression, Scope scope);
    }

    /** A constant: string, number, boolean or {@code none}. */
    record Literal(@Nullable Object value) implements Expr {
        @Override
        public @Nullable Object accept(Visitor visitor, Scope scope) {
            return visitor.literal(this, scope);
        }
    }

    /** A reference to a variable. */
    record Name(String name) implements Expr {
        @Override
        public @Nullable Object accept(Visitor visitor, Scope scope) {
            return visitor.name(this, scope);
        }
    }

    /** A list literal: {@code [a, b]}. */
    record ListOf(List<Expr> elements) implements Expr {
        @Override
        public @Nullable Object accept(Visitor visitor, Scope scope) {
            return visitor.listOf(this, scope);
        }
    }

    /** A tuple: {@code (a, b)} or {@code a, b}. */
    record TupleOf(List<Expr> elements) implements Expr {
        @Override
        public @Nullable Object accept(Visitor visitor, Scope scope) {
            return visitor.tupleOf(this, scope);
        }
    }

    /** A dictionary literal: {@code {k: v}}. */
    record DictOf(List<Expr> keys, List<Expr> values) implements Expr {
        @Override
        public @Nullable Object accept(Visitor visitor, Scope scope) {
            return visitor.dictOf(this, scope);
        }
    }

    /** An attribute access: {@code a.name}. */
    record Attribute(Expr of, String name) implements Expr {
        @Override
        public @Nullable Object accept(Visitor visitor, Scope scope) {
            return visitor.attribute(this, scope);
        }
    }

    /** A subscript: {@code a[key]}. */
    record Item(Expr of, Expr key) implements Expr {
        @Override
        public @Nullable Object accept(Visitor visitor, Scope scope) {
            return visitor.item(this, scope);
        }
    }

    /** A slice: {@code a[from:to:step]}. */
    record Slice(
            Expr of,
            @Nullable Expr from,
            @Nullable Expr to,
            @Nullable Expr step) implements Expr {
        @Override
        public @Nullable Object accept(Visitor visitor, Scope scope) {
            return visitor.slice(this, scope);
        }
    }

    /** A call: {@code f(…)}. */
    record Call(Expr function, Arguments arguments) implements Expr {
        @Override
        public @Nullable Object accept(Visitor visitor, Scope scope) {
            return visitor.call(this, scope);
        }
    }

    /** A filter: {@code a | name(…)}. */
    record Filter(Expr of, String name, Arguments arguments) implements Expr {
        @Override
        public @Nullable Object accept(Visitor visitor, Scope scope) {
            return visitor.filter(this, scope);
        }
    }

    /** A test: {@code a is name(…)} or {@code a is not name(…)}. */
    record Test(Expr of, String name, Arguments arguments, boolean negated) implements Expr {
        @Override
        public @Nullable Object accept(Visitor visitor, Scope scope) {
            return visitor.test(this, scope);
        }
    }

    /** A unary operation: {@code not a} or {@code -a}. */
    record Unary(String operator, Expr of) implements Expr {
        @Override
        public @Nullable Object accept(Visitor visitor, Scope scope) {
            return visitor.unary(this, scope);
        }
    }

    /** A binary operation such as {@code a + b}, {@code a and b} or {@code a or b}. */
    record Binary(String operator, Expr left, Expr right) implements Expr {
        @Override
        public @Nullable Object accept(Visitor visitor, Scope scope) {
            return visitor.binary(this, scope);
        }
    }

    /** A chain of comparisons such as {@code a < b <= c}; each operand is evaluated at most once. */
    record Compare(Expr first, List<String> operators, List<Expr> others) implements Expr {
        @Override
        public @Nullable Object accept(Visitor visitor, Scope scope) {
            return visitor.compare(this, scope);
        }
    }

    /** A conditional expression: {@code then if condition else otherwise}. */
    record Conditional(Expr condition, Expr then, @Nullable Expr otherwise) implements Expr {
        @Override
        public @Nullable Object accept(Visitor visitor, Scope scope) {
            return visitor.conditional(this, scope);
        }
    }

    /** The positional and named arguments of a call, with those to unpack from {@code *star} and {@code **doubleStar}. */
    record Arguments(
            List<Expr> positional,
            List<String> names,
            List<Expr> named,
            @Nullable Expr star,
            @Nullable Expr doubleStar) {
        static final Arguments NONE = new Arguments(List.of(), List.of(), List.of(), null, null);
    }
}
