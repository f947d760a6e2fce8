package io.metricsaggregator.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parses expressions from lexemes, with Jinja's precedence. */
final class ExprParser {
    private static final Set<String> COMPARISONS = Set.of("==", "!=", "<", "<=", ">", ">=");
    private static final Set<String> AFTER_A_TEST = Set.of("else", "or", "and", "is", "if", "in", "not");

    private final Parser in;

    ExprParser(Parser parser) {
        this.in = parser;
    }

    /** Parses one expression, or several separated by commas as a tuple. */
    Expr tuple() {
        return tuple(true);
    }

    Expr tupleWithoutCondition() {
        return tuple(false);
    }

    private Expr tuple(boolean conditional) {
        Expr first = conditional ? expression() : or();
        if (!in.atOperator(",")) {
            return first;
        }
        List<Expr> elements = new ArrayList<>(List.of(first));
        while (in.skipOperator(",") && startsExpression()) {
            elements.add(conditional ? expression() : or());
        }
        return new Expr.TupleOf(elements);
    }

    private boolean startsExpression() {
        Lexeme lexeme = in.peek();
        return switch (lexeme.kind()) {
            case NAME -> !lexeme.text().equals("in") && !lexeme.text().equals("if");
            case STRING, INTEGER, FLOAT -> true;
            case OPERATOR -> Set.of("(", "[", "{", "-", "+").contains(lexeme.text());
            default -> false;
        };
    }

    Expr expression() {
        in.enter();
        Expr value = or();
        while (in.skipName("if")) {
            Expr condition = or();
            Expr otherwise = in.skipName("else") ? expression() : null;
            value = new Expr.Conditional(condition, value, otherwise);
        }
        in.leave();
        return value;
    }

    private Expr or() {
        Expr left = and();
        while (in.skipName("or")) {
            left = new Expr.Binary("or", left, and());
        }
        return left;
    }

    private Expr and() {
        Expr left = not();
        while (in.skipName("and")) {
            left = new Expr.Binary("and", left, not());
        }
        return left;
    }

    private Expr not() {
        if (in.skipName("not")) {
            in.enter();
            Expr negated = new Expr.Unary("not", not());
            in.leave();
            return negated;
        }
        return compare();
    }

    private Expr compare() {
        Expr first = sum();
        List<String> operators = new ArrayList<>();
        List<Expr> others = new ArrayList<>();
        while (true) {
            Lexeme lexeme = in.peek();
            if (lexeme.kind() == Lexeme.Kind.OPERATOR && COMPARISONS.contains(lexeme.text())) {
                operators.add(in.next().text());
            } else if (in.skipName("in")) {
                operators.add("in");
            } else if (in.atName("not") && in.peekAfter().is(Lexeme.Kind.NAME, "in")) {
                in.next();
                in.next();
                operators.add("not in");
            } else {
                break;
            }
            others.add(sum());
        }
        return operators.isEmpty() ? first : new Expr.Compare(first, operators, others);
    }

    private Expr sum() {
        Expr left = concat();
        while (in.atOperator("+") || in.atOperator("-")) {
            left = new Expr.Binary(in.next().text(), left, concat());
        }
        return left;
    }

    private Expr concat() {
        Expr left = product();
        while (in.atOperator("~")) {
            left = new Expr.Binary(in.next().text(), left, product());
        }
        return left;
    }

    private Expr product() {
        Expr left = power();
        while (in.atOperator("*") || in.atOperator("/") || in.atOperator("//") || in.atOperator("%")) {
            left = new Expr.Binary(in.next().text(), left, power());
        }
        return left;
    }

    private Expr power() {
        Expr left = unary(true);
        while (in.atOperator("**")) {
            left = new Expr.Binary(in.next().text(), left, unary(true));
        }
        return left;
    }

    private Expr unary(boolean filtered) {
        in.enter();
        Expr value;
        if (in.atOperator("-") || in.atOperator("+")) {
            value = new Expr.Unary(in.next().text(), unary(false));
        } else {
            value = primary();
        }
        value = postfix(value);
        in.leave();
        return filtered ? filters(value) : value;
    }

    private Expr primary() {
        Lexeme lexeme = in.next();
        switch (lexeme.kind()) {
            case NAME -> {
                return switch (lexeme.text()) {
                    case "true", "True" -> new Expr.Literal(true);
                    case "false", "False" -> new Expr.Literal(false);
                    case "none", "None" -> new Expr.Literal(null);
                    default -> new Expr.Name(lexeme.text());
                };
            }
            case STRING -> {
                StringBuilder text = new StringBuilder(lexeme.text());
                while (in.peek().kind() == Lexeme.Kind.STRING) {
                    text.append(in.next().text());
                }
                return new Expr.Literal(text.toString());
            }
            case INTEGER -> {
                return new Expr.Literal(integer(lexeme));
            }
            case FLOAT -> {
                try {
                    return new Expr.Literal(Double.parseDouble(lexeme.text()));
                } catch (NumberFormatException e) {
                    throw unexpected(lexeme);
                }
            }
            case OPERATOR -> {
                return switch (lexeme.text()) {
                    case "(" -> parenthesis();
                    case "[" -> new Expr.ListOf(elements("]"));
                    case "{" -> dict();
                    default -> throw unexpected(lexeme);
                };
            }
            default -> throw unexpected(lexeme);
        }
    }

    private static Long integer(Lexeme lexeme) {
        try {
            return Long.valueOf(lexeme.text());
        } catch (NumberFormatException e) {
            throw new TemplateException("line " + lexeme.line() + ": the number " + lexeme.text() + " exceeds 64 bits");
        }
    }

    private static TemplateException unexpected(Lexeme lexeme) {
        return new TemplateException("line " + lexeme.line() + ": unexpected '" + lexeme.text() + "'");
    }

    private Expr parenthesis() {
        if (in.skipOperator(")")) {
            return new Expr.TupleOf(List.of());
        }
        Expr value = tuple();
        in.expectOperator(")");
        return value;
    }

    private List<Expr> elements(String closing) {
        List<Expr> elements = new ArrayList<>();
        while (!in.skipOperator(closing)) {
            elements.add(expression());
            if (!in.atOperator(closing)) {
                in.expectOperator(",");
            }
        }
        return elements;
    }

    private Expr dict() {
        List<Expr> keys = new ArrayList<>();
        List<Expr> values = new ArrayList<>();
        while (!in.skipOperator("}")) {
            keys.add(expression());
            in.expectOperator(":");
            values.add(expression());
            if (!in.atOperator("}")) {
                in.expectOperator(",");
            }
        }
        return new Expr.DictOf(keys, values);
    }

    private Expr postfix(Expr start) {
        Expr value = start;
        while (true) {
            if (in.skipOperator(".")) {
                Lexeme name = in.next();
                if (name.kind() == Lexeme.Kind.INTEGER) {
                    value = new Expr.Item(value, new Expr.Literal(integer(name)));
                } else if (name.kind() == Lexeme.Kind.NAME) {
                    value = new Expr.Attribute(value, name.text());
                } else {
                    throw unexpected(name);
                }
            } else if (in.skipOperator("[")) {
                value = subscript(value);
            } else if (in.atOperator("(")) {
                value = new Expr.Call(value, arguments());
            } else {
                return value;
            }
        }
    }

    private Expr subscript(Expr of) {
        Expr from = in.atOperator(":") ? null : expression();
        if (in.skipOperator("]")) {
            return new Expr.Item(of, from == null ? new Expr.Literal(null) : from);
        }
        in.expectOperator(":");
        Expr to = bound();
        Expr step = in.skipOperator(":") ? bound() : null;
        in.expectOperator("]");
        return new Expr.Slice(of, from, to, step);
    }

    private @Nullable Expr bound() {
        return in.atOperator(":") || in.atOperator("]") ? null : expression();
    }

    /** Parses the filters and tests that follow a value. */
    private Expr filters(Expr start) {
        Expr value = start;
        while (true) {
            if (in.skipOperator("|")) {
                String name = in.expectName();
                value = new Expr.Filter(value, name, in.atOperator("(") ? arguments() : Expr.Arguments.NONE);
            } else if (in.skipName("is")) {
                value = test(value);
            } else if (in.atOperator("(")) {
                value = new Expr.Call(value, arguments());
            } else {
                return value;
            }
        }
    }

    private Expr test(Expr of) {
        boolean negated = in.skipName("not");
        String name = in.expectName();
        Expr.Arguments arguments = Expr.Arguments.NONE;
        Lexeme lexeme = in.peek();
        if (in.atOperator("(")) {
            arguments = arguments();
        } else if (lexeme.kind() == Lexeme.Kind.STRING
                || lexeme.kind() == Lexeme.Kind.INTEGER
                || lexeme.kind() == Lexeme.Kind.FLOAT
                || in.atOperator("[")
                || in.atOperator("{")
                || (lexeme.kind() == Lexeme.Kind.NAME && !AFTER_A_TEST.contains(lexeme.text()))) {
            arguments = new Expr.Arguments(List.of(postfix(primary())), List.of(), List.of(), null, null);
        }
        return new Expr.Test(of, name, arguments, negated);
    }

    /** Parses arguments in parentheses. */
    Expr.Arguments arguments() {
        in.expectOperator("(");
        List<Expr> positional = new ArrayList<>();
        List<String> names = new ArrayList<>();
        List<Expr> named = new ArrayList<>();
        Expr star = null;
        Expr doubleStar = null;
        while (!in.skipOperator(")")) {
            if (star == null && in.skipOperator("*")) {
                star = expression();
            } else if (doubleStar == null && in.skipOperator("**")) {
                doubleStar = expression();
            } else if (in.peek().kind() == Lexeme.Kind.NAME && in.peekAfter().is(Lexeme.Kind.OPERATOR, "=")) {
                names.add(in.next().text());
                in.next();
                named.add(expression());
            } else {
                positional.add(expression());
            }
            if (!in.atOperator(")")) {
                in.expectOperator(",");
            }
        }
        return new Expr.Arguments(positional, names, named, star, doubleStar);
    }
}
