package io.metricsaggregator.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Parses statements from lexemes. One instance per template. */
final class Parser {
    private static final int DEPTH_MAX = 200;

    private final List<Lexeme> lexemes;
    private final ExprParser expressions;
    private int at;
    private int depth;

    private Parser(List<Lexeme> lexemes) {
        this.lexemes = lexemes;
        this.expressions = new ExprParser(this);
    }

    static List<Stmt> parse(String source) {
        Parser parser = new Parser(Lexer.lex(source));
        List<Stmt> body = parser.body(Set.of());
        if (parser.peek().kind() != Lexeme.Kind.END) {
            throw parser.unexpected();
        }
        return body;
    }

    Lexeme peek() {
        return lexemes.get(at);
    }

    Lexeme peekAfter() {
        return lexemes.get(Math.min(at + 1, lexemes.size() - 1));
    }

    Lexeme next() {
        Lexeme lexeme = lexemes.get(at);
        if (lexeme.kind() != Lexeme.Kind.END) {
            at++;
        }
        return lexeme;
    }

    boolean atOperator(String operator) {
        return peek().is(Lexeme.Kind.OPERATOR, operator);
    }

    boolean atName(String name) {
        return peek().is(Lexeme.Kind.NAME, name);
    }

    boolean skipOperator(String operator) {
        boolean there = atOperator(operator);
        if (there) {
            at++;
        }
        return there;
    }

    boolean skipName(String name) {
        boolean there = atName(name);
        if (there) {
            at++;
        }
        return there;
    }

    void expectOperator(String operator) {
        if (!skipOperator(operator)) {
            throw unexpected();
        }
    }

    String expectName() {
        if (peek().kind() != Lexeme.Kind.NAME) {
            throw unexpected();
        }
        return next().text();
    }

    TemplateException unexpected() {
        Lexeme lexeme = peek();
        String what = lexeme.text().isEmpty() ? lexeme.kind().toString() : "'" + lexeme.text() + "'";
        return new TemplateException("line " + lexeme.line() + ": unexpected " + what);
    }

    void enter() {
        if (++depth > DEPTH_MAX) {
            throw new TemplateException("line " + peek().line() + ": nested too deeply");
        }
    }

    void leave() {
        depth--;
    }

    private void expect(Lexeme.Kind kind) {
        if (peek().kind() != kind) {
            throw unexpected();
        }
        at++;
    }

    /** Parses statements up to a block that starts with one of {@code ends}, which is not consumed. */
    private List<Stmt> body(Set<String> ends) {
        enter();
        List<Stmt> body = new ArrayList<>();
        while (peek().kind() != Lexeme.Kind.END) {
            switch (peek().kind()) {
                case TEXT -> body.add(new Stmt.Text(next().text()));
                case PRINT_START -> {
                    next();
                    body.add(new Stmt.Print(expressions.tuple()));
                    expect(Lexeme.Kind.PRINT_END);
                }
                case BLOCK_START -> {
                    if (peekAfter().kind() == Lexeme.Kind.NAME
                            && ends.contains(peekAfter().text())) {
                        leave();
                        return body;
                    }
                    next();
                    body.add(statement(expectName()));
                }
                default -> throw unexpected();
            }
        }
        leave();
        return body;
    }

    private void end() {
        expect(Lexeme.Kind.BLOCK_END);
    }

    /** Consumes the block that ends a body and returns its name. */
    private String ending() {
        expect(Lexeme.Kind.BLOCK_START);
        return expectName();
    }

    private List<Stmt> bodyTo(String closing) {
        List<Stmt> body = body(Set.of(closing));
        if (!ending().equals(closing)) {
            throw unexpected();
        }
        if (closing.equals("endmacro") && peek().kind() == Lexeme.Kind.NAME) {
            next();
        }
        end();
        return body;
    }

    private Stmt statement(String name) {
        return switch (name) {
            case "if" -> ifStatement();
            case "for" -> forStatement();
            case "set" -> setStatement();
            case "macro" -> macro();
            case "filter" -> {
                String filter = expectName();
                Expr.Arguments arguments = atOperator("(") ? expressions.arguments() : Expr.Arguments.NONE;
                end();
                yield new Stmt.FilterBlock(filter, arguments, bodyTo("endfilter"));
            }
            case "with" -> with();
            case "generation" -> {
                end();
                yield new Stmt.Generation(bodyTo("endgeneration"));
            }
            case "break" -> {
                end();
                yield new Stmt.Break();
            }
            case "continue" -> {
                end();
                yield new Stmt.Continue();
            }
            default ->
                throw new TemplateException("line " + peek().line() + ": the block '" + name + "' is not supported");
        };
    }

    private Stmt ifStatement() {
        List<Expr> conditions = new ArrayList<>();
        List<List<Stmt>> bodies = new ArrayList<>();
        List<Stmt> otherwise = List.of();
        String word = "if";
        while (!word.equals("endif")) {
            if (word.equals("else")) {
                end();
                otherwise = body(Set.of("endif"));
            } else {
                conditions.add(expressions.tuple());
                end();
                bodies.add(body(Set.of("elif", "else", "endif")));
            }
            word = ending();
        }
        end();
        return new Stmt.If(conditions, bodies, otherwise);
    }

    private Stmt forStatement() {
        List<String> targets = new ArrayList<>();
        boolean parenthesis = skipOperator("(");
        do {
            targets.add(expectName());
        } while (skipOperator(",") && !atName("in"));
        if (parenthesis) {
            expectOperator(")");
        }
        if (!skipName("in")) {
            throw unexpected();
        }
        Expr of = expressions.tupleWithoutCondition();
        Expr condition = skipName("if") ? expressions.expression() : null;
        if (atName("recursive")) {
            throw new TemplateException("line " + peek().line() + ": recursive loops are not supported");
        }
        end();
        List<Stmt> body = body(Set.of("else", "endfor"));
        List<Stmt> otherwise = List.of();
        if (ending().equals("else")) {
            end();
            otherwise = body(Set.of("endfor"));
            ending();
        }
        end();
        return new Stmt.For(targets, of, condition, body, otherwise);
    }

    private Stmt setStatement() {
        List<Expr> targets = new ArrayList<>();
        do {
            String name = expectName();
            targets.add(
                    skipOperator(".") ? new Expr.Attribute(new Expr.Name(name), expectName()) : new Expr.Name(name));
        } while (skipOperator(","));
        if (skipOperator("=")) {
            Expr value = expressions.tuple();
            end();
            return new Stmt.Set(targets, value);
        }
        if (targets.size() > 1 || atOperator("|")) {
            throw unexpected();
        }
        end();
        return new Stmt.SetBlock(targets.get(0), bodyTo("endset"));
    }

    private Stmt macro() {
        String name = expectName();
        List<String> parameters = new ArrayList<>();
        List<Expr> defaults = new ArrayList<>();
        expectOperator("(");
        while (!skipOperator(")")) {
            parameters.add(expectName());
            if (skipOperator("=")) {
                defaults.add(expressions.expression());
            } else if (!defaults.isEmpty()) {
                throw unexpected();
            }
            if (!atOperator(")")) {
                expectOperator(",");
            }
        }
        end();
        return new Stmt.Macro(name, parameters, defaults, bodyTo("endmacro"));
    }

    private Stmt with() {
        List<String> names = new ArrayList<>();
        List<Expr> values = new ArrayList<>();
        while (peek().kind() != Lexeme.Kind.BLOCK_END) {
            if (!names.isEmpty()) {
                expectOperator(",");
            }
            names.add(expectName());
            expectOperator("=");
            values.add(expressions.expression());
        }
        end();
        return new Stmt.With(names, values, bodyTo("endwith"));
    }
}
