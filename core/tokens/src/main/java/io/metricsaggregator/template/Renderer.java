package io.metricsaggregator.template;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Executes statements. One instance per rendering; not thread-safe. */
final class Renderer implements Stmt.Visitor<Renderer.Flow> {
    /** How a statement ended: normally, or by a {@code break} or {@code continue} of the enclosing loop. */
    enum Flow {
        ON,
        BREAK,
        CONTINUE
    }

    private final Budget budget;
    private final Interpreter interpreter;
    private StringBuilder out = new StringBuilder();

    private Renderer(RenderLimits limits) {
        this.budget = new Budget(limits);
        this.interpreter = new Interpreter(budget);
    }

    static String render(List<Stmt> body, Map<String, @Nullable Object> variables, RenderLimits limits) {
        Renderer renderer = new Renderer(limits);
        Scope globals = new Scope(null, Globals.all(renderer.budget));
        renderer.run(body, new Scope(globals, new LinkedHashMap<>(variables)));
        return renderer.out.toString();
    }

    private Flow run(List<Stmt> body, Scope scope) {
        for (Stmt statement : body) {
            Flow flow = run(statement, scope);
            if (flow != Flow.ON) {
                return flow;
            }
        }
        return Flow.ON;
    }

    private void write(String text) {
        budget.make(text.length());
        out.append(text);
    }

    private Flow run(Stmt statement, Scope scope) {
        budget.step();
        return statement.accept(this, scope);
    }

    @Override
    public Flow text(Stmt.Text text, Scope scope) {
        write(text.text());
        return Flow.ON;
    }

    @Override
    public Flow print(Stmt.Print print, Scope scope) {
        write(Repr.text(interpreter.value(print.value(), scope), budget));
        return Flow.ON;
    }

    @Override
    public Flow conditional(Stmt.If conditional, Scope scope) {
        return run(chosen(conditional, scope), scope);
    }

    @Override
    public Flow loop(Stmt.For loop, Scope scope) {
        iterate(loop, scope);
        return Flow.ON;
    }

    @Override
    public Flow set(Stmt.Set set, Scope scope) {
        assignAll(set, scope);
        return Flow.ON;
    }

    @Override
    public Flow setBlock(Stmt.SetBlock set, Scope scope) {
        assign(set.target(), captured(set.body(), scope.inner()), scope);
        return Flow.ON;
    }

    @Override
    public Flow macro(Stmt.Macro macro, Scope scope) {
        scope.set(macro.name(), function(macro, scope));
        return Flow.ON;
    }

    @Override
    public Flow filterBlock(Stmt.FilterBlock filter, Scope scope) {
        String text = captured(filter.body(), scope.inner());
        write(Repr.text(interpreter.filter(filter.name(), text, filter.arguments(), scope), budget));
        return Flow.ON;
    }

    @Override
    public Flow with(Stmt.With with, Scope scope) {
        Scope inner = scope.inner();
        for (int i = 0; i < with.names().size(); i++) {
            inner.set(with.names().get(i), interpreter.value(with.values().get(i), scope));
        }
        return run(with.body(), inner);
    }

    @Override
    public Flow generation(Stmt.Generation generation, Scope scope) {
        return run(generation.body(), scope);
    }

    @Override
    public Flow leave(Stmt.Break statement, Scope scope) {
        return Flow.BREAK;
    }

    @Override
    public Flow next(Stmt.Continue statement, Scope scope) {
        return Flow.CONTINUE;
    }

    private List<Stmt> chosen(Stmt.If conditional, Scope scope) {
        for (int i = 0; i < conditional.conditions().size(); i++) {
            if (Values.truth(interpreter.value(conditional.conditions().get(i), scope))) {
                return conditional.bodies().get(i);
            }
        }
        return conditional.otherwise();
    }

    /** Returns the text that a body prints. */
    private String captured(List<Stmt> body, Scope scope) {
        StringBuilder outer = out;
        out = new StringBuilder();
        try {
            run(body, scope);
            return out.toString();
        } finally {
            out = outer;
        }
    }

    private void assignAll(Stmt.Set set, Scope scope) {
        Object value = interpreter.marked(set.value(), scope);
        if (set.targets().size() == 1) {
            assign(set.targets().get(0), value, scope);
            return;
        }
        List<@Nullable Object> parts = Values.elements(Values.plain(value), budget);
        if (parts.size() != set.targets().size()) {
            throw new TemplateException("cannot unpack " + parts.size() + " values into "
                    + set.targets().size() + " names");
        }
        for (int i = 0; i < parts.size(); i++) {
            assign(set.targets().get(i), parts.get(i), scope);
        }
    }

    private void assign(Expr target, @Nullable Object value, Scope scope) {
        if (target instanceof Expr.Name name) {
            scope.set(name.name(), value);
        } else if (target instanceof Expr.Attribute attribute
                && interpreter.value(attribute.of(), scope) instanceof Values.Namespace namespace) {
            namespace.attributes().put(attribute.name(), value);
        } else {
            throw new TemplateException("only attributes of a namespace can be set");
        }
    }

    private void iterate(Stmt.For loop, Scope scope) {
        List<@Nullable Object> elements = new ArrayList<>();
        Expr condition = loop.condition();
        Object gone = interpreter.value(loop.of(), scope);
        for (Object element : Values.elements(gone, budget)) {
            if (condition == null) {
                elements.add(element);
            } else {
                Scope inner = scope.inner();
                bind(loop.targets(), element, inner);
                if (Values.truth(interpreter.value(condition, inner))) {
                    elements.add(element);
                }
            }
        }
        if (elements.isEmpty()) {
            run(loop.otherwise(), scope.inner());
            return;
        }
        Loop state = new Loop(elements);
        for (int i = 0; i < elements.size(); i++) {
            budget.step();
            Scope inner = scope.inner();
            state.index = i;
            bind(loop.targets(), elements.get(i), inner);
            inner.set("loop", state);
            if (run(loop.body(), inner) == Flow.BREAK) {
                break;
            }
        }
    }

    private void bind(List<String> targets, @Nullable Object element, Scope scope) {
        if (targets.size() == 1) {
            scope.set(targets.get(0), element);
            return;
        }
        List<@Nullable Object> parts = Values.elements(element, budget);
        if (parts.size() != targets.size()) {
            throw new TemplateException("cannot unpack " + parts.size() + " values into " + targets.size() + " names");
        }
        for (int i = 0; i < parts.size(); i++) {
            scope.set(targets.get(i), parts.get(i));
        }
    }

    private Values.Function function(Stmt.Macro macro, Scope defined) {
        return (arguments, named) -> {
            Scope inner = defined.inner();
            List<String> parameters = macro.parameters();
            if (arguments.size() > parameters.size()) {
                throw new TemplateException("macro " + macro.name() + " takes " + parameters.size() + " arguments");
            }
            int firstDefault = parameters.size() - macro.defaults().size();
            for (int i = 0; i < parameters.size(); i++) {
                String parameter = parameters.get(i);
                Object value = new Values.Undefined(parameter);
                if (i < arguments.size()) {
                    value = arguments.get(i);
                } else if (named.containsKey(parameter)) {
                    value = named.get(parameter);
                } else if (i >= firstDefault) {
                    value = interpreter.value(macro.defaults().get(i - firstDefault), inner);
                }
                inner.set(parameter, value);
            }
            return captured(macro.body(), inner);
        };
    }

    /** The variable {@code loop} inside a {@code for} statement. */
    private final class Loop implements Values.Attributes {
        private final List<@Nullable Object> elements;
        private int index;
        private @Nullable Object changed = this;

        Loop(List<@Nullable Object> elements) {
            this.elements = elements;
        }

        @Override
        public @Nullable Object attribute(String name) {
            int size = elements.size();
            return switch (name) {
                case "index" -> index + 1L;
                case "index0" -> (long) index;
                case "revindex" -> (long) size - index;
                case "revindex0" -> size - index - 1L;
                case "first" -> index == 0;
                case "last" -> index == size - 1;
                case "length" -> (long) size;
                case "depth" -> 1L;
                case "depth0" -> 0L;
                case "previtem" -> index == 0 ? new Values.Undefined("previtem") : elements.get(index - 1);
                case "nextitem" -> index == size - 1 ? new Values.Undefined("nextitem") : elements.get(index + 1);
                case "cycle" -> (Values.Function) (arguments, named) -> arguments.get(index % arguments.size());
                case "changed" ->
                    (Values.Function) (arguments, named) -> {
                        boolean differs = changed == this || !Comparison.equal(changed, arguments, budget);
                        changed = arguments;
                        return differs;
                    };
                default -> new Values.Undefined(name);
            };
        }
    }
}
