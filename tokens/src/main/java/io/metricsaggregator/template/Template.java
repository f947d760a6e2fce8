package io.metricsaggregator.template;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A template, parsed once and rendered as often as wanted, by any thread. */
public final class Template {
    private static final int SOURCE_MAX = 1 << 18;

    private final List<Stmt> body;

    private Template(List<Stmt> body) {
        this.body = body;
    }

    /**
     * Parses a template.
     *
     * @throws TemplateException naming the line and what is wrong there or not supported
     */
    public static Template parse(String source) {
        if (source.length() > SOURCE_MAX) {
            throw new TemplateException("the template is longer than " + SOURCE_MAX + " characters");
        }
        try {
            return new Template(Parser.parse(source));
        } catch (StackOverflowError e) {
            throw new TemplateException("the template is nested too deep");
        }
    }

    /**
     * Renders the template within {@link RenderLimits#DEFAULT}.
     *
     * @param variables by name: maps, lists, strings, {@code Long}, {@code Double}, {@code Boolean} or null
     * @throws TemplateException if the template fails, says so itself, or costs too much
     */
    public String render(Map<String, @Nullable Object> variables) {
        return render(variables, RenderLimits.DEFAULT);
    }

    /**
     * Renders the template. Takes a few seconds at most, whatever the template is.
     *
     * @param variables by name: maps, lists, strings, {@code Long}, {@code Double}, {@code Boolean} or null
     * @param limits on the memory of the rendering
     * @throws TemplateException if the template fails, says so itself, or costs too much
     */
    public String render(Map<String, @Nullable Object> variables, RenderLimits limits) {
        try {
            return Renderer.render(body, variables, limits);
        } catch (ClassCastException | IndexOutOfBoundsException | IllegalArgumentException e) {
            throw new TemplateException("a filter or method was given what it does not take: " + e.getMessage());
        } catch (StackOverflowError e) {
            throw new TemplateException("the template is nested too deep");
        }
    }
}
